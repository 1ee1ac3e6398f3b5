"""Whether a flood of polling delays the actions of another player: actions alone and beside it, in turn.

One player acts, one action after the other, as a program does. Others ask for the game as fast as answers come. The
limits are those that Billet comes with. And whether long calls hold up the event loop, which answers `/healthz` by
itself.
"""

import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from billet.redis import embedded as embedded_redis
from service import Service, build
from service.settings import Settings
from tests.benchmarks.http.action import Server, connected, served, spread
from tests.benchmarks.http.scripted import Course, scripted_game
from tests.service.at_table import guest

REPEATS = 5
CONNECTIONS = 20
HEALTHS = 1000
LONG = ("/log", "/events/ndjson", "/rounds", "/frames?as=all")
"""What takes the service long to read and to send."""
WARM_UP = 0.5
"""Seconds that a flood has had before anything is measured beside it."""


def run(repeats: int = REPEATS) -> None:
    """Prints the medians and their ratios."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder)) as own:
        settings = Settings(redis_url=own.url)
        service = build(settings)
        with served(["-m", "billet", "api"], settings) as server:
            print(f"flood: an action beside {CONNECTIONS} connections that poll as fast as they can; medians")
            latencies(server, scripted_game(service, 4, 1))
            ten = [guest(service).token for _ in range(10)]
            for name, what, tokens in (
                ("views, one token", "", ten[:1]),
                ("views, no token", "", [None]),
                ("views, ten tokens", "", ten),
                ("whole logs, no token", "/events", [None]),
            ):
                _beside(name, what, service, server, tokens, repeats)
            ended = scripted_game(service, 4, 2)
            latencies(server, ended)
            _lag(server, ended.game)


def _beside(name: str, what: str, service: Service, server: Server, tokens: "list[str | None]", repeats: int) -> None:
    alone: list[float] = []
    beside: list[float] = []
    statuses: Counter[str] = Counter()
    seconds = 0.0
    for repeat in range(repeats):
        courses = [scripted_game(service, 4, 300_000 + 10 * repeat + n) for n in range(2)]
        alone.append(statistics.median(latencies(server, courses[0])))
        with flood(server, f"/v1/games/{courses[1].game}{what}", tokens) as flooded:
            time.sleep(WARM_UP)
            beside.append(statistics.median(latencies(server, courses[1])))
        statuses += flooded
        seconds += flooded.seconds
    ratio = spread([b / a for a, b in zip(alone, beside, strict=True)])
    rates = ", ".join(f"{count / seconds:.0f} a second {status}" for status, count in sorted(statuses.items()))
    with_flood, without = (1000 * statistics.median(values) for values in (beside, alone))
    print(f"  {name:<20} {with_flood:6.2f} ms beside it, {without:6.2f} ms alone: {ratio}; answers: {rates}")


def _lag(server: Server, game: str) -> None:
    """Prints how long the event loop takes to answer by itself while long calls are made as fast as they can be."""
    print(f"  /healthz, which the event loop answers itself: {_spans(_healths(server))}")
    for path in LONG:
        with flood(server, f"/v1/games/{game}{path}", [None]) as flooded:
            time.sleep(WARM_UP)
            taken = _healths(server)
        print(f"  beside {CONNECTIONS} connections at {path}: {_spans(taken)}; answers: {dict(flooded)}")


def _spans(taken: list[float]) -> str:
    """Returns the median, what 99 of 100 took at most, and the greatest, of times in milliseconds."""
    ordered = sorted(taken)
    p99 = ordered[int(len(ordered) * 0.99)]
    return f"median {statistics.median(taken):.2f} ms, p99 {p99:.1f} ms, greatest {ordered[-1]:.1f} ms"


def _healths(server: Server) -> list[float]:
    """Returns how long each of many calls of /healthz took, in milliseconds."""
    taken = []
    with connected(server) as connection:
        for _ in range(HEALTHS):
            began = time.perf_counter()
            connection.request("GET")
            connection.getresponse().read()
            taken.append(1000 * (time.perf_counter() - began))
            time.sleep(0.002)
    return taken


def latencies(server: Server, course: Course) -> list[float]:
    """Plays a game to its end and returns how long each action took, in seconds."""
    path = f"/v1/games/{course.game}/actions"
    taken = []
    with connected(server) as connection:
        for token, body in course.actions:
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            began = time.perf_counter()
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            answer.read()
            taken.append(time.perf_counter() - began)
            assert answer.status == 201, "a legal action is accepted"
    return taken


class Flooded(Counter[str]):
    """How often each status was answered, and in how many seconds."""

    seconds = 0.0


@contextmanager
def flood(server: Server, path: str, tokens: "list[str | None]") -> Iterator[Flooded]:
    """Lets others poll a path; what they were answered is known at the end."""
    flooded = Flooded()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.http.pollers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(orjson.dumps([server.port, path, tokens, CONNECTIONS]) + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        began = time.monotonic()
        yield flooded
        flooded.seconds = time.monotonic() - began
    finally:
        said, _ = process.communicate(timeout=30)
        flooded.update(orjson.loads(said or "{}"))


if __name__ == "__main__":
    run()
