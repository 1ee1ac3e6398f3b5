"""Defines queue tickets: who waits for which game, since when."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from engine.editions import rulebook
from games.ratings.pools import PEOPLE, PROGRAMS, pool_id
from games.ratings.standing import NEW
from games.tables.opening import whole_clock
from games.tables.requests import check_table
from games.times import text_of

NEVER: Final = "never"
FILL: Final = "fill"
BOTS: Final = (NEVER, FILL)
"""Whether the service's own bots may take the seats for which nobody was found."""

WAITING: Final = "waiting"
TAKEN: Final = "taken"
"""Matched, but the game may not be open yet. Others are told that the ticket waits."""
MATCHED: Final = "matched"
EXPIRED: Final = "expired"
CANCELLED: Final = "cancelled"
STATES: Final = (WAITING, MATCHED, EXPIRED, CANCELLED)
"""What a ticket is to its player."""

HERE_MS: Final = 35_000
"""How long after they last asked for their ticket a player counts as here: a long-poll, and the time to repeat it."""
EXPIRES_MS: Final = 600_000
"""How long a ticket waits that nobody asks for."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The game that a player waits for. The same wishes have the same form, however they were said."""

    edition: str
    seats: tuple[int, ...]
    """The numbers of seats that suit, ascending."""
    clock: Mapping[str, Any] | None
    options: Mapping[str, str]
    """All options of the edition with their values."""
    rated: bool
    bots: str
    programs: bool
    """Whether a person accepts programs at the table; programs accept everybody."""

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> "Wishes":
        """Returns the wishes in a request for a queue ticket.

        Raises:
            Refused: `invalid_request`, no such table can be opened.
        """
        seats = tuple(sorted({*body["seats"]}))
        for size in seats:
            check_table({name: body[name] for name in _OF_TABLE if name in body} | {"seats": [{"kind": "open"}] * size})
        options = rulebook(body["edition"], seats[0], body.get("options", {})).options
        clock = whole_clock(body.get("clock"))
        return cls(
            body["edition"],
            seats,
            clock,
            dict(options),
            body.get("rated", False),
            body.get("bots", NEVER),
            body.get("programs", False),
        )

    @property
    def game(self) -> str:
        """Returns what players must agree on to sit at one table, as a text: all but seats, bots and programs."""
        return _text([self.edition, self.clock, self.options, self.rated])

    def pools(self, kind: str) -> list[str]:
        """Returns the ids of the pools of ratings that such games between players of a kind would have."""
        of = PROGRAMS if kind == "bot" else PEOPLE
        return list(dict.fromkeys([pool_id(self.edition, size, self.clock, of) for size in self.seats]))

    def stored(self) -> str:
        """Returns the form in which Redis keeps the wishes of a queue ticket."""
        return _text(asdict(self))

    @classmethod
    def read(cls, stored: str) -> "Wishes":
        """Returns the wishes of a queue ticket from their stored form."""
        data = json.loads(stored)
        return cls(**data | {"seats": tuple(data["seats"])})


_OF_TABLE: Final = ("edition", "clock", "options", "rated")


def _text(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class QueueTicket:
    """A player who waits."""

    id: str
    player: str
    kind: str
    """That of the player: people meet programs only if they wish it."""
    wishes: Wishes
    since: int
    """When the player began to wait, in milliseconds since 1970."""
    rating: float = NEW.mean
    address_hash: str = ""
    """The hash of the address they asked from."""
    state: str = WAITING
    game: str | None = None

    def accepts(self, kind: str) -> bool:
        """Returns whether a queue ticket's player sits down with others of a kind."""
        return kind == "human" or self.kind == "bot" or self.wishes.programs

    def waited(self, now: int) -> int:
        """Returns how long a queue ticket's player has waited, in milliseconds; 0 if a clock was set back."""
        return max(0, now - self.since)

    def stored(self) -> dict[str, str | float]:
        """Returns the fields of the hash in which Redis keeps a queue ticket that begins to wait."""
        return {
            "player": self.player,
            "kind": self.kind,
            "edition": self.wishes.edition,
            "wishes": self.wishes.stored(),
            "since": self.since,
            "rating": self.rating,
            "address_hash": self.address_hash,
            "state": self.state,
        }

    @classmethod
    def read(cls, ticket: str, stored: Mapping[str, str]) -> "QueueTicket":
        """Returns the queue ticket with an id from its stored fields."""
        return cls(
            id=ticket,
            player=stored["player"],
            kind=stored["kind"],
            wishes=Wishes.read(stored["wishes"]),
            since=int(stored["since"]),
            rating=float(stored["rating"]),
            address_hash=stored["address_hash"],
            state=stored["state"],
            game=stored.get("game"),
        )


def ticket_view(ticket: QueueTicket, waiting: int) -> dict[str, Any]:
    """Returns a queue ticket as plain data for its player; so many players wait for the edition."""
    is_taken = ticket.state == TAKEN
    return {
        "id": ticket.id,
        "state": WAITING if is_taken else ticket.state,
        "waiting_since": text_of(ticket.since),
        "waiting": waiting,
        "game": None if is_taken else ticket.game,
        "edition": ticket.wishes.edition,
        "seats": list(ticket.wishes.seats),
        "clock": ticket.wishes.clock,
        "options": ticket.wishes.options,
        "rated": ticket.wishes.rated,
        "bots": ticket.wishes.bots,
        "programs": ticket.wishes.programs,
    }
