"""What is damaged in the queue, or on a node that is away, keeps nobody else waiting."""

import pytest

from games.errors import Refused, Unavailable
from games.ids import derived_id
from games.queue.pending import PendingPairing
from games.queue.tickets import HERE_MS
from service import Settings, build
from service.queue import queue
from service.store import keys
from tests.service.at_table import guest
from tests.service.queue.waiting import ask, look, two, unable, waves
from tests.service.still_clock import still_clock
from tests.service.store.nodes.on_nodes import away, drawn_on, guest_on
from tools.testbed.waiting import wait_until


def states(service, tickets):
    return {player: look(service, player, ticket)["state"] for player, ticket in tickets.items()}


@pytest.fixture
def clock(monkeypatch):
    return still_clock(monkeypatch)


@pytest.fixture
def on_nodes(nodes, redis_url, monkeypatch):
    """An installation on a cluster, a node that has only games and players, and the other nodes."""
    service = build(Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url))
    shared = {nodes.node_of(key) for key in (keys.DUE, keys.WAVES)}
    lost = next(node for node in nodes.nodes if node not in shared)
    return service, lost, next(iter(shared))


def test_a_pairing_whose_node_is_away_keeps_no_other_waiting(on_nodes, nodes, clock, monkeypatch):
    service, lost, there = on_nodes
    tickets = {}
    is_lost = {}
    with monkeypatch.context() as patch:
        patch.setattr(type(service.waves), "open", lambda *_: None)
        while not any(is_lost.values()) or [*is_lost.values()][-1]:  # a lost one comes before another
            tickets |= {player: ask(service, player)["id"] for player in [guest_on(service, there) for _ in range(2)]}
            service.waves.run("standard")
            pending = service.waves._stored.pending("standard")
            is_lost = {one.game: nodes.node_of(keys.log(one.game)) is lost for one in pending}
    later = {player: ask(service, player)["id"] for player in [guest_on(service, there) for _ in range(2)]}
    with away(nodes, lost):
        clock.advance(1)
        with pytest.raises(Unavailable):
            service.waves.run("standard")
        left = {one.game for one in service.waves._stored.pending("standard")}
        assert left & is_lost.keys() == {game for game in is_lost if is_lost[game]}
    wait_until(lambda: _runs(service))
    assert {*states(service, tickets | later).values()} == {"matched"}


def game_of(*tickets):
    """Returns the id of the game that two tickets lead to."""
    return derived_id("pairing", *sorted(tickets))


def _runs(service):
    """Runs a wave; returns whether no node was away."""
    try:
        service.waves.run("standard")
    except Unavailable:
        return False
    return True


def test_a_player_whose_node_is_away_keeps_no_other_waiting(on_nodes, nodes, clock):
    """Neither whom they have blocked nor whether they play can be read, so they are not matched meanwhile."""
    service, lost, there = on_nodes
    busy, blocking = guest_on(service, lost), guest_on(service, lost)
    tickets = {busy: ask(service, busy)["id"]}
    clock.advance(HERE_MS / 1000 + 1)
    service.presence.note(busy.id)
    service.presence.write()
    tickets[blocking] = ask(service, blocking)["id"]
    first, second = guest_on(service, there), guest_on(service, there)
    others = {first: ask(service, first)["id"]}
    with drawn_on(there, queue, "random_id", lambda made: keys.log(game_of(others[first], f"q{made}"))):
        others[second] = ask(service, second)["id"]
    with away(nodes, lost):
        clock.advance(1)
        waves(service)
        assert {*states(service, others).values()} == {"matched"}
    assert {*states(service, tickets).values()} == {"waiting"}


def test_a_pairing_that_cannot_be_opened_keeps_no_other_waiting(service, monkeypatch, caplog):
    tickets = {player: ask(service, player)["id"] for player in [guest(service) for _ in range(4)]}
    open_one = service.waves.open
    failed = []

    def fail_once(pairing):
        if not failed:
            failed.append(pairing)
            raise ValueError("a secret")
        open_one(pairing)

    monkeypatch.setattr(type(service.waves), "open", lambda _, pairing: fail_once(pairing))
    service.waves.run("standard")
    states = [look(service, *one)["state"] for one in tickets.items()]
    assert sorted(states) == ["matched", "matched", "waiting", "waiting"]
    assert "ValueError" in caplog.text
    assert "a secret" not in caplog.text
    service.waves.run("standard")
    assert {look(service, *one)["state"] for one in tickets.items()} == {"matched"}


@pytest.mark.parametrize("stored", [b"\xff", b"{}", b"[1]", b"null", b'{"players": [], "of": "another version"}'])
def test_a_damaged_pairing_keeps_no_other_waiting(service, client, clock, caplog, stored):
    tickets = two(service)
    client.hset(keys.pairings("standard"), "damaged", stored)
    clock.advance(1)
    waves(service)
    assert {*states(service, tickets).values()} == {"matched"}
    assert "what is stored of the pairing of game damaged cannot be read" in caplog.text


@pytest.mark.parametrize("stored", [b"\xff", b"{}"])
@pytest.mark.parametrize("is_open", [False, True])
def test_the_tickets_of_a_damaged_pairing_are_not_left_taken(service, client, clock, monkeypatch, stored, is_open):
    """They wait again; if the game was opened before, they say so."""
    tickets = two(service)
    clock.advance(1)
    with monkeypatch.context() as patch:
        if is_open:
            patch.setattr(type(service.waves._stored), "opened", lambda *_: False)
        else:
            patch.setattr(PendingPairing, "opening", unable)
        waves(service)
    [game] = client.hkeys(keys.pairings("standard"))
    client.hset(keys.pairings("standard"), game, stored)
    clock.advance(1)
    waves(service)
    found = [look(service, *one) for one in tickets.items()]
    expected = ("matched", game.decode()) if is_open else ("waiting", None)
    assert [(one["state"], one["game"]) for one in found] == [expected] * 2
    assert not client.exists(keys.pairings("standard"))


def test_a_damaged_ticket_keeps_no_other_waiting(service, client, clock, caplog):
    damaged = guest(service)
    ticket = ask(service, damaged)["id"]
    client.hset(keys.queue_ticket(ticket), "wishes", "{")
    tickets = two(service)
    clock.advance(1)
    waves(service)
    assert {*states(service, tickets).values()} == {"matched"}
    assert f"what is stored of queue ticket {ticket} cannot be read" in caplog.text
    with pytest.raises(Refused, match="not_found"):
        look(service, damaged, ticket)
    again = ask(service, damaged)["id"]
    assert again != ticket, "the player may wait with another one"
    assert look(service, damaged, again)["state"] == "waiting"


def test_cancelling_while_the_game_of_a_pairing_cannot_be_opened_says_that_it_waits(service, clock, monkeypatch):
    tickets = two(service)
    clock.advance(1)
    with monkeypatch.context() as patch:
        patch.setattr(PendingPairing, "opening", unable)
        waves(service)
        for player, ticket in tickets.items():
            assert service.queue.cancel(player.token, ticket)["state"] == "waiting"
            service.queue.leave(player.id)
    for player, ticket in tickets.items():
        assert service.queue.cancel(player.token, ticket)["state"] == "matched"
