"""Plays bots against each other and says how often the round was won by those who played each card, with a plot.

It goes the way that one goes with games of people too: portable logs, `billet dataset`, and then the table alone.
It needs the extra `dataset`: `python -m pip install --editable '.[dataset]'`. After that:
`python examples/dataset/win_rates.py --help`.
"""

import argparse
import math
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import matplotlib
import matplotlib.pyplot as plt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from matplotlib.axes import Axes
from matplotlib.layout_engine import ConstrainedLayoutEngine

from engine.bots import BOTS
from engine.bots.question import DEFAULT_THINK_MS
from games.bots.self_play import bot_game
from games.bots.turns import ThinkBudget
from games.records.portable import as_ndjson, packed
from games.texts.catalogue import catalogue

TABLES = {"standard": 4, "classic": 4, "premium": 5, "lovecraft": 4}
"""The tables that are played at, by edition: at one of five, `premium` has its whole deck."""
WIDTH = 1.96
"""Of a 95 % interval, in standard errors."""
ABOVE, BELOW, UNCERTAIN = "#1f6fb2", "#c2452d", "#9aa0a8"
ABREAST = 2
"""How many editions are drawn in a row."""
HEADING = "How often a round was won by who played a card"
INK, GRID = "#22252b", "#e4e6e9"


class Rate(NamedTuple):
    """How those fared who played a card."""

    card: str
    won: float
    """The share of the rounds that the seat won."""
    least: float
    most: float
    """The bounds of its 95 % interval."""
    rounds: int
    """How often a seat played the card in a round, once or more."""


