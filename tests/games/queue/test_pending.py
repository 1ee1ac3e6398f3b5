"""Pending pairings: the same players always get the same game, and it starts with everybody on a seat."""

from dataclasses import replace

import pytest

from games.errors import Refused, invalid
from games.ids import own_bot
from games.queue.pairing import Pairing
from games.queue.pending import BOT, PendingPairing
from games.queue.tickets import TAKEN, QueueTicket, Wishes, ticket_view
from games.tables import requests
from games.tables.opening import Fresh, whole_clock
from tests.games.queue.waiting import NOW, ticket

FRESH = Fresh(b"s" * 32, "AAAAAAAA", "tag")


def pending(*tickets, seats=None):
    return PendingPairing.of(Pairing(tickets, seats or len(tickets)), NOW)


def test_the_game_follows_from_the_tickets_alone():
    ann, bob = ticket("ann", waited=9, rating=1700), ticket("bob")
    one, other = pending(ann, bob), pending(replace(bob, since=NOW - 5), ann)
    assert one.game == other.game
    assert pending(ann, ticket("cleo")).game != one.game


def test_everybody_sits_once_and_bots_take_the_rest():
    made = pending(ticket("ann", 4), ticket("bob", 4), seats=4)
    assert sorted(made.people) == ["ann", "bob"]
    assert [own_bot(player) for player in made.players if own_bot(player)] == [BOT, BOT]
    assert made.creator == "ann", "whoever has waited longest"


def test_who_sits_where_differs_from_game_to_game():
    orders = {pending(ticket(f"a{n}"), ticket("b")).players.index("b") for n in range(20)}
    assert orders == {0, 1}


@pytest.mark.parametrize(("people", "rated"), [(1, False), (2, True)])
def test_a_game_counts_only_among_two_at_least(people, rated):
    tickets = [ticket(name, 4, rated=True, bots="fill") for name in ("ann", "bob")[:people]]
    assert pending(*tickets, seats=4).rated is rated
    assert not pending(*[replace(one, wishes=replace(one.wishes, rated=False)) for one in tickets], seats=4).rated


def test_a_game_of_a_person_and_a_program_alone_does_not_count():
    ann, program = (ticket(name, 3, rated=True, kind=kind) for name, kind in (("ann", "human"), ("p", "bot")))
    assert not pending(ann, program, seats=3).rated
    assert pending(ann, program, ticket("bob", 3, rated=True)).rated


def test_the_game_starts_when_it_is_opened():
    made = pending(ticket("ann", 3, clock={"seconds": 60}), ticket("bob", 3, clock={"seconds": 60}), seats=3)
    after = made.opening(NOW, FRESH).after
    assert (after.id, after.players, after.state.status) == (made.game, [*made.players], "active")
    assert after.table.clock == whole_clock({"seconds": 60})
    assert after.table.visibility == "public"
    assert pending(ticket("ann"), ticket("bob")).opening(NOW, FRESH).after.table.clock is None


def test_what_is_stored_is_read_again():
    made = pending(ticket("ann", 3, clock={"seconds": 60}), ticket("bob", 3), seats=3)
    assert PendingPairing.read(made.stored().encode()) == made
    one = ticket("ann", 2, 4, edition="lovecraft", clock={"seconds": 60}, rated=True, bots="fill")
    assert Wishes.read(one.wishes.stored()) == one.wishes
    fields = {name: str(value) for name, value in one.stored().items()}
    assert QueueTicket.read(one.id, fields) == one


def test_a_ticket_that_is_taken_says_that_it_waits():
    taken = replace(ticket("ann"), state=TAKEN, game="g")
    view = ticket_view(taken, 3)
    assert (view["state"], view["game"], view["waiting"]) == ("waiting", None, 3)
    assert ticket_view(replace(taken, state="matched"), 0)["game"] == "g"


def test_wishes_for_rated_games_are_refused_like_their_tables(monkeypatch):
    def refuse(_):
        raise invalid("rated", "fault.rated_needs_players")

    monkeypatch.setattr(requests, "_check_rated", refuse)
    wanted = {"edition": "standard", "seats": [2]}
    assert Wishes.of(wanted).rated is False
    with pytest.raises(Refused, match="invalid_request"):
        Wishes.of({**wanted, "rated": True})
