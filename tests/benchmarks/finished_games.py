"""What finished games cost to read again: folding their events, verifying them, making the table of their decisions.

Processor time of this process alone, so that figures are those of one core; everything is measured in turn, several
times, and ratios are taken within a turn, because a shared machine is not as fast at one time as at another. At last
the most memory that `billet dataset` takes in a process of its own is shown for few logs and for many.
"""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from billet.dataset.table import batch_of, rows_of
from engine.editions import EDITIONS
from engine.logs.codec import read_event
from engine.rules import fold_log
from games.bots.self_play import bot_game
from games.records.portable import as_ndjson, packed, parsed
from games.records.verification import verify
from tests.benchmarks.machine import seconds

RUNS = 5
GAMES = 10
"""Of each edition."""
SEATS = 4
MORE = 8
"""How many times as many logs the second of the tables is made of whose memory is compared."""

DATASET = """
import resource, sys
from billet.cli import main
main(["dataset", *sys.argv[2:], "--output", sys.argv[1], "--verified", "--jobs", "1"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def run() -> None:
    """Prints games, events and decisions a second, and what each costs beside folding the same games."""
    texts = [as_ndjson(bot_game(edition, ["random"] * SEATS, seed)) for edition in EDITIONS for seed in range(GAMES)]
    logs = [parsed(text) for text in texts]
    events = [[read_event(stored) for stored in log["events"]] for log in logs]
    count = sum(map(len, events))
    rows = sum(len(rows_of(log)) for log in logs)
    work: dict[str, Callable[[], object]] = {
        "fold": lambda: [fold_log(log) for log in events],
        "parse, read and fold": lambda: [
            fold_log([read_event(stored) for stored in parsed(text)["events"]]) for text in texts
        ],
        "verify": lambda: [verify(log) for log in logs],
        "parse and verify": lambda: [verify(parsed(text)) for text in texts],
        "parse, and tell decisions": lambda: _told(parsed(text) for text in texts),
        "parse, verify, and tell decisions": lambda: _told(log for text in texts if verify(log := parsed(text)).valid),
    }
    assert all(verify(log).valid for log in logs)
    turns = [{name: seconds(one) for name, one in work.items()} for _ in range(RUNS)]
    print(f"finished_games: {len(logs)} games of {SEATS} seats, {count} events, {rows} decisions; a second of one core")
    for name in work:
        taken = statistics.median(turn[name] for turn in turns)
        bare = statistics.median(turn[name] / turn["fold"] for turn in turns)
        read = statistics.median(turn[name] / turn["parse, read and fold"] for turn in turns)
        print(
            f"  {name:<34} {len(logs) / taken:8,.0f} games {count / taken:11,.0f} events {rows / taken:9,.0f} decisions"
            f"   {bare:6.1f} times folding, {read:5.2f} times reading and folding"
        )
    _print_memory(texts)


def _told(logs: object) -> None:
    batch_of([row for log in logs for row in rows_of(log)])


def _print_memory(texts: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder, "logs")
        logs.mkdir()
        for number, text in enumerate(texts):
            (logs / f"{number:04}.ndjson.gz").write_bytes(packed(text))
        few, many = (_most_memory(Path(folder, "rows.parquet"), [logs] * times) for times in (1, MORE))
    print(f"  the table of {len(texts)} games takes {few} MB, of {MORE} times as many {many / few:.2f} times as much")


def _most_memory(output: Path, logs: list[Path]) -> int:
    done = subprocess.run([sys.executable, "-c", DATASET, output, *logs], capture_output=True, text=True, check=True)
    return int(done.stdout.splitlines()[-1]) // 1024


if __name__ == "__main__":
    run()
