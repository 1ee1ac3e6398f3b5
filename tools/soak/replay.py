"""Whole games at every table in turn: everything that is served to anybody, held against its replay to the last byte.

In one process on a Redis of its own, whose clock the games move, so that a game with hours of waiting takes a moment.
"""

import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

import pytest

from billet.redis import embedded as embedded_redis
from service import Settings, build
from tests.engine.random_games import TABLES
from tests.service.play.recorded import Recorded
from tests.service.still_clock import still_clock

GAMES = 50
MOST_STEPS = 400


class Broken(Exception):
    """A replay is not what was served."""


def run(tables: Sequence[tuple[str, int]] = TABLES, games: int = GAMES) -> None:
    """Plays so many games in all and compares them.

    Raises:
        Broken: at the first that differs.
    """
    begun = time.monotonic()
    versions = answers = 0
    with tempfile.TemporaryDirectory() as folder, embedded_redis.running(Path(folder), fsync="no") as own:
        settings = Settings(redis_url=own.url)
        for number in range(games):
            edition, seats = tables[number % len(tables)]
            try:
                seen, compared = play(settings, edition, seats, number)
            except Exception:
                raise Broken(f"replay: {edition}, {seats} seats, game {number}: {traceback.format_exc()}") from None
            versions, answers = versions + seen, answers + compared
    took = time.monotonic() - begun
    print(
        f"replay: {games} games, {versions:,} versions, {answers:,} views and as many pages of events; every replay is"
        f" what was served, {took:.0f} s",
        flush=True,
    )


def play(settings: Settings, edition: str, seats: int, number: int) -> tuple[int, int]:
    """Plays and replays a game; returns at how many versions it was looked at, and how often."""
    with pytest.MonkeyPatch.context() as patched:
        recorded = Recorded(build(settings), still_clock(patched), edition, seats, number)
        recorded.sit_down().play(MOST_STEPS)
        compared = recorded.replay(build(settings))
    return len({one.version for one in recorded.served}), compared
