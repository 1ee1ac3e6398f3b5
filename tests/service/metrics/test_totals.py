"""The measurements of all processes come together: each count once whatever breaks, a state as long as it lasts."""

import pytest
from prometheus_client import Gauge

from games.errors import Unavailable
from service import Settings, build
from service.metrics import reporting as reporting_module
from service.metrics.reporting import Reporting
from service.metrics.totals import ALIVE_MS, FORGOTTEN_MS
from service.store import keys
from service.store.scripts import ADD
from tests.service.at_table import Game
from tests.service.metrics.measured import measured
from tools.testbed.waiting import wait_until

APPENDS = "appends_total standard"


def test_processes_count_together(service, another):
    one, two = another(), another()
    Game.begin(one)
    Game.begin(two, 3)
    for process in (one, two, one, two):
        process.totals.report()
    assert measured(service)[APPENDS] == 5


def test_a_count_outlives_its_process(service, another):
    Game.begin(service)
    service.totals.report()
    assert measured(another())[APPENDS] == 2


def test_what_is_reported_twice_is_added_once(service, client):
    Game.begin(service)
    measured(service)
    before = client.hgetall(keys.MEASURED)
    service.totals.report()
    assert client.hgetall(keys.MEASURED) == before


def test_every_sample_of_a_histogram_is_there_and_in_order(service, another):
    game = Game.open(service, "creator", "cautious", starter=1)
    service.play.bot_turns(game.id, 0)
    service.totals.report()
    reader = another()
    turns = next(one for one in reader.totals.read([]) if one.name == "billet_turn_seconds")
    bounds = [float(one.labels["le"]) for one in turns.samples if one.name.endswith("_bucket")]
    assert bounds == sorted(bounds)
    assert bounds[-1] == float("inf")
    values = [one.value for one in turns.samples if one.name.endswith("_bucket")]
    assert values == sorted(values)
    assert values[-1] == 1
    assert [one.name for one in turns.samples][-2:] == ["billet_turn_seconds_count", "billet_turn_seconds_sum"]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_batch_whose_connection_is_cut_counts_once(proxy, service, when):
    distant = build(Settings(redis_url=proxy.url))
    Game.begin(distant)
    distant.totals.report()
    for _ in range(3):
        Game.begin(distant)
        proxy.lose(when, ADD.digest)
        with pytest.raises(Unavailable):
            distant.totals.report()
        assert proxy.lost == 1
        Game.begin(distant)
    distant.totals.report()
    assert measured(service)[APPENDS] == 14


def test_a_state_counts_as_long_as_its_process_lives(service, another, clock):
    processes = [another() for _ in range(2)]
    for process in (service, *processes):
        Gauge("billet_open", "What is open.", registry=process.measures.registry).set(3)
    for process in processes:
        process.totals.begin("api")
        process.totals.report()
    assert measured(service)["open"] == 9
    clock.advance((ALIVE_MS + 1) / 1000)
    processes[0].totals.report()
    assert measured(service)["open"] == 6
    assert [one.kind for one in service.totals.processes()] == ["api"]
    processes[0].totals.end()
    assert measured(service)["open"] == 3


def test_a_process_that_was_killed_is_forgotten(service, another, clock, client):
    other = another()
    other.totals.begin("worker")
    other.totals.report()
    clock.advance(FORGOTTEN_MS / 1000 + 1)
    assert service.totals.processes() == []
    assert client.hkeys(keys.PROCESSES) == []


def test_a_process_reports_while_it_lives_and_once_more_at_its_end(service, another, client, monkeypatch):
    monkeypatch.setattr(reporting_module, "STOP_SECONDS", 60.0)
    other = another()
    reporting = Reporting(other.totals, "worker")
    with reporting:
        wait_until(lambda: [one.kind for one in service.totals.processes()] == ["worker"])
        Game.begin(other)
        wait_until(lambda: APPENDS in measured(service))
        Game.begin(other)
    assert not reporting._thread.is_alive()
    assert measured(service)[APPENDS] == 4
    assert client.hlen(keys.PROCESSES) == 0


def test_who_reports_goes_on_when_redis_comes_back(proxy, service):
    distant = build(Settings(redis_url=proxy.url))
    Game.begin(distant)
    proxy.lose("before", ADD.digest, times=2)
    with Reporting(distant.totals, "worker"):
        wait_until(lambda: APPENDS in measured(service))
    assert proxy.lost == 2
    assert measured(service)[APPENDS] == 2
