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
import warnings
from contextvars import ContextVar
from functools import partial

import pytest
import redis
from greenlet import getcurrent
from redis.exceptions import ResponseError

from billet.redis import embedded as embedded_redis
from games.errors import StoreFull, StoreReadOnly, Unavailable
from service import Settings, build
from service.jobs.queue import Jobs
from service.jobs.schedule import Task
from service.log_lines import request_id
from service.store import keys
from service.store.log.event_log import EventLog
from service.store.redis import shared_connection
from service.store.redis.client import RedisClient, connect
from service.store.redis.greenlets import GreenletPool, current_call, in_thread, pause, soon_on_loop
from service.store.scripts import COUNT
from tests.service.at_table import Game
from tests.service.on_loop import serve
from tests.service.store.broken_redis import Proxy
from tools.testbed.waiting import wait_until


async def outcomes(*works):
    return await asyncio.gather(*(serve(work) for work in works), return_exceptions=True)


def on_loop(redis_client, *works):
    """What calls return or raise that are made at once on an event loop of their own."""
    return asyncio.run(until_left(redis_client, outcomes(*works)))


async def until_left(redis_client, work):
    try:
        return await work
    finally:
        redis_client.leave_loop()


@pytest.fixture
def redis_client(redis_url):
    return RedisClient(connect(redis_url))


def connections(client):
    return {one["id"] for one in client.client_list() if one["cmd"] != "client|list"}


def test_each_call_gets_its_own_replies_over_one_connection(redis_client, redis_url):
    client = redis.Redis.from_url(redis_url)
    before, seen = connections(client), set()

    def call(n):
        found = []
        for i in range(20):
            found += redis_client.send(("SET", f"{n} {i}", f"{n}:{i}"), ("GET", f"{n} {i}"))
            seen.update(connections(client) - before) if i == 10 else None
        return found

    for n, found in enumerate(on_loop(redis_client, *[partial(call, n) for n in range(40)])):
        assert found == [word for i in range(20) for word in (b"OK", f"{n}:{i}".encode())]
    assert len(seen) == 1


def test_a_refused_command_is_its_own_calls_alone(redis_client, redis_url):
    redis.Redis.from_url(redis_url).set("text", "no number")
    works = [
        lambda: redis_client.send(("INCR", "text")),
        lambda: redis_client.send(("PING",)),
        send_each(redis_client),
    ]
    refused, answered, each = on_loop(redis_client, *works)
    assert isinstance(refused, ResponseError)
    assert answered == [b"PONG"]
    assert each == [None, b"PONG"]


def send_each(redis_client):
    return lambda: redis_client.send_each(("INCR", "text"), ("PING",))


def test_a_script_that_redis_does_not_know_is_loaded(redis_client, redis_url):
    redis.Redis.from_url(redis_url).script_flush()
    assert on_loop(redis_client, lambda: redis_client.run(COUNT, ["calls"], [60_000, 1])[0]) == [1]


def test_a_full_redis_is_called_full(redis_client, redis_url):
    client = redis.Redis.from_url(redis_url)
    client.config_set("maxmemory", 1)
    try:
        (refused,) = on_loop(redis_client, lambda: redis_client.send(("SET", "key", "value")))
    finally:
        client.config_set("maxmemory", 0)
    assert isinstance(refused, StoreFull)


def test_nobody_there(tmp_path):
    redis_client = RedisClient(connect(f"unix://{tmp_path}/nobody"))
    assert {type(one) for one in on_loop(redis_client, *[lambda: redis_client.send(("PING",))] * 3)} == {Unavailable}


def test_a_redis_that_never_answers_the_greeting_is_said_to_have_given_no_answer():
    with socket.create_server(("127.0.0.1", 0)) as server:
        redis_client = RedisClient(connect(f"redis://:word@127.0.0.1:{server.getsockname()[1]}"))
        redis_client._shared._connect_seconds = 0.05
        [error] = on_loop(redis_client, lambda: redis_client.send(("PING",)))
        assert (type(error), str(error)) == (Unavailable, "cannot connect to Redis: no answer in time")


