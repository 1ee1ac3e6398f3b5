"""Games over HTTP, taken away with `billet export`: valid for `billet verify`, and then judged as `logs` does.

Only games from a running service are judged here; those that are made in memory, of more kinds, are in `logs`.
"""

import gzip
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tools.players.tables import SIZES
from tools.soak import http, logs
from tools.soak.logs import CHUNK, Broken
from tools.testbed.installation import Installation

GAMES = 1000
"""In all, at all tables evenly."""
SECONDS = 600
KEPT = Path("build") / "exported.ndjson.gz"


def billet(installation: Installation, *words: str) -> str:
    """Runs the command on an installation and returns what it said.

    Raises:
        Broken: its exit status is not 0.
    """
    url = (installation.data_dir / "redis" / "url").read_text()
    done = subprocess.run(
        [sys.executable, "-m", "billet", *words],
        env=os.environ | {"REDIS_URL": url},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise Broken(f"BROKEN: billet {' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def run(tables: Sequence[tuple[str, int]] = SIZES, games: int = GAMES, jobs: int | None = None) -> None:
    """Plays so many games in all, exports and verifies them, and prints what they came to.

    Raises:
        Broken: a game or a log is not as it should be.
    """
    begun = time.monotonic()
    at_each = -(-games // len(tables))
    with http.begun() as soak:
        http.play_all(soak, tables, at_each)
        exported = billet(soak.installation, "export").encode().splitlines()
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_bytes(gzip.compress(b"\n".join(exported)))
        said = billet(soak.installation, "verify", str(KEPT)).splitlines()[-1]
    if len(exported) != at_each * len(tables):
        raise Broken(f"BROKEN: {len(exported)} games are exported")
    print(f"export: billet verify: {said}", flush=True)
    named = [(f"log {number}", raw) for number, raw in enumerate(exported)]
    with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        chunks = [named[i : i + CHUNK] for i in range(0, len(named), CHUNK)]
        came: Counter[str] = sum(pool.map(logs.judge, chunks), Counter())
    print(f"export: {logs.summary(came)}; {time.monotonic() - begun:.0f} s", flush=True)
