"""Counts games and matches for operators: running, overdue, not recorded, not archived, damaged; and who waits."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from games.daily.days import Day
from games.queue.tickets import HERE_MS
from service.inputs.clock import now_ms
from service.store import keys
from service.store.damaged import SHOWN_MS
from service.store.lists.due import claims
from service.store.redis.client import RedisClient

LATE_CLAIMS: Final = 4
"""After how many attempts a result or a match counts as late: some seconds, while workers usually need a moment."""
MOST_LATE: Final = 1_000
"""How many results, matches and deals of the day are looked at."""
LATE_DAY_MS: Final = 30 * 60_000
"""After this time a deal of the day counts as late: the bot may take ten minutes, and the workers a moment."""


class GameCounts(NamedTuple):
    """The numbers, and an example of each fault."""

    active: Mapping[str, int] = MappingProxyType({})
    """Running games by edition, without sandbox games."""
    overdue: int = 0
    """Games that no sweeper looked at when they were due."""
    not_archived: int = 0
    """Games whose last archiving attempt failed."""
    why_not_archived: str = ""
    """The reason for one of the failures."""
    damaged: int = 0
    """Games that some call has lately failed to read."""
    damaged_one: str = ""
    """The id of the last of them."""
    damaged_files: int = 0
    """Games whose file in the archive was lately found missing or damaged."""
    damaged_file_of: str = ""
    """The id of the last of them."""
    backed_up: int = 0
    """When the last backup began that was written whole, in milliseconds since 1970; 0 if there is none."""
    late_results: int = 0
    """Ended games whose results several attempts have failed to record, up to `MOST_LATE`."""
    waiting: Mapping[str, int] = MappingProxyType({})
    """Queue tickets that wait, by edition."""
    pending_pairings: int = 0
    """Pairings whose games are not open yet."""
    late_days: int = 0
    """Deals of the day whose day ended long ago, and of which the workers still do not say what came."""
    matches: int = 0
    """Matches that are not over."""
    late_matches: int = 0
    """Those of them that workers were asked several times to look at, and have not, up to `MOST_LATE`."""


def record_backup(redis: RedisClient, began: int) -> None:
    """Stores when a backup began that is written now, in milliseconds since 1970.

    Raises:
        Unavailable: Redis cannot be reached, or takes no writes.
    """
    redis.send(("SET", keys.BACKED_UP, began))


def count_games(redis: RedisClient, editions: Sequence[str], overdue_ms: int) -> GameCounts:
    """Counts the games for operators' metrics; overdue are those not looked at for so many milliseconds.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    now = now_ms()
    waiting = redis.send(*[("ZCOUNT", keys.waiting_for(edition), now - HERE_MS, "+inf") for edition in editions])
    pairings = redis.send(*[("HLEN", keys.pairings(edition)) for edition in editions])
    late, late_matches = (_late(redis, name) for name in (keys.UNRECORDED, keys.MATCHES_DUE))
    matches = redis.send(("ZCARD", keys.MATCHES_DUE))[0]
    *active, overdue, not_archived, one, damaged, last, files, last_file, backed_up = redis.send(
        *[("ZCARD", keys.active(edition)) for edition in editions],
        ("ZCOUNT", keys.DUE, "-inf", now - overdue_ms),
        ("HLEN", keys.NOT_ARCHIVED),
        ("HRANDFIELD", keys.NOT_ARCHIVED, 1, "WITHVALUES"),
        ("ZCOUNT", keys.DAMAGED, now - SHOWN_MS, "+inf"),
        ("ZREVRANGE", keys.DAMAGED, 0, 0),
        ("ZCOUNT", keys.DAMAGED_FILES, now - SHOWN_MS, "+inf"),
        ("ZREVRANGE", keys.DAMAGED_FILES, 0, 0),
        ("GET", keys.BACKED_UP),
    )
    why = one[1].decode() if one else ""
    named, named_file = (found[0].decode() if found else "" for found in (last, last_file))
    days = [Day.named(name.decode()) for name in redis.send(("ZRANGE", keys.DAYS_DUE, 0, MOST_LATE - 1))[0]]
    late_days = sum(day is not None and day.ends < now - LATE_DAY_MS for day in days)
    by_edition = dict(zip(editions, active, strict=True))
    began = int(backed_up) if backed_up and backed_up.isdigit() else 0
    waits = dict(zip(editions, waiting, strict=True))
    of_files = files, named_file, began
    counts = GameCounts(by_edition, overdue, not_archived, why, damaged, named, *of_files, late, waits, sum(pairings))
    return counts._replace(late_days=late_days, matches=matches, late_matches=late_matches)


def _late(redis: RedisClient, name: str) -> int:
    """Counts the entries of a list of due times that were claimed several times, and are still there."""
    entries = redis.send(("ZRANGE", name, 0, MOST_LATE - 1, "WITHSCORES"))[0]
    return sum(claims(float(due)) >= LATE_CLAIMS for due in entries[1::2])
