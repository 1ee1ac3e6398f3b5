"""Defines the deal of the day: for each edition and day in UTC one deal, the same for everybody who tries it once."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from engine.editions import EDITIONS, rulebook
from engine.rulebook import Rulebook
from engine.state import FINISHED
from games.ids import keyed_game_id, own_bot
from games.player import bot_player
from games.ratings.places import has_result
from games.snapshot import Snapshot
from games.steps import Step
from games.tables.lifetimes import DAY_MS
from games.tables.opening import Fresh, Occupant, new_table

SEATS: Final = 4
"""Of these a game takes about five minutes: about twenty decisions of one's own in `standard`."""
SEAT: Final = 0
"""The seat of whoever tries."""
AGAINST: Final = "cautious"
"""The bot on the other seats. It must not think: how far a bot comes depends on the machine, and all are to meet the
same."""
EXPERT: Final = "expert"
"""The bot that tries each deal, too."""
CLOCK: Final[Mapping[str, Any]] = {"seconds": 120, "on_timeout": "forfeit"}
"""A try that is given up ends by it. Nobody else plays a person's seat, so each choice is their own."""
_NAMED: Final = "daily"


@dataclass(frozen=True, slots=True)
class Day:
    """A day's deal of an edition."""

    edition: str
    date: str
    """In UTC, as in `2026-01-31`."""

    @classmethod
    def at(cls, edition: str, now: int) -> "Day":
        """Returns the day's deal at a time, in milliseconds since 1970."""
        return cls(edition, datetime.fromtimestamp(now // 1000, UTC).date().isoformat())

    @classmethod
    def read(cls, edition: str, text: str) -> "Day | None":
        """Returns the deal of a day that is given as text; None if there is no such edition or day."""
        try:
            known = date.fromisoformat(text).isoformat() == text and edition in EDITIONS
        except ValueError:
            known = False
        return cls(edition, text) if known else None

    @classmethod
    def named(cls, name: str) -> "Day | None":
        """Returns the day with an id; None if there is none."""
        edition, _, text = name.partition("-")
        return cls.read(edition, text)

    @classmethod
    def of_game(cls, snapshot: Snapshot) -> "Day | None":
        """Returns the day whose deal a game tries; None if it tries none."""
        first, _, rest = (snapshot.deal or "").partition("/")
        return cls.named(rest.replace("/", "-")) if first == _NAMED else None

    @property
    def id(self) -> str:
        """Returns the id of a day's deal."""
        return f"{self.edition}-{self.date}"

    @property
    def deal(self) -> str:
        """Returns the name of a day's deal, as its games bear it."""
        return f"{_NAMED}/{self.edition}/{self.date}"

    @property
    def begins(self) -> int:
        """Returns when the day begins, in milliseconds since 1970."""
        return int(datetime.fromisoformat(self.date).replace(tzinfo=UTC).timestamp()) * 1000

    @property
    def ends(self) -> int:
        """Returns when the day ends, in milliseconds since 1970."""
        return self.begins + DAY_MS

    @property
    def book(self) -> Rulebook:
        """Returns the rules by which a day's deal is played: those of the edition without any choice."""
        return rulebook(self.edition, SEATS, {})

    def before(self, days: int) -> "Day":
        """Returns the deal of the same edition so many days before."""
        return Day.at(self.edition, self.begins - days * DAY_MS)

    def secret(self, installation: bytes) -> bytes:
        """Returns the secret of a day's deal, made of the installation's; nobody can tell it from that of others."""
        return hmac.digest(installation, f"billet/1/daily\n{self.edition}\n{self.date}".encode(), "sha256")

    def game(self, installation: bytes, player: str) -> str:
        """Returns the id of a player's try at a day's deal: there is one, and others cannot tell its id."""
        return keyed_game_id(installation, "daily", self.edition, self.date, player)

    def opening(self, installation: bytes, player: str, now: int, fresh: Fresh) -> Step:
        """Returns the step that begins a player's, or an own bot's, try at a day's deal.

        It is unlisted, because its player may hide their history. That of the bot is for everybody, later.
        """
        body = {
            "edition": self.edition,
            "options": {},
            "seats": [None] * SEATS,
            "visibility": "public" if own_bot(player) is not None else "unlisted",
            "clock": CLOCK,
        }
        rivals = [Occupant(bot_player(AGAINST))] * (SEATS - 1)
        fresh = fresh._replace(secret=self.secret(installation))
        game = self.game(installation, player)
        return new_table(game, player, body, [Occupant(player), *rivals], now, fresh, deal=self.deal)


def is_recorded(snapshot: Snapshot) -> bool:
    """Returns whether something is to be recorded of a game that has ended: a result, or a try at a day's deal."""
    if snapshot.state.status != FINISHED:
        return False  # nearly always, and the rest takes its time
    return has_result(snapshot) or Day.of_game(snapshot) is not None
