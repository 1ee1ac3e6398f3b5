"""`billet archive`: archives all due games once, or copies the archive to another store, and reports the result."""

import os
import sys
from collections import Counter

from billet.errors import StartError, outage_text
from games.errors import Unavailable
from service import Service
from service.settings import Settings
from service.store.archive import Archive
from service.upkeep.archive_copy import CopyError, copy


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
        service.totals.report()
    except Unavailable as error:
        print(f"billet: {outage_text(error)}", file=sys.stderr)
        done["failed"] += 1
    print(f"archived: {done['archived']}")
    print(f"not archived: {done['failed']}")
    return 1 if done["failed"] else 0


def move(settings: Settings, to: str) -> int:
    """Copies the archive for `billet archive --to`; returns the exit status: 1 if a file is unreadable."""
    if not settings.archive_url:
        raise StartError("no archive to copy: set ARCHIVE_URL to where it is now")
    goal = Settings.from_env({"ARCHIVE_URL": to}).archive_url
    if not goal or goal.rstrip("/") == settings.archive_url.rstrip("/"):
        raise StartError("--to must name another store than ARCHIVE_URL, which is where the archive is now")
    if goal.startswith("/") and not os.path.isdir(goal):
        raise StartError(f"there is no directory {goal}: mount or make it first")
    done: Counter[str] = Counter()
    try:
        for name, outcome in copy(Archive(settings.archive_url), Archive(goal)):
            done[outcome] += 1
            if outcome == "unreadable":
                print(f"billet: {name} is damaged or cannot be read: it is not copied", file=sys.stderr, flush=True)
    except CopyError as error:
        raise StartError(f"{error}; repeat the command to continue") from error
    for outcome in ("copied", "there already", "unreadable"):
        print(f"{outcome}: {done[outcome]}")
    print(f"If ARCHIVE_URL is {settings.archive_url} for any part,")
    print(f"set it to {goal} for all, restart them, and repeat this command.")
    return 1 if done["unreadable"] else 0
