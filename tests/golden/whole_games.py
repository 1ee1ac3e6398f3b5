"""Whole games as portable logs, with what everybody sees at their end.

Those in `logs/rules<n>` were made by that version of the rules. Once a release has it, they stay as they are for ever,
so the generator only writes what is missing. `logs/ends` has the outcome and every viewer's view of each.
"""

import json
from pathlib import Path

from engine.editions import EDITIONS
from engine.events import SeatTaken
from engine.logs.codec import read_event
from engine.rules import RULES_VERSION, fold_log
from engine.views import ALL, WATCHER, present, view
from games.records.portable import as_ndjson, parsed
from tests.engine.written.event_types import OF_CLOCKS, types_at
from tests.games.whole_logs import CLOCKS, aborted_log, whole_log
from tests.golden.tables import TABLES

LOGS = Path(__file__).parent / "logs"
RELEASED = Path(__file__).parent / "released"
"""The same of each release, in a folder by its version."""
WITH_BANKS = next(i for i, clock in enumerate(CLOCKS) if clock and clock["kind"] == "bank")
SEEDED = {f"committed-{edition}-3": (edition, 16) for edition in EDITIONS} | {
    "unrevealed-standard-3": ("standard", 10),
    "sandbox-lovecraft-3": ("lovecraft", 6),
}
"""Logs of three players: edition and seed by name. In the first five, players commit to nonces; one keeps theirs."""
TRIED = 150
"""In so many games those with the rarest events happen."""


def eventful_log(edition, seats):
    """Returns the log of a game in which as many kinds of events happen as in any of those that are tried."""
    wanted = types_at(edition, seats) | OF_CLOCKS
    best, most = None, -1
    for seed in range(WITH_BANKS, TRIED, len(CLOCKS)):
        log = whole_log(edition, seats, seed)
        held = len(wanted & {event["type"] for event in log["events"]})
        if held > most:
            best, most = log, held
        if most == len(wanted):
            break
    return best


def end_of(stored):
    """Returns the outcome of a log of stored events and the last view of every seat and of a watcher."""
    log = [read_event(event) for event in stored]
    seats = {event.seat for event in log if isinstance(event, SeatTaken)}
    views = {str(seat): present(view(log, seat)) for seat in sorted(seats)}
    return {
        "outcome": present(fold_log(log)),
        "views": views | {"watcher": present(view(log, WATCHER)), "all": present(view(log, ALL))},
    }


def paths(folder="rules*"):
    """Returns the paths of all logs, or of those that one version of the rules made."""
    return sorted(LOGS.glob(f"{folder}/*.ndjson"))


def released_paths(folder=RELEASED):
    """Returns the paths of all logs of releases."""
    return sorted(folder.glob("*/rules*/*.ndjson"))


def path_of_end(path):
    """Returns the path of the end of a log."""
    return path.parents[1] / "ends" / f"{path.parent.name}-{path.stem}.json"


def write():
    """Writes the logs and ends that are missing."""
    for edition, seats in TABLES:
        _write(f"{edition}-{seats}", lambda e=edition, s=seats: eventful_log(e, s))
    for name, (edition, seed) in SEEDED.items():
        _write(name, lambda e=edition, s=seed: whole_log(e, 3, s))
    _write("aborted-classic-2", aborted_log)
    for path in paths():
        if not path_of_end(path).exists():
            path_of_end(path).parent.mkdir(exist_ok=True)
            end = end_of(parsed(path.read_bytes())["events"])
            path_of_end(path).write_text(json.dumps(end) + "\n", encoding="utf-8")


def _write(name, make):
    path = LOGS / f"rules{RULES_VERSION}" / f"{name}.ndjson"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(as_ndjson(make()))
