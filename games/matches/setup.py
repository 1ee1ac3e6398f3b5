"""Defines matches: who plays how many games of what, and with which deals."""

import hmac
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

from engine.editions import rulebook
from engine.state import OPEN
from games.errors import invalid
from games.ids import derived_id, own_bot
from games.notices import MATCH_INVITED, Notice
from games.player import bot_player
from games.programs import Terms
from games.snapshot import Snapshot
from games.steps import Step
from games.tables.opening import Fresh, Occupant, new_table, whole_clock
from games.tables.requests import check_bot, check_table
from games.times import text_of

FRESH, ROTATED, REFERENCE = "fresh", "rotated", "reference"
DEALS: Final = (FRESH, ROTATED, REFERENCE)
"""Which games are dealt the same cards: none; those in which all seats are rotated; those of all entrants."""
INVITED, RUNNING, PAUSED, ENDED = "invited", "running", "paused", "ended"
STATES: Final = (INVITED, RUNNING, PAUSED, ENDED)
MOST_ENTRANTS: Final = 8
MOST_GAMES: Final = 1000
MOST_AT_ONCE: Final = 16
AT_ONCE: Final = 4
"""How many games are played at once unless somebody says otherwise."""


class Slot(NamedTuple):
    """One of the games of a match."""

    number: int
    deal: int
    """Games of one deal are dealt the same cards."""
    players: tuple[str, ...]
    """The ids of players and bots by seat."""
    entrants: tuple[str | None, ...]
    """The same for entrants alone; None where a bot fills the table."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """What never changes about a match. All its games follow from it."""

    id: str
    creator: str
    edition: str
    options: Mapping[str, str]
    entrants: tuple[str, ...]
    """The ids of programs, and of the service's own bots."""
    against: tuple[str, ...]
    """The own bots on the seats that no entrant takes, in turn."""
    seats: int
    games: int
    deals: str
    at_once: int
    clock: Mapping[str, Any] | None
    rated: bool
    created: int
    """In milliseconds since 1970."""

    @classmethod
    def of(cls, match: str, creator: str, body: Mapping[str, Any], now: int) -> "MatchSetup":
        """Returns the match that a request asks for.

        Raises:
            Refused: `invalid_request`, it cannot be played.
        """
        clock = whole_clock({"on_timeout": "forfeit", **body["clock"]} if "clock" in body else None)
        seats = body["seats"]
        table = {name: body[name] for name in ("edition", "options", "clock") if name in body}
        check_table({**table, "seats": [{"kind": "open"}] * seats})
        setup = cls(
            id=match,
            creator=creator,
            edition=body["edition"],
            options=dict(rulebook(body["edition"], seats, body.get("options", {})).options),
            entrants=tuple([_entrant(one, f"entrants.{i}") for i, one in enumerate(body["entrants"])]),
            against=tuple([_entrant(one, f"against.{i}") for i, one in enumerate(body.get("against", ()))]),
            seats=seats,
            games=body["games"],
            deals=body["deals"],
            at_once=body.get("at_once", AT_ONCE),
            clock=clock,
            rated=body.get("rated", False),
            created=now,
        )
        setup._check()
        return setup

    def _check(self) -> None:
        if len({*self.entrants}) < len(self.entrants):
            raise invalid("entrants", "fault.entrant_twice")
        if self.at_a_table < self.seats and not self.against:
            raise invalid("against", "fault.match_needs_bots")
        if self.games % self.of_deal:
            raise invalid("games", "fault.games_of_deals", most=self.of_deal)
        if self.programs and self.clock is None:
            raise invalid("clock", "fault.match_needs_clock")
        if self.rated and (self.deals != FRESH or self.at_a_table < 2 or len(self.programs) < 2):
            raise invalid("rated", "fault.match_not_rated")

    @property
    def programs(self) -> list[str]:
        """Returns the entrants of a match that are programs."""
        return [one for one in self.entrants if own_bot(one) is None]

    @property
    def terms(self) -> Terms:
        """Returns what decides whether a program accepts the games of a match."""
        return Terms(self.edition, self.seats, self.clock, self.rated)

    @property
    def at_a_table(self) -> int:
        """Returns how many entrants of a match play each of its games."""
        return 1 if self.deals == REFERENCE else min(len(self.entrants), self.seats)

    @property
    def of_deal(self) -> int:
        """Returns how many games of a match share a deal."""
        return {FRESH: 1, ROTATED: self.seats, REFERENCE: len(self.entrants)}[self.deals]

    @property
    def shares_deals(self) -> bool:
        """Returns whether a match has games that are dealt the same cards."""
        return self.deals != FRESH

    def slot(self, number: int) -> Slot:
        """Returns one of the games of a match, by its number from 0.

        Everybody sits on every seat equally often: those of one group after one another, then the next group.
        """
        deal = number // self.of_deal
        if self.deals == REFERENCE:
            group: tuple[str, ...] = (self.entrants[number % len(self.entrants)],)
            turn = deal
        else:
            groups = [*combinations(self.entrants, self.at_a_table)]
            group = groups[number // self.seats % len(groups)]
            turn = number
        missing = self.seats - len(group)
        lineup = [*group, *(self.against[i % len(self.against)] for i in range(missing))]
        entrants = [*group, *[None] * missing]
        order = [(seat - turn) % self.seats for seat in range(self.seats)]
        return Slot(number, deal, tuple([lineup[i] for i in order]), tuple([entrants[i] for i in order]))

    def slots_of(self, deal: int) -> range:
        """Returns the numbers of the games of a match that share a deal."""
        return range(deal * self.of_deal, (deal + 1) * self.of_deal)

    def game(self, number: int) -> str:
        """Returns the id of one of the games of a match: whoever opens it opens the same."""
        return game_of(self.id, number)

    def opening(self, number: int, secret: bytes, now: int, fresh: Fresh) -> Step:
        """Returns the step that opens one of the games of a match: everybody sits, so it starts.

        Nobody is its creator, who could call it off: that is the match. `secret` is that of the match, from which those
        of shared deals follow.
        """
        slot = self.slot(number)
        if self.shares_deals:
            fresh = fresh._replace(secret=deal_secret(secret, slot.deal))
        body: dict[str, Any] = {
            "edition": self.edition,
            "options": self.options,
            "seats": [None] * self.seats,
            "rated": self.rated,
        }
        if self.clock is not None:
            body["clock"] = self.clock
        part = {"id": self.id, "number": number}
        deal = f"{self.id}/{slot.deal}" if self.shares_deals else None
        occupants = [Occupant(player) for player in slot.players]
        return new_table(self.game(number), self.id, body, occupants, now, fresh, match=part, deal=deal)

    def stored(self) -> str:
        """Returns the form in which Redis keeps what never changes about a match."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, stored: str) -> "MatchSetup":
        """Returns what never changes about a match from its stored form."""
        data = json.loads(stored)
        setup = cls(**data | {"entrants": tuple(data["entrants"]), "against": tuple(data["against"])})
        setup._check()
        return setup


def game_of(match: str, number: int) -> str:
    """Returns the id of one of the games of a match."""
    return derived_id("match", match, str(number))


def deal_of(snapshot: Snapshot) -> tuple[str, int] | None:
    """Returns the match of which a game shares a deal, and the number of that deal; None for any other game."""
    if snapshot.table.match is None or snapshot.deal is None:
        return None
    return snapshot.table.match["id"], int(snapshot.deal.rpartition("/")[2])


def deal_secret(secret: bytes, deal: int) -> bytes:
    """Returns the secret of a deal that games of a match share; nobody can tell it from those of other deals."""
    return hmac.digest(secret, f"billet/1/deal\n{deal}".encode(), "sha256")


def match_invited(setup: MatchSetup) -> Notice:
    """Returns the notice of a program that is invited to a match; its `game` is the match, of which it is the first."""
    return {
        "type": MATCH_INVITED,
        "at": text_of(setup.created),
        "game": setup.id,
        "edition": setup.edition,
        "status": OPEN,
        "version": 1,
        "seat": None,
        "seats": [],
        "deadline": None,
        "player": setup.creator,
        "reason": None,
        "winners": [],
    }


def _entrant(one: Mapping[str, str], field: str) -> str:
    """Returns the id of a player or an own bot that takes part in a match.

    Raises:
        Refused: `invalid_request`.
    """
    if ("bot" in one) == ("player" in one):
        raise invalid(field, "fault.player_or_bot")
    if "bot" in one:
        check_bot(one["bot"], f"{field}.bot")
        return bot_player(one["bot"])
    return one["player"]
