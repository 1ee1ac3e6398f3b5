"""Calls on an event loop share one connection to Redis: each gets its own replies, and a broken one fails just those
that wait.
"""

import asyncio
import contextlib
import gc
import random
import socket
import threading
import time
from functools import partial

import pytest
import redis
from redis.exceptions import ResponseError

from games.errors import StoreFull, Unavailable
from service import Settings, build
from service.store import pipe
from service.store.connection import Exchange, connect
from service.store.scripts import COUNT
from service.store.serving import Serving, off_loop, serving, soon_on_loop
from tests.service.at_table import Game
from tests.service.store.broken_redis import Proxy


async def outcomes(*works):
    return await asyncio.gather(*(Serving(work).outcome() for work in works), return_exceptions=True)


def on_loop(exchange, *works):
    """What calls return or raise that are made at once on an event loop of their own."""
    return asyncio.run(until_left(exchange, outcomes(*works)))


async def until_left(exchange, work):
    try:
        return await work
    finally:
        exchange.leave_loop()


@pytest.fixture
def exchange(redis_url):
    return Exchange(connect(redis_url))


@pytest.fixture
def proxy(redis_url):
    made = Proxy(redis_url)
    yield made
    made.close()


def connections(client):
    return {one["id"] for one in client.client_list() if one["cmd"] != "client|list"}


def test_each_call_gets_its_own_replies_over_one_connection(exchange, redis_url):
    client = redis.Redis.from_url(redis_url)
    before, seen = connections(client), set()

    def call(n):
        found = []
        for i in range(20):
            found += exchange.send(("SET", f"{n} {i}", f"{n}:{i}"), ("GET", f"{n} {i}"))
            seen.update(connections(client) - before) if i == 10 else None
        return found

    for n, found in enumerate(on_loop(exchange, *[partial(call, n) for n in range(40)])):
        assert found == [word for i in range(20) for word in (b"OK", f"{n}:{i}".encode())]
    assert len(seen) == 1


def test_a_refused_command_is_its_own_calls_alone(exchange, redis_url):
    redis.Redis.from_url(redis_url).set("text", "no number")
    works = [lambda: exchange.send(("INCR", "text")), lambda: exchange.send(("PING",)), exchange_each(exchange)]
    refused, answered, each = on_loop(exchange, *works)
    assert isinstance(refused, ResponseError)
    assert answered == [b"PONG"]
    assert each == [None, b"PONG"]


def exchange_each(exchange):
    return lambda: exchange.send_each(("INCR", "text"), ("PING",))


def test_a_script_that_redis_does_not_know_is_loaded(exchange, redis_url):
    redis.Redis.from_url(redis_url).script_flush()
    assert on_loop(exchange, lambda: exchange.run(COUNT, ["calls"], [60_000, 1])[0]) == [1]


def test_a_full_redis_is_called_full(exchange, redis_url):
    client = redis.Redis.from_url(redis_url)
    client.config_set("maxmemory", 1)
    try:
        (refused,) = on_loop(exchange, lambda: exchange.send(("SET", "key", "value")))
    finally:
        client.config_set("maxmemory", 0)
    assert isinstance(refused, StoreFull)


def test_nobody_there(tmp_path):
    exchange = Exchange(connect(f"unix://{tmp_path}/nobody"))
    assert {type(one) for one in on_loop(exchange, *[lambda: exchange.send(("PING",))] * 3)} == {Unavailable}


def test_a_password_and_a_database_are_used_and_a_wrong_password_is_unavailable(redis_url):
    client = redis.Redis.from_url(redis_url)
    path = redis_url.removeprefix("unix://")
    client.acl_setuser("piped", enabled=True, passwords=["+right"], commands=["+@all"], keys=["*"], channels=["*"])
    try:
        right = Exchange(connect(f"unix://piped:right@{path}?db=3"))
        wrong = Exchange(connect(f"unix://piped:wrong@{path}?db=3"))
        assert on_loop(right, lambda: right.send(("SET", "where", "here"))) == [[b"OK"]]
        assert redis.Redis.from_url(redis_url, db=3).get("where") == b"here"
        assert isinstance(on_loop(wrong, lambda: wrong.send(("SET", "where", "there")))[0], Unavailable)
        assert redis.Redis.from_url(redis_url, db=3).get("where") == b"here"
    finally:
        client.acl_deluser("piped")


