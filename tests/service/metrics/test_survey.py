"""How an installation stands: what waits, who lives, what is played and what is overdue, whatever of it is away."""

import random

import pytest

from engine.editions import EDITIONS
from games.daily.days import Day
from games.errors import Damaged
from games.queue.pending import PendingPairing
from games.queue.tickets import HERE_MS
from service import Settings, build
from service.jobs.schedule import Task
from service.metrics.survey import OVERDUE_MS
from service.store import keys
from service.store.damaged import SHOWN_MS
from service.store.metrics.counts import LATE_CLAIMS, LATE_DAY_MS
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, guest, read
from tests.service.matches.playing import body, finish
from tests.service.queue.waiting import ask, two, unable
from tests.service.stored import add_poison

NOWHERE = "redis://127.0.0.1:1/0"
NONE = dict.fromkeys(EDITIONS, 0)


def test_queues_say_how_much_waits_and_for_how_long(service, client):
    assert service.survey.state().queues["turns"] == (0, 0.0)
    service.jobs.enqueue([Task("bots", f"g{i}", 1) for i in range(12)])
    job = client.lindex("rq:queue:turns", 0).decode()
    client.hset(f"rq:job:{job}", "enqueued_at", "2026-01-01T00:00:00.000000Z")
    queues = service.survey.state().queues
    assert queues["turns"].jobs == 12
    assert queues["turns"].oldest > 60
    assert queues["timeouts"] == (0, 0.0)
    client.delete(f"rq:job:{job}")
    assert 0 <= service.survey.state().queues["turns"].oldest < 60, "RQ has forgotten the oldest"
    assert client.llen("rq:queue:turns") == 12, "looking changes nothing"


def test_games_that_are_played_are_counted_by_edition(service):
    open_table = Game.open(service, "creator", "open", edition="classic")
    played = [Game.begin(service, edition=edition) for edition in ("classic", "classic", "lovecraft")]
    assert service.survey.state().games.active == NONE | {"classic": 2, "lovecraft": 1}
    open_table.fill()
    played[0].play(random.Random(1))
    service.tables.leave(played[2].token(0), played[2].id, words=EN)
    assert service.survey.state().games.active == NONE | {"classic": 2}


def test_rebuilding_finds_the_games_that_are_played(service, client, redis_url):
    games = [Game.begin(service, edition="classic") for _ in range(3)]
    games[0].play(random.Random(1))
    before = client.zrange(keys.active("classic"), 0, -1, withscores=True)
    client.delete(keys.active("classic"))
    client.zadd(keys.active("standard"), {games[0].id: 1})
    rebuild(Settings(redis_url=redis_url))
    assert client.zrange(keys.active("classic"), 0, -1, withscores=True) == before
    assert service.survey.state().games.active == NONE | {"classic": 2}


def test_sandbox_games_and_forks_are_not_counted_and_looked_after_all_the_same(service, client, redis_url, clock):
    chosen = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]}, clock={"seconds": 10})
    ended = Game.begin(service).play(random.Random(1))
    played = next(event for event in ended.events() if event["type"] == "card_played")
    mine = 1 - played["data"]["seat"]
    fork = {"version": played["version"], "seat": mine}
    forked = read(service.tables.fork(ended.token(mine), ended.id, fork, words=EN))
    none = dict.fromkeys(EDITIONS, 0)
    assert service.survey.state().games.active == none
    for _ in range(2):
        clock.advance(60)
        assert {task.game for task in service.schedule.tasks()} == {chosen.id, forked["id"]}
        client.zadd(keys.active("standard"), {chosen.id: 1, forked["id"]: 1})  # as before they were left out
        client.delete(keys.DUE)
        assert rebuild(Settings(redis_url=redis_url))["removed"] == 2
        assert service.survey.state().games.active == none
    client.zadd(keys.active("standard"), {chosen.id: 1})
    service.tables.leave(chosen.token(0), chosen.id, words=EN)
    assert service.survey.state().games.active == none


def test_a_day_that_is_not_revealed_is_late(service, clock, client):
    day = Day.at("standard", clock.ms)
    service.daily.begin(guest(service).token, "standard", words=EN)
    clock.ms = day.ends + LATE_DAY_MS
    assert service.survey.state().games.late_days == 0
    clock.advance(2)
    assert service.survey.state().games.late_days == 1
    service.day_waves.run(day.id)
    clock.advance(2)
    assert service.survey.state().games.late_days == 0


