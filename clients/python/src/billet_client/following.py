"""Follows a game: every event once and in order, over whatever breaks meanwhile.

Events come as server-sent events, or by long-poll where streams do not get through. Both have one cursor, the version
of the last event, so either goes on where the other was.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

import httpx
import httpx_sse

from billet_client.connection import LOST, Connection
from billet_client.core.models import EventPage
from billet_client.core.unions import GAME_EVENT_CLASSES, GameEvent
from billet_client.refusals import NotUnderstood, RateLimited, Refused
from billet_client.retries import attempts, may_pass, pause

Page: TypeAlias = Callable[[int], EventPage]
"""Asks for the events after a version, and waits for one."""

BARREN: Final = 2
"""After so many streams in a row of which nothing came, not even their opening, the events are asked for instead."""
NO_EVENT_SECONDS: Final = 1.0
"""The longest pause after a stream or a wait that brought no event, so that one that is cut at once is no flood."""
VIEW: Final = "game"
"""The name of what a stream begins with that was not told where to go on."""


class Barred(Exception):
    """Streams do not get through to this client."""


class Stream:
    """The event stream of a game, opened as often as needed."""

    def __init__(self, connection: Connection, path: str, query: Mapping[str, str | bool], silence: float) -> None:
        """A stream of which nothing is heard for `silence` seconds has been cut off."""
        self._connection = connection
        self._path = path
        self._query = query
        self._timeout = httpx.Timeout(connection.timeout.connect, read=silence)

    def opened(self, after: int) -> httpx.Response:
        """Returns the open stream of the events after a version, tried for as long as there is patience.

        Raises:
            Barred: streams are refused. If that is because of the game, so are its pages, which then say why.
            Refused: the service was away for as long.
            NoAnswer: nothing was heard from the service for as long.
        """
        request = self._connection.build_request(
            "GET",
            self._path,
            params={**self._query, "after": after},
            headers={"Accept": "text/event-stream", "Cache-Control": "no-store"},
            timeout=self._timeout,
        )
        return attempts(self._connection.patience, repeatable=True)(self._open, request)

    def _open(self, request: httpx.Request) -> httpx.Response:
        try:
            return self._connection.send(request, stream=True)
        except Refused as refusal:
            full = isinstance(refusal, RateLimited) and (refusal.limit or "").startswith("streams")
            if full or not may_pass(refusal):
                raise Barred from refusal
            raise


def follow(stream: Stream | None, page: Page, after: int) -> Iterator[GameEvent]:
    """Yields the events after a version until the game has ended; without a stream by long-poll alone.

    Raises:
        Refused: the game may not be followed, or the service was away for as long as there was patience.
        NoAnswer: nothing was heard from the service for as long.
        NotUnderstood: this version of the client does not know what came.
    """
    if stream is not None:
        try:
            for event in streamed(stream, after):
                after = event.version
                yield event
            return
        except Barred:
            pass
    yield from polled(page, after)


def streamed(stream: Stream, after: int) -> Iterator[GameEvent]:
    """Yields events as they come, from as many streams as it takes.

    Raises:
        Barred: streams do not get through.
    """
    barren = 0
    while True:
        begun, heard = after, False
        with contextlib.closing(stream.opened(after)) as response:
            if response.status_code == httpx.codes.NO_CONTENT:
                return
            try:
                for sent in httpx_sse.EventSource(response).iter_sse():
                    heard = True
                    if not sent.data or sent.event == VIEW:
                        continue
                    event = _event_of(sent.data)
                    if event.version > after + 1:
                        break
                    if event.version > after:
                        after = event.version
                        yield event
            except LOST:
                pass
            except httpx_sse.SSEError as error:
                raise Barred from error
        barren = 0 if heard else barren + 1
        if barren == BARREN:
            raise Barred
        if after == begun:
            pause(NO_EVENT_SECONDS)


def polled(page: Page, after: int) -> Iterator[GameEvent]:
    """Yields events as they are asked for."""
    while True:
        found = page(after)
        for event in found.events:
            if event.version > after + 1:
                raise NotUnderstood(f"event {event.version} came after {after}")
            if event.version > after:
                after = event.version
                yield event
        if found.finished:
            return
        if not found.events:
            pause(NO_EVENT_SECONDS)


def _event_of(data: str) -> GameEvent:
    try:
        sent = json.loads(data)
        return GAME_EVENT_CLASSES[sent["type"]].from_dict(sent)
    except (ValueError, TypeError, KeyError) as error:
        raise NotUnderstood(f"an event without sense: {error!r}") from error
