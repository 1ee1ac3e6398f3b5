"""What an action through HTTP costs beside a Flask route under gunicorn that appends by one script."""

import http.client
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import orjson
import psutil
import redis

from billet.redis import embedded as embedded_redis
from engine.logs import codec
from service import Service, build
from service.settings import Settings
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient, connect
from service.store.upkeep.copies import of_game
from tests.service.at_table import EN
from tools.benchmarks.http.floor import PATH
from tools.benchmarks.http.scripted import Course, scripted_game
from tools.testbed.installation import free_port

REPEATS = 5
CONNECTIONS = 4
MANY_CONNECTIONS = 16
COURSES = 4
"""Games each connection plays in one repeat."""
CHURN = 2_450
"""How often somebody sits down and gets up for a log of about 5,000 events."""
FLOOR = ["-m", "gunicorn", "--threads", "8", "--log-level", "warning", "tools.benchmarks.http.floor:app"]
NO_LIMITS = {one.name.upper(): "1000000/second" for one in fields(Settings) if one.name.startswith("limit_")} | {
    "OPEN_GAMES": "1000000",
}


class Cost(NamedTuple):
    """Processor time of one request, in microseconds: the API's and Redis' own; and requests a second, by the clock."""

    api: float
    redis: float
    rate: float


class Server(NamedTuple):
    """A served application: its port and its processes."""

    port: int
    processes: list[psutil.Process]


def run() -> None:
    """Prints what an action costs beside the floor, on short and on long logs, and what a finished game takes."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder)) as own:
        settings = Settings(redis_url=own.url)
        service = build(settings)
        api = ["-m", "billet", "api"]
        with served(api, settings, **NO_LIMITS) as api_server, served(FLOOR, settings) as floor:
            server = redis_process(own.url)
            for connections in (1, CONNECTIONS, MANY_CONNECTIONS):
                _print_costs(service, api_server, floor, server, connections)
            _print_long_logs(service, EventLog(RedisClient(connect(own.url))), api_server, server)
        _print_bytes(service, redis.Redis.from_url(own.url))


def _print_costs(service: Service, api: Server, floor: Server, server: psutil.Process, connections: int) -> None:
    print(f"  {connections} connections")
    bare, actions = [], []
    for repeat in range(REPEATS + 1):
        courses = [
            [scripted_game(service, 4, 1000 * repeat + 10 * i + j) for j in range(COURSES)] for i in range(connections)
        ]
        count = sum(len(course.actions) for some in courses for course in some) // connections
        bare.append(measured(floor, server, [partial(post_floor, count=count)] * connections))
        actions.append(measured(api, server, [player(some) for some in courses]))
    print_cost("floor: Flask, gunicorn, one script", bare[1:])
    print_cost("an action", actions[1:])
    print_ratio("an action to the floor", actions[1:], bare[1:])


def print_ratio(name: str, costs: list[Cost], floor: list[Cost]) -> None:
    """Prints how many times a floor calls cost that were measured in turn with it."""
    pairs = list(zip(costs, floor, strict=True))
    api, own = spread([a.api / f.api for a, f in pairs]), spread([a.redis / f.redis for a, f in pairs])
    print(f"  {name:<38} API {api}, Redis {own}")


def _print_long_logs(service: Service, log: EventLog, api: Server, server: psutil.Process) -> None:
    short, long = [], []
    for repeat in range(REPEATS):
        for churn, costs in ((0, short), (CHURN, long)):
            courses = [[scripted_game(service, 4, 7000 + 10 * repeat + i, log, churn)] for i in range(2 * CONNECTIONS)]
            costs.append(measured(api, server, [player(some) for some in courses]))
    print_cost("an action, log of about 50 events", short)
    print_cost("an action, log of about 5,000 events", long)
    ratio = spread([b.api / a.api for a, b in zip(short, long, strict=True)])
    print(f"  on the long log it costs {ratio} as much")


def _print_bytes(service: Service, client: "redis.Redis") -> None:
    before = client.info("memory")["used_memory"]
    log_bytes = events = games = 0
    names = []
    for seed in range(20):
        course = scripted_game(service, 4, 9000 + seed)
        for token, body in course.actions:
            service.play.act(token, course.game, codec.read_action(orjson.loads(body)), words=EN)
        name = f"billet:{{{course.game}}}:log"
        log_bytes += client.memory_usage(name, samples=0) or 0
        events += client.xlen(name)
        games += 1
        names.append(course.game)
    grown = client.info("memory")["used_memory"] - before
    packed = [_packed_bytes(service, client, game) for game in names]
    print(f"  a finished game of 4 seats: {events / games:.0f} events, {log_bytes / games / 1024:.1f} KiB of log,")
    print(f"  {grown / games / 1024:.1f} KiB in all ({log_bytes / events:.0f} bytes an event)")
    print(f"  packed {statistics.mean(packed) / 1024:.1f} KiB with its hash, at most {max(packed) / 1024:.1f} KiB")


def _packed_bytes(service: Service, client: "redis.Redis", game: str) -> int:
    """Packs an ended game, and returns what its keys take without stored answers."""
    service.packing.pack(game)
    return sum(client.memory_usage(name, samples=0) or 0 for name in of_game(game) if client.exists(name))


def print_cost(name: str, costs: list[Cost]) -> None:
    """Prints the median of what calls cost."""
    api, redis_own, rate = (statistics.median(values) for values in zip(*costs, strict=True))
    per_core = 1e6 / api
    print(
        f"  {name:<38} {api:6.0f} us of the API, {redis_own:4.0f} us of Redis, {per_core:5.0f} a second and core"
        f" ({rate:.0f} a second by the clock)"
    )


def spread(ratios: list[float]) -> str:
    """Returns the median of ratios that were measured in turn, and how far they lie apart: by that one may judge it."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) times"


