"""How many streams, long-polls and bodies there may be."""

import pytest

from api.link import player_of
from api.places import stream_places, waiting_places
from games.errors import Refused
from service.settings import Settings


def refused(places, address, player=None):
    with pytest.raises(Refused) as caught:
        places.take(address, player)
    return caught.value.limit


def test_each_process_address_and_player_has_so_many():
    places = stream_places(Settings(streams_per_process=4, streams_per_address=3, streams_per_player=2))
    held = [places.take("a", "ann") for _ in range(2)]
    assert refused(places, "b", "ann") == "streams_per_player"
    places.take("a")
    assert refused(places, "a", "ben") == "streams_by_address"
    places.take("b")
    assert refused(places, "c") == "streams"
    places.leave(held[0])
    places.take("b", "ann")


def test_long_polls_have_limits_of_their_own():
    places = waiting_places(Settings(waiting_per_process=3, waiting_per_address=2, waiting_per_player=1))
    places.take("a", "ann")
    assert refused(places, "b", "ann") == "waiting_per_player"
    places.take("a", "ben")
    assert refused(places, "a") == "waiting_by_address"
    places.take("b")
    assert refused(places, "c") == "waiting"


def test_zero_is_any_number():
    places = stream_places(Settings(streams_per_process=0, streams_per_address=0, streams_per_player=0))
    assert [len(places.take("a", "ann")) for _ in range(1000)] == [3] * 1000


@pytest.mark.parametrize(
    ("authorization", "player"),
    [("Bearer abc.secret", "abc"), ("bearer  abc.secret ", "abc"), ("Bearer a.b.c", "a.b"), ("", None), ("x", None)],
)
def test_long_polls_count_for_a_player_however_the_token_is_written(authorization, player):
    assert player_of(authorization) == player
