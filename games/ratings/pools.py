"""Which games are rated, in which pool, and who of their players.

Only like is compared with like: a pool has one edition, similar numbers of seats, one pace, and people or programs.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.editions import EDITIONS
from engine.events import BANK
from games.ids import own_bot
from games.ratings.places import has_result, places_of
from games.snapshot import Snapshot
from games.times import ms_of

SIZES: Final = ("2", "3-4", "5+")
LIVE, DAYS = "live", "days"
PACES: Final = (LIVE, DAYS)
PEOPLE, PROGRAMS = "people", "programs"
KINDS: Final = (PEOPLE, PROGRAMS)
LIVE_SECONDS: Final = 600
"""The longest time for a decision with which a game is still played live."""
LIVE_BANK_SECONDS: Final = 7200
"""The largest bank of a seat with which a game is still played live."""


class RatedGame(NamedTuple):
    """What a game says about the strength of its players."""

    game: str
    ended_ms: int
    players: tuple[str, ...]
    """The ids of those who are rated, and of the service's bots."""
    places: tuple[int, ...]
    """Their places, in the same order."""
    versions: tuple[int, ...] = ()
    """In the same order, which of its versions each program played as, from 0; () if all are 0."""


def rated_game(snapshot: Snapshot, kinds: Mapping[str, str]) -> tuple[str, RatedGame] | None:
    """Returns the pool of a game and what it says there; None if it is not rated.

    `kinds` has the kinds of its players. If at least two people play, people are rated; else programs, if there are
    two. The others are left out, except the service's bots.
    """
    if not (snapshot.table.rated and has_result(snapshot) and snapshot.finished_at):
        return None
    players = [player for player in snapshot.players if player is not None]
    programs = {player for player in players if own_bot(player) is None and kinds[player] == "bot"}
    people = {player for player in players if own_bot(player) is None} - programs
    kind, rated = (PEOPLE, people) if len(people) > 1 else (PROGRAMS, programs)
    if len(rated) < 2:
        return None
    compared = [
        (player, place)
        for player, place in zip(players, places_of(snapshot.state), strict=True)
        if player in rated or own_bot(player) is not None
    ]
    ids, places = zip(*compared, strict=True)
    pool = pool_id(snapshot.table.edition, len(players), snapshot.table.clock, kind)
    return pool, RatedGame(snapshot.id, ms_of(snapshot.finished_at), ids, places)


def pool_id(edition: str, seats: int, clock: Mapping[str, Any] | None, kind: str) -> str:
    """Returns the id of the pool that rates games of an edition with so many seats, at the pace of a clock."""
    return f"{edition}-{size_of(seats)}-{pace_of(clock)}-{kind}"


def kind_of(pool: str) -> str:
    """Returns whom a pool compares: people or programs."""
    return pool.rpartition("-")[2]


def size_of(seats: int) -> str:
    """Returns the size of a pool that rates games with so many seats."""
    return SIZES[0] if seats == 2 else SIZES[1] if seats <= 4 else SIZES[2]


def pace_of(clock: Mapping[str, Any] | None) -> str:
    """Returns the pace of a pool that rates games with a clock, or without one."""
    if clock is None:
        return DAYS
    most = LIVE_BANK_SECONDS if clock["kind"] == BANK else LIVE_SECONDS
    return LIVE if clock["seconds"] <= most else DAYS


POOLS: Final = tuple(
    f"{edition.id}-{size}-{pace}-{kind}"
    for edition in EDITIONS.values()
    for size in dict.fromkeys(map(size_of, edition.seats))
    for pace in PACES
    for kind in KINDS
)
"""The ids of all pools."""
