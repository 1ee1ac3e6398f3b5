"""How calls are counted: together in all processes, at little cost, and within windows that end."""

from functools import partial

import limits
import pytest

from games.errors import Unavailable
from service import Settings, build
from service.store.limits import counting
from service.store.limits.counting import MOST_WINDOWS, RateLimiter, count
from service.store.redis.client import RedisClient, connect
from tools.players.tables import together
from tools.testbed.cluster_nodes import running

FEW, MANY = limits.parse("5/minute"), limits.parse("6400/minute")


def hit(limiter, item, *whose):
    return limiter.hit(item, item.key_for(*whose))[1]


def has_room(limiter, item, *whose):
    return limiter.test(item, item.key_for(*whose))


def left(limiter, item, *whose):
    return item.amount - limiter.window(item, item.key_for(*whose)).calls


class Noting(RedisClient):
    """An redis_client that notes how often it is used."""

    def __init__(self, url):
        super().__init__(connect(url))
        self.trips = 0

    def send(self, *commands):
        self.trips += 1
        return super().send(*commands)


@pytest.fixture
def redis_client(redis_url):
    made = Noting(redis_url)
    count(made, "warm", 1, 1)  # Redis has the script now
    made.trips = 0
    return made


@pytest.fixture
def counter(redis_client):
    return RateLimiter(redis_client)


def test_calls_are_counted_until_the_limit_and_refused_without_asking_again(counter, redis_client):
    assert [hit(counter, FEW, "acting", "ann") for _ in range(7)] == [True] * 5 + [False] * 2
    assert redis_client.trips == 5
    assert left(counter, FEW, "acting", "ann") == 0
    assert hit(counter, FEW, "acting", "ben"), "another caller"
    assert hit(counter, FEW, "reading", "ann"), "another bucket"


def test_of_busy_callers_one_call_in_sixteen_asks_redis(counter, redis_client):
    assert all(hit(counter, MANY, "acting", "ann") for _ in range(160))
    assert redis_client.trips == 10
    assert left(counter, MANY, "acting", "ann") == 6400 - 160


def test_of_rare_calls_each_asks_redis(counter, redis_client):
    assert all(hit(counter, limits.parse("6400/hour"), "acting", "ann") for _ in range(20))
    assert redis_client.trips == 20


def test_an_unhurried_caller_never_waits_for_a_count(counter, redis_client, clock):
    for _ in range(20):
        clock.advance(10)
        assert hit(counter, MANY, "acting", "ann")
    assert redis_client.trips <= 20 // 15


def test_a_window_begins_with_the_first_call_and_ends_for_all(redis_client, clock, client):
    first, second = (RateLimiter(redis_client) for _ in range(2))
    assert all(hit(first, FEW, "acting", "ann") for _ in range(5))
    assert not hit(second, FEW, "acting", "ann")
    reset = (first.window(FEW, FEW.key_for("acting", "ann")).until - clock.ms) / 1000
    assert 59 < reset <= 60
    clock.advance(61)
    client.delete("billet:calls:LIMITER/acting/ann/5/1/minute")  # what Redis does when the time is up
    assert hit(first, FEW, "acting", "ann")
    assert hit(second, FEW, "acting", "ann")


def test_a_look_counts_nothing_and_writes_nothing(counter, client):
    assert all(has_room(counter, FEW, "codes", "ann") for _ in range(20))
    assert client.keys("billet:calls:LIMITER*") == []
    assert [hit(counter, FEW, "codes", "ann") for _ in range(5)] == [True] * 5
    assert not has_room(counter, FEW, "codes", "ann")


def test_a_look_sees_what_other_processes_have_counted(counter, redis_client):
    other = RateLimiter(redis_client)
    assert all(hit(counter, FEW, "codes", "ann") for _ in range(4))
    assert has_room(other, FEW, "codes", "ann")
    assert hit(counter, FEW, "codes", "ann")
    assert not has_room(RateLimiter(redis_client), FEW, "codes", "ann")


def test_a_window_that_seems_longer_than_it_may_be_is_over(counter, client):
    """As when the clock of Redis was set back."""
    counted = f"billet:calls:{FEW.key_for('codes', 'ann')}"
    client.set(counted, 9, ex=3600)
    assert has_room(counter, FEW, "codes", "ann")
    assert hit(counter, FEW, "codes", "ann")
    assert (client.get(counted), client.ttl(counted) <= 60) == (b"1", True)


def test_threads_count_every_call_once(redis_client, counter):
    def hits(n):
        for _ in range(n):
            hit(counter, MANY, "acting", "ann")

    together([partial(hits, 500)] * 4)
    assert left(counter, MANY, "acting", "ann") == 6400 - 2000
    assert count(redis_client, MANY.key_for("acting", "ann"), 60, 0).calls == 2000


def test_callers_are_forgotten_when_there_are_too_many(counter, clock, monkeypatch):
    monkeypatch.setattr(counting, "MOST_WINDOWS", 100)
    assert MOST_WINDOWS > 100
    for number in range(90):
        hit(counter, MANY, "acting", f"passing {number}")
    clock.advance(61)
    for number in range(1000):
        hit(counter, MANY, "acting", str(number))
        assert len(counter._windows) <= 100


def test_without_redis_a_count_is_unavailable():
    nowhere = RateLimiter(RedisClient(connect("redis://127.0.0.1:1/0")))
    for ask in (hit, has_room):
        with pytest.raises(Unavailable):
            ask(nowhere, FEW, "acting", "ann")


def test_it_counts_on_a_cluster_too(tmp_path, redis_url):
    with running(tmp_path, 3) as nodes:
        settings = Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url)
        first, second = (RateLimiter(build(settings).redis) for _ in range(2))
        for caller in ("ann", "ben", "cid", "dot"):
            counted = [hit(one, FEW, "acting", caller) for _ in range(4) for one in (first, second)]
            assert counted.count(True) == 5
            assert not has_room(first, FEW, "acting", caller)
