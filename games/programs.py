"""Defines how a program describes itself: its version, who made it, and which games it accepts."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from engine.editions import EDITIONS
from games.errors import Refused, full
from games.messages import Message
from games.ratings.pools import PACES, pace_of

MOST_VERSIONS: Final = 100
"""How many versions a program may have had."""
MOST_AT_ONCE: Final = 1_000
"""How many games a program can say that it plays at once."""
SEATS: Final = tuple(sorted({size for edition in EDITIONS.values() for size in edition.seats}))
"""The numbers of seats that some edition has."""


_LISTS: Final = ("editions", "seats", "pace")


class Terms(NamedTuple):
    """What decides whether a program accepts a game."""

    edition: str
    seats: int
    clock: Mapping[str, Any] | None
    rated: bool


class Accepts(NamedTuple):
    """The games that a program accepts."""

    editions: tuple[str, ...] = tuple(EDITIONS)
    seats: tuple[int, ...] = SEATS
    pace: tuple[str, ...] = PACES
    rated: bool = False
    at_once: int = 1
    """How many it plays at once."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Accepts":
        """Returns what a program accepts from plain data; what is absent it accepts as far as it harms nobody."""
        found: dict[str, Any] = {name: tuple(value) if name in _LISTS else value for name, value in data.items()}
        return cls(**found)

    def fits(self, terms: Terms) -> bool:
        """Returns whether a program accepts a game."""
        return (
            terms.edition in self.editions
            and terms.seats in self.seats
            and pace_of(terms.clock) in self.pace
            and (self.rated or not terms.rated)
        )


@dataclass(frozen=True, slots=True)
class Program:
    """What a program says of itself."""

    versions: tuple[str, ...]
    """All its versions until now, the present one last."""
    author: str | None
    about: str | None
    accepts: Accepts

    @classmethod
    def described(cls, body: Mapping[str, Any], before: "Program | None") -> "Program":
        """Returns a program as it describes itself now; `before` is how it did until now.

        Raises:
            Refused: `rate_limited`, it has had too many versions.
        """
        versions = before.versions if before is not None else ()
        if not versions or versions[-1] != body["version"]:
            versions = (*versions, body["version"])
        if len(versions) > MOST_VERSIONS:
            raise full("program_versions", "detail.too_many_versions", most=MOST_VERSIONS)
        return cls(versions, body.get("author"), body.get("about"), Accepts.of(body.get("accepts", {})))

    def check(self, terms: Terms, playing: int) -> None:
        """Checks that a program accepts one more game, while it is playing so many.

        Raises:
            Refused: `not_accepted`.
        """
        if not self.accepts.fits(terms):
            raise Refused("not_accepted", Message("detail.program_declines"))
        if playing >= self.accepts.at_once:
            raise Refused("not_accepted", Message("detail.program_busy", {"most": self.accepts.at_once}))

    def view(self) -> dict[str, Any]:
        """Returns a program's description as plain data for an answer."""
        return {
            "version": self.versions[-1],
            "author": self.author,
            "about": self.about,
            "accepts": self.accepts._asdict(),
        }

    def stored(self) -> str:
        """Returns the form in which Redis keeps a program's description."""
        return json.dumps(asdict(self) | {"accepts": self.accepts._asdict()})

    @classmethod
    def read(cls, stored: str | None) -> "Program | None":
        """Returns a program's description from its stored form; None for a player who has given none."""
        if not stored:
            return None
        data = json.loads(stored)
        first, *others = data["versions"]
        return cls((first, *others), data["author"], data["about"], Accepts.of(data["accepts"]))


def version_at(changes: str, started_ms: int) -> int:
    """Returns which of a program's versions played a game, counted from 0, by when it started.

    `changes` is when each version but the first was described, in milliseconds since 1970, as Redis keeps it.
    """
    return sum(int(at) <= started_ms for at in changes.split())
