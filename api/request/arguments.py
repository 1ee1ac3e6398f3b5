"""Checks bodies, queries and headers against their schemas."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any, Final
from urllib.parse import unquote, unquote_to_bytes

import marshmallow as ma
from flask import Request
from werkzeug.http import parse_etags

from api.request.bodies import parsed, raw_json
from api.schemas.fields.base import MOST_FAULTS, Query
from games.errors import Fault, Refused
from games.messages import Message

MOST_REMEMBERED: Final = 4096
LONGEST_REMEMBERED: Final = 256
"""In bytes: hardly any body that clients send again is longer."""

_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")
SECRET_KEY_LENGTH: Final = 22
"""The shortest idempotency key that returns a token again: 128 random bits in letters and digits."""

LAST_EVENT_ID: Final = "Last-Event-ID"
CACHE_BUSTER: Final = "_"
"""What jQuery and others add to any address, so that no cache answers; the polyfills' own is `r`."""
_LAST_ID: Final = re.compile("(evs_)?last[-_]?event[-_]?id", re.ASCII | re.IGNORECASE)
_BESIDES: Final = frozenset({"r", "padding", "evs_preamble", "evs_buffer_size_limit"})
"""Cache-busters, and wishes that only Internet Explorer had."""


class Body:
    """The body that an operation takes.

    Clients mostly send the same few bodies of a kind that `repeats`, such as an action or a table to open. The last
    ones are cached as read, which saves a seventh of the time of such a request. Callers must not change the result of
    `read`.
    """

    may_be_long = False
    """Whether it may be as long as a log."""

    def __init__(
        self, schema: ma.Schema, examples: Mapping[str, Any], *, required: bool = True, repeats: bool = False
    ) -> None:
        self.schema = schema
        self.examples = examples
        self.required = required
        self._remembered = lru_cache(MOST_REMEMBERED if repeats else 0)(self._loaded)

    def read(self, request: Request) -> Any:
        """Returns the body as its schema reads it; an omitted optional body reads as an empty object.

        Raises:
            Refused: `invalid_request`, the schema refuses it.
        """
        if not self.required and not request.content_length and "HTTP_TRANSFER_ENCODING" not in request.environ:
            return {}
        raw = raw_json(request)
        return (self._remembered if len(raw) <= LONGEST_REMEMBERED else self._loaded)(raw)

    def _loaded(self, raw: bytes) -> Any:
        try:
            return self.schema.load(parsed(raw))
        except ma.ValidationError as error:
            # Its traceback is in a cycle with marshmallow's frame, which would keep the whole body.
            raise invalid("body", error.with_traceback(None)) from None


def read_query(request: Request, schema: Query) -> dict[str, Any]:
    """Returns the parameters as their schema reads them, without what libraries add.

    Raises:
        Refused: `invalid_request`, the schema refuses one, or one is given twice.
    """
    if not request.environ.get("QUERY_STRING"):
        return {}
    parameters: dict[str, str] = {}
    _refuse_non_characters(request.environ["QUERY_STRING"])
    for name, values in request.args.lists():
        if name == CACHE_BUSTER or (schema.of_stream and of_polyfill(name)):
            continue
        if len(values) > 1:
            raise invalid("query", ma.ValidationError({name: [Message("fault.given_twice")]}))
        if "\0" in values[0]:
            raise invalid("query", ma.ValidationError({name: [Message("fault.holds_nul")]}))
        parameters[name] = values[0]
    try:
        read: dict[str, Any] = schema.load(parameters)
    except ma.ValidationError as error:
        raise invalid("query", error) from None
    return read


def _refuse_non_characters(raw: str) -> None:
    """Refuses a query that is not UTF-8, as with half a surrogate pair; werkzeug would read `?` there."""
    if "%" not in raw and raw.isascii():
        return
    for part in raw.split("&"):
        try:
            unquote_to_bytes(part.encode("latin-1")).decode("utf-8")
        except UnicodeDecodeError:
            name = unquote(part.partition("=")[0])
            raise invalid("query", ma.ValidationError({name: [Message("fault.no_character")]})) from None


