"""Reads what polyfills of `EventSource` add to the query of a stream, where the browser's own sends a header.

Read in what npm has of event-source-polyfill, reconnecting-eventsource, vue-sse, ng-event-source and event-source
(`lastEventId`, at first also empty, and `r` and `padding`), eventsource-polyfill and its forks (`evs_...`), and in
what servers ask the first to send (`Last-Event-ID`, `lastEventID`). All others send the header.
"""

import re
from typing import Final

from flask import Request

HEADER: Final = "Last-Event-ID"
CACHE_BUSTER: Final = "_"
"""What jQuery and others add to any address, so that no cache answers; the polyfills' own is `r`."""
_LAST_ID: Final = re.compile("(evs_)?last[-_]?event[-_]?id", re.ASCII | re.IGNORECASE)
_BESIDES: Final = frozenset({"r", "padding", "evs_preamble", "evs_buffer_size_limit"})
"""Cache-busters, and wishes that only Internet Explorer had."""


def of_polyfill(name: str) -> bool:
    """Returns whether a parameter is one that a polyfill of `EventSource` adds."""
    return name in _BESIDES or _LAST_ID.fullmatch(name) is not None


def last_event_id(request: Request) -> tuple[str, str]:
    """Returns where the id of the last event was sent, and the id; empty if nowhere.

    A browser that reconnects to the address that a polyfill made sends a newer one in the header. A polyfill that adds
    to an address that has one already adds the newer one behind it.
    """
    header = request.environ.get("HTTP_LAST_EVENT_ID", "")
    sent = [(name, value) for name, value in request.args.items(multi=True) if _LAST_ID.fullmatch(name)]
    return (HEADER, header) if header or not sent else sent[-1]
