"""One game for each slot of a match and each counted once, whatever is killed, and however many workers there are."""

from contextlib import suppress
from functools import partial

import pytest

from games.matches.setup import REFERENCE
from service.store import keys
from service.store.matches.stored_matches import StoredMatches
from tests.service.at_table import guest
from tests.service.matches.playing import body, finish, games, made, program, resign, running, view
from tests.service.queue.killing import Kill, Killed
from tools.players.tables import at_once

TRIPS = 22
"""How many round trips a wave makes, at least, that settles a game, unseals a deal and opens further games."""


@pytest.fixture
def shared(service):
    """A match on reference deals of which every game but the last of the first deal has ended."""
    players = [program(service, "One"), program(service, "Other")]
    more = {"deals": REFERENCE, "against": [{"bot": "random"}], "games": 6, "at_once": 2}
    match = made(service, guest(service), *players, **more)
    service.match_waves.run(match)
    for game in running(service, match):
        resign(service, game, players)
    service.settle()
    return match, players


@pytest.mark.parametrize("trip", range(TRIPS))
def test_each_game_is_played_once_whenever_a_worker_is_killed(service, another, client, monkeypatch, shared, trip):
    match, players = shared
    worker = another()
    monkeypatch.setattr(worker.notifier, "queue", lambda *_: None)  # it would do so on a thread of its own
    with monkeypatch.context() as patch:
        kill = Kill(patch, trip)
        with suppress(Killed):
            worker.match_waves.run(match)
    assert kill.has_killed, "there are so many round trips"
    finish(another(), match, players)
    service.match_waves.run(match)
    setup = StoredMatches(service.redis).read(match).setup
    logs = {name.decode() for name in client.keys("billet:{*}:log")}
    assert logs == {keys.log(setup.game(number)) for number in range(6)}
    found = view(service, match)
    assert (found["state"], found["played"], found["running"]) == ("ended", 6, 0)
    assert all(game["secret"] for game in games(service, match)), "every deal is revealed"
    assert [one["games"] for one in found["standings"]] == [3, 3]


def test_workers_that_look_at_once_play_each_game_once(service, another, client):
    match = service.matches.create(guest(service).token, body(bots=2, games=12, at_once=4)).match["id"]
    at_once([partial(finish, another(), match) for _ in range(3)])
    assert len(client.keys("billet:{*}:log")) == 12
    found = view(service, match)
    assert (found["played"], [one["games"] for one in found["standings"]]) == (12, [12, 12])


def test_a_game_that_was_never_opened_is_opened_by_the_next_wave(service, client):
    match = service.matches.create(guest(service).token, body(bots=2, at_once=1)).match["id"]
    StoredMatches(service.redis).note_opened(match, 0)
    service.match_waves.run(match)
    [game] = running(service, match)
    assert client.exists(keys.log(game))


def test_a_match_that_has_ended_opens_nothing_that_a_late_worker_wants(service):
    creator = guest(service)
    match = service.matches.create(creator.token, body(bots=2)).match["id"]
    service.matches.end(creator.token, match)
    assert not StoredMatches(service.redis).note_opened(match, 0)
    service.match_waves.run(match)
    assert games(service, match) == []
