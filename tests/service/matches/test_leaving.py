"""Matches leave when their games go to the archive, and their lists come back from what is stored of them."""

from contextlib import suppress

import pytest

from games.matches.setup import ROTATED
from games.tables.lifetimes import DAY_MS
from service import Settings, build
from service.matches.waves import SETTLED_MS
from service.store import keys
from service.store.matches.stored_matches import StoredMatches
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, guest, read, refusal
from tests.service.matches.playing import body, finish, games, made, program, view
from tests.service.queue.killing import Kill, Killed
from tests.service.upkeep.archived import made as folder

TRIPS = 5
"""How many round trips it takes to find and to remove a match."""
LISTS = (keys.MATCHES, keys.MATCHES_DUE, keys.MATCHES_OVER)


@pytest.fixture
def settings(redis_url, tmp_path) -> Settings:
    return Settings(redis_url=redis_url, archive_url=str(folder(tmp_path / "archive")), retain_finished_days=1)


def over(service, *programs, **more):
    """Returns a match that is over, and is known to be."""
    match = made(service, guest(service), *programs, **more)
    finish(service, match, programs)
    service.match_waves.run(match)
    return match


def names_of(client, match):
    """Returns the keys of Redis that hold a match, or an entry of it."""
    lists = [name for name in client.scan_iter("billet:*", _type="zset") if client.zscore(name, match) is not None]
    return {*lists, *client.keys(keys.match(match))}


def test_a_match_goes_when_its_days_are_over_and_its_games_still_name_it(service, client, clock, settings):
    creator, one = guest(service), program(service)
    match, going = over(service, one, bots=1, games=2), made(service, creator, one, bots=1)
    [game] = [found["game"] for found in games(service, match)][:1]
    clock.advance(DAY_MS / 1000 - 1)
    assert list(service.retention.remove_matches()) == []
    clock.advance(2)
    assert list(build(Settings(redis_url=settings.redis_url)).retention.remove_matches()) == [], "for good by default"
    assert list(service.retention.remove_matches()) == [match]
    assert names_of(client, match) == set()
    assert refusal(lambda: view(service, match)).code == "not_found"
    assert read(service.games.view(None, game, words=EN))["match"]["id"] == match
    assert [found["id"] for found in service.matches.page(None, player=one.id)["items"]] == [going]
    clock.advance(100 * DAY_MS / 1000)
    assert list(service.retention.remove_matches()) == [], "the other one is not over"


@pytest.mark.parametrize("trip", range(TRIPS))
def test_a_removal_goes_on_wherever_it_was_killed(service, another, client, monkeypatch, trip):
    match = over(service, program(service), bots=1, games=2)
    service.notifier.settle()  # it would be killed, too
    with monkeypatch.context() as patch:
        kill = Kill(patch, trip)
        with suppress(Killed):
            list(another().retention.remove_matches(0))
    assert kill.has_killed, "there are so many round trips"
    list(another().retention.remove_matches(0))
    assert names_of(client, match) == set()


def test_lists_of_matches_come_back_from_what_is_stored_of_them(service, client, settings):
    creator, gone = guest(service), guest(service)
    one, other = program(service, "One"), program(service, "Other")
    ended, left = over(service, one, bots=1, games=2), made(service, gone, bots=2)
    service.matches.create(creator.token, body(one, other))
    service.matches.forget(gone.id)
    client.delete(keys.player(gone.id))
    service.match_waves.run(left)
    stored = StoredMatches(service.redis)

    def of_players():
        return [[*stored.invitations(player.id)] for player in (one, other)], stored.not_ended(creator.id)

    found = of_players()
    assert ([*map(len, found[0])], len(found[1])) == ([1, 1], 1)
    names = [*LISTS, *[keys.matches_of(player.id) for player in (creator, one, other)]]
    before = [client.zrange(name, 0, -1) for name in names]
    assert all(before)
    client.delete(*names, *[keys.matches_invited(player.id) for player in (one, other)], keys.matches_made(creator.id))
    rebuild(settings)
    for match in (ended, left):
        service.match_waves.run(match)
    assert [client.zrange(name, 0, -1) for name in names] == before
    assert of_players() == found
    assert not client.exists(keys.matches_of(gone.id), keys.matches_made(gone.id))


def test_a_rebuild_leaves_a_match_that_has_gone_at_rest(service, client, clock, settings):
    match = over(service, bots=2, games=2, deals=ROTATED)
    list(service.retention.remove_matches(0))
    clock.advance(SETTLED_MS / 1000 + 1)
    rebuild(settings)
    assert service.match_waves.tasks() == []
    assert not client.exists(*LISTS, keys.match(match), keys.DAMAGED)
