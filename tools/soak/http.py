"""Random games over HTTP at every table, against a whole installation: real Redis, API and workers.

The chance of such a game is the installation's secret, so that a number does not repeat it; its log is kept instead.
"""

import json
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tools.players import mixed_games
from tools.players.calls import Answer
from tools.players.person import Person
from tools.players.stored_events import event_in
from tools.players.tables import SIZES
from tools.testbed.installation import Installation

GAMES = 200
AT_ONCE = 8
MOST_PEOPLE = 9
"""At a table, with somebody beside it."""
JOBS_SECONDS = 20
KEPT = Path("build") / "broken-game.json"


class Broken(Exception):
    """A game over HTTP is not as it should be, or something is left of all of them."""


class Soak:
    """An installation and those who play on it, each thread with people of its own."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.local = threading.local()
        self.stack = ExitStack()

    def people(self) -> list[Person]:
        """Returns the people of this thread."""
        if not hasattr(self.local, "people"):
            base = self.installation.base
            self.local.people = [Person.register(base, f"Player {i}") for i in range(MOST_PEOPLE)]
            for person in self.local.people:
                person.client.noticing = [no_server_error]
                self.stack.callback(person.close)
        people: list[Person] = self.local.people
        return people

    def play(self, edition: str, seats: int, number: int) -> mixed_games.Outcome:
        """Plays one game.

        Raises:
            Broken: it does not end as it should, an offered action is refused, or a call fails.
        """
        try:
            return mixed_games.play(edition, seats, number, self.people())
        except Exception as error:
            where = f"{edition}, {seats} seats, game {number}"
            raise Broken(f"{where}: {error!r} {self.keep(getattr(error, '__notes__', []))}") from error

    def keep(self, notes: Sequence[str]) -> str:
        """Writes the log of a broken game, and returns where to."""
        with self.installation.redis() as client:
            logs = {note: client.xrange(f"billet:{{{note.removeprefix('game ')}}}:log") for note in notes}
        KEPT.parent.mkdir(exist_ok=True)
        events = {note: [event_in(fields[b"e"]) for _, fields in log] for note, log in logs.items()}
        KEPT.write_text(json.dumps(events, indent=1))
        return f"(its log: {KEPT})"

    def check_nothing_is_left(self) -> None:
        """Checks that no job waits, runs or has failed, no game is due, and no process has said of an error.

        Raises:
            Broken: something is left after a while.
        """
        until = time.monotonic() + JOBS_SECONDS
        with self.installation.redis() as client:
            while left := left_in(client):
                if time.monotonic() > until:
                    raise Broken(f"left in Redis: {left}")
                time.sleep(0.1)
        errors = [line for line in self.installation.said().splitlines() if "ERROR" in line or "Traceback" in line]
        if errors:
            raise Broken(f"the installation says: {errors[:5]}")


def no_server_error(answer: Answer) -> None:
    """Raises `Broken` for a server error."""
    if answer.status_code >= 500:
        raise Broken(f"{answer.method} {answer.path}: {answer.status_code} {answer.text}")


def left_in(client: Any) -> list[str]:
    """Returns what lies in a Redis of jobs, and of games that wait for something."""
    jobs = [name.decode() for name in client.scan_iter(match="rq:job:*", count=10_000)]
    queues = [name.decode() for name in client.scan_iter(match="rq:queue:*", count=10_000)]
    failed = [name.decode() for name in client.scan_iter(match="rq:failed:*", count=10_000)]
    return [*jobs, *queues, *failed, *["billet:due"] * client.exists("billet:due")]


def run(tables: Sequence[tuple[str, int]] = SIZES, games: int = GAMES) -> None:
    """Plays so many games at every table, several at once, and prints what they came to.

    Raises:
        Broken: at the first game that is not as it should be, or if something is left at the end.
    """
    since = time.monotonic()
    print(f"http: {games:,} games at each of {len(tables)} tables, {AT_ONCE} at once", flush=True)
    with begun() as soak:
        totals = play_all(soak, tables, games)
    print(
        f"http: {summary(*totals)}, {time.monotonic() - since:.0f} s; nothing was refused, failed or left", flush=True
    )


@contextmanager
def begun(processes: str = "2") -> Iterator[Soak]:
    """Yields an installation that runs, with so many of each kind of process, and leaves nothing of it."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        installation = Installation(folder, API_PROCESSES=processes, WORKERS=processes)
        installation.start()
        stack.callback(installation.close)
        soak = Soak(installation)
        stack.callback(soak.stack.close)
        yield soak


def play_all(soak: Soak, tables: Sequence[tuple[str, int]], games: int) -> tuple[int, int, int]:
    """Plays so many games at every table and prints what they came to; returns it all added up."""
    totals = (0, 0, 0)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for edition, seats in tables:
            since = time.monotonic()
            outcomes = together(pool, [(soak.play, edition, seats, number) for number in range(games)])
            soak.check_nothing_is_left()
            plays, actions = sum(one.plays for one in outcomes), sum(one.actions for one in outcomes)
            totals = (totals[0] + games, totals[1] + plays, totals[2] + actions)
            took = time.monotonic() - since
            print(f"  {edition:<9} {seats} seats: {summary(games, plays, actions)}, {took:.0f} s", flush=True)
    return totals


def summary(games: int, plays: int, actions: int) -> str:
    """Returns in words what some games came to."""
    return f"{games:,} games, {plays:,} cards played, {actions:,} actions of people"


def together(pool: ThreadPoolExecutor, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Runs calls at the same time and returns their results; the first that fails ends the others."""
    futures = [pool.submit(*call) for call in calls]
    done, _ = wait(futures, return_when=FIRST_EXCEPTION)
    for future in done:
        if (error := future.exception()) is not None:
            pool.shutdown(wait=False, cancel_futures=True)
            raise error
    return [future.result() for future in futures]
