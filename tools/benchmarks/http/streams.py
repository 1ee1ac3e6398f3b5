"""Event streams: how soon events arrive, that they arrive once and in order, what a stream takes, and who acts beside.

The times are from the beginning of the call that appends to the arrival at the client, by the clock of a machine on
which everything runs. Beside them stands by how much timers are late in the receiving process: where that is of the
same size, it is the machine that is measured.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import orjson
import psutil

from billet.redis import embedded as embedded_redis
from service import Service, build
from service.settings import Settings
from tests.service.at_table import EN, Guest, body, guest, read
from tools.benchmarks.http.action import COURSES, Cost, Server, measured, play, redis_process, served, spread
from tools.benchmarks.http.scripted import scripted_game

WATCHERS = 500
GAMES = 500
MANY_GAMES = 2_500
SECONDS = 10
REPEATS = 3


class Lobby(NamedTuple):
    """A table at which people sit down and get up in turn: each time is one event."""

    game: str
    creator: Guest
    restless: tuple[Guest, ...]

    @classmethod
    def open(cls, service: Service, people: int = 1) -> "Lobby":
        """Opens the table for so many people; each may sit down `MOST_SITTINGS` times."""
        creator = guest(service)
        made = read(service.tables.create(creator.token, body("creator", "open", "open"), words=EN))
        return cls(made["id"], creator, tuple(guest(service) for _ in range(people)))

    def move(self, service: Service, number: int) -> None:
        """Makes one event."""
        token = self.restless[number // 2 % len(self.restless)].token
        if number % 2 == 0:
            service.tables.take_seat(token, self.game, {}, words=EN)
        else:
            service.tables.leave(token, self.game, words=EN)

    def path(self) -> str:
        """Returns where it is followed."""
        return f"/v1/games/{self.game}/events/stream"


class Clients:
    """The streams of another process."""

    def __init__(self, port: int, wanted: list[tuple[str, str | None]]) -> None:
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-m", "tools.benchmarks.http.stream_clients"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(orjson.dumps([port, wanted]) + b"\n")
        self._process.stdin.flush()
        self.opening = float(self._process.stdout.readline())
        """Seconds until all were open."""

    def close(self) -> None:
        """Makes sure that they have ended."""
        if self._process.poll() is None:
            self._process.communicate(timeout=60)

    def end(self) -> tuple[list[list[tuple[int, float]]], list[float]]:
        """Ends them and returns what came to each, with the times, and how late timers were there."""
        said, _ = self._process.communicate(timeout=60)
        seen, late = orjson.loads(said)
        return seen, late


@contextmanager
def following(server: Server, wanted: list[tuple[str, str | None]]) -> Iterator[Clients]:
    """Holds streams open."""
    clients = Clients(server.port, wanted)
    try:
        yield clients
    finally:
        clients.close()


def run() -> None:
    """Prints the figures."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder)) as own:
        settings = Settings(redis_url=own.url)
        service = build(settings)
        with served(["-m", "billet", "api"], settings, TRUSTED_PROXIES="1") as server:
            print("streams: every event comes to every stream once and in order; milliseconds are median / p99")
            heads = f"{'events':>8} {'a stream':>14} {'to open':>10} {'call to arrival':>18} {'a timer is late':>18}"
            print(f"  {'':<29} {heads}")
            lobby = Lobby.open(service, people=10)
            _delivered(f"1 game, {WATCHERS} watchers", service, server, [lobby] * WATCHERS, [lobby], rate=10)
            lobbies = [Lobby.open(service) for _ in range(GAMES)]
            followed = [lobby for lobby in lobbies for _ in range(2)]
            _delivered(f"{GAMES} games, two streams each", service, server, followed, lobbies, rate=100)
            _acting(service, server, redis_process(own.url), followed)
            lobbies += [Lobby.open(service) for _ in range(MANY_GAMES - GAMES)]
            many = [lobby for lobby in lobbies for _ in range(2)]
            _delivered(f"{MANY_GAMES:,} games, two streams each", service, server, many, lobbies, rate=100)


def _wanted(followed: list[Lobby]) -> list[tuple[str, str | None]]:
    # Every second stream is the creator's own, the others watch; a game that many follow is watched only.
    own = len(set(followed)) > 1
    return [(lobby.path(), lobby.creator.token if own and i % 2 else None) for i, lobby in enumerate(followed)]


def _delivered(
    name: str, service: Service, server: Server, followed: list[Lobby], moved: list[Lobby], rate: int
) -> None:
    before = _memory(server)
    with following(server, _wanted(followed)) as clients:
        held = (_memory(server) - before) / len(followed) / 1024
        appended: dict[tuple[str, int], float] = {}
        newest = {lobby.game: _version(service, lobby) for lobby in moved}
        began = time.monotonic()
        for number in range(SECONDS * rate):
            time.sleep(max(0.0, began + number / rate - time.monotonic()))
            lobby = moved[number % len(moved)]
            newest[lobby.game] += 1
            appended[lobby.game, newest[lobby.game]] = time.monotonic()
            lobby.move(service, number // len(moved))
        time.sleep(2)
        seen, late = clients.end()
    delays = []
    for lobby, arrivals in zip(followed, seen, strict=True):
        versions = [version for version, _ in arrivals]
        assert versions == list(range(versions[0], newest[lobby.game] + 1)), "each event once and in order"
        delays += [at - appended[lobby.game, version] for version, at in arrivals[1:]]
    print(f"  {name:<29} {len(delays):8,} {held:10.0f} KiB {clients.opening:8.1f} s {_ms(delays):>18} {_ms(late):>18}")


def _ms(seconds: list[float]) -> str:
    """Returns the median and the 99th of 100, in milliseconds."""
    percentiles = statistics.quantiles(seconds, n=100)
    return f"{1000 * percentiles[49]:.1f} / {1000 * percentiles[98]:.1f}"


def _acting(service: Service, server: Server, redis_server: psutil.Process, followed: list[Lobby]) -> None:
    alone: list[Cost] = []
    beside: list[Cost] = []
    for repeat in range(REPEATS):
        alone.append(_actions(service, server, redis_server, 100 + repeat))
        with following(server, _wanted(followed)):
            beside.append(_actions(service, server, redis_server, 200 + repeat))
    ratio = spread([b.api / a.api for a, b in zip(alone, beside, strict=True)])
    rate = spread([a.rate / b.rate for a, b in zip(alone, beside, strict=True)])
    print(f"  acting beside {len(followed)} open streams takes {ratio} the processor time and {rate} the time")


def _actions(service: Service, server: Server, redis_server: psutil.Process, seed: int) -> Cost:
    courses = [scripted_game(service, 4, 50_000 + 10 * seed + n) for n in range(4 * COURSES)]
    return measured(server, redis_server, [lambda c, n=n: play(c, courses[n::4]) for n in range(4)])


def _version(service: Service, lobby: Lobby) -> int:
    view: dict[str, Any] = read(service.games.view(None, lobby.game, words=EN))
    version: int = view["version"]
    return version


def _memory(server: Server) -> int:
    return sum(process.memory_full_info().pss for process in server.processes)


if __name__ == "__main__":
    run()
