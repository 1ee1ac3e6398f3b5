"""With a Redis that is full or read-only every read is answered; what changes something is refused and says why."""

import contextlib

import pytest
import redis

from tests.contract.tables import CREATOR, OPEN, first_legal, started

WAYS = {
    "full": ({"maxmemory": 1}, {"maxmemory": 0}, "no room left"),
    "read-only": ({"min-replicas-to-write": 1}, {"min-replicas-to-write": 0}, "The service cannot save"),
}


@pytest.fixture(params=sorted(WAYS))
def spoilt(request, redis_url):
    """Makes the Redis refuse to write within a block; gives a word that refusals say."""
    spoil, heal, word = WAYS[request.param]

    @contextlib.contextmanager
    def spoilt():
        with redis.Redis.from_url(redis_url) as own:
            own.config_set(*next(iter(spoil.items())))
            try:
                yield word
            finally:
                own.config_set(*next(iter(heal.items())))

    return spoilt


def test_what_changes_something_says_that_the_storage_takes_nothing_in(client, players, spoilt):
    game = started(client, players)
    path = f"/v1/games/{game['id']}"
    token, action = first_legal(client, game, players)
    calls = [
        (f"{path}/actions", token, action),
        ("/v1/games", players[0], {"edition": "standard", "seats": [CREATOR, OPEN]}),
        ("/v1/players", None, {"name": "Dora"}),
    ]
    before = client.get(path, players[0]).json
    with spoilt() as word:
        for called, token, body in calls:
            answer = client.post(called, token, json=body)
            assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
            assert word in answer.json["detail"]
            assert answer.headers["Retry-After"]
    assert client.get(path, players[0]).json == before
    assert client.post(*calls[0][:2], json=action).status_code == 201
