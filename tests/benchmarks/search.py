"""What a search costs: microseconds for each simulated action, in pure Python and, where it was built, compiled.

Both in one run and by turns, each in processes of its own, because on a shared machine only their ratio means anything.
"""

import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

from engine.bots.expert.playouts import Playouts
from engine.state import ACTIVE
from tools.tournament.games import TABLES, new_game

COMPILED = Path("build/compiled/site")
RUNS = 5
PLAYOUTS = 3000
SHOWN = [("standard", 2), ("standard", 4), ("classic", 2), ("premium", 6), ("lovecraft", 4)]


def run() -> None:
    """Prints the medians, and how many times quicker the compiled engine is."""
    print("search: microseconds of one core for a simulated action")
    kinds = {"pure": "."} | ({"compiled": str(COMPILED)} if COMPILED.exists() else {})
    figures = {kind: {table: [] for table in SHOWN} for kind in kinds}
    for _ in range(RUNS):
        for kind, path in kinds.items():
            for table, figure in zip(SHOWN, printed(path), strict=True):
                figures[kind][table].append(float(figure))
    for table in SHOWN:
        medians = {kind: statistics.median(of[table]) for kind, of in figures.items()}
        ratio = f"  {medians['pure'] / medians['compiled']:.2f} times as quick" if "compiled" in medians else ""
        shown = "  ".join(f"{kind} {figure:5.2f}" for kind, figure in medians.items())
        print(f"  {table[0]:<9} {table[1]} seats: {shown}{ratio}")
    if not COMPILED.exists():
        print("  (`make compiled` builds the other one)")


def printed(path: str) -> list[str]:
    """Returns what `print_all` prints in a process that finds the engine at a path."""
    code = f"import sys; sys.path[:0] = [{path!r}, '.']; from tests.benchmarks import search; search.print_all()"
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()


def print_all() -> None:
    """Prints the figures of the engine that this process has imported."""
    assert set(SHOWN) <= set(TABLES)
    for edition, seats in SHOWN:
        print(measured(edition, seats))


def measured(edition: str, seats: int) -> float:
    """Returns the microseconds that an action of playouts takes."""
    rng = random.Random(1)
    state = new_game(edition, seats, 1).state
    assert state.status == ACTIVE
    playouts = Playouts(state.book, rng)
    first = playouts.choice(state, {})
    begun = time.process_time()
    for _ in range(PLAYOUTS):
        playouts.finish(state.copy(), first, {})
    return (time.process_time() - begun) / playouts.actions * 1e6