def player(courses: list[Course]) -> "Callable[[http.client.HTTPConnection], int]":
    """Returns the load of one connection on which games are played."""
    return lambda connection: play(connection, courses)


def play(connection: http.client.HTTPConnection, courses: list[Course]) -> int:
    """Posts the actions of games one after the other; returns how many."""
    posted = 0
    for course in courses:
        path = f"/v1/games/{course.game}/actions"
        for token, body in course.actions:
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 201:
                raise AssertionError(f"{answer.status}: {text!r}")
            posted += 1
    return posted


def post_floor(connection: http.client.HTTPConnection, count: int) -> int:
    """Posts to the floor so many times."""
    body = b'{"type":"play_card","card":"guard","targets":[1],"guess":"priest"}'
    headers = {"Authorization": f"Bearer {'x' * 60}", "Content-Type": "application/json"}
    for _ in range(count):
        connection.request("POST", PATH, body, headers)
        connection.getresponse().read()
    return count


def measured(
    server: Server, redis_server: psutil.Process, loads: "list[Callable[[http.client.HTTPConnection], int]]"
) -> Cost:
    """Runs loads at once, one connection each, and returns what a request cost on the average."""
    counts: list[int] = []

    def one(load: "Callable[[http.client.HTTPConnection], int]") -> None:
        with connected(server) as connection:
            counts.append(load(connection))

    threads = [threading.Thread(target=one, args=(load,)) for load in loads]
    began, api_before, redis_before = time.perf_counter(), _used(server.processes), _used([redis_server])
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    assert len(counts) == len(loads), "every load runs to its end"
    count = sum(counts)
    api, own = _used(server.processes) - api_before, _used([redis_server]) - redis_before
    return Cost(api / count * 1e6, own / count * 1e6, count / seconds)


@contextmanager
def connected(server: Server) -> "Iterator[http.client.HTTPConnection]":
    """Connects to a server."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        yield connection
    finally:
        connection.close()


def _used(processes: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


@contextmanager
def served(command: list[str], settings: Settings, **more: str) -> Iterator[Server]:
    """Runs a server in processes of its own, with some more settings, and stops it afterwards."""
    port = free_port()
    environ = os.environ | {
        "REDIS_URL": settings.redis_url,
        "PORT": str(port),
        "LOG_LEVEL": "warning",
        **more,
    }
    process = subprocess.Popen([sys.executable, "-P", *command], env=environ)
    try:
        _wait_for(port)
        main = psutil.Process(process.pid)
        yield Server(port, [main, *main.children(recursive=True)])
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(port: int) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            # Listening says nothing yet about the processes that answer.
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            client.request("GET", "/healthz")
            client.getresponse().read()
            client.close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def redis_process(url: str) -> psutil.Process:
    """Returns the process of a Redis of this machine."""
    return psutil.Process(redis.Redis.from_url(url).info("server")["process_id"])


if __name__ == "__main__":
    run()