def idempotency_key(request: Request, least: int = 1) -> str | None:
    """Returns the idempotency key, or None.

    Raises:
        Refused: `invalid_request`, it is too short, too long or holds more than visible ASCII.
    """
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and (len(key) < least or _KEY.fullmatch(key) is None):
        fault = Fault("Idempotency-Key", Message("fault.idempotency_key", {"least": least}))
        raise Refused("invalid_request", Message("detail.idempotency_key"), faults=[fault])
    return key


def if_match(request: Request) -> Callable[[str], bool] | None:
    """Returns whether the caller would act on the view with a tag; None if any view will do."""
    sent = request.environ.get("HTTP_IF_MATCH")
    return None if sent is None else parse_etags(sent).contains


def if_none_match(request: Request) -> Callable[[str], bool] | None:
    """Returns whether the caller has the answer with a tag, which proxies may have made weak; None if it has none."""
    sent = request.environ.get("HTTP_IF_NONE_MATCH")
    return None if sent is None else parse_etags(sent).contains_weak


DETAILS: Final = {
    "body": ("detail.body_invalid", "detail.body_invalid_and_more", "detail.body_invalid_as_a_whole"),
    "query": ("detail.query_invalid", "detail.query_invalid_and_more", "detail.query_invalid"),
}
"""What is said of each part of a call: that one member is wrong, that several are, that the whole is."""


def invalid(where: str, error: ma.ValidationError) -> Refused:
    """Returns the refusal that says what is wrong with the body or query, and in how many places."""
    found = [fault for fault, _ in groupby(faults(error.messages, ""))]  # two checks of a member may say the same
    first = found[0]
    one, several, whole = DETAILS[where]
    places = len({fault.field for fault in found})
    key = whole if not first.field else several if places > 1 else one
    values = {"field": first.field, "count": places, "fault": first.detail}
    return Refused("invalid_request", Message(key, values), faults=found[:MOST_FAULTS])


def faults(messages: Any, place: str) -> list[Fault]:
    """Returns marshmallow's nested messages one by one, each with the member that it is about."""
    if isinstance(messages, dict):
        found = []
        for name, inner in messages.items():
            own = place if name == "_schema" else f"{place}.{name}" if place else str(name)
            found += faults(inner, own)
        return found
    if isinstance(messages, list | tuple):
        return [fault for message in messages for fault in faults(message, place)]
    # Every field of ours speaks in texts by key; marshmallow's own words are English and would stay so.
    return [Fault(place, messages if isinstance(messages, Message) else Message("fault.not_expected"))]


def of_polyfill(name: str) -> bool:
    """Returns whether a parameter is one that a polyfill of `EventSource` adds."""
    return name in _BESIDES or _LAST_ID.fullmatch(name) is not None


def last_event_id(request: Request) -> tuple[str, str]:
    """Returns where the id of the last event was sent, and the id; empty if nowhere.

    The browser's own `EventSource` sends a header. Polyfills add to the query instead, as read in what npm has of
    event-source-polyfill, reconnecting-eventsource, vue-sse, ng-event-source and event-source (`lastEventId`, at first
    also empty, and `r` and `padding`), eventsource-polyfill and its forks (`evs_...`), and in what servers ask the
    first to send (`Last-Event-ID`, `lastEventID`). All others send the header.

    A browser that reconnects to the address that a polyfill made sends a newer one in the header. A polyfill that adds
    to an address that has one already adds the newer one behind it.
    """
    header = request.environ.get("HTTP_LAST_EVENT_ID", "")
    sent = [(name, value) for name, value in request.args.items(multi=True) if _LAST_ID.fullmatch(name)]
    return (LAST_EVENT_ID, header) if header or not sent else sent[-1]