def test_a_result_that_attempts_fail_to_record_is_late(service, clock, monkeypatch):
    game = Game.begin(service)
    with monkeypatch.context() as patch:
        patch.setattr(service.notifier, "queue", lambda *_: None)
        game.play(random.Random(1))
    found = []
    while not service.survey.state().games.late_results:
        clock.advance(1)
        found += service.unrecorded.tasks()
    assert found == [Task("record", game.id, 0)] * LATE_CLAIMS
    service.recording.record(game.id)
    assert service.survey.state().games.late_results == 0


def test_tickets_that_wait_are_counted_by_edition_and_pairings_without_a_game_too(service, clock, monkeypatch):
    waiting = guest(service)
    ask(service, waiting, edition="classic")
    gone = ask(service, guest(service), edition="lovecraft")
    assert service.survey.state().games.waiting == NONE | {"classic": 1, "lovecraft": 1}
    clock.advance(HERE_MS / 1000 + 1)
    assert ask(service, waiting, edition="classic")["id"] != gone["id"]
    assert service.survey.state().games.waiting == NONE | {"classic": 1}, "the other has gone"
    two(service)
    with monkeypatch.context() as patch:
        patch.setattr(PendingPairing, "opening", unable)
        service.waves.run("standard")
    assert service.survey.state().games.pending_pairings == 1
    service.waves.run("standard")
    assert service.survey.state().games.pending_pairings == 0


def test_a_match_at_which_workers_fail_to_look_is_late_until_they_do(service, clock):
    match = service.matches.create(guest(service).token, body(bots=2)).match["id"]
    found = []
    while not service.survey.state().games.late_matches:
        clock.advance(1)
        found += service.match_waves.tasks()
    assert found == [Task("play", match, 0)] * LATE_CLAIMS
    for _ in range(20):
        clock.advance(2)
        service.match_waves.tasks()
        assert service.survey.state().games.late_matches == 1, "it stays so, however often it is in vain"
    service.match_waves.run(match)
    assert (service.survey.state().games.matches, service.survey.state().games.late_matches) == (1, 0)
    finish(service, match)
    assert service.survey.state().games.matches == 0


def test_a_game_that_nobody_looks_at_is_overdue(service, clock):
    Game.open(service, "creator", "random", starter=1)
    Game.begin(service, clock={"seconds": 10, "on_timeout": "forfeit"})
    clock.advance(10)
    assert service.survey.state().games.overdue == 1
    clock.advance(OVERDUE_MS / 1000)
    assert service.survey.state().games.overdue == 2
    service.schedule.tasks()
    assert service.survey.state().games.overdue == 0


def test_a_damaged_game_is_told_of_until_nobody_asks_for_it_any_more(service, client, clock):
    broken, _ = Game.begin(service), Game.begin(service)
    assert (service.survey.state().games.damaged, service.survey.state().games.damaged_one) == (0, "")
    add_poison(client, broken.id)
    assert len(service.lobby.public(None)["items"]) == 1
    assert (service.survey.state().games.damaged, service.survey.state().games.damaged_one) == (1, broken.id)
    clock.advance(SHOWN_MS / 1000 - 1)
    assert service.survey.state().games.damaged == 1
    clock.advance(2)
    assert service.survey.state().games.damaged == 0
    with pytest.raises(Damaged, match="MalformedEvent"):
        broken.view()
    assert service.survey.state().games.damaged == 1, "reading the view notes it, too"


def test_processes_are_counted_by_kind(service, another, clock):
    assert service.survey.state().processes == {"api": 0, "worker": 0, "quick_worker": 0}
    for kind in ("api", "worker", "worker", "quick_worker"):
        process = another()
        process.totals.begin(kind)
        process.totals.report()
    assert service.survey.state().processes == {"api": 1, "worker": 2, "quick_worker": 1}


def test_without_redis_there_is_nothing_but_that(redis_url):
    nothing = build(Settings(redis_url=NOWHERE)).survey.state()
    assert (nothing.redis, nothing.queue_redis) == (False, False)
    assert (nothing.queues, nothing.games.active, nothing.measured) == ({}, {}, ())
    without_queues = build(Settings(redis_url=redis_url, queue_redis_url=NOWHERE)).survey.state()
    assert (without_queues.redis, without_queues.queue_redis, without_queues.queues) == (True, False, {})
    assert without_queues.measured
