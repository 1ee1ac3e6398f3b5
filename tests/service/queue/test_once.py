"""One game for each pairing, whatever is killed at whatever moment, and however many workers pair at once."""

from contextlib import suppress
from functools import partial

import pytest

from games.queue.pending import PendingPairing
from games.queue.tickets import HERE_MS
from service import Settings, build
from service.queue.waves import TRIED_MS
from tests.service.at_table import EN, guest, read, told
from tests.service.queue.killing import Kill, Killed
from tests.service.queue.waiting import ask, look, two, unable, waves
from tests.service.still_clock import still_clock
from tools.players.tables import at_once

COMMANDS = 11
"""How many round trips a wave makes that pairs two players, when Redis knows the scripts."""


@pytest.mark.parametrize("trip", range(COMMANDS))
def test_there_is_one_game_whenever_the_worker_is_killed(service, another, client, monkeypatch, trip):
    clock = still_clock(monkeypatch)
    tickets = two(service)
    cursors = {player: told(service, player)["cursor"] for player in tickets}
    worker = another()
    monkeypatch.setattr(worker.notifier, "queue", lambda *_: None)  # it would do so on a thread of its own
    with monkeypatch.context() as patch:
        kill = Kill(patch, trip)
        with suppress(Killed):
            worker.waves.run("standard")
    clock.advance(1)
    waves(another())
    views = [look(service, *one) for one in tickets.items()]
    assert {view["state"] for view in views} == {"matched"}
    [game] = {view["game"] for view in views}
    assert client.keys("billet:{*}:log") == [f"billet:{{{game}}}:log".encode()]
    clock.advance(2)  # whatever notices of the game were lost are sent again
    for task in service.pending.tasks():
        service.notifier.send_pending(task.game)
    for player, cursor in cursors.items():
        types = [notice["type"] for notice in told(service, player, cursor)["events"]]
        assert types.count("matched") == 1
    assert kill.has_killed, "there are so many round trips"
    clock.advance(1)
    assert service.waves.tasks() == [], "nothing is left to do"


def test_workers_that_pair_at_once_make_one_game_for_each_pairing(service, another, client):
    players = {player: ask(service, player)["id"] for player in [guest(service, f"P{number}") for number in range(20)]}
    at_once([partial(another().waves.run, "standard") for _ in range(4)])
    service.waves.run("standard")
    views = [look(service, *one) for one in players.items()]
    games = [view["game"] for view in views]
    assert {view["state"] for view in views} == {"matched"}
    assert {games.count(game) for game in games} == {2}
    assert len(client.keys("billet:{*}:log")) == 10


@pytest.fixture
def clock(monkeypatch):
    return still_clock(monkeypatch)


def test_a_pairing_that_can_never_be_opened_is_given_up_and_its_tickets_wait_again(service, clock, monkeypatch):
    tickets = two(service)
    with monkeypatch.context() as patch:
        patch.setattr(PendingPairing, "opening", unable)
        clock.advance(1)
        waves(service)
        clock.advance(TRIED_MS / 1000)
        waves(service)
        assert len(service.waves._stored.pending("standard")) == 1, "it is tried for so long"
        clock.advance(1)
        waves(service)
        assert service.waves._stored.pending("standard") == []
    (gone, first), (other, second) = tickets.items()
    assert service.waves._stored.ticket(first).state == "waiting"
    assert service.waves._stored.ticket(first).game is None
    clock.advance(HERE_MS / 1000)
    look(service, other, second)
    clock.advance(1)
    waves(service)
    assert look(service, other, second)["state"] == "waiting", "the other has gone meanwhile"
    assert ask(service, gone)["id"] == first
    clock.advance(1)
    waves(service)
    assert {look(service, *one)["state"] for one in tickets.items()} == {"matched"}
    assert len({look(service, *one)["game"] for one in tickets.items()}) == 1


def test_a_ticket_that_waits_again_can_be_cancelled(service, clock, monkeypatch):
    tickets = two(service)
    monkeypatch.setattr(PendingPairing, "opening", unable)
    for _ in range(2):
        clock.advance(TRIED_MS / 1000 + 1)
        for one in tickets.items():
            look(service, *one)
        waves(service)
    for player, ticket in tickets.items():
        assert service.queue.cancel(player.token, ticket)["state"] == "cancelled"


def test_a_pairing_whose_game_is_there_is_not_given_up(service, clock, monkeypatch):
    tickets = two(service)
    clock.advance(1)
    with monkeypatch.context() as patch:
        patch.setattr("service.queue.waves.matched", unable)
        waves(service)
        assert {look(service, *one)["state"] for one in tickets.items()} == {"waiting"}
        clock.advance(TRIED_MS / 1000 + 1)
        waves(service)
    views = [look(service, *one) for one in tickets.items()]
    assert {view["state"] for view in views} == {"matched"}
    assert read(service.games.view(None, views[0]["game"], words=EN))["status"] == "active"


def test_a_game_that_was_removed_before_its_pairing_was_done_is_not_opened_again(service, monkeypatch):
    tickets = two(service)
    with monkeypatch.context() as patch:
        patch.setattr(type(service.waves), "open", lambda *_: None)
        service.waves.run("standard")
    [pairing] = service.waves._stored.pending("standard")
    service.waves.open(pairing)
    service.waves.open(pairing)  # it had been read before
    [game] = {look(service, *one)["game"] for one in tickets.items()}
    assert read(service.games.view(None, game, words=EN))["status"] == "active"


def test_a_player_who_asks_again_just_after_the_pairing_gets_it(service, monkeypatch):
    tickets = two(service)
    with monkeypatch.context() as patch:
        patch.setattr(type(service.waves), "open", lambda *_: None)
        service.waves.run("standard")
    for player, ticket in tickets.items():
        for wishes in ({}, {"edition": "classic"}):
            assert ask(service, player, **wishes)["id"] == ticket
    player, ticket = next(iter(tickets.items()))
    assert service.queue.cancel(player.token, ticket)["state"] == "matched"
    service.waves.run("standard")
    assert {look(service, *one)["state"] for one in tickets.items()} == {"matched"}


def test_on_a_cluster_players_are_matched_too(nodes, redis_url, monkeypatch):
    clock = still_clock(monkeypatch)
    service = build(Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url))
    tickets = two(service)
    first = next(iter(tickets))
    cursor = told(service, first)["cursor"]
    ask(service, first, edition="classic")
    tickets[first] = ask(service, first)["id"]
    cancelled = guest(service)
    service.queue.cancel(cancelled.token, ask(service, cancelled)["id"])
    clock.advance(1)
    waves(service)
    views = [look(service, *one) for one in tickets.items()]
    assert {view["state"] for view in views} == {"matched"}
    assert read(service.games.view(None, views[0]["game"], words=EN))["status"] == "active"
    assert "matched" in [notice["type"] for notice in told(service, first, cursor)["events"]]
