"""How many streams, long-polls and bodies there may be."""

import asyncio

import pytest

from api import asgi
from api.link import player_of
from api.places import Bound, Places
from games.errors import Refused


def made(process, address, player):
    """Places of which a process, an address and a player may take so many."""
    named = zip((process, address, player), ("process", "address", "player"), strict=True)
    return Places(*(Bound(most, name, "detail.too_many_streams") for most, name in named))


def refused(places, address, player=None):
    with pytest.raises(Refused) as caught:
        places.take(address, player)
    return caught.value.limit


def test_each_process_address_and_player_has_so_many():
    places = made(4, 3, 2)
    held = [places.take("a", "ann") for _ in range(2)]
    assert refused(places, "b", "ann") == "player"
    places.take("a")
    assert refused(places, "a", "ben") == "address"
    places.take("b")
    assert refused(places, "c") == "process"
    places.leave(held[0])
    places.take("b", "ann")


def test_zero_is_any_number():
    places = made(0, 0, 0)
    assert [len(places.take("a", "ann")) for _ in range(1000)] == [3] * 1000


@pytest.mark.parametrize(
    ("authorization", "player"),
    [("Bearer abc.secret", "abc"), ("bearer  abc.secret ", "abc"), ("Bearer a.b.c", "a.b"), ("", None), ("x", None)],
)
def test_long_polls_count_for_a_player_however_the_token_is_written(authorization, player):
    assert player_of(authorization) == player


async def test_a_refused_body_is_dropped_as_it_comes_and_its_client_waits(monkeypatch):
    monkeypatch.setattr(asgi, "LIMITED_SECONDS", 0.01)
    parts, never = [b"a" * 60_000] * 3, asyncio.get_running_loop().create_future()

    async def receive():
        return (
            {"type": "http.request", "body": parts.pop(), "more_body": True} if parts else await asyncio.shield(never)
        )

    await asgi._drop_body(receive)
    assert parts == [], "the server holds what nobody takes"
    never.set_result({"type": "http.disconnect"})
    monkeypatch.setattr(asgi, "LIMITED_SECONDS", 600.0)
    await asgi._drop_body(receive)
