"""What is damaged or lost of a match holds up no other, and keeps no deck sealed for ever."""

import pytest

from games.matches.setup import ROTATED, MatchSetup, deal_secret
from games.records.verification import verify
from service.matches import waves
from service.store import keys
from service.store.matches.stored_matches import StoredMatches
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, guest, refusal
from tests.service.matches.playing import body, finish, games, made, program, resign, running, view

DAMAGED = [{"setup": "{"}, {"setup": "{}"}, {"state": "?"}, {"secret": "xyz"}, {"secret": ""}]


@pytest.fixture
def creator(service):
    return guest(service)


@pytest.fixture
def programs(service):
    return [program(service, "One"), program(service, "Other")]


@pytest.mark.parametrize("fields", DAMAGED)
def test_a_damaged_match_is_left_out_of_lists_and_waves_and_its_creator_may_go(service, client, creator, fields):
    damaged, sound = made(service, creator, bots=2), made(service, creator, bots=2)
    client.hset(keys.match(damaged), mapping=fields)
    assert [one["id"] for one in service.matches.page(None)["items"]] == [sound]
    assert refusal(lambda: service.matches.view(None, damaged)).code == "not_found"
    for _ in range(3):
        for task in service.match_waves.tasks():
            service.match_waves.run(task.game)
    finish(service, sound)
    service.administration.erase(creator.id)


@pytest.mark.parametrize("fields", [None, *DAMAGED])
def test_a_match_that_is_lost_or_damaged_reveals_the_decks_of_its_games_once_they_have_ended(
    service, client, creator, programs, monkeypatch, fields
):
    monkeypatch.setattr(waves, "SETTLED_MS", -1)
    match = made(service, creator, *programs, deals=ROTATED, at_once=2)
    service.match_waves.run(match)
    first, second = running(service, match)
    secret = deal_secret(StoredMatches(service.redis).read(match).secret, 0)
    if fields is None:
        client.delete(keys.match(match))
    else:
        client.hset(keys.match(match), mapping=fields)
    resign(service, first, programs)
    service.match_waves.run(match)
    assert refusal(lambda: service.games.view(None, first, words=EN)).code == "game_not_finished", "one still runs"
    assert client.zrange(keys.MATCHES_DUE, 0, -1) == [match.encode()], "it is looked at again"
    assert client.zrange(keys.DAMAGED, 0, -1) == [match.encode()], "operators are told"
    resign(service, second, programs)
    service.match_waves.run(match)
    for game in (first, second):
        log = service.games.log(None, game)
        assert log["secret"] == secret.hex()
        assert verify(log).divergence is None
    assert not client.exists(keys.MATCHES, keys.MATCHES_DUE)


def test_a_rebuild_has_workers_look_at_all_matches_again(service, settings, client, creator, programs, monkeypatch):
    monkeypatch.setattr(waves, "SETTLED_MS", -1)
    match = made(service, creator, *programs, deals=ROTATED, games=2, at_once=2)
    service.match_waves.run(match)
    opened = running(service, match)
    for game in opened:
        resign(service, game, programs)
    client.delete(keys.match(match), keys.MATCHES, keys.MATCHES_DUE)
    rebuild(settings)
    for task in service.match_waves.tasks():
        service.match_waves.run(task.game)
    for game in opened:
        assert service.games.log(None, game)["secret"]


@pytest.mark.parametrize("stored", ["{", "[]", "[[1],[2]]", "null"])
def test_a_damaged_outcome_is_read_from_its_log_again(service, client, creator, stored):
    match = made(service, creator, bots=2)
    finish(service, match)
    before = view(service, match)
    client.hset(keys.match(match), "game:1", stored)
    assert view(service, match)["played"] == 3
    service.match_waves.run(match)
    assert view(service, match) == before


def test_a_damaged_game_holds_up_no_other_of_its_match_and_can_be_removed(service, client, creator, programs):
    match = made(service, creator, *programs, deals=ROTATED, at_once=2)
    service.match_waves.run(match)
    damaged, other = running(service, match)
    service.match_waves.run(match)
    resign(service, other, programs)
    client.xtrim(keys.log(damaged), maxlen=1)
    client.hset(keys.meta(damaged), "status", "finished")
    service.match_waves.run(match)
    assert view(service, match)["played"] == 1
    service.administration.delete(damaged)
    assert finish(service, match, programs)["played"] == 4
    statuses = {game["game"]: game["status"] for game in games(service, match)}
    assert statuses.pop(damaged) == "aborted", "its cards are not dealt again"
    assert {*statuses.values()} == {"finished"}
    assert not client.exists(keys.meta(damaged))


def test_a_game_that_cannot_be_opened_holds_up_no_other(service, client, creator, monkeypatch):
    match = made(service, creator, bots=2, at_once=4)
    opening, failed = MatchSetup.opening, []

    def fail_once(setup, number, *more):
        if not failed:
            failed.append(number)
            raise ValueError("there is no such edition any more")
        return opening(setup, number, *more)

    monkeypatch.setattr(MatchSetup, "opening", fail_once)
    service.match_waves.run(match)
    assert len([one for one in running(service, match) if client.exists(keys.meta(one))]) == 3
    assert finish(service, match)["played"] == 4


@pytest.mark.parametrize("stored", ["{", "{}", '{"versions":[],"author":null,"about":null,"accepts":{}}', "[]"])
def test_a_damaged_description_of_a_program_is_left_out_wherever_it_is_read(service, client, creator, programs, stored):
    one, other = programs
    client.hset(keys.player(one.id), "program", stored)
    assert [found["id"] for found in service.programs.page(None)["items"]] == [other.id]
    assert service.pages.page(None, one.id, EN)["program"] is None
    assert service.players.me(one.token)["program"] is None
    assert service.own_data.of(one.token)["program"] is None
    match = service.matches.create(creator.token, body(one, other)).match["id"]
    for each in programs:
        service.matches.accept(each.token, match)
    assert finish(service, match, programs)["played"] == 4
    described = service.players.change(one.token, program={"version": "2"})["program"]
    assert described["version"] == "2", "it can describe itself anew"
