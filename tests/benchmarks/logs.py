"""What logs cost outside of a service: verifying them, and exporting many, with the most memory that takes.

Exports are run as their own processes, of 1,000 small games and of 10,000; flat memory is a ratio of about 1.
"""

import contextlib
import gc
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import psutil
import redis

from billet.redis import embedded as embedded_redis
from games.records.portable import as_json, parsed, portable
from games.records.schema import checks
from games.records.verification import verify
from tests.games.whole_logs import TABLES, stored_log
from tests.service.stored import put_game

RUNS = 5
COUNTS = (1_000, 10_000)
BATCH = 500


def run() -> None:
    """Prints logs verified a second of one core, and how fast and with how much memory games are exported."""
    _verifying()
    with tempfile.TemporaryDirectory() as folder, embedded_redis.running(Path(folder) / "data", fsync="no") as server:
        peaks = []
        for begin, end in zip((0, *COUNTS), COUNTS, strict=False):
            _fill(server.url, begin, end)
            seconds, peak = _export(server.url, Path(folder) / f"{end}.ndjson.gz")
            peaks.append(peak)
            print(f"logs: {end:6,} small games exported at {end / seconds:6,.0f} a second, at most {peak:,.0f} MB")
        print(f"logs: the most memory of the greater export is {peaks[1] / peaks[0]:.2f} times that of the smaller")


def _verifying() -> None:
    logs = [parsed(as_json(portable(stored_log(edition, seats, seats)))) for edition, seats in TABLES]
    events = sum(len(log["events"]) for log in logs)
    checks()
    gc.freeze()  # as the process that verifies for a service
    rates = []
    for _ in range(RUNS):
        begin = time.process_time()
        assert all(verify(log).valid for log in logs)
        rates.append(len(logs) / (time.process_time() - begin))
    print(
        f"logs: {statistics.median(rates):.0f} verified a second of one core (best {max(rates):.0f}), "
        f"of all editions and tables, {events / len(logs):.0f} events each"
    )


def _fill(url: str, begin: int, end: int) -> None:
    """Writes ended games into a Redis: short ones of few kinds, each with an id of its own."""
    rng = random.Random(begin)
    short = [stored_log("classic", 2, seed) for seed in (25, 29, 33)]
    with redis.Redis.from_url(url) as client:
        for at in range(begin, end, BATCH):
            with client.pipeline(transaction=False) as pipe:
                for number in range(at, min(at + BATCH, end)):
                    first, *events = rng.choice(short)
                    put_game(pipe, [{**first, "data": {**first["data"], "game": f"game{number}"}}, *events])
                pipe.execute()


def _export(url: str, output: Path) -> tuple[float, float]:
    """Returns the seconds and the most megabytes that an export takes."""
    command = [sys.executable, "-P", "-m", "billet", "export", "-o", str(output)]
    begin = time.perf_counter()
    peak = 0
    # What the system keeps as the most a process had may be what its parent had when it was forked.
    with psutil.Popen(command, env={**os.environ, "REDIS_URL": url}) as process:
        while process.poll() is None:
            with contextlib.suppress(psutil.NoSuchProcess):
                peak = max(peak, process.memory_info().rss)
            time.sleep(0.02)
    assert process.returncode == 0
    return time.perf_counter() - begin, peak / 1e6
