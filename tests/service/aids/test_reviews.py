"""Reviews of ended games: what they find, that they are the same again, and that workers lose at most a choice."""

import random

import pytest

from games.errors import Damaged, Refused
from games.notices import REVIEW_READY
from games.texts.catalogue import LANGUAGES, catalogue
from service.aids import reviews
from service.aids.reviews import LEASE_MS
from service.store import keys
from service.store.feeds.stored_notices import StoredNotices
from service.store.log.stored_reviews import StoredReviews
from tests.service.aids.briefly import judge_briefly
from tests.service.at_table import EN, Game, guest, nearly_won, read, refusal, told
from tests.service.daily import trying
from tests.service.upkeep.archived import called_off, ended

BLUNDER = {
    "tokens": [5, 5],
    "hands": [["princess", "guard"], ["baron"]],
    "set_aside": "spy",
    "shown_aside": [],
    "deck": ["king", "priest", "handmaid"],
    "turn": 0,
}
"""Whoever wins the round wins the game, and the first may lose it at once."""


@pytest.fixture(autouse=True)
def briefly(monkeypatch):
    """No test looks at how well the expert judges."""
    judge_briefly(monkeypatch)


def blunder(service):
    """Returns a game that the first seat has thrown away with its only choice."""
    game = Game.begin(service, 2, sandbox={"positions": [BLUNDER]})
    game.act(0, {"type": "play_card", "card": "princess", "targets": []})
    return game


def ask(game, words=EN, *, by=None, admit=lambda: None, **more):
    """Asks for a review, as a seat or as a watcher."""
    return game.service.reviews.read(game.token(by), game.id, admit=admit, words=words, **more)


def work(game, service=None):
    """Works on a review until it is done."""
    while (service or game.service).reviews.work(game.id):
        pass


def reviewed(game, words=EN):
    """Returns the review of a game, made now if it is not there."""
    if not ask(game, words).done:
        work(game)
    found = ask(game, words)
    assert found.done
    return read(found.answer)


def refuse():
    raise Refused("rate_limited", "enough")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_threw_the_game_away_is_the_mistake_and_where_it_turned(service, language):
    game, words = blunder(service), catalogue(language)
    found = reviewed(game, words)
    [made] = found["decisions"]

    assert made["played"] == {"type": "play_card", "card": "princess", "targets": []}
    assert made["best"]["card"] == "guard"
    assert (made["seat"], made["round"], made["mark"]) == (0, 1, "mistake")
    worth = {one["action"]["card"]: one["chance_to_win_game"] for one in made["worth"]}
    assert worth["princess"] == 0
    assert made["loss"] == pytest.approx(made["worth"][0]["chance_to_win_game"])
    first, last = found["chances"]
    assert last == {"version": game.view()["version"], "by_seat": [0, 1]}
    assert found["swing"]["version"] == first["version"] == made["version"]
    assert found["swing"]["after"] in (0, 1)
    assert sum(first["by_seat"]) == pytest.approx(1, abs=0.001)
    assert made["played_text"] in made["text"]
    assert made["best_text"] in made["text"]
    assert made["text"] in found["summary"][1]
    assert found["summary"][2] == words.text("review.seat", player="Ann", count=1, slips=0, mistakes=1)


def test_a_choice_is_judged_by_what_its_seat_knew_and_not_by_what_came_of_it(service):
    """Two games that look alike to the seat; in one of them it was lucky."""
    position = {**BLUNDER, "hands": [["priest", "guard"], ["baron"]]}
    other = {**position, "hands": [["priest", "guard"], ["handmaid"]], "deck": ["king", "priest", "baron"]}
    guess = {"type": "play_card", "card": "guard", "targets": [1], "guess": "baron"}
    facts = []
    for one in (position, other):
        game = Game.begin(service, 2, sandbox={"positions": [one]})
        game.act(0, guess)
        game.cut_short()
        facts.append(reviewed(game)["decisions"][0])

    for one in facts:
        del one["version"]
    assert facts[0] == facts[1]


