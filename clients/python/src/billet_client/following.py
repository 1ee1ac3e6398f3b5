"""Follows a game: every event or frame once and in order, through broken connections.

They come as server-sent events, or by long-poll where streams do not get through. Both resume after a version, so
either continues where the other stopped.
"""

import contextlib
import json
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Final, Generic, NamedTuple, TypeVar

import httpx
import httpx_sse

from billet_client.connection import LOST, Connection
from billet_client.core.models import Frame
from billet_client.core.unions import GAME_EVENT_CLASSES, GameEvent
from billet_client.refusals import NotUnderstood, RateLimited, Refused
from billet_client.retries import attempts, may_pass, pause

Item = TypeVar("Item", GameEvent, Frame)
"""An event or a frame."""


class Page(NamedTuple, Generic[Item]):
    """Some items after a version, and whether there will be no more."""

    items: list[Item]
    finished: bool


Ask = Callable[[int], Page[Item]]
"""Fetches the items after a version, and waits for the first."""

BARREN: Final = 2
"""After so many streams in a row without any message, the client turns to long-poll."""
NO_EVENT_SECONDS: Final = 1.0
"""The longest pause after a stream or a wait without an event, so that waits that end at once cause no flood."""
VIEW: Final = "game"
"""The name of the first message of a stream that was opened without a version."""


class Barred(Exception):
    """Streams do not get through to this client."""


class Stream:
    """The event stream of a game or of the lobby, which is opened as often as needed."""

    def __init__(self, connection: Connection, path: str, query: Mapping[str, str | bool], silence: float) -> None:
        """Prepares a stream; without any data for `silence` seconds it counts as broken."""
        self._connection = connection
        self._path = path
        self._query = query
        self._timeout = httpx.Timeout(connection.timeout.connect, read=silence)

    def opened(self, after: int | None) -> httpx.Response:
        """Opens the stream of what follows a version or cursor, retrying for as long as the connection's patience.

        Raises:
            Barred: the service refuses the stream. If the reason is the game itself, long-polls raise that reason.
            Refused: the service was unavailable for as long.
            NoAnswer: the service did not answer for as long.
        """
        request = self._connection.build_request(
            "GET",
            self._path,
            params=self._query if after is None else {**self._query, "after": after},
            headers={"Accept": "text/event-stream", "Cache-Control": "no-store"},
            timeout=self._timeout,
        )
        return attempts(self._connection.patience)(self._open, request)

    def _open(self, request: httpx.Request) -> httpx.Response:
        try:
            return self._connection.send(request, stream=True)
        except Refused as refusal:
            full = isinstance(refusal, RateLimited) and (refusal.limit or "").startswith("streams")
            if full or not may_pass(refusal):
                raise Barred from refusal
            raise


def follow(
    stream: Stream | None, page: Ask[Item], read: Callable[[dict[str, Any]], Item], after: int
) -> Generator[Item, None, None]:
    """Yields what follows a version until the game has ended; without a stream by long-poll alone.

    `read` parses an event or a frame from the JSON that the service sent.

    Raises:
        Refused: the player may not follow the game, or the service was unavailable for longer than the patience.
        NoAnswer: the service did not answer for as long.
        NotUnderstood: this version of the client cannot read what the service sent.
    """
    if stream is not None:
        try:
            for item in streamed(stream, read, after):
                after = item.version
                yield item
            return
        except Barred:
            pass
    yield from polled(page, after)


def streamed(stream: Stream, read: Callable[[dict[str, Any]], Item], after: int) -> Iterator[Item]:
    """Yields events or frames as they come, reopening the stream whenever it breaks.

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
                    item = _item_of(sent.data, read)
                    if first_of(item) > after + 1:
                        break
                    if item.version > after:
                        after = item.version
                        yield item
            except LOST:
                pass
            except httpx_sse.SSEError as error:
                raise Barred from error
        barren = 0 if heard else barren + 1
        if barren == BARREN:
            raise Barred
        if after == begun:
            pause(NO_EVENT_SECONDS)


def polled(page: Ask[Item], after: int) -> Iterator[Item]:
    """Yields events or frames by long-poll."""
    while True:
        found = page(after)
        for item in found.items:
            if first_of(item) > after + 1:
                raise NotUnderstood(f"event {first_of(item)} came after {after}")
            if item.version > after:
                after = item.version
                yield item
        if found.finished:
            return
        if not found.items:
            pause(NO_EVENT_SECONDS)


def first_of(item: GameEvent | Frame) -> int:
    """Returns the version of an event, or of the first event of a frame."""
    return item.events[0].version if isinstance(item, Frame) and item.events else item.version


def event_of(sent: dict[str, Any]) -> GameEvent:
    """Returns the event in the JSON that the service sent."""
    return GAME_EVENT_CLASSES[sent["type"]].from_dict(sent)


def _item_of(data: str, read: Callable[[dict[str, Any]], Item]) -> Item:
    try:
        return read(json.loads(data))
    except (ValueError, TypeError, KeyError) as error:
        raise NotUnderstood(f"an unreadable event: {error!r}") from error
