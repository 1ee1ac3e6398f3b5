"""Whole games as portable logs, with what everybody sees at their end: they stay as they are for ever.

Those in `logs/rules<n>` were made by that version of the rules: as long as it is the present one, each step follows
from its cause. Those in `logs/no_causes` are as the first release stored games: events in their first form, no causes.
In those in `logs/committed` players committed to nonces and revealed them. The generator only writes what is missing;
`logs/ends` has the outcome and every viewer's view of all stored logs.
"""

import json
from pathlib import Path

from engine.editions import EDITIONS
from engine.events import SeatTaken
from engine.logs.codec import read_event
from engine.rules import RULES_VERSION, fold_log
from engine.views import ALL, WATCHER, present, view
from games.records.portable import as_ndjson, digest_of, parsed
from tests.engine.written.event_types import OF_CLOCKS, types_at
from tests.games.whole_logs import CLOCKS, whole_log
from tests.golden.tables import TABLES

LOGS = Path(__file__).parent / "logs"
WITH_BANKS = next(i for i, clock in enumerate(CLOCKS) if clock and clock["kind"] == "bank")
COMMITTED = [(f"{edition}-3", edition, 16) for edition in EDITIONS] + [("standard-3-unrevealed", "standard", 10)]
"""The logs of games by commit and reveal: name, edition, seed. In the last one a nonce is not revealed in time."""
TRIED = 150
"""In so many games those with the rarest events happen."""


def caused_log(edition, seats):
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


def first_log(edition, seats):
    """Returns the log of a game as the first release stored it and the present one gives it away."""
    log = parsed(as_ndjson(whole_log(edition, seats, 0)))
    for event in log["events"]:
        event.update(v=1, cause=None, rules=None)
        if event["type"] == "round_started":
            del event["data"]["banks"], event["data"]["away"]
    log["rules_version"] = None
    return log | {"digest": digest_of(log)}


def end_of(stored):
    """Returns the outcome of a log of stored events and the last view of every seat and of a watcher."""
    log = [read_event(event) for event in stored]
    seats = {event.seat for event in log if isinstance(event, SeatTaken)}
    views = {str(seat): present(view(log, seat)) for seat in sorted(seats)}
    return {
        "outcome": present(fold_log(log)),
        "views": views | {"watcher": present(view(log, WATCHER)), "all": present(view(log, ALL))},
    }


def stored_logs():
    """Returns the events of all stored logs, by folder and name."""
    found = {}
    for path in sorted(LOGS.glob("v*/*.json")):
        found[f"{path.parent.name}-{path.stem}"] = json.loads(path.read_text(encoding="utf-8"))["events"]
    for path in whole_logs():
        found[f"{path.parent.name}-{path.stem}"] = parsed(path.read_bytes())["events"]
    return found


def whole_logs(folder="*"):
    """Returns the paths of the portable logs, of those in one folder alone if it is named."""
    return sorted(LOGS.glob(f"{folder}/*.ndjson"))


def write():
    """Writes the logs and ends that are missing."""
    for edition, seats in TABLES:
        _write(
            LOGS / f"rules{RULES_VERSION}" / f"{edition}-{seats}.ndjson", lambda e=edition, s=seats: caused_log(e, s)
        )
    for edition in EDITIONS:
        _write(LOGS / "no_causes" / f"{edition}-3.ndjson", lambda e=edition: first_log(e, 3))
    for name, edition, seed in COMMITTED:
        _write(LOGS / "committed" / f"{name}.ndjson", lambda e=edition, s=seed: whole_log(e, 3, s))
    for name, events in stored_logs().items():
        path = LOGS / "ends" / f"{name}.json"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(end_of(events)) + "\n", encoding="utf-8")


def _write(path, make):
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(as_ndjson(make()))