@pytest.mark.parametrize(("edition", "seats"), [("standard", 4), ("classic", 2), ("premium", 5), ("lovecraft", 3)])
def test_a_whole_game_has_a_worth_for_each_choice_and_chances_that_add_up(service, edition, seats):
    game = Game.begin(service, seats, edition=edition, sandbox=nearly_won(edition, seats)).play(random.Random(edition))
    found = reviewed(game)

    actions = sum(event["type"] == "card_played" for event in game.events())
    assert len(found["decisions"]) >= actions, "those within an effect count too"
    assert len(found["chances"]) == len(found["decisions"]) + 1
    for one in found["decisions"]:
        acted = {seat["action"]["type"] for seat in one["worth"]}
        assert one["played"]["type"] in acted
        assert one["worth"][0]["action"] == one["best"]
        assert one["played"] in [each["action"] for each in one["worth"]]
        assert 0 <= one["loss"] <= 1
        assert (one["loss"] == 0) or one["played"] != one["best"]
    for at in found["chances"]:
        assert sum(at["by_seat"]) == pytest.approx(1, abs=0.001)


def test_made_again_by_another_worker_a_review_is_the_same(service, another, client):
    game = ended(service, 7)
    first = reviewed(game)
    assert first["decisions"]
    client.delete(keys.review(game.id))
    assert not ask(game).done
    work(game, another())

    assert reviewed(game) == first