def test_a_password_and_a_database_are_used_and_a_wrong_password_is_unavailable(redis_url):
    client = redis.Redis.from_url(redis_url)
    path = redis_url.removeprefix("unix://")
    client.acl_setuser("piped", enabled=True, passwords=["+right"], commands=["+@all"], keys=["*"], channels=["*"])
    try:
        right = RedisClient(connect(f"unix://piped:right@{path}?db=3"))
        wrong = RedisClient(connect(f"unix://piped:wrong@{path}?db=3"))
        assert on_loop(right, lambda: right.send(("SET", "where", "here"))) == [[b"OK"]]
        assert redis.Redis.from_url(redis_url, db=3).get("where") == b"here"
        assert isinstance(on_loop(wrong, lambda: wrong.send(("SET", "where", "there")))[0], Unavailable)
        assert redis.Redis.from_url(redis_url, db=3).get("where") == b"here"
    finally:
        client.acl_deluser("piped")


def test_a_redis_that_stalls_fails_those_that_wait_and_the_loop_goes_on(monkeypatch):
    """The first connection is never answered; the next one is."""
    monkeypatch.setattr(shared_connection, "LOOK_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as server:
        redis_client = RedisClient(connect(f"redis://127.0.0.1:{server.getsockname()[1]}"))
        redis_client._shared._answer_seconds = 0.5
        stalled = []

        def accept():
            stalled.append(server.accept()[0])
            second = server.accept()[0]
            while second.recv(4096):
                second.sendall(b"+PONG\r\n")
            second.close()

        threading.Thread(target=accept, daemon=True).start()

        async def run():
            waiting = [asyncio.ensure_future(serve(lambda: redis_client.send(("PING",)))) for _ in range(5)]
            ticks = 0
            while not all(one.done() for one in waiting):
                await asyncio.sleep(0.01)
                ticks += 1
            redis_client._shared._answer_seconds = 60
            return (
                ticks,
                [type(one.exception()) for one in waiting],
                await outcomes(lambda: redis_client.send(("PING",))),
            )

        ticks, failed, after = asyncio.run(until_left(redis_client, run()))
        assert ticks > 2, "nothing else was done meanwhile"
        assert failed == [Unavailable] * 5
        assert after == [[b"PONG"]]
        stalled[0].close()


def test_whoever_is_told_that_the_loop_has_left_does_not_connect_again(redis_url):
    """A call that tries again would leave a connection open behind it that nobody closes."""
    redis_client, client = RedisClient(connect(redis_url)), redis.Redis.from_url(redis_url)
    before, told = connections(client), []

    def insist():
        for _ in range(2):
            try:
                redis_client.send(("BLPOP", "nothing ever", 0))
            except Unavailable as error:
                told.append(str(error))

    async def run():
        waiting = asyncio.ensure_future(serve(insist))
        while not any(one["cmd"] == "blpop" for one in client.client_list()):
            await asyncio.sleep(0.005)
        redis_client.leave_loop()
        await waiting
        assert redis_client._shared._opening is None

    asyncio.run(asyncio.wait_for(run(), 60))
    assert told == [shared_connection.STOPS] * 2
    assert on_loop(redis_client, lambda: redis_client.send(("PING",))) == [[b"PONG"]], "another loop connects"
    wait_until(lambda: not connections(client) - before, lambda: "a connection stays open")


@pytest.mark.filterwarnings("error::ResourceWarning")
def test_a_connection_that_is_left_while_it_is_made_is_closed():
    with warnings.catch_warnings(action="ignore"):
        gc.collect()  # what other tests have left is not the connection's
    with socket.create_server(("127.0.0.1", 0)) as server:
        redis_client = RedisClient(connect(f"redis://:word@127.0.0.1:{server.getsockname()[1]}"))

        async def run():
            waiting = asyncio.ensure_future(serve(lambda: redis_client.send(("PING",))))
            accepted, _ = await asyncio.to_thread(server.accept)
            redis_client.leave_loop()
            with pytest.raises(Unavailable, match=shared_connection.STOPS):
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
        (done,) = on_loop(distant.redis, partial(game.act, seat, action))
        assert proxy.lost == 1
        assert [entry.version for entry in log.entries(game.id, 0)] == list(range(1, done["version"] + 1))
        assert done["game"] == game.view(seat)


def test_what_blocks_is_done_beside_the_loop():
    async def run():
        working = asyncio.ensure_future(serve(lambda: in_thread(wait)))
        ticks = 0
        while not working.done():
            await asyncio.sleep(0.005)
            ticks += 1
            if ticks == 5:
                go_on.set()
        return working.result()

    go_on = threading.Event()

    def wait():
        assert current_call() is None
        return go_on.wait(60)

    assert asyncio.run(run()), "the loop stood still"
    assert in_thread(threading.get_ident) == threading.get_ident()


class HangingArchive:
    """Answers once the gate is opened."""

    def __init__(self):
        self.gate = threading.Event()
        self.asked = []

    def stored(self, game, digest):
        self.asked.append(game)
        assert self.gate.wait(300)
        return ()


def test_an_archive_that_hangs_holds_up_no_action(redis_client, redis_url):
    client, archive = connect(redis_url), HangingArchive()
    log, jobs = EventLog(redis_client, archive=archive), Jobs(client)
    client.hset(keys.meta("archived"), mapping={"head": "1:00000000", "archive": "digest"})

    def act():
        for _ in range(5):  # by then Redis has told all others that their game is in the archive
            redis_client.send(("PING",))
        jobs.enqueue_soon(Task("bots", "game", 1))

    async def run():
        reading = [asyncio.ensure_future(serve(lambda: log.entries("archived", 0))) for _ in range(40)]
        try:
            await asyncio.wait_for(serve(act), 60)
        finally:
            archive.gate.set()
        return await asyncio.gather(*reading)

    assert asyncio.run(until_left(redis_client, run())) == [[]] * 40
    assert len(archive.asked) == 40
    assert jobs.next_in_line("bots").game == "game"


def test_work_for_later_is_done_on_the_loop_of_the_call_alone():
    done = []
    assert not soon_on_loop(lambda: done.append("nowhere"), 0)

    async def run():
        assert await serve(lambda: soon_on_loop(lambda: done.append(current_call() is not None), 0.01))
        assert done == []
        until = time.monotonic() + 60
        while not done and time.monotonic() < until:
            await asyncio.sleep(0.005)

    asyncio.run(run())
    assert done == [True]


def test_calls_after_one_another_share_a_greenlet_and_nothing_else():
    said = ContextVar("said", default="nothing")

    def call(what):
        pause(0)
        before = said.get()
        said.set(what)
        if what == "no":
            raise LookupError(what)
        return getcurrent(), before, what

    async def run():
        pool = GreenletPool()
        first = await pool.run(partial(call, "first"))
        with pytest.raises(LookupError):
            await pool.run(partial(call, "no"))
        second = await pool.run(partial(call, "second"))
        abandoned = asyncio.ensure_future(pool.run(partial(call, "abandoned")))
        await asyncio.sleep(0)
        abandoned.cancel()
        beside = await asyncio.gather(*(pool.run(partial(call, number)) for number in range(3)))
        pool.end()
        return first, second, beside

    (one, *first), (two, *second), beside = asyncio.run(run())
    assert (one, first, second) == (two, ["nothing", "first"], ["nothing", "second"])
    assert [more for _, *more in beside] == [["nothing", 0], ["nothing", 1], ["nothing", 2]]
    assert len({greenlet for greenlet, *_ in beside}) == 3, "they ran at the same time"
    assert all(greenlet.dead for greenlet, *_ in beside)


def test_a_call_that_asks_for_nothing_takes_no_reply_of_others(redis_client):
    works = [lambda: redis_client.send(), lambda: redis_client.send(("ECHO", "mine")), lambda: redis_client.send_each()]
    assert on_loop(redis_client, *works) == [[], [b"mine"], []]


def test_who_has_a_reply_goes_on_though_nothing_after_it_can_be_read():
    with socket.create_server(("127.0.0.1", 0)) as server:
        redis_client = RedisClient(connect(f"redis://127.0.0.1:{server.getsockname()[1]}"))

        def serve():
            with server.accept()[0] as babbling:
                asked = b""
                while asked.count(b"PING") < 3:
                    asked += babbling.recv(4096)
                babbling.sendall(b"+PONG\r\nno reply\r\n")
                with contextlib.suppress(ConnectionResetError):
                    babbling.recv(4096)

        threading.Thread(target=serve, daemon=True).start()
        calls = [lambda: redis_client.send(("PING",))] * 3

        async def run():
            asyncio.get_running_loop().set_exception_handler(lambda *_: None)
            return await asyncio.wait_for(outcomes(*calls), 60)

        first, *others = asyncio.run(until_left(redis_client, run()))
        assert first == [b"PONG"]
        assert [type(one) for one in others] == [Unavailable] * 2


def test_what_is_done_beside_the_loop_knows_the_request(redis_client):
    def call(request):
        request_id.set(request)
        return in_thread(request_id.get), redis_client.send(("PING",)), request_id.get()

    answered = on_loop(redis_client, *[partial(call, f"request-{n}") for n in range(20)])
    assert answered == [(f"request-{n}", [b"PONG"], f"request-{n}") for n in range(20)]


@pytest.fixture
def demoted(tmp_path):
    """A Redis that has become a replica while connections to it were open, and the address that leads to it."""
    with embedded_redis.running(tmp_path, fsync="no") as server:
        relay = Proxy(server.url)
        yield relay, partial(redis.Redis.from_url(server.url).replicaof, "127.0.0.1", "1")
        relay.close()


def test_a_primary_that_becomes_a_replica_is_left_for_the_new_one(demoted, redis_url, monkeypatch):
    monkeypatch.setattr(shared_connection, "AGAIN_SECONDS", 0)
    relay, demote = demoted
    redis_client = RedisClient(connect(relay.url))

    def write(n):
        return redis_client.send(("SET", f"key {n}", n), ("GET", f"key {n}"))

    def insist(n):
        try:
            return write(n)
        except StoreReadOnly:
            return write(n)

    async def run():
        before = await outcomes(partial(write, "before"))
        demote()
        relay.lead(redis_url)
        return before, await outcomes(*[partial(insist, n) for n in range(20)]), await outcomes(partial(write, "after"))

    before, insisting, after = asyncio.run(asyncio.wait_for(until_left(redis_client, run()), 60))
    assert (before, after) == ([[b"OK", b"before"]], [[b"OK", b"after"]])
    assert insisting == [[b"OK", b"%d" % n] for n in range(20)]
    assert redis.Redis.from_url(redis_url).dbsize() == 21, "the new primary has all but the first"


def test_a_thread_and_the_queues_leave_a_primary_that_becomes_a_replica(demoted, redis_url):
    relay, demote = demoted
    client = connect(relay.url)
    redis_client, jobs = RedisClient(client), Jobs(client)
    jobs.enqueue([Task("bots", "before", 1)])
    assert redis_client.send(("SET", "key", 1)) == [b"OK"]
    demote()
    relay.lead(redis_url)
    with pytest.raises(StoreReadOnly):
        redis_client.send(("SET", "key", 2))
    jobs.enqueue([Task("bots", "lost", 1)])
    assert redis_client.send(("SET", "key", 3)) == [b"OK"]
    jobs.enqueue([Task("bots", "after", 1)])
    assert (jobs.next_in_line("bots").game, jobs.next_in_line("bots")) == ("after", None)
    assert redis.Redis.from_url(redis_url).get("key") == b"3"


def test_confirming_leaves_a_primary_that_becomes_a_replica(demoted, redis_url, monkeypatch):
    monkeypatch.setattr(shared_connection, "AGAIN_SECONDS", 0)
    relay, demote = demoted
    redis_client = RedisClient(connect(relay.url), replicated=True)
    redis_client._waits = (("WAIT", 0, 1), ("WAIT", 1, 1))  # in vain, for no server has a replica
    works = [partial(redis_client.confirm, "game", ("GET", "key"))] * 3

    async def run():
        yield await outcomes(*works)
        demote()
        relay.lead(redis_url)
        for _ in range(2):
            yield await outcomes(*works)

    async def said():
        return [[str(one) for one in some] async for some in run()]

    vain, readonly, anew = asyncio.run(asyncio.wait_for(until_left(redis_client, said()), 60))
    assert all("read only replica" in one for one in readonly)
    assert vain == anew == ["no replica has confirmed the write in time"] * 3
    assert redis.Redis.from_url(redis_url).exists(keys.touched("game"))
