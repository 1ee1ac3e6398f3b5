"""Calls that take long compute one after the other, and none waits for another that waits for the archive."""

import asyncio
import threading
import time
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace

import pytest
from flask import Flask

from api.link import LINK
from api.request.threads import READING
from service.store import keys
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient, connect
from tests.service.on_loop import serve

SLOW = 4
"""How many calls wait for the archive."""


class SlowArchive:
    """Answers when so many ask at once, and then as soon as it may."""

    def __init__(self):
        self.together = threading.Barrier(SLOW + 1)
        self.go = threading.Event()

    def stored(self, game, digest):
        self.together.wait(60)
        assert self.go.wait(60)
        return ()


def reading(work):
    """Does some work as a call that takes long, of the same address as all others."""
    link = SimpleNamespace(address="a", away=nullcontext)
    with Flask(__name__).test_request_context("/", environ_overrides={LINK: link}):
        return READING.run(work)


async def at_once(*works):
    return await asyncio.gather(*(serve(partial(reading, work)) for work in works))


async def beside(archive, read, *works):
    """Returns what slow reads give, and what works give that are done while all of these wait for the archive."""
    reads = asyncio.ensure_future(at_once(*[read] * SLOW))
    await asyncio.to_thread(archive.together.wait, 60)
    done = await at_once(*works)
    archive.go.set()
    return await reads, done


@pytest.fixture
def archive():
    return SlowArchive()


@pytest.fixture
def log(redis_url, client, archive):
    client.hset(keys.meta("archived"), mapping={"head": "1:00000000", "archive": "digest"})
    return EventLog(RedisClient(connect(redis_url)), archive=archive)


def test_reads_of_a_slow_archive_hold_up_neither_each_other_nor_a_list(archive, log):
    found = asyncio.run(beside(archive, partial(log.entries, "archived", 0), lambda: "a list"))
    assert found == ([[]] * SLOW, ["a list"])


def test_what_computes_does_so_one_after_the_other_also_after_it_has_waited(archive, log):
    computing = most = 0

    def compute():
        nonlocal computing, most
        computing += 1
        most = max(most, computing)
        time.sleep(0.005)
        computing -= 1

    def read():
        compute()
        log.entries("archived", 0)
        compute()

    asyncio.run(beside(archive, read, *[compute] * 10))
    assert most == 1