def test_a_worker_that_is_killed_loses_a_choice_and_a_sweeper_finds_the_review(service, clock, monkeypatch):
    game = ended(service, 8)
    ask(game)
    assert service.reviews.work(game.id) is not None, "there is more"
    progress = read(ask(game).answer)
    assert 0 < progress["judged"] < progress["decisions"]

    with monkeypatch.context() as patched:  # as if the process ended: nothing after it runs
        patched.setattr(reviews, "judged", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            service.reviews.work(game.id)
    assert read(ask(game).answer) == progress
    assert service.reviews.tasks() == []
    clock.advance(LEASE_MS / 1000 + 1)
    [task] = service.reviews.tasks()
    assert (task.kind, task.game) == ("review", game.id)
    assert service.reviews.tasks() == [], "it is claimed"
    work(game)
    assert ask(game).done
    clock.advance(LEASE_MS / 1000 + 1)
    assert service.reviews.tasks() == []


def test_a_review_that_fails_is_left_and_begun_again_by_whoever_asks(service, monkeypatch, caplog):
    game = ended(service, 8)
    ask(game)
    with monkeypatch.context() as patched:
        patched.setattr(reviews, "judged", lambda *_: 1 // 0)
        assert service.reviews.work(game.id) is None
    assert "ZeroDivisionError" in caplog.text
    assert service.redis.send(("ZCARD", keys.REVIEWS)) == [0]
    assert not ask(game).done
    work(game)
    assert ask(game).done


def test_asked_twice_at_once_it_is_one_work_and_counts_once(service, another, monkeypatch):
    game, admitted, asked, answers = ended(service, 8), [], [], []
    monkeypatch.setattr("service.jobs.queue.Jobs.enqueue_soon", lambda jobs, task: asked.append(task))
    for one in (service, another(), service):
        found = one.reviews.read(None, game.id, join_code=None, admit=lambda: admitted.append(1), words=EN)
        answers.append(read(found.answer))
    assert not StoredReviews(service.redis).begin(game.id, 0), "whoever comes second begins nothing"
    work(game)
    assert answers == [{"judged": 0, "decisions": len(read(ask(game).answer)["decisions"])}] * 3
    assert len(admitted) == len(asked) == 1


def test_who_begins_too_many_is_refused_but_may_read_what_is_there(service):
    game = ended(service, 8)
    assert refusal(ask, game, admit=refuse).code == "rate_limited"
    assert service.redis.send(("ZCARD", keys.REVIEWS)) == [0]
    reviewed(game)
    assert ask(game, admit=refuse).done


def test_who_only_looks_begins_nothing(service):
    game = ended(service, 8)
    assert not ask(game, admit=refuse, begin=False).done
    assert service.redis.send(("ZCARD", keys.REVIEWS)) == [0]
    reviewed(game)
    assert ask(game, admit=refuse, begin=False).done


def test_only_so_many_reviews_are_under_way(service, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_UNDER_WAY", 1)
    first, second = ended(service, 8), ended(service, 9)
    ask(first)
    assert refusal(ask, second).limit == "reviewing_at_once"
    assert not ask(first).done
    work(first)
    assert not ask(second).done


def test_a_game_that_runs_is_sealed_or_never_began_is_not_reviewed(service, clock, client):
    running = Game.begin(service, 2)
    assert refusal(ask, running, by=0).code == "game_not_finished"
    assert refusal(ask, called_off(service)).code == "game_not_started"
    trying.at_noon(clock, client)
    person = trying.person(service, clock)
    game = trying.begin(service, person)["id"]
    service.tables.leave(person.token, game, words=EN)
    call = {"join_code": None, "admit": refuse, "words": EN}
    assert refusal(service.reviews.read, person.token, game, **call).code == "game_not_finished"
    for one in (running.id, game, "nothing"):
        assert service.reviews.work(one) is None
        assert client.exists(keys.review(one)) == 0
    assert client.zcard(keys.REVIEWS) == 0


def test_an_unlisted_game_is_reviewed_for_those_who_may_see_it(service):
    game = ended(service, 8, visibility="unlisted")
    stranger = guest(service, "Cleo")
    call = {"admit": refuse, "words": EN}
    assert refusal(service.reviews.read, stranger.token, game.id, join_code=None, **call).code == "join_code_wrong"
    assert not ask(game, by=1).done


def test_those_who_sat_there_are_told_once(service, client):
    game, watcher = ended(service, 8, seats=3), guest(service, "Cleo")
    for player in (*game.guests.values(), watcher):
        told(service, player)  # from now on notices are kept
    before = {player.id: told(service, player)["cursor"] for player in (*game.guests.values(), watcher)}
    reviewed(game)
    client.delete(keys.review(game.id))
    reviewed(game)

    for seat, player in game.guests.items():
        [notice] = told(service, player, before[player.id])["events"]
        assert (notice["type"], notice["game"], notice["seats"]) == (REVIEW_READY, game.id, [seat])
        assert notice["version"] == game.view()["version"]
    assert told(service, watcher, before[watcher.id])["events"] == []


def test_a_review_goes_with_its_game_and_nothing_is_kept_of_one_that_is_gone(service, log, client):
    game = ended(service, 8)
    reviewed(game)
    assert 0 < client.ttl(keys.review(game.id)) <= 28 * 24 * 3600
    snapshot = log.read(game.id).snapshot
    service.administration.delete(game.id)
    assert client.exists(keys.review(game.id)) == 0
    StoredReviews(service.redis).keep(snapshot, 1, {1: {}})
    assert client.exists(keys.review(game.id)) == 0


def test_nobody_is_told_of_the_review_of_a_game_that_is_removed_meanwhile(service, client, monkeypatch, caplog):
    game, real = blunder(service), reviews.judged
    told(service, game.guests[0])  # from now on notices are kept

    def removed_meanwhile(*asked):
        service.administration.delete(game.id)
        return real(*asked)

    ask(game)
    monkeypatch.setattr(reviews, "judged", removed_meanwhile)
    work(game)
    service.notifier.settle()
    kept = StoredNotices(service.redis).kept(game.guests[0].id)
    assert REVIEW_READY not in [notice["type"] for notice in kept]
    assert client.zcard(keys.REVIEWS) == 0
    assert "has failed" not in caplog.text


def test_a_game_whose_log_is_damaged_is_refused_and_not_begun_again_and_again(service, another, client):
    game = ended(service, 8)
    damaged = {name: value[:-3] + b"0" + value[-2:] for name, value in client.xrange(keys.log(game.id))[3][1].items()}
    entries = client.xrange(keys.log(game.id))
    client.delete(keys.log(game.id))
    for place, (name, fields) in enumerate(entries):
        client.xadd(keys.log(game.id), damaged if place == 3 else fields, id=name)
    with pytest.raises(Damaged):
        another().reviews.read(None, game.id, join_code=None, admit=lambda: None, words=EN)
    assert client.zcard(keys.REVIEWS) == 0


def test_a_review_of_another_end_of_the_game_counts_for_nothing(service, client):
    """As after a failover that has lost the end of a game, which then ended otherwise."""
    game = ended(service, 8)
    first = reviewed(game)
    client.hset(keys.review(game.id), mapping={"head": "another", "9999": b""})
    assert not ask(game).done
    assert reviewed(game) == first


def test_what_a_seat_did_not_choose_is_no_decision_but_shows_in_the_chances(service, clock):
    game = Game.begin(service, 2, clock={"seconds": 60, "on_timeout": "bot_plays"}, sandbox={"positions": [BLUNDER]})
    clock.advance(61)
    seat = game.to_act()
    assert seat is not None or game.view()["status"] == "finished"
    game.cut_short()
    found = reviewed(game)

    assert found["decisions"] == []
    assert len(found["chances"]) == 2
