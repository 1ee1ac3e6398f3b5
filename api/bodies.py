"""How a request body becomes plain data: strict JSON and nothing else; what it may look like is for the schemas."""

import json
from codecs import BOM_UTF8
from typing import Any, Final, NoReturn

from flask import Request
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

from service.errors import Refused

MAX_DEPTH: Final = 32
JSON_TYPE: Final = "application/json"


def raw_json(request: Request) -> bytes:
    """Returns the body of a request that is declared to be JSON.

    Raises:
        UnsupportedMediaType: the body is not declared to be JSON, or is encoded in some way.
        RequestEntityTooLarge: it is longer than the service accepts.
    """
    if request.mimetype != JSON_TYPE:
        raise UnsupportedMediaType("The body must be JSON: send it with the header `Content-Type: application/json`.")
    encoding = request.environ.get("HTTP_CONTENT_ENCODING", "identity")
    if encoding.lower() != "identity":
        raise UnsupportedMediaType("The body has a `Content-Encoding`. Send it plain: as JSON that is not compressed.")
    raw = request.get_data(cache=False)
    # A body that comes in chunks is cut off at the limit without a word.
    if request.content_length is None and len(raw) == request.max_content_length:
        raise RequestEntityTooLarge
    return raw


def parsed(raw: bytes) -> Any:
    """Returns a body as plain data.

    Raises:
        BadRequest: it is not JSON, has a member twice, holds NaN or is nested too deeply.
        Refused: `invalid_request`, a string holds what is no character.
    """
    try:
        # decode() is strict where json.loads() on bytes would guess UTF-16 and let lone surrogates pass.
        data = _DECODER.decode(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadRequest("The body is not UTF-8. Send JSON encoded as UTF-8.") from None
    except json.JSONDecodeError as error:
        if raw.startswith(BOM_UTF8):
            raise BadRequest("The body begins with a byte order mark. Send the JSON without one.") from None
        raise BadRequest(
            f"The body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}. Send one JSON value."
        ) from None
    except RecursionError:
        raise BadRequest(_TOO_DEEP) from None
    except ValueError as error:
        raise BadRequest(f"The body is not accepted: {error}.") from None
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(data) > MAX_DEPTH:
        raise BadRequest(_TOO_DEEP)
    if b"\\u" in raw:
        _refuse_non_characters(data, "")
    return data


_TOO_DEEP = f"The body is not accepted: it is nested more than {MAX_DEPTH} levels deep."


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object has the same member twice")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _whole(text: str) -> int:
    if len(text) > 20:
        raise ValueError("a number has more than 20 digits")
    return int(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_int=_whole)


def _depth(data: Any) -> int:
    deepest = 0
    stack = [(data, 1)]
    while stack:
        value, depth = stack.pop()
        if isinstance(value, dict | list):
            deepest = max(deepest, depth)
            stack.extend((inner, depth + 1) for inner in (value.values() if isinstance(value, dict) else value))
    return deepest


def _refuse_non_characters(data: Any, place: str) -> None:
    """Refuses strings with NUL or half a surrogate pair; only an escape can bring them in."""
    if isinstance(data, str):
        if "\0" in data or any("\ud800" <= character <= "\udfff" for character in data):
            fault = {"field": place, "detail": "Holds NUL or half a surrogate pair."}
            raise Refused("invalid_request", "A text of the body holds what is no character.", errors=[fault])
    elif isinstance(data, dict):
        for name, value in data.items():
            _refuse_non_characters(name, place)
            _refuse_non_characters(value, f"{place}.{name}" if place else name)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            _refuse_non_characters(value, f"{place}.{index}" if place else str(index))
