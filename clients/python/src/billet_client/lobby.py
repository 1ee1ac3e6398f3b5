"""Follows the lobby, without an end."""

import contextlib
import json
from collections.abc import Iterator
from typing import Final

import httpx
import httpx_sse

from billet_client.connection import LOST
from billet_client.core.models import GameSummary, LobbyChange, LobbyChangeType
from billet_client.following import NO_EVENT_SECONDS, Barred, Stream
from billet_client.refusals import NotUnderstood
from billet_client.retries import pause

MALFORMED: Final = (httpx_sse.SSEError, ValueError, TypeError, KeyError, AttributeError)
"""The errors of reading a message that is no change of the lobby."""


def changes(stream: Stream) -> Iterator[LobbyChange]:
    """Yields the games of the lobby as `opened`, and then each change, reopening the stream whenever it breaks.

    If the service lists the lobby anew after a break, all games so far are `gone` first.

    Raises:
        Refused: the service refuses streams, or was unavailable for longer than the patience.
        NoAnswer: the service did not answer for as long.
        NotUnderstood: this version of the client cannot read what the service sent.
    """
    games: dict[str, GameSummary] = {}
    cursor: int | None = None
    while True:
        known, resumed = cursor, cursor is not None
        with contextlib.closing(_opened(stream, cursor)) as response:
            if not resumed:
                yield from _gone(games)
            try:
                for sent in httpx_sse.EventSource(response).iter_sse():
                    # A new list has no ids. If it is empty, only a jump of the cursor after it shows it.
                    anew = not sent.id if sent.data else sent.id and int(sent.id) != cursor
                    if resumed and anew:
                        resumed = False
                        yield from _gone(games)
                    if sent.data:
                        change = LobbyChange.from_dict(json.loads(sent.data))
                        games[change.game.id] = change.game
                        if change.type_ == LobbyChangeType.GONE:
                            del games[change.game.id]
                        yield change
                    if sent.id:
                        cursor = int(sent.id)
            except LOST:
                pass
            except MALFORMED as error:
                raise NotUnderstood(f"no change of the lobby: {error!r}") from error
        if cursor == known:
            pause(NO_EVENT_SECONDS)


def _opened(stream: Stream, cursor: int | None) -> httpx.Response:
    """Opens the stream of the changes after a cursor. There is no other way to follow the lobby."""
    try:
        return stream.opened(cursor)
    except Barred as barred:
        raise barred.__cause__ or barred from None


def _gone(games: dict[str, GameSummary]) -> Iterator[LobbyChange]:
    while games:
        yield LobbyChange(LobbyChangeType.GONE, games.popitem()[1])