def test_a_redis_that_stalls_fails_those_that_wait_and_the_loop_goes_on(monkeypatch):
    """The first connection is never answered; the next one is."""
    monkeypatch.setattr(pipe, "LOOK_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as server:
        exchange = Exchange(connect(f"redis://127.0.0.1:{server.getsockname()[1]}"))
        exchange._pipe._answer_seconds = 0.5
        stalled = []

        def serve():
            stalled.append(server.accept()[0])
            second = server.accept()[0]
            while second.recv(4096):
                second.sendall(b"+PONG\r\n")
            second.close()

        threading.Thread(target=serve, daemon=True).start()

        async def run():
            waiting = [asyncio.ensure_future(Serving(lambda: exchange.send(("PING",))).outcome()) for _ in range(5)]
            ticks = 0
            while not all(one.done() for one in waiting):
                await asyncio.sleep(0.01)
                ticks += 1
            return ticks, [type(one.exception()) for one in waiting], await outcomes(lambda: exchange.send(("PING",)))

        ticks, failed, after = asyncio.run(until_left(exchange, run()))
        assert ticks > 2, "nothing else was done meanwhile"
        assert failed == [Unavailable] * 5
        assert after == [[b"PONG"]]
        stalled[0].close()


def test_whoever_is_told_that_the_loop_has_left_does_not_connect_again(redis_url):
    """A call that tries again would leave a connection open behind it that nobody closes."""
    exchange, client = Exchange(connect(redis_url)), redis.Redis.from_url(redis_url)
    before, told = connections(client), []

    def insist():
        for _ in range(2):
            try:
                exchange.send(("BLPOP", "nothing ever", 0))
            except Unavailable as error:
                told.append(str(error))

    async def run():
        waiting = asyncio.ensure_future(Serving(insist).outcome())
        while not any(one["cmd"] == "blpop" for one in client.client_list()):
            await asyncio.sleep(0.005)
        exchange.leave_loop()
        await waiting
        assert exchange._pipe._opening is None

    asyncio.run(asyncio.wait_for(run(), 60))
    assert told == [pipe.STOPS] * 2
    assert on_loop(exchange, lambda: exchange.send(("PING",))) == [[b"PONG"]], "another loop connects"
    gone_by = time.monotonic() + 60
    while connections(client) - before:
        assert time.monotonic() < gone_by, "a connection stays open"
        time.sleep(0.005)


@pytest.mark.filterwarnings("error::ResourceWarning")
def test_a_connection_that_is_left_while_it_is_made_is_closed():
    with socket.create_server(("127.0.0.1", 0)) as server:
        exchange = Exchange(connect(f"redis://:word@127.0.0.1:{server.getsockname()[1]}"))

        async def run():
            waiting = asyncio.ensure_future(Serving(lambda: exchange.send(("PING",))).outcome())
            accepted, _ = await asyncio.to_thread(server.accept)
            exchange.leave_loop()
            with pytest.raises(Unavailable, match=pipe.STOPS):
                await waiting
            return accepted

        with asyncio.run(asyncio.wait_for(run(), 60)) as accepted:
            accepted.settimeout(60)
            with contextlib.suppress(ConnectionResetError):
                while accepted.recv(4096):
                    pass
    gc.collect()


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_action_on_the_loop_whose_connection_is_cut_is_made_once_and_answered(proxy, log, when):
    distant, rng = build(Settings(redis_url=proxy.url)), random.Random(when)
    game = Game.begin(distant, sandbox={"rounds": [{"starter": 0}]})
    for _ in range(6):
        seat, action = game.to_act(), rng.choice(game.legal(game.to_act()))
        proxy.lose(when)
        (done,) = on_loop(distant.exchange, partial(game.act, seat, action))
        assert proxy.lost == 1
        assert [entry.version for entry in log.entries(game.id, 0)] == list(range(1, done["version"] + 1))
        assert done["game"] == game.view(seat)


def test_what_blocks_is_done_beside_the_loop():
    async def run():
        working = asyncio.ensure_future(Serving(lambda: off_loop(wait)).outcome())
        ticks = 0
        while not working.done():
            await asyncio.sleep(0.005)
            ticks += 1
            if ticks == 5:
                go_on.set()
        return working.result()

    go_on = threading.Event()

    def wait():
        assert serving() is None
        return go_on.wait(60)

    assert asyncio.run(run()), "the loop stood still"
    assert off_loop(threading.get_ident) == threading.get_ident()


def test_work_for_later_is_done_on_the_loop_of_the_call_alone():
    done = []
    assert not soon_on_loop(lambda: done.append("nowhere"), 0)

    async def run():
        assert await Serving(lambda: soon_on_loop(lambda: done.append(serving() is not None), 0.01)).outcome()
        assert done == []
        until = time.monotonic() + 60
        while not done and time.monotonic() < until:
            await asyncio.sleep(0.005)

    asyncio.run(run())
    assert done == [True]
