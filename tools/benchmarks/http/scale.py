"""What many tables take: 20,000 idle ones, and 2,000 with an action every ten seconds.

Also how much a second API process adds to the rate of actions, and what a cluster of three nodes adds to their cost.
"""

import http.client
import os
import random
import statistics
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import psutil
import redis

from billet.redis import embedded as embedded_redis
from service import Service, build
from service.settings import Settings
from tests.service.at_table import EN
from tools.benchmarks.http.action import NO_LIMITS, Cost, measured, play, player, redis_process, served, spread
from tools.benchmarks.http.scripted import Course, scripted_game
from tools.testbed.cluster_nodes import Node, NodeCluster
from tools.testbed.installation import Installation, installed

IDLE = 20_000
ACTIVE = 2_000
PLAYERS = 200
SEATS = 4
PAUSE_SECONDS = 10
"""How long a table rests between two actions."""
SECONDS = 60
CONNECTIONS = 16
REPEATS = 5
COURSES = 4
"""Games that each connection plays in one repeat of the comparison of one API process with two."""
DAY = {"kind": "per_decision", "seconds": 86_400}


def run() -> None:
    """Prints memory and processor time of all processes with idle tables, and with active ones beside them."""
    with TemporaryDirectory() as folder, installed(folder, **NO_LIMITS) as installation:
        url = (Path(installation.data_dir) / "redis" / "url").read_text()
        service, client = build(Settings(redis_url=url)), redis.Redis.from_url(url)
        empty = client.info("memory")["used_memory"]
        _open_idle(service)
        idle = client.info("memory")["used_memory"]
        print(f"  {IDLE} idle tables of two: {(idle - empty) / IDLE / 1000:.1f} kB of Redis each")
        _print_use(installation, "with idle tables alone", lambda: time.sleep(SECONDS / 2))
        courses = [scripted_game(service, SEATS, seed) for seed in range(ACTIVE)]
        service.settle()
        begun = client.info("memory")["used_memory"]
        late: list[float] = []
        _print_use(installation, f"{ACTIVE} active tables beside them", partial(_play, installation, courses, late))
        grown = client.info("memory")["used_memory"]
        cuts = statistics.quantiles(late, n=100)
        print(f"  {len(late) / SECONDS:.0f} actions a second: median {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms")
        print(f"  an active table of four: {(begun - idle) / ACTIVE / 1000:.1f} kB of Redis at its start, ", end="")
        print(f"{(grown - begun) / len(late) / 1000:.2f} kB more for each action")
    _print_processes()
    _print_cluster()


def _print_cluster() -> None:
    """Prints what an action costs on a cluster of three nodes, beside one Redis."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder) / "one") as own:
        nodes = NodeCluster([Node(Path(folder) / str(number)) for number in range(3)])
        alone = Settings(redis_url=own.url)
        cluster = Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=own.url)
        more = {"REDIS_CLUSTER": "1", "QUEUE_REDIS_URL": own.url}
        api, found = ["-m", "billet", "api"], []
        try:
            with (
                served(api, alone, **NO_LIMITS) as one,
                served(api, cluster, **NO_LIMITS, **more) as three,
            ):
                for repeat in range(REPEATS + 1):
                    costs = []
                    for settings, server in ((alone, one), (cluster, three)):
                        service = build(settings)
                        seeds = range(10_000 * repeat, 10_000 * repeat + CONNECTIONS * COURSES)
                        courses = [scripted_game(service, SEATS, seed) for seed in seeds]
                        loads = [player(courses[i::CONNECTIONS]) for i in range(CONNECTIONS)]
                        costs.append(measured(server, redis_process(own.url), loads))
                    found.append(costs)
        finally:
            for node in nodes.nodes:
                node.kill()
    ratio = spread([three.api / one.api for one, three in found[1:]])
    print(f"  on a cluster of three nodes an action takes {ratio} the processor time of the API")


def _print_processes() -> None:
    """Prints the rate of actions with one and with two API processes, and how busy each part was."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder)) as own:
        settings = Settings(redis_url=own.url)
        service, store = build(settings), redis_process(own.url)
        api = ["-m", "billet", "api"]
        found: dict[int, list[tuple[Cost, float]]] = {1: [], 2: []}
        with (
            served(api, settings, API_PROCESSES="1", **NO_LIMITS) as one,
            served(api, settings, API_PROCESSES="2", **NO_LIMITS) as two,
        ):
            for repeat in range(REPEATS + 1):
                for count, server in ((1, one), (2, two)):
                    seeds = range(10_000 * repeat, 10_000 * repeat + CONNECTIONS * COURSES)
                    courses = [scripted_game(service, SEATS, 2 * seed + count) for seed in seeds]
                    before, begun = sum(os.times()[:2]), time.perf_counter()
                    cost = measured(server, store, [player(courses[i::CONNECTIONS]) for i in range(CONNECTIONS)])
                    clients = (sum(os.times()[:2]) - before) / (time.perf_counter() - begun)
                    found[count].append((cost, clients))
    for count, costs in found.items():
        rate = statistics.median(cost.rate for cost, _ in costs[1:])
        busy = [statistics.median(part) for part in zip(*map(_busy, costs[1:]), strict=True)]
        print(f"  API_PROCESSES={count}: {rate:.0f} actions a second; ", end="")
        print(f"API {busy[0]:.0%}, Redis {busy[1]:.0%}, clients {busy[2]:.0%} of a core, of {os.cpu_count()} cores")
    ratio = statistics.median(b.rate / a.rate for (a, _), (b, _) in list(zip(found[1], found[2], strict=True))[1:])
    print(f"  two processes answer {ratio:.2f} times as many actions as one")


