"""Sandbox games: decks and starters are as their creator chose, the rest is shuffled."""

import random
from collections import Counter

import pytest

from engine.editions import rulebook
from tests.service.at_table import EN, Game, read

TABLES = [("standard", seats) for seats in range(2, 7)] + [("classic", seats) for seats in range(2, 5)]


OF_ONE_GAME = ("game_created", "seat_taken", "game_started", "secret_revealed")
"""Events that name players, ids or secrets."""


def whole_deck(edition, seats):
    """Returns the deck of a table in an order of the test's own."""
    deck = list(rulebook(edition, seats, {}).deck)
    random.Random(f"{edition}{seats}").shuffle(deck)
    return deck


def dealt(game, number=1):
    """Returns how a round of an ended game was dealt: set aside, shown aside, hands, draw pile."""
    rounds = [entry for entry in events_as_all(game) if entry["type"] == "round_started"]
    data = rounds[number - 1]["data"]
    return [data["set_aside"], *data["shown_aside"], *[card for card in data["hands"] if card], *data["deck"]]


def events_as_all(game):
    log = game.service.games._log
    return [{"type": entry.event.type, "data": vars_of(entry.event)} for entry in log.entries(game.id, 0)]


def vars_of(event):
    return {name: getattr(event, name) for name in event.fields}


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_whole_deck_lies_as_it_was_given(service, edition, seats):
    order = whole_deck(edition, seats)
    game = Game.begin(service, seats, edition=edition, sandbox={"rounds": [{"starter": seats - 1, "order": order}]})
    shown = 3 if seats == 2 else 0
    assert dealt(game) == order
    view = game.view()
    assert view["sandbox"]
    assert view["round"]["shown_aside"] == order[1 : 1 + shown]
    assert view["round"]["starter"] == view["to_act"] == seats - 1
    for seat in range(seats):
        assert game.view(seat)["seats"][seat]["hand"][0] == order[1 + shown + seat], "seat 0 first, whoever begins"
    assert game.view(seats - 1)["seats"][seats - 1]["hand"][1] == order[1 + shown + seats], "the top of the draw pile"


@pytest.mark.parametrize(("edition", "seats"), TABLES)
@pytest.mark.parametrize("count", [0, 1, 3, 7])
def test_a_prefix_is_completed_by_shuffling(service, edition, seats, count):
    order = whole_deck(edition, seats)
    decks = []
    for _ in range(3):
        game = Game.begin(service, seats, edition=edition, sandbox={"rounds": [{"order": order[:count]}]})
        decks.append(dealt(game))
        assert decks[-1][:count] == order[:count]
        assert Counter(decks[-1]) == Counter(order)
    assert decks[0] != decks[1] or decks[1] != decks[2]


def test_each_round_is_as_it_was_chosen_and_those_beyond_the_list_are_shuffled(service):
    first, third = whole_deck("standard", 3), whole_deck("standard", 3)[::-1]
    rounds = [{"starter": 2, "order": first}, {"starter": 0}, {"order": third[:5]}, {}]
    game = Game.begin(service, 3, sandbox={"rounds": rounds})
    assert (dealt(game), game.view()["round"]["starter"]) == (first, 2)
    game.play(random.Random(1))
    starts = [entry["data"] for entry in events_as_all(game) if entry["type"] == "round_started"]
    assert len(starts) >= 3
    assert starts[1]["starter"] == 0, "whoever won the round before"
    assert dealt(game, 3)[:5] == third[:5]


def test_a_sandbox_without_rounds_is_a_marked_game(service):
    for sandbox in ({}, {"rounds": []}):
        game = Game.begin(service, 2, sandbox=sandbox)
        assert game.view()["sandbox"]
        assert game.play(random.Random(1)).view()["status"] == "finished"


def test_the_chosen_decks_are_not_shown_to_anybody_before_the_end(service):
    game = Game.begin(service, 2, edition="classic", sandbox={"rounds": [{}, {"order": ["princess"]}]})
    for viewer in (None, 0, 1):
        created = game.events(viewer)[0]
        assert created["data"]["sandbox"] is True
        assert not any(created["data"]["sandbox_rounds"] or ())


def test_the_same_sandbox_played_the_same_way_is_the_same_game(service):
    decks = [{"starter": 0, "order": whole_deck("standard", 2)} for _ in range(30)]
    courses = []
    for _ in range(2):
        game = Game.begin(service, 2, sandbox={"rounds": decks})
        while (seat := game.to_act()) is not None:
            game.act(seat, game.legal(seat)[0])
        courses.append([entry for entry in events_as_all(game) if entry["type"] not in OF_ONE_GAME])
    assert courses[0] == courses[1]


def test_bots_play_in_a_sandbox(service):
    order = whole_deck("standard", 3)
    game = Game.open(service, "creator", "cautious", "random", sandbox={"rounds": [{"starter": 1, "order": order}]})
    assert game.play(random.Random(1)).view()["status"] == "finished"
    assert read(service.games.view(None, game.id, as_="all", at=8, words=EN))["seats"][0]["hand"] == [order[1]]
