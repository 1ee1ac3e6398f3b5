"""Forks through the service: who may go on from where, with whom, once for each key, and played to the end."""

import random
from functools import partial

import pytest

from games.records.verification import verify
from games.texts.catalogue import LANGUAGES, catalogue
from service import Settings, build
from service.store import keys
from tests.service.at_table import EN, Game, read, refusal, said
from tests.service.metrics.measured import measured

KEY = "a key"
TABLES = [("standard", 2), ("classic", 3), ("premium", 5), ("lovecraft", 3)]


def forking(game, player, key=None, **body):
    """Returns the call that forks a game."""
    return partial(game.service.tables.fork, player.token, game.id, body, key, words=EN)


def fork_of(game, player, **body):
    """Forks a game, and returns the fork with its one player."""
    made = read(forking(game, player, **body)())
    return Game(game.service, made["id"], player, {made["viewer"]["seat"]: player})


def played(service, seats=3, rng=1, **more):
    """Returns a game that went on for some turns, until all but seat 0 resigned."""
    return Game.begin(service, seats, **more).play(random.Random(rng), 24).cut_short()


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_fork_begins_as_its_player_saw_the_game_then_and_is_played_to_an_end_of_its_own(service, edition, seats):
    rng = random.Random(edition)
    old = played(service, seats, edition=edition, clock={"seconds": 900})
    last = old.view()["version"]
    for version, seat in ((last // 2, rng.randrange(seats)), (last - 1, 0)):
        fork = fork_of(old, old.guests[seat], version=version)
        now = fork.view(seat)
        then = old.view(seat, at=now["forked_from"]["version"])
        assert now["forked_from"] == {"game": old.id, "version": then["version"]}
        assert then["version"] <= version
        assert (now["clock"], now["visibility"]) == (None, "unlisted")
        for name in ("status", "to_act", "round", "edition", "options", "legal_actions"):
            assert now[name] == then[name] or name == "legal_actions", name
        own = {"player", "bank_ms"}
        assert [{k: v for k, v in one.items() if k not in own} for one in now["seats"]] == [
            {k: v for k, v in one.items() if k not in own} for one in then["seats"]
        ]
    fork.play(rng)
    assert fork.view(seat)["status"] == "finished"
    verdict = verify(service.games.log(fork.creator.token, fork.id))
    assert verdict.valid, verdict


def test_what_is_still_to_come_is_dealt_from_a_secret_of_its_own(service):
    old = played(service, 2, sandbox={"rounds": [{"starter": 0}, {"order": ["guard"]}]})
    first = min(one["version"] for one in old.events() if one["type"] == "card_played") - 1
    forks = [fork_of(old, old.creator, version=first) for _ in range(2)]
    for number, fork in enumerate(forks):
        created = fork.events(0)[0]["data"]
        assert created["sandbox_rounds"] == [None], "what was chosen is hidden"
        fork.play(random.Random(number))
    logs = [service.games.log(old.creator.token, one.id) for one in (old, *forks)]
    assert len({log["secret"] for log in logs}) == len({log["commitment"] for log in logs}) == 3
    decks = [[one["data"]["deck"] for one in log["events"] if one["type"] == "round_started"] for log in logs]
    assert decks[0][0] == decks[1][0] == decks[2][0], "the round that goes on has the deck it was dealt from"
    assert decks[0][1] != decks[1][1] != decks[2][1]


def test_one_key_makes_one_fork_which_is_answered_as_at_first(service, another, client):
    old = played(service)
    call = forking(old, old.creator, KEY, version=20)
    first = call()
    game = Game(service, read(first)["id"], old.creator, {0: old.creator})
    game.step(random.Random(1))
    assert call().body == first.body
    again = another().tables.fork(old.creator.token, old.id, {"version": 20}, KEY, words=EN)
    assert (again.body, again.replayed) == (first.body, True)
    assert refusal(forking(old, old.creator, KEY, version=21)).code == "idempotency_key_reused"
    assert len(client.keys("billet:*:log")) == 2
    assert fork_of(old, old.creator, version=20).id != game.id


def test_bots_sit_where_they_did_or_are_chosen_and_stand_in_for_people(service):
    old = Game.open(service, "creator", "random", "open", "open").fill().play(random.Random(3))
    fork = fork_of(old, old.guests[2], version=20, bots=[{"seat": 0, "bot": "random"}])
    seats = fork.view(2)["seats"]
    assert [seat["player"]["id"] for seat in seats] == ["bot-random", "bot-random", old.guests[2].id, "bot-cautious"]


def test_a_seat_that_had_left_is_nobodys(service):
    old = Game.begin(service, 3)
    service.tables.leave(old.token(1), old.id, words=EN)
    left = old.view()["version"]
    old.play(random.Random(1))
    refused = refusal(forking(old, old.guests[1], version=old.view()["version"] - 1))
    for language in LANGUAGES:
        assert "0, 2" in said(refused, catalogue(language))[1]
    assert refusal(forking(old, old.guests[0], version=left, seat=1)).code == "invalid_request"
    fork = fork_of(old, old.guests[1], version=left, seat=2).play(random.Random(2))
    assert fork.view(2)["seats"][1]["left"]
    assert verify(service.games.log(fork.creator.token, fork.id)).valid
    assert fork_of(old, old.guests[1], version=left - 1).view(1)["viewer"] == {"seat": 1}


def test_a_fork_is_told_of_to_its_player_alone_and_listed_for_them_alone(service, client):
    old = played(service)
    ann, ben = old.guests[0], old.guests[1]
    cursors = [service.notices.page(one.token)["cursor"] for one in (ann, ben)]
    fork = fork_of(old, ann, version=20)
    service.notifier.settle()
    told = service.notices.page(ann.token, after=cursors[0])["events"]
    assert [one["type"] for one in told if one["game"] == fork.id] in (["game_started"], ["game_started", "your_turn"])
    assert not [one for one in service.notices.page(ben.token, after=cursors[1])["events"] if one["game"] == fork.id]
    assert fork.id in [one["id"] for one in service.lobby.mine(ann.token)["items"]]
    assert fork.id not in [one["id"] for one in service.lobby.mine(ben.token)["items"]]
    assert fork.id not in [one["id"] for one in service.lobby.public(None)["items"]]


def test_forks_count_among_the_games_one_has_open_and_not_among_those_that_have_ended(redis_url):
    service = build(Settings(redis_url=redis_url, open_games=1))
    old = played(service)
    fork = fork_of(old, old.creator, version=20)
    refused = refusal(forking(old, old.creator, version=20))
    assert (refused.code, refused.limit) == ("rate_limited", "open_games")
    fork.play(random.Random(1))
    assert measured(service)["games_ended_total standard finished"] == 1
    fork_of(old, old.creator, version=20)


def test_a_fork_can_be_forked_and_played_again_from_the_same_point(service):
    old = played(service)
    rng = random.Random(5)
    fork = fork_of(old, old.creator, version=30)
    begun = fork.view(0)
    fork.play(rng)
    twig = fork_of(fork, old.guests[1], version=20, seat=1, join_code=begun["join_code"])
    assert twig.view(1)["forked_from"]["game"] == fork.id
    again = read(service.tables.rematch(old.creator.token, fork.id, words=EN))
    for name in ("round", "seats", "forked_from", "sandbox", "version"):
        assert again[name] == begun[name], name
    assert again["previous_game"] == fork.id
    for one in (twig, Game(service, again["id"], old.creator, {0: old.creator})):
        one.play(rng)
        assert verify(service.games.log(one.creator.token, one.id)).valid


def test_a_fork_is_there_whole_or_not_at_all_and_read_anew_as_it_was_made(service, another, client):
    old = played(service)
    fork = fork_of(old, old.creator, version=30)
    fresh = another()
    assert read(fresh.games.view(old.creator.token, fork.id, words=EN)) == fork.view(0)
    version = fork.view(0)["version"]
    for at in range(1, version + 1):
        assert read(fresh.games.view(old.creator.token, fork.id, at=at, words=EN))["version"] == at
    assert client.hget(keys.meta(fork.id), "head").split(b":")[0] == str(version).encode()
