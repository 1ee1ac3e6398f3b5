"""How late clocks fire when hundreds run out in a short time, also when the workers are killed in the middle of it.

Nobody looks at the games meanwhile, for whoever looks carries a timeout out. What is measured is read from the times in
the logs, straight from Redis: from a deadline to the moment at which was decided what it does.
"""

import signal
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import redis

from tools.benchmarks.machine import load, tail
from tools.players.person import Person
from tools.players.stored_events import event_in
from tools.players.tables import CREATOR, OPEN
from tools.testbed.installation import Installation
from tools.testbed.processes import kill

GAMES = 500
WINDOW = 10.0
"""Seconds within which all deadlines are."""
KILLS = (0.3, 0.6)
"""When all workers are killed, as parts of the window."""
PATIENCE = 120.0


class Fired(NamedTuple):
    """What became of the first deadline of a game: how often it fired, and the seconds it was late by each time."""

    game: str
    late: list[float]


def run() -> None:
    """Prints how late they fire, undisturbed and with kills."""
    with TemporaryDirectory() as folder:
        installation = Installation(Path(folder), WORKERS="2")
        installation.start()
        try:
            print(f"timeouts: {GAMES} due within {WINDOW:g} s, {installation.settings['WORKERS']} workers; {load()}")
            _print("undisturbed", fire(installation, GAMES, WINDOW))
            _print("all due at once", fire(installation, GAMES, 0.0))
            killed = fire(installation, GAMES, WINDOW, kills=KILLS)
            _print(f"workers with their sweepers killed {len(KILLS)} times", killed)
        finally:
            installation.close()


def fire(
    installation: Installation, count: int, window: float, kills: tuple[float, ...] = (), room: int = 5
) -> list[Fired]:
    """Lets clocks run out, evenly spread over a window, and kills all workers at parts of it; returns what they did.

    `room` is how many seconds after the last clock has begun to run the first may run out.
    """
    host, guest = (Person.register(installation.base, name) for name in ("Ann", "Ben"))
    clock = {"seconds": int(window) + room, "on_timeout": "bot_plays"}
    games = [host.create("standard", [CREATOR, OPEN], clock=clock)["id"] for _ in range(count)]
    begun = time.monotonic()
    for number, game in enumerate(games):
        _sleep_until(begun + window * number / count)
        guest.join(game)
    spread = time.monotonic() - begun
    for part in kills:
        _sleep_until(begun + clock["seconds"] + part * spread)
        for process in installation.part("worker"):
            kill(process, signal.SIGKILL)
    _sleep_until(begun + clock["seconds"] + spread)
    with installation.redis() as client:
        found = _wait(lambda: [Fired(game, _late(client, game, clock["seconds"])) for game in games])
    for game in games:
        guest.delete(f"/games/{game}/seats/me")
    host.close()
    guest.close()
    return found


def _wait(look: Callable[[], list[Fired]]) -> list[Fired]:
    """Returns what is found a second after every deadline has fired, or when budget is at its end."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and not all(one.late for one in look()):
        time.sleep(0.2)
    time.sleep(1)
    return look()


def _late(client: "redis.Redis", game: str, seconds: int) -> list[float]:
    """Returns by how much the first deadline of a game was missed, for each time that it fired."""
    asked, late = 0.0, []
    for _, fields in client.xrange(f"billet:{{{game}}}:log"):
        event = event_in(fields[b"e"])
        at = datetime.fromisoformat(event["at"]).timestamp()
        if event["type"] in ("turn_started", "decision_opened"):
            if asked:
                break
            asked = at
        elif event["type"] == "seat_timed_out":
            late.append(at - asked - seconds)
    return late


def _sleep_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.monotonic()))


def _print(name: str, found: list[Fired]) -> None:
    late = [seconds for one in found for seconds in one.late]
    lost, twice = (sum(test(len(one.late)) for one in found) for test in ((0).__eq__, (1).__lt__))
    early = sum(seconds < 0 for seconds in late)
    print(f"  {name:<46} {tail(late)}; {lost} lost, {twice} fired twice, {early} early")


if __name__ == "__main__":
    run()
