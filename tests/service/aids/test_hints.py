"""Hints and deductions: who gets them, that they tell nothing that a seat does not know, and how they are counted."""

import pytest

from engine.bots.expert.search import Rating
from engine.logs.codec import read_action
from games.aids.hints import advice
from games.aids.reasons import percent
from games.errors import Refused
from games.texts.catalogue import LANGUAGES, catalogue
from service import build
from service.settings import Settings
from tests.service.at_table import EN, guest, read

POSITION = {
    "hands": [["guard", "priest"], ["princess"]],
    "set_aside": "spy",
    "shown_aside": [],
    "deck": ["king", "guard"],
}


def table(service, ann, bob, **position):
    """Opens a sandbox that begins in a position, for two players."""
    seats = [{"kind": "creator"}, {"kind": "open"}]
    sandbox = {"positions": [{**POSITION, "turn": 0, **position}]}
    asked = {"edition": "standard", "seats": seats, "sandbox": sandbox}
    game = read(service.tables.create(ann.token, asked, words=EN))["id"]
    service.tables.take_seat(bob.token, game, {}, words=EN)
    return game


@pytest.fixture
def players(service):
    return guest(service, "Ann"), guest(service, "Ben")


def hint(service, player, game, words=EN):
    return read(service.hints.read(player.token, game, words=words))


def counted(service, player, game, **more):
    return [seat["hints"] for seat in read(service.games.view(player.token, game, words=EN, **more))["seats"]]


def code(call):
    with pytest.raises(Refused) as refused:
        call()
    return refused.value.code


def test_a_hint_is_a_legal_action_and_is_the_same_when_asked_again(service, players):
    ann, _ = players
    game = table(service, *players)
    first = hint(service, ann, game)
    legal = [one["action"] for one in read(service.games.view(ann.token, game, words=EN))["legal_actions"]]

    assert first["action"] in legal
    assert first["action"] == first["worth"][0]["action"]
    assert hint(service, ann, game) == first
    assert all(0 <= one["chance_to_win_round"] <= 1 for one in first["worth"])


def test_two_games_that_look_alike_to_a_seat_have_the_same_hint_and_the_same_deductions(service, players):
    ann, _ = players
    one = table(service, *players)
    other = table(
        service, *players, hands=[["guard", "priest"], ["baron"]], set_aside="princess", deck=["guard", "spy"]
    )

    for ask in (hint, lambda *asked: read(service.deductions.read(ann.token, asked[2], as_=0, words=EN))):
        assert ask(service, ann, one) == ask(service, ann, other)


def test_a_hint_counts_once_for_each_decision_and_for_everybody_to_see(service, players):
    ann, bob = players
    game = table(service, *players)
    before = read(service.games.view(bob.token, game, words=EN))["version"]
    assert counted(service, bob, game) == [0, 0]
    hint(service, ann, game)
    hint(service, ann, game)
    assert counted(service, bob, game) == [1, 0]
    look = read_action({"type": "play_card", "card": "priest", "targets": [1]})
    service.play.act(ann.token, game, look, words=EN)
    hint(service, bob, game)
    assert counted(service, ann, game) == [1, 1]
    assert counted(service, ann, game, at=before) == [1, 0]


def test_what_is_counted_lasts_and_changes_the_tag_of_the_view(service, players, redis_url):
    ann, _ = players
    game = table(service, *players)
    tag = service.games.view(ann.token, game, words=EN).tag
    hint(service, ann, game)

    assert service.games.view(ann.token, game, words=EN).tag != tag
    assert counted(build(Settings(redis_url=redis_url)), ann, game) == [1, 0]


def test_a_hint_is_about_the_game_as_it_is_when_it_has_gone_on_meanwhile(service, players, monkeypatch):
    ann, _ = players
    game = table(service, *players)
    look = read_action({"type": "play_card", "card": "priest", "targets": [1]})

    def slow(*known):
        service.play.act(ann.token, game, look, words=EN)
        return advice(*known)

    monkeypatch.setattr("service.aids.hints.advice", slow)
    assert code(lambda: hint(service, ann, game)) == "not_your_turn"
    assert counted(service, ann, game) == [0, 0]


def test_who_does_not_have_to_act_gets_no_hint_and_none_is_counted(service, players):
    ann, bob = players
    game = table(service, *players)

    assert code(lambda: hint(service, bob, game)) == "not_your_turn"
    assert code(lambda: hint(service, guest(service), game)) == "not_seated"
    service.tables.leave(bob.token, game, words=EN)
    assert code(lambda: hint(service, ann, game)) == "game_over"
    assert counted(service, ann, game) == [0, 0]


@pytest.mark.parametrize("setup", [{"aids": False}, {"rated": True}, {"rated": True, "aids": True}])
def test_a_table_may_do_without_aids_and_a_rated_one_always_does(service, players, setup):
    ann, bob = players
    asked = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}], "starter": 0, **setup}
    game = read(service.tables.create(ann.token, asked, words=EN))["id"]
    service.tables.take_seat(bob.token, game, {}, words=EN)

    assert code(lambda: hint(service, ann, game)) == "aids_off"
    assert code(lambda: service.deductions.read(ann.token, game, words=EN)) == "aids_off"
    assert read(service.games.view(ann.token, game, words=EN))["unseen"] is None
    service.tables.leave(bob.token, game, words=EN)
    assert read(service.deductions.read(bob.token, game, words=EN))["seats"]


def test_before_a_round_there_is_no_hint(service, players):
    ann, _ = players
    asked = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}
    game = read(service.tables.create(ann.token, asked, words=EN))["id"]

    assert code(lambda: hint(service, ann, game)) == "game_not_started"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_says_why(service, players, language):
    ann, bob = players
    game = table(service, *players, hands=[["guard", "priest"], ["king"]], deck=["handmaid", "guard"])
    words = catalogue(language)
    look = read_action({"type": "play_card", "card": "priest", "targets": [1]})
    service.play.act(ann.token, game, look, words=words)
    reasons = hint(service, bob, game, words)["reasons"]

    assert 2 <= len(reasons) <= 3
    assert words.text("hint.last_own_turn", count=1) in reasons


def test_a_hand_that_was_seen_is_a_reason(service, players):
    ann, bob = players
    game = table(service, *players, hands=[["guard", "priest"], ["king"]], deck=["spy", "handmaid", "priest"])
    for player, card, targets in ((ann, "priest", [1]), (bob, "spy", [])):
        action = read_action({"type": "play_card", "card": card, "targets": targets})
        service.play.act(player.token, game, action, words=EN)
    found = hint(service, ann, game)

    assert found["action"] == {"type": "play_card", "card": "guard", "targets": [1], "guess": "king"}
    assert found["reasons"][0] == "You know what Ben holds: the King."


def test_the_next_best_action_is_named_only_where_its_percentage_is_smaller(service, players, monkeypatch):
    ann, _ = players
    game = table(service, *players)

    def rated(shares):
        monkeypatch.setattr(
            "games.aids.hints.rate",
            lambda question, _: [
                Rating(question.legal[place], -place, 0.5, share) for place, share in enumerate(shares)
            ],
        )
        return hint(service, ann, game)["reasons"]

    assert EN.text("hint.wins_more", percent=57, other=56) in rated([0.571, 0.561])
    assert EN.text("hint.wins", percent=57) in rated([0.571, 0.568])


@pytest.mark.parametrize(("chance", "said"), [(0, 0), (0.001, 1), (0.125, 13), (0.999, 99), (1, 100)])
def test_a_chance_is_rounded_as_people_do_and_certain_only_where_it_is(chance, said):
    assert percent(chance) == said
