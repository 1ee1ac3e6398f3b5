"""Places that are held for long: bounds for a process, an address and a player, and fair shares where all are taken."""

import pytest

from api.front.link import player_of
from api.front.places import stream_places, waiting_places
from games.errors import Refused
from service.settings import Settings


def refused(take):
    with pytest.raises(Refused) as error:
        take()
    assert (error.value.code, error.value.retry_after) == ("rate_limited", 1)
    return error.value.limit


def test_each_player_and_each_address_has_so_many():
    places = stream_places(Settings(streams_per_player=2, streams_per_address=3))
    held = [places.take("a", "ann"), places.take("a", "ann"), places.take("a", None)]
    assert refused(lambda: places.take("b", "ann")) == "streams_per_player"
    assert refused(lambda: places.take("a", "bob")) == "streams_by_address"
    held_by_bob = places.take("b", "bob")
    for place in held:
        places.leave(place)
    assert places.count == 1
    held_by_ann = places.take("a", "ann")
    assert held_by_ann.player == "ann"
    for place in (held_by_bob, held_by_ann):
        places.leave(place)
    assert not places._players, "nothing is kept of those who have gone"
    assert not places._addresses


def test_where_all_are_taken_whoever_has_most_gives_one_up():
    places = stream_places(Settings(streams_per_process=10))
    given_up = []
    for number in range(10):
        places.take("greedy", None).end_with(lambda number=number: given_up.append(number))
    for whose in ("ann", "bob", "cleo"):
        assert places.take(whose, None).address == whose
    assert (given_up, places.count) == ([9, 8, 7], 10)
    assert refused(lambda: places.take("greedy", None)) == "streams"
    for _ in range(2):
        places.take("ann", None)
    assert len(given_up) == 5


@pytest.mark.parametrize("held", [("ann", "bob", "ann", "bob"), ("ann", "bob", "bob")], ids=["as many", "one less"])
def test_nobody_gives_up_a_place_to_one_who_then_has_as_many(held):
    places = stream_places(Settings(streams_per_process=len(held)))
    for whose in held:
        places.take(whose, None).end_with(lambda: pytest.fail("given up"))
    assert refused(lambda: places.take("ann", None)) == "streams"
    assert places.count == len(held)


def test_a_call_that_loses_its_place_before_it_has_begun_ends_when_it_begins():
    places = stream_places(Settings(streams_per_process=2))
    kept, lost = places.take("greedy", None), places.take("greedy", None)
    places.take("ann", None)
    ended = []
    kept.end_with(lambda: ended.append("kept"))
    lost.end_with(lambda: ended.append("lost"))
    assert ended == ["lost"]


def test_a_place_given_up_counts_once():
    places = waiting_places(Settings(waiting_per_process=2))
    first, second = places.take("greedy", "x"), places.take("greedy", "x")
    places.take("ann", None)
    places.leave(second)
    places.leave(first)
    assert places.count == 1


def test_calls_that_wait_have_limits_of_their_own():
    places = waiting_places(Settings(waiting_per_player=1, waiting_per_address=2))
    places.take("a", "ann")
    assert refused(lambda: places.take("a", "ann")) == "waiting_per_player"
    places.take("a", None)
    assert refused(lambda: places.take("a", None)) == "waiting_by_address"


@pytest.mark.parametrize(
    ("authorization", "player"),
    [
        ("Bearer p1.secret", "p1"),
        ("bearer  p1.another", "p1"),
        ("Bearer head.claims.signature", "head.claims"),
        ("Bearer nonsense", None),
        ("", None),
    ],
)
def test_long_polls_count_for_a_player_however_the_token_is_written(authorization, player):
    assert player_of(authorization) == player


def test_zero_is_any_number():
    places = waiting_places(Settings(waiting_per_player=0, waiting_per_address=0, waiting_per_process=0))
    for _ in range(5000):
        places.take("a", "ann")
    assert places.count == 5000
