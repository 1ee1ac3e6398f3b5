"""What the interface says of the editions is all one needs to draw a reference card and to know what a play takes."""

import pytest

from engine.actions import PlayCard
from engine.editions import EDITIONS, rulebook
from engine.options import faces, plays_of
from tests.second_model.model.questions import QUESTIONS


def detail(client, edition):
    return client.get(f"/v1/editions/{edition}").json


def cards(client, edition):
    return {card["card"]: card for card in detail(client, edition)["cards"]}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_table_has_its_deck(client, edition):
    found = detail(client, edition)
    for place, row in enumerate(found["tables"]):
        book = rulebook(edition, row["seats"], {})
        copies = {card["card"]: card["copies_by_seats"][place] for card in found["cards"]}
        assert {count["seats"] for count in copies.values()} == {row["seats"]}
        assert sum(count["copies"] for count in copies.values()) == row["deck_size"] == len(book.deck)
        assert row["max_turns"] == row["deck_size"] - row["seats"] - row["shown_aside"] - 1
    assert [card["copies"] for card in found["cards"]] == [
        card["copies_by_seats"][-1]["copies"] for card in found["cards"]
    ]
    assert [card["value"] for card in found["cards"]] == sorted(card["value"] for card in found["cards"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_play_takes_what_the_card_says(client, edition):
    """Compares with every play of every card at full tables, for the sane and the insane."""
    for row in detail(client, edition)["tables"]:
        book = rulebook(edition, row["seats"], {})
        everybody = 2 ** row["seats"] - 1
        for key, card in cards(client, edition).items():
            if key not in book.cards:
                continue
            offered = plays_of(book, key, True, 0, everybody, None)
            assert [way["face"] for way in card["faces"]] == list(faces(book.cards[key], True))
            for way in card["faces"]:
                check_plays([play for play in offered if play.face == way["face"]], way, row)


def check_plays(plays: list[PlayCard], way, row):
    targets, counts = way["targets"], {len(play.targets) for play in plays}
    assert counts == set(range(targets["min"], min(targets["max"], row["seats"]) + 1))
    assert any(0 in play.targets for play in plays) == targets["own"]
    named = {play.guess for play in plays} - {None}
    assert {type(what) for what in named} == {None: set(), "card": {str}, "value": {int}}[way["guess"]]
    assert named <= {*row["guesses"], *row["guess_values"]}


def test_what_may_be_named_depends_on_the_table(client):
    tables = {row["seats"]: row for row in detail(client, "premium")["tables"]}
    assert tables[4]["guess_values"] == [2, 3, 4, 5, 6, 7, 8]
    assert tables[5]["guess_values"] == [0, 2, 3, 4, 5, 6, 7, 8, 9]
    assert tables[5]["guesses"] == []
    assert "guard" not in detail(client, "standard")["tables"][0]["guesses"]
    assert detail(client, "standard")["tables"][0]["guess_values"] == []


def test_a_small_table_plays_without_some_cards(client):
    jester = cards(client, "premium")["jester"]
    assert jester["copies_by_seats"][0] == {"seats": 2, "copies": 0}
    assert jester["copies_by_seats"][-1] == {"seats": 8, "copies": 1}


def test_what_a_card_may_ask_for(client):
    asked = {
        (edition, key): card["decisions"]
        for edition in EDITIONS
        for key, card in cards(client, edition).items()
        if card["decisions"]
    }
    assert asked == {card: [kind] for card, kind in QUESTIONS.items()}


def test_the_insane_have_a_second_way(client):
    found = cards(client, "lovecraft")
    assert [way["face"] for way in found["deep_ones"]["faces"]] == ["sane", "insane"]
    assert found["deep_ones"]["insanity"] is True
    sane, insane = found["mi_go"]["faces"]
    assert sane["targets"] == {"min": 1, "max": 1, "own": True}
    assert insane["targets"] == {"min": 1, "max": 1, "own": False}
    assert sane["text"] == found["mi_go"]["text"] != insane["text"]
    assert found["mi_go_braincase"]["copies"] == 0
    assert [way["face"] for way in found["mi_go_braincase"]["faces"]] == [None]


@pytest.mark.parametrize("edition", EDITIONS)
def test_tokens_and_options_are_told(client, edition):
    found = detail(client, edition)
    kinds = [token["kind"] for token in found["tokens"]]
    assert kinds == (["sane", "insane"] if edition == "lovecraft" else ["favor"])
    assert {row["insane_tokens_to_win"] for row in found["tables"]} == ({3} if edition == "lovecraft" else {None})
    for option in found["options"]:
        assert [choice["value"] for choice in option["choices"]] == option["values"]
        assert option["title"]
        assert option["text"]
        assert all(choice["title"] and choice["text"] for choice in option["choices"])
    assert [option["name"] for option in found["options"]] == (["liber_ivonis"] if edition == "lovecraft" else [])
