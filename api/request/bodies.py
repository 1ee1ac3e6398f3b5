"""Parses a request body into plain data: strict JSON only."""

import json
from codecs import BOM_UTF8
from typing import Any, Final, NoReturn

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from api.responses import JSON_TYPE
from games.errors import Fault, Refused
from games.messages import Message
from games.strict_json import shape, unique

DEEPEST: Final = 32
"""How deep the objects and lists of a body may be nested."""
LATE: Final = "billet.late"
"""The key in the environment that marks a body that has timed out."""


def raw_json(request: Request) -> bytes:
    """Returns a body that is declared as JSON.

    Raises:
        Refused: `unsupported_media_type`, the body is not declared as JSON, or has a content encoding;
            `request_timeout`, it has not arrived in time.
        RequestEntityTooLarge: it is longer than the service accepts.
    """
    if request.environ.get("CONTENT_TYPE") != JSON_TYPE and request.mimetype != JSON_TYPE:
        raise Refused("unsupported_media_type", Message("detail.not_declared_json"))
    encoding = request.environ.get("HTTP_CONTENT_ENCODING", "identity")
    if encoding.lower() != "identity":
        raise Refused("unsupported_media_type", Message("detail.body_encoded"))
    return raw_body(request)


def raw_body(request: Request) -> bytes:
    """Returns a body of any media type.

    Raises:
        Refused: `request_timeout`, it has not arrived in time.
        RequestEntityTooLarge: it is longer than the service accepts.
    """
    if LATE in request.environ:
        raise Refused("request_timeout", Message("detail.body_late"))
    # It has arrived, and a byte more of one that is too long.
    raw: bytes = request.environ["wsgi.input"].read()
    most = request.max_content_length
    if most is not None and (len(raw) > most or int(request.environ.get("CONTENT_LENGTH") or 0) > most):
        raise RequestEntityTooLarge
    return raw


def parsed(raw: bytes) -> Any:
    """Returns JSON as plain data.

    Raises:
        Refused: `malformed_request`, it is not JSON, has a duplicate member, holds NaN or is nested too deeply;
            `invalid_request`, a string holds an invalid character.
    """
    try:
        # decode() is strict; json.loads() on bytes would guess UTF-16 and accept lone surrogates.
        data = _DECODER.decode(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise malformed("detail.not_utf_8") from None
    except json.JSONDecodeError as error:
        if raw.startswith(BOM_UTF8):
            raise malformed("detail.byte_order_mark") from None
        raise malformed("detail.not_json", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise malformed("detail.too_deep", most=DEEPEST) from None
    if raw.count(b"[") + raw.count(b"{") > DEEPEST and shape(data, DEEPEST)[0] > DEEPEST:
        raise malformed("detail.too_deep", most=DEEPEST)
    if b"\\u" in raw:
        _refuse_non_characters(data, "")
    return data


def malformed(key: str, **values: object) -> Refused:
    """Returns the refusal of an unreadable body; `key` is that of the text that gives the reason."""
    return Refused("malformed_request", Message(key, values))


def _refuse_constant(name: str) -> NoReturn:
    raise malformed("detail.constant", name=name)


def _whole(text: str) -> int:
    if len(text) > 20:
        raise malformed("detail.long_number")
    return int(text)


_unique: Final = unique(lambda: malformed("detail.member_twice"))
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_int=_whole)


def _refuse_non_characters(data: Any, place: str) -> None:
    """Refuses strings with NUL or a lone surrogate, which only an escape can produce."""
    if isinstance(data, str):
        if "\0" in data or any("\ud800" <= character <= "\udfff" for character in data):
            fault = Fault(place, Message("fault.no_character"))
            raise Refused("invalid_request", Message("detail.no_character"), faults=[fault])
    elif isinstance(data, dict):
        for name, value in data.items():
            _refuse_non_characters(name, place)
            _refuse_non_characters(value, f"{place}.{name}" if place else name)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            _refuse_non_characters(value, f"{place}.{index}" if place else str(index))
