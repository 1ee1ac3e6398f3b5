"""`billet archive`: archives all due games once, and reports the result."""

import sys
from collections import Counter

from billet.errors import StartError, outage_text
from games.errors import Unavailable
from service import Service
from service.settings import Settings


def days_of(settings: Settings, asked: int | None) -> int:
    """Returns after how many days `billet archive` archives ended games. Raises StartError if nothing says so."""
    if not settings.archive_url:
        raise StartError("no archive to use: set ARCHIVE_URL")
    days = asked if asked is not None else settings.retain_finished_days
    if days < 0 or (asked is None and not days):
        raise StartError("how long ended games stay is not set: set RETAIN_FINISHED_DAYS or say --days N")
    return days


def run(service: Service, days: int) -> int:
    """Archives games ended at least `days` ago for `billet archive`; returns the exit status: 1 if any could not be."""
    done: Counter[str] = Counter()
    try:
        for game in service.retention.all(days):
            outcome = service.retention.archive(game)
            done[outcome] += 1
            if outcome == "failed" and (why := service.retention.fault()):
                print(f"billet: the archive cannot be used: {why}", file=sys.stderr)
                break
        for _ in service.retention.remove_matches(days):
            done["matches"] += 1
        service.totals.report()
    except Unavailable as error:
        print(f"billet: {outage_text(error)}", file=sys.stderr)
        done["failed"] += 1
    print(f"archived: {done['archived']}")
    print(f"not archived: {done['failed']}")
    print(f"matches removed: {done['matches']}")
    return 1 if done["failed"] else 0
