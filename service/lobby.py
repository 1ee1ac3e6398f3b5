"""Lists of games: the public lobby and one's own. The indexes behind them are derived, so what they say is checked."""

import base64
import binascii
from collections.abc import Iterator
from typing import Any

import orjson

from engine.state import ABORTED, ACTIVE, FINISHED, OPEN
from service import keys
from service.changes import Changes
from service.connection import Exchange
from service.damage import leaving_out
from service.errors import invalid
from service.game_view import summary
from service.log import EventLog
from service.players import Players
from service.snapshot import Snapshot
from service.times import now_ms

STATUSES = (OPEN, ACTIVE, FINISHED, ABORTED)
MOST_GAMES = 50
"""The longest page of a list."""
MOST_LOOKS = 500
"""How many games are looked at for one page of the lobby, which may be shorter for it, or empty."""
WAITING, PLAYING, ENDED = range(3)
"""In which order the list of one's own games has them: those that wait for one, the other running ones, the rest."""
NEVER = 2**53
SETTLED_MS = 60_000
"""After so long what an entry is about must be in the log: it is written just before."""

Rank = tuple[int, int, str]
"""A place in a list: a part of it, a time, a game."""


class Lobby:
    """Reads lists of games."""

    def __init__(self, exchange: Exchange, log: EventLog, players: Players, changes: Changes) -> None:
        self._exchange = exchange
        self._log = log
        self._players = players
        self._changes = changes

    def public(
        self,
        token: str | None,
        status: str | None = None,
        edition: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> dict[str, Any]:
        """Returns a page of the public games: those that can be joined first, in each status the newest first.

        Raises:
            Refused: the token is not valid, or the cursor is not one of this list.
        """
        caller = self._players.authenticate(token).id if token is not None else None
        most = min(limit or MOST_GAMES, MOST_GAMES)
        statuses = STATUSES if status is None else (status,)
        place, newest, seen = _read_cursor(cursor) if cursor is not None else (0, NEVER, "")
        items: list[dict[str, Any]] = []
        looks = 0
        for place_now in range(place, len(statuses)):
            for game, score in self._newest(keys.lobby(statuses[place_now]), newest, seen):
                if len(items) == most or looks == MOST_LOOKS:
                    return {"items": items, "next_cursor": _cursor(place_now, newest, seen)}
                looks += 1
                newest, seen = score, game
                snapshot = self._snapshot(game)
                if snapshot is None or snapshot.state.status != statuses[place_now]:
                    continue
                if snapshot.table.visibility != "public":
                    continue
                if edition is None or snapshot.table.edition == edition:
                    items.append(summary(snapshot, self._players, caller))
            newest, seen = NEVER, ""
        return {"items": items, "next_cursor": None}

    def mine(self, token: str | None, limit: int | None = None, cursor: str | None = None) -> dict[str, Any]:
        """Returns a page of the caller's games: those that wait for them first, then by deadline, ended ones last.

        Raises:
            Refused: the token is not valid, or the cursor is not one of this list.
        """
        player = self._players.authenticate(token).id
        most = min(limit or MOST_GAMES, MOST_GAMES)
        last = _read_cursor(cursor) if cursor is not None else (WAITING, -1, "")
        items: list[dict[str, Any]] = []
        for rank, snapshot in self._ranked(player, last):
            if len(items) == most:
                return {"items": items, "next_cursor": _cursor(*last)}
            items.append(summary(snapshot, self._players, player))
            last = rank
        return {"items": items, "next_cursor": None}

    def _ranked(self, player: str, last: Rank) -> Iterator[tuple[Rank, Snapshot]]:
        """Yields a player's games in order from the one after `last` on, each with its place."""
        if last[0] < ENDED:
            ranked = [(_rank(snapshot, player), snapshot) for snapshot in self.running(player)]
            yield from sorted((pair for pair in ranked if pair[0] > last), key=lambda pair: pair[0])
            last = (ENDED, NEVER, "")
        for game, score in self._newest(keys.played(player), last[1], last[2]):
            snapshot = self._snapshot(game)
            if snapshot is not None and snapshot.ended and player in snapshot.players:
                yield (ENDED, score, game), snapshot

    def running(self, player: str) -> Iterator[Snapshot]:
        """Yields a player's games that have not ended, and clears entries of those the player can never be in again."""
        index = keys.playing(player)
        for game, _ in self._newest(index, NEVER, ""):
            snapshot = self._snapshot(game)
            if snapshot is None:
                continue
            with leaving_out(game, "a list"):
                snapshot = self._changes.up_to_time(snapshot)
            if player in snapshot.players and not snapshot.ended:
                yield snapshot
            elif snapshot.state.status != OPEN:
                self._exchange.send(("ZREM", index, game))

    def invitations(self, player: str) -> Iterator[Snapshot]:
        """Yields the games to which a player is invited, and clears entries of those where they are not."""
        index = keys.invited(player)
        for game, since in self._newest(index, NEVER, ""):
            snapshot = self._snapshot(game)
            if snapshot is not None and not snapshot.ended and snapshot.offer_to(player) is not None:
                yield snapshot
            elif since < now_ms() - SETTLED_MS:
                self._exchange.send(("ZREM", index, game))

    def _snapshot(self, game: str) -> Snapshot | None:
        """Returns a game; None if there is none, or if somebody has damaged it: the others are listed all the same."""
        with leaving_out(game, "a list"):
            return self._log.read(game).snapshot
        return None

    def _newest(self, index: str, newest: int, seen: str) -> Iterator[tuple[str, int]]:
        """Yields the games of an index, the newest first, from the one after `seen` on."""
        while True:
            page = self._exchange.send(
                ("ZREVRANGEBYSCORE", index, newest, "-inf", "WITHSCORES", "LIMIT", 0, MOST_GAMES)
            )[0]
            # Several games of one millisecond stand in reverse order of their ids.
            pairs = [(game.decode(), int(float(score))) for game, score in zip(page[::2], page[1::2], strict=True)]
            fresh = [(game, score) for game, score in pairs if score < newest or not seen or game < seen]
            yield from fresh
            if len(pairs) < MOST_GAMES or not fresh:
                return
            seen, newest = fresh[-1]


def _rank(snapshot: Snapshot, player: str) -> Rank:
    seat = snapshot.state.to_act
    waits = seat is not None and snapshot.players[seat] == player
    return (WAITING if waits else PLAYING, snapshot.deadline or NEVER, snapshot.id)


def _cursor(*place: int | str) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(place)).decode().rstrip("=")


def _read_cursor(text: str) -> Rank:
    """Returns the place a cursor stands for.

    Raises:
        Refused: `invalid_request`.
    """
    try:
        place = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError):
        place = None
    if not isinstance(place, list) or [type(part) for part in place] != [int, int, str] or place[0] < 0:
        raise invalid("cursor", "fault.cursor")
    return place[0], place[1], place[2]
