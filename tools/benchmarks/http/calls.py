"""What calls of a game cost through HTTP beside a floor, and how late actions are answered at 70 % of full load."""

import gc
import http.client
import json
import random
import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psutil

from billet.redis import embedded as embedded_redis
from service.settings import Settings
from tools.benchmarks.costs import Call, World
from tools.benchmarks.http.action import (
    FLOOR,
    NO_LIMITS,
    Cost,
    Server,
    measured,
    play,
    player,
    post_floor,
    redis_process,
    served,
    spread,
)
from tools.benchmarks.http.scripted import Course, scripted_game

CONNECTIONS: Final = 16
REPEATS: Final = 5
COURSES: Final = 3
"""Games that each connection plays in one repeat."""
READS: Final = 150
"""How often each connection makes a call that may be repeated."""
SEATS: Final = 30
"""How many seats each connection takes, each at a table of its own."""
LOAD: Final = 0.7

Load = Callable[[http.client.HTTPConnection], int]


def run() -> None:
    """Prints a row for each call, and the latency of an action."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder)) as own:
        settings, world = Settings(redis_url=own.url), World(own.url)
        api = ["-m", "billet", "api"]
        with (
            served(api, settings, **NO_LIMITS) as server,
            served(FLOOR, settings) as floor,
        ):
            store = redis_process(own.url)
            costs = _costs(world, server, floor, store)
            _print_table(costs)
            _print_latency(world, server, store)


def _costs(world: World, server: Server, floor: Server, store: psutil.Process) -> dict[str, list[Cost]]:
    """Returns what each call and the floor cost in each repeat, all in turn; the first repeat is left out."""
    costs: dict[str, list[Cost]] = {}
    for repeat in range(REPEATS + 1):
        world.repeat = repeat
        for name, prepare in LOADS.items():
            loads = [prepare(world) for _ in range(CONNECTIONS)]
            costs.setdefault(name, []).append(measured(server, store, loads))
        loads = [partial(post_floor, count=READS)] * CONNECTIONS
        costs.setdefault("floor", []).append(measured(floor, store, loads))
    return {name: found[1:] for name, found in costs.items()}


def _print_table(costs: Mapping[str, list[Cost]]) -> None:
    print(f"| {CONNECTIONS} connections | API, us | to the floor (lowest to highest) | Redis, us | to the floor |")
    print("|---|---:|---:|---:|---:|")
    for name, found in costs.items():
        api, own = (statistics.median(getattr(one, part) for one in found) for part in ("api", "redis"))
        ratios = [
            spread([getattr(a, part) / getattr(b, part) for a, b in zip(found, costs["floor"], strict=True)])
            for part in ("api", "redis")
        ]
        print(f"| {name} | {api:.0f} | {ratios[0]} | {own:.0f} | {ratios[1]} |")


def _print_latency(world: World, server: Server, store: psutil.Process) -> None:
    def courses() -> list[Course]:
        return [scripted_game(world.service, 4, random.randrange(10**9)) for _ in range(2 * COURSES)]

    gc.freeze()  # a full collection of what the calls before have left here would be measured as latency
    rate = measured(server, store, [player(courses()) for _ in range(CONNECTIONS)]).rate
    seconds: list[float] = []
    measured(
        server, store, [partial(_paced, courses(), LOAD * rate / CONNECTIONS, seconds) for _ in range(CONNECTIONS)]
    )
    cuts = statistics.quantiles(seconds, n=100)
    median, p99 = (1000 * cuts[percent - 1] for percent in (50, 99))
    print(f"  an action at {LOAD:.0%} of {rate:.0f} a second: median {median:.1f} ms, p99 {p99:.1f} ms")


def _paced(courses: list[Course], rate: float, seconds: list[float], connection: http.client.HTTPConnection) -> int:
    """Posts actions at a rate, and notes how long after its time each was answered."""
    begun, posted = time.perf_counter() + random.random() / rate, 0
    for course in courses:
        for action in course.actions:
            due = begun + posted / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            posted += play(connection, [course._replace(actions=[action])])
            seconds.append(time.perf_counter() - due)
    return posted


# --- what each connection does ---


def _calls(calls: list[Call], connection: http.client.HTTPConnection, **more: str) -> int:
    """Makes calls one after the other, none of which may be refused."""
    for call in calls:
        body = json.dumps(call.body) if call.body is not None else None
        sent = {**call.headers(), **({"Content-Type": "application/json"} if body else {}), **more}
        connection.request(call.method, call.path, body, sent)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise AssertionError(f"{call}: {answer.status}: {text!r}")
    return len(calls)


def _again(world: World, path: str, method: str = "GET", **more: str) -> Load:
    """Returns the same call many times on a running game."""
    game, tokens = world.game()
    return partial(_calls, [Call(method, f"/v1/games/{game}{path}", tokens[0])] * READS, **more)


def _unchanged(world: World) -> Load:
    game, tokens = world.game()
    call = Call("GET", f"/v1/games/{game}", tokens[0])
    tag = world.http.get(call.path, headers=call.headers()).headers["ETag"]
    return partial(_calls, [call] * READS, **{"If-None-Match": tag})


def _sit_down(world: World) -> Load:
    host, guests = world.player()["token"], [world.player()["token"] for _ in range(SEATS)]
    return partial(_calls, [Call("POST", f"/v1/games/{world.table(host)}/seats", guest, {}) for guest in guests])


def _register(_world: World) -> Load:
    return partial(_calls, [Call("POST", "/v1/players", None, {"name": "Ann"})] * READS)


def _open(world: World) -> Load:
    return partial(_calls, [world.opening(world.player()["token"])] * SEATS)


def _acting(world: World) -> Load:
    return player([scripted_game(world.service, 4, random.randrange(10**9)) for _ in range(COURSES)])


LOADS: Final[dict[str, Callable[[World], Any]]] = {
    "an action": _acting,
    "view": partial(_again, path=""),
    "view, unchanged": _unchanged,
    "the last events": partial(_again, path="/events?after=18"),
    "the last frame": partial(_again, path="/frames?after=18&limit=1&wait=0"),
    "create": _open,
    "take a seat": _sit_down,
    "register": _register,
    "ticket": partial(_again, path="/tickets", method="POST"),
}