def _busy(measurement: tuple[Cost, float]) -> tuple[float, float, float]:
    """Returns the shares of a core that API, Redis and clients used."""
    cost, clients = measurement
    return cost.api * cost.rate / 1e6, cost.redis * cost.rate / 1e6, clients


def _open_idle(service: Service) -> None:
    tokens = [service.players.register("Ann", "human").token for _ in range(PLAYERS)]
    body = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}], "clock": DAY}
    for number in range(IDLE):
        host, guest = tokens[number % PLAYERS], tokens[(number + 1) % PLAYERS]
        game = orjson.loads(service.tables.create(host, body, words=EN).body)["id"]
        service.tables.take_seat(guest, game, {}, words=EN)
    service.settle()


def _play(installation: Installation, courses: list[Course], late: list[float]) -> None:
    """Has somebody act at each table in turn, so that each rests for as long as it should."""
    threads = [
        threading.Thread(target=_post, args=(installation.port, courses[i::CONNECTIONS], late))
        for i in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _post(port: int, courses: list[Course], late: list[float]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.connect()
    pause = PAUSE_SECONDS / len(courses)
    begun = time.perf_counter() + random.random() * pause
    played = [0] * len(courses)
    for number in cycle(range(len(courses))):
        due = begun + sum(played) * pause
        if due > begun + SECONDS:
            break
        course, at = courses[number], played[number]
        time.sleep(max(0.0, due - time.perf_counter()))
        began = time.perf_counter()
        play(connection, [course._replace(actions=course.actions[at : at + 1])])
        late.append((time.perf_counter() - began) * 1000)
        played[number] += 1
    connection.close()


def _print_use(installation: Installation, name: str, work: Callable[[], None]) -> None:
    """Prints what each part uses meanwhile, in percent of a core, and holds afterwards, in MB."""
    parts = {process.pid: _part(process.command) for process in installation.tree()}
    before, begun = {pid: _used(pid) for pid in parts}, time.perf_counter()
    work()
    seconds = time.perf_counter() - begun
    print(f"  {name}:", end="")
    for part in ("api", "worker", "redis"):
        pids = [pid for pid, which in parts.items() if which == part]
        busy = sum(_used(pid) - before[pid] for pid in pids) / seconds
        held = sum(psutil.Process(pid).memory_info().rss for pid in pids) / 1e6
        print(f" {part} {busy:.1%} of a core, {held:.0f} MB;", end="")
    print()


def _used(pid: int) -> float:
    return sum(psutil.Process(pid).cpu_times()[:2])


def _part(words: str) -> str:
    if "redis-server" in words or "valkey-server" in words:
        return "redis"
    return "worker" if "worker" in words else "api" if "api" in words else "other"
