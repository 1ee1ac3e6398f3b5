"""How bodies, queries and headers are checked against their schemas; the schemas themselves are elsewhere."""

import re
from collections.abc import Mapping
from typing import Any, Final

import marshmallow as ma
from flask import Request

from api.bodies import parsed, raw_json
from service.errors import Refused

MOST_REMEMBERED: Final = 4096
LONGEST_REMEMBERED: Final = 256
"""In bytes: no body that a client writes at its shortest is longer than this."""

_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")


class Body:
    """The body that an operation takes.

    Of a body that `repeats`, such as an action, few different ones are ever sent: what the last ones read as is
    remembered, which saves a seventh of the time such a request takes here. Nobody may change what `read` returns.
    """

    def __init__(
        self, schema: ma.Schema, examples: Mapping[str, Any], *, required: bool = True, repeats: bool = False
    ) -> None:
        self.schema = schema
        self.examples = examples
        self.required = required
        self._remembered: dict[bytes, Any] | None = {} if repeats else None

    def read(self, request: Request) -> Any:
        """Returns the body as its schema reads it; one that may be left out reads as an empty object.

        Raises:
            Refused: `invalid_request`, the schema refuses it.
        """
        if not self.required and not request.content_length and "HTTP_TRANSFER_ENCODING" not in request.environ:
            return {}
        raw = raw_json(request)
        if self._remembered is None:
            return self._loaded(raw)
        known = self._remembered.get(raw)
        if known is None:
            known = self._loaded(raw)
            if len(raw) <= LONGEST_REMEMBERED:
                if len(self._remembered) >= MOST_REMEMBERED:
                    self._remembered.clear()
                self._remembered[raw] = known
        return known

    def _loaded(self, raw: bytes) -> Any:
        try:
            return self.schema.load(parsed(raw))
        except ma.ValidationError as error:
            raise invalid("body", error) from None


def read_query(request: Request, schema: ma.Schema) -> dict[str, Any]:
    """Returns the parameters of the query as their schema reads them.

    Raises:
        Refused: `invalid_request`, the schema refuses one, or one is given twice.
    """
    if not request.environ.get("QUERY_STRING"):
        return {}
    parameters: dict[str, str] = {}
    for name, values in request.args.lists():
        if len(values) > 1:
            raise invalid("query", ma.ValidationError({name: ["Is given twice."]}))
        if "\0" in values[0]:
            raise invalid("query", ma.ValidationError({name: ["Holds NUL."]}))
        parameters[name] = values[0]
    try:
        read: dict[str, Any] = schema.load(parameters)
    except ma.ValidationError as error:
        raise invalid("query", error) from None
    return read


def idempotency_key(request: Request) -> str | None:
    """Returns the key that makes a call safe to repeat, or None.

    Raises:
        Refused: `invalid_request`, it is empty, too long or holds more than visible ASCII.
    """
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and _KEY.fullmatch(key) is None:
        fault = {"field": "Idempotency-Key", "detail": "Must be 1 to 200 visible ASCII characters."}
        raise Refused("invalid_request", "The Idempotency-Key is not valid; send a random UUID.", errors=[fault])
    return key


def invalid(where: str, error: ma.ValidationError) -> Refused:
    """Returns the refusal that says everything that is wrong with one part of a call."""
    errors = [{"field": field, "detail": detail} for field, detail in faults(error.messages, "")]
    first = errors[0]
    fault = f"{first['detail'][:1].lower()}{first['detail'][1:].rstrip('.')}"
    place = f"`{first['field']}`" if first["field"] else f"it {fault}"
    more = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
    return Refused(
        "invalid_request",
        f"The {where} of the call is not valid: {place}{more}. Correct what `errors` lists and call again.",
        errors=errors,
    )


def faults(messages: Any, place: str) -> list[tuple[str, str]]:
    """Returns marshmallow's nested messages as pairs of the member and what is wrong with it."""
    if isinstance(messages, dict):
        found = []
        for name, inner in messages.items():
            own = place if name == "_schema" else f"{place}.{name}" if place else str(name)
            found += faults(inner, own)
        return found
    if isinstance(messages, list | tuple):
        return [pair for message in messages for pair in faults(message, place)]
    return [(place, str(messages))]