def main() -> None:
    """Plays, makes the table, prints the rates and draws them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/win_rates"), help="default: %(default)s")
    parser.add_argument("--games", type=int, default=10_000, help="of all editions together (default: %(default)s)")
    parser.add_argument("--bots", choices=list(BOTS), default="cautious", help="default: %(default)s")
    parser.add_argument("--jobs", type=int, help="processes that play (default: one for each core)")
    asked = parser.parse_args()

    logs, parquet, plot = (asked.folder / name for name in ("logs", "decisions.parquet", "win_rates.png"))
    logs.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    with ProcessPoolExecutor(asked.jobs, get_context("spawn")) as pool:
        for _ in pool.map(partial(play, logs, asked.bots), range(asked.games), chunksize=10):
            pass
    print(f"{asked.games} games of {asked.bots} bots in {time.perf_counter() - began:.0f} s: {logs}")

    # They are our own: without --verified each would be played once more, to see that it is as it says.
    began = time.perf_counter()
    jobs = ["--jobs", str(asked.jobs)] if asked.jobs else []
    subprocess.run(
        [sys.executable, "-m", "billet", "dataset", logs, "--output", parquet, "--verified", *jobs], check=True
    )
    print(f"made in {time.perf_counter() - began:.0f} s")

    rates = {edition: win_rates(parquet, edition) for edition in TABLES}
    for edition, found in rates.items():
        show(edition, found)
    draw(rates, asked.bots, asked.games, plot)
    print(f"the plot: {plot}")


def play(logs: Path, bot: str, number: int) -> None:
    """Plays one game, each with the edition after that of the one before, and keeps its log."""
    edition = list(TABLES)[number % len(TABLES)]
    log = bot_game(edition, [bot] * TABLES[edition], number, budget=ThinkBudget(DEFAULT_THINK_MS, time))
    (logs / f"{number:07}.ndjson.gz").write_bytes(packed(as_ndjson(log)))


def win_rates(parquet: Path, edition: str) -> list[Rate]:
    """Returns how often the round was won by who played each card, the best card first.

    Who plays a card twice in a round counts once: the round is won or lost but once.
    """
    columns = ["game", "round", "seat", "card", "won_round"]
    plays = pq.read_table(
        parquet,
        columns=columns,
        filters=(pc.field("edition") == edition) & pc.field("card").is_valid() & pc.field("won_round").is_valid(),
    )
    once = plays.group_by(columns).aggregate([])
    cards = once.set_column(4, "won", once["won_round"].cast(pa.int64())).group_by("card")
    counted = cards.aggregate([("won", "sum"), ("won", "count")]).to_pylist()
    rates = [rate(row["card"], row["won_sum"], row["won_count"]) for row in counted]
    return sorted(rates, key=lambda one: (-one.won, one.card))


def rate(card: str, won: int, rounds: int) -> Rate:
    """Returns a rate with its interval after Wilson, which holds for few rounds and for none won too."""
    share, slack = won / rounds, WIDTH**2 / rounds
    middle = (share + slack / 2) / (1 + slack)
    half = WIDTH * math.sqrt(share * (1 - share) / rounds + slack / rounds / 4) / (1 + slack)
    return Rate(card, share, max(0.0, middle - half), min(1.0, middle + half), rounds)


def show(edition: str, rates: list[Rate]) -> None:
    """Prints the rates of an edition."""
    print(f"\n{edition}, {TABLES[edition]} seats: rounds won by who played the card (95 % interval, rounds)")
    widest = max(len(named(one.card)) for one in rates)
    for one in rates:
        print(f"  {named(one.card):<{widest}} {one.won:6.1%}  ({one.least:.1%} to {one.most:.1%}, {one.rounds})")


def named(card: str) -> str:
    """Returns the name of a card."""
    return catalogue("en").text(f"card.{card}.name")


def together(rates: list[Rate]) -> float:
    """Returns how often the round was won by who played any card: more than even, for who is soon out plays little."""
    return sum(one.won * one.rounds for one in rates) / sum(one.rounds for one in rates)


def draw(rates: dict[str, list[Rate]], bots: str, games: int, plot: Path) -> None:
    """Draws the rates of every edition, two in a row, each beside what any card comes to.

    Rows are as high as they have cards, and the names of cards have the room that the longest one takes.
    """
    matplotlib.use("Agg")
    plt.rcParams |= {"font.size": 9, "text.color": INK, "xtick.color": INK, "ytick.color": INK}
    names = list(rates)
    highs = [max(len(rates[name]) for name in names[i : i + ABREAST]) for i in range(0, len(names), ABREAST)]
    heading = 0.95
    size = (8.6, heading + sum(0.75 + 0.25 * high for high in highs))
    figure, axes = plt.subplots(
        len(highs),
        ABREAST,
        figsize=size,
        layout=ConstrainedLayoutEngine(rect=(0.01, 0, 0.98, 1 - heading / size[1]), wspace=0.06, hspace=0.05),
        sharex=True,
        height_ratios=highs,
    )
    for place, (axis, name) in enumerate(zip(axes.flat, names, strict=True)):
        _draw_edition(axis, name, rates[name], highs[place // ABREAST])
    axes[0, 0].set_xlim(left=0)
    axes[0, 0].xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    figure.text(0.015, 1 - 0.12 / size[1], HEADING, va="top", fontsize=14, fontweight="bold")
    figure.text(0.015, 1 - 0.45 / size[1], _legend(bots, games), va="top", fontsize=9, linespacing=1.35)
    figure.savefig(plot, dpi=160)
    plt.close(figure)


def _draw_edition(axis: Axes, edition: str, found: list[Rate], high: int) -> None:
    """Draws the rates of an edition, the best card on top; `high` is how many cards there is room for."""
    usual = together(found)
    axis.axvline(usual, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    places = range(len(found))
    colours = [ABOVE if one.least > usual else BELOW if one.most < usual else UNCERTAIN for one in found]
    axis.hlines(places, [one.least for one in found], [one.most for one in found], color=colours, linewidth=2)
    axis.scatter([one.won for one in found], places, color=colours, s=26, zorder=3, clip_on=False)
    axis.set_yticks(places, [named(one.card) for one in found])
    axis.set_ylim(high - 0.4, -0.6)
    axis.set_title(f"{edition.title()}, {TABLES[edition]} seats", loc="left", fontweight="bold", pad=8)
    axis.tick_params(length=0, pad=7, labelbottom=True)
    axis.grid(axis="x", color=GRID, linewidth=0.8)
    axis.set_axisbelow(True)
    axis.spines[:].set_visible(False)


def _legend(bots: str, games: int) -> str:
    return (
        f"{games:,} games of {bots} bots. Lines are 95 % intervals, dashed is what all cards come to together;\n"
        "blue cards do better than that, red ones worse, of grey ones one cannot say."
    )


if __name__ == "__main__":
    main()
