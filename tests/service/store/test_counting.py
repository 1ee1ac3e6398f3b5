"""How calls are counted: together in all processes, at little cost, and within windows that end."""

import threading

import limits
import pytest

from games.errors import Unavailable
from service import Settings, build
from service.store.exchange.connection import Exchange, connect
from service.store.limits import counting
from service.store.limits.counting import MOST_WINDOWS, Counters, Gathering
from tools.testbed.cluster_nodes import running

FEW, MANY = limits.parse("5/minute"), limits.parse("6400/minute")


class Noting(Exchange):
    """An exchange that notes how often it is used."""

    def __init__(self, url):
        super().__init__(connect(url))
        self.trips = 0

    def send(self, *commands):
        self.trips += 1
        return super().send(*commands)


@pytest.fixture
def exchange(redis_url):
    made = Noting(redis_url)
    Counters(exchange=made).count("warm", 1, 1)  # Redis has the script now
    made.trips = 0
    return made


@pytest.fixture
def counter(exchange):
    return Gathering(Counters(exchange=exchange))


def test_calls_are_counted_until_the_limit_and_refused_without_asking_again(counter, exchange):
    assert [counter.hit(FEW, "acting", "ann") for _ in range(7)] == [True] * 5 + [False] * 2
    assert exchange.trips == 5
    assert counter.get_window_stats(FEW, "acting", "ann").remaining == 0
    assert counter.hit(FEW, "acting", "ben"), "another caller"
    assert counter.hit(FEW, "reading", "ann"), "another bucket"


def test_of_busy_callers_one_call_in_sixteen_asks_redis(counter, exchange):
    assert all(counter.hit(MANY, "acting", "ann") for _ in range(160))
    assert exchange.trips == 10
    assert counter.get_window_stats(MANY, "acting", "ann").remaining == 6400 - 160


def test_of_rare_calls_each_asks_redis(counter, exchange):
    assert all(counter.hit(limits.parse("6400/hour"), "acting", "ann") for _ in range(20))
    assert exchange.trips == 20


def test_an_unhurried_caller_never_waits_for_a_count(counter, exchange, clock):
    for _ in range(20):
        clock.advance(10)
        assert counter.hit(MANY, "acting", "ann")
    assert exchange.trips <= 20 // 15


def test_a_window_begins_with_the_first_call_and_ends_for_all(exchange, clock, client):
    first, second = (Gathering(Counters(exchange=exchange)) for _ in range(2))
    assert all(first.hit(FEW, "acting", "ann") for _ in range(5))
    assert not second.hit(FEW, "acting", "ann")
    reset = first.get_window_stats(FEW, "acting", "ann").reset_time - clock.ms / 1000
    assert 59 < reset <= 60
    clock.advance(61)
    client.delete("billet:calls:LIMITER/acting/ann/5/1/minute")  # what Redis does when the time is up
    assert first.hit(FEW, "acting", "ann")
    assert second.hit(FEW, "acting", "ann")


def test_a_look_counts_nothing_and_writes_nothing(counter, client):
    assert all(counter.test(FEW, "codes", "ann") for _ in range(20))
    assert client.keys("billet:calls:LIMITER*") == []
    assert [counter.hit(FEW, "codes", "ann") for _ in range(5)] == [True] * 5
    assert not counter.test(FEW, "codes", "ann")


def test_a_look_sees_what_other_processes_have_counted(counter, exchange):
    other = Gathering(Counters(exchange=exchange))
    assert all(counter.hit(FEW, "codes", "ann") for _ in range(4))
    assert other.test(FEW, "codes", "ann")
    assert counter.hit(FEW, "codes", "ann")
    assert not Gathering(Counters(exchange=exchange)).test(FEW, "codes", "ann")


def test_a_window_that_seems_longer_than_it_may_be_is_over(counter, client):
    """As when the clock of Redis was set back."""
    counted = f"billet:calls:{FEW.key_for('codes', 'ann')}"
    client.set(counted, 9, ex=3600)
    assert counter.test(FEW, "codes", "ann")
    assert counter.hit(FEW, "codes", "ann")
    assert (client.get(counted), client.ttl(counted) <= 60) == (b"1", True)


def test_threads_count_every_call_once(redis_url, counter):
    def hits(n):
        for _ in range(n):
            counter.hit(MANY, "acting", "ann")

    threads = [threading.Thread(target=hits, args=(500,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.get_window_stats(MANY, "acting", "ann").remaining == 6400 - 2000
    assert counter.storage.get(MANY.key_for("acting", "ann")) == 2000


def test_callers_are_forgotten_when_there_are_too_many(counter, clock, monkeypatch):
    monkeypatch.setattr(counting, "MOST_WINDOWS", 100)
    assert MOST_WINDOWS > 100
    for number in range(90):
        counter.hit(MANY, "acting", f"passing {number}")
    clock.advance(61)
    for number in range(1000):
        counter.hit(MANY, "acting", str(number))
        assert len(counter._windows) <= 100


def test_the_store_is_one_that_limits_can_use_in_other_ways_too(counter, client):
    store = counter.storage
    assert store.check()
    assert [store.incr("x", 60), store.incr("x", 60, 2), store.get("x")] == [1, 3, 3]
    assert 50 < store.get_expiry("x") - counting.now_ms() / 1000 <= 61
    store.clear("x")
    assert store.get("x") == 0
    client.set("billet:calls:endless", 4)
    assert store.incr("endless", 60) == 5
    assert 0 < client.ttl("billet:calls:endless") <= 60
    with pytest.raises(NotImplementedError):
        store.reset()


def test_without_redis_a_count_is_unavailable():
    nowhere = Gathering(Counters(exchange=Exchange(connect("redis://127.0.0.1:1/0"))))
    assert not nowhere.storage.check()
    for count in (nowhere.hit, nowhere.test):
        with pytest.raises(Unavailable):
            count(FEW, "acting", "ann")


def test_it_counts_on_a_cluster_too(tmp_path, redis_url):
    with running(tmp_path, 3) as nodes:
        settings = Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url)
        first, second = (Gathering(Counters(exchange=build(settings).exchange)) for _ in range(2))
        for caller in ("ann", "ben", "cid", "dot"):
            counted = [one.hit(FEW, "acting", caller) for _ in range(4) for one in (first, second)]
            assert counted.count(True) == 5
            assert not first.test(FEW, "acting", caller)
