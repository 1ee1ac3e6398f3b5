"""Defines pending pairings: the table that matched players get, from the pairing until its game is open."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.ids import derived_id, own_bot
from games.player import bot_player
from games.queue.pairing import Pairing
from games.steps import Step
from games.tables.opening import Fresh, Occupant, new_table

BOT: Final = "cautious"
"""The bot that takes seats for which nobody was found."""


@dataclass(frozen=True, slots=True)
class PendingPairing:
    """A pairing whose game may not be open yet. Whoever opens it opens the same game."""

    game: str
    edition: str
    options: Mapping[str, str]
    clock: Mapping[str, Any] | None
    rated: bool
    """Whether the game counts: the players wish it, and there are two people or two programs at least."""
    players: tuple[str, ...]
    """The ids of players and bots by seat."""
    tickets: Mapping[str, str]
    """By player, the queue ticket."""
    since: Mapping[str, int]
    """By player, since when they had waited, in milliseconds since 1970."""
    creator: str
    """Whoever had waited longest."""
    address_hash: str
    """The hash of the address from which they asked."""
    made: int
    """When they were matched, in milliseconds since 1970."""

    @classmethod
    def of(cls, pairing: Pairing, now: int) -> "PendingPairing":
        """Returns what becomes of a pairing of queue tickets that is made at a time.

        The game's id follows from the tickets, and who sits where from it.
        """
        first = pairing.tickets[0]
        game = derived_id("pairing", *sorted(one.id for one in pairing.tickets))
        people = [one.player for one in pairing.tickets]
        seated = people + [bot_player(BOT)] * (pairing.seats - len(people))
        places = sorted(range(pairing.seats), key=lambda place: derived_id(game, str(place)))
        return cls(
            game=game,
            edition=first.wishes.edition,
            options=first.wishes.options,
            clock=first.wishes.clock,
            rated=first.wishes.rated and max(Counter(one.kind for one in pairing.tickets).values()) > 1,
            players=tuple([seated[place] for place in places]),
            tickets={one.player: one.id for one in pairing.tickets},
            since={one.player: one.since for one in pairing.tickets},
            creator=first.player,
            address_hash=first.address_hash,
            made=now,
        )

    def opening(self, now: int, fresh: Fresh) -> Step:
        """Returns the step that opens the game of a pairing: everybody sits, so it starts."""
        body: dict[str, Any] = {
            "edition": self.edition,
            "options": self.options,
            "seats": [None] * len(self.players),
            "rated": self.rated,
        }
        if self.clock is not None:
            body["clock"] = self.clock
        return new_table(self.game, self.creator, body, [Occupant(player) for player in self.players], now, fresh)

    @property
    def people(self) -> list[str]:
        """Returns the matched players by seat, without bots."""
        return [player for player in self.players if own_bot(player) is None]

    def stored(self) -> str:
        """Returns the form in which Redis keeps a pairing whose game may not be open yet."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, stored: bytes) -> "PendingPairing":
        """Returns a pairing from its stored form."""
        data = json.loads(stored)
        return cls(**data | {"players": tuple(data["players"])})
