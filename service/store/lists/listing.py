"""Keeps the lobby as its followers see it: the public games that are open or running, and the latest changes.

The logs are the source of truth. What a process fails to write is found by whoever follows (`LobbyChanges`).
"""

from collections.abc import Iterable, Sequence
from typing import Final

import orjson

from engine.events import (
    GameAborted,
    GameCreated,
    GameFinished,
    GameStarted,
    OfferWithdrawn,
    RoundStarted,
    SeatDeclined,
    SeatOffered,
    SeatTaken,
    SeatVacated,
    TokenAwarded,
)
from engine.state import ACTIVE, OPEN
from games.player import Player
from games.snapshot import Snapshot
from games.steps import Step
from games.texts.catalogue import LANGUAGES, catalogue
from games.views.view import summary
from service.inputs.clock import now_ms
from service.store import channels, keys
from service.store.exchange.connection import Command, Exchange
from service.store.lists.indexes import left
from service.store.scripts import LIST

KEPT: Final = 1000
"""How many changes are kept at least, for followers who come back."""
REMEMBER_SECONDS: Final = 24 * 60 * 60
"""How long it is remembered that a game has left the lobby, so that a late writer does not put it back."""
LISTED: Final = (OPEN, ACTIVE)
SEATING: Final = frozenset({SeatTaken, SeatVacated, SeatOffered, SeatDeclined, OfferWithdrawn})
SHOWN: Final = SEATING | {GameCreated, GameStarted, RoundStarted, TokenAwarded, GameFinished, GameAborted}
"""The events that change how a game is listed. A sandbox gives tokens as a round starts."""
LATEST: Final = 2**53
"""A version after all others."""


class Listing:
    """Writes the entries of the lobby."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def follow(self, new: Step, *, listed: bool) -> None:
        """Takes a game off the lists that it leaves with a step; writes how it is `listed` if that changes.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        leaving: list[Command] = [("ZREM", name, new.after.id) for name in left(new)]
        if listed:
            self._note(new.after, leaving)
        elif leaving:
            self._exchange.send(*leaving)

    def correct(self, snapshot: Snapshot) -> None:
        """Writes how a public game is listed, and takes one that has ended out of the lobby.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        leaving: list[Command] = [("ZREM", keys.lobby(status), snapshot.id) for status in LISTED if snapshot.ended]
        self._note(snapshot, leaving)

    def _note(self, snapshot: Snapshot, before: Sequence[Command]) -> None:
        entry = orjson.dumps(summary(snapshot, _Ids(), None, catalogue(LANGUAGES[0])))
        over = "" if snapshot.state.status in LISTED else "1"
        self._run(snapshot.id, snapshot.version, entry, over, before)

    def strike(self, game: str) -> None:
        """Takes a game off that no longer exists.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        self._run(game, LATEST, b"", "1")

    def _run(self, game: str, version: int, entry: bytes, over: str, before: Iterable[Command] = ()) -> None:
        names = [keys.LISTED, keys.LISTED_CHANGES, keys.unlisted(game), keys.DOUBTED]
        arguments = [game, version, entry, over, KEPT, REMEMBER_SECONDS, channels.LOBBY, now_ms()]
        self._exchange.run(LIST, names, arguments, before=list(before))


def changes_listing(new: Step) -> bool:
    """Returns whether a step changes what followers of the lobby are told: who sits where, tokens, or the status."""
    public = new.after.table.visibility == "public"
    return public and not SHOWN.isdisjoint([type(entry.event) for entry in new.entries])


class _Ids:
    """Leaves names out: they may change, and are looked up when an entry is read."""

    def named(self, ids: Iterable[str | None]) -> dict[str, Player]:
        """Returns the players with these ids, without names."""
        return {player: Player(player, "", "") for player in ids if player is not None}
