"""Follows the lobby, without an end; the notices of a player are in `noticing`."""

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
"""What reading a message raises that is no change of the lobby."""


def changes(stream: Stream) -> Iterator[LobbyChange]:
    """Yields the games of the lobby as `opened`, and then each change, over as many streams as it takes.

    If the service lists the lobby anew after a break, all games from before are `gone` first.

    Raises:
        Refused: streams are refused, or the service was away for as long as there was patience.
        NoAnswer: nothing was heard from the service for as long.
        NotUnderstood: this version of the client does not know what came.
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
                    # The list has no ids. An empty one is only seen by the jump of the cursor after it.
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
    """Returns the open stream of what comes after a cursor. There is no other way to follow the lobby."""
    try:
        return stream.opened(cursor)
    except Barred as barred:
        raise barred.__cause__ or barred from None


def _gone(games: dict[str, GameSummary]) -> Iterator[LobbyChange]:
    while games:
        yield LobbyChange(LobbyChangeType.GONE, games.popitem()[1])
