"""What a reader may do reads well in every language."""

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.editions import rulebook
from games.texts.actions import action_texts
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.plays import missing_for
from tests.engine.given import given
from tests.engine.random_games import EVERY_TABLE, random_game

NAMES = ["Ann", "Ben", "Cleo"]


def test_a_card_that_would_have_to_choose_its_own_player_says_so():
    book = rulebook("premium", 5, {})
    names = [*NAMES, "Dora", "Emil"]
    texts = [
        action_texts(catalogue(language), [PlayCard(card)], 1, names, book, 1)[0]
        for language, card in (("en", "guard"), ("de", "guard"), ("en", "cardinal"), ("en", "count"))
    ]
    assert texts == [
        "Play the Guard without effect, as you would have to choose yourself",
        "Spiele die Wächterin ohne Wirkung, da du dich selbst wählen müsstest",
        "Play the Cardinal without effect, as no two players can be chosen",
        "Play the Count",
    ]


def test_cards_that_find_nothing_they_need_say_so():
    chancellor, collecting = PlayCard("chancellor"), PlayCard("nyarlathotep", face="insane")
    standard, lovecraft = rulebook("standard", 3, {}), rulebook("lovecraft", 3, {})

    def said(language, action, book, *missing):
        return action_texts(catalogue(language), [action], 0, NAMES, book, missing=missing)[0]

    assert said("en", chancellor, standard, "deck") == "Play the Chancellor without effect, as the deck is empty"
    assert said("de", chancellor, standard, "deck").endswith("ohne Wirkung, da der Nachziehstapel leer ist")
    assert said("en", chancellor, standard, "others") == "Play the Chancellor"
    assert said("en", collecting, lovecraft, "others").endswith("without effect, as nobody can be chosen")
    assert said("en", collecting, lovecraft, "deck") == "Play Nyarlathotep (insane)"


def test_what_cards_may_miss_is_read_off_the_game():
    table = given(hands=["chancellor guard", "king", "priest"], deck="spy")
    assert missing_for(table.state, 0) == set()
    lonely = given(hands=["chancellor guard", "king", "priest"], protected=(1, 2))
    assert missing_for(lonely.state, 0) == {"deck", "others"}


def test_seats_tell_those_apart_who_bear_the_same_name():
    names = ["Ann", "Ben", "Ben", ""]
    book = rulebook("standard", 4, {})
    actions = [PlayCard("king", (seat,)) for seat in range(4)]
    assert action_texts(catalogue("de"), actions, 0, names, book) == [
        "Spiele den König auf dich selbst",
        "Spiele den König auf Ben (Platz 2)",
        "Spiele den König auf Ben (Platz 3)",
        "Spiele den König auf Platz 4",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@EVERY_TABLE
def test_every_legal_action_of_whole_games_has_words_of_its_own(edition, seats, language):
    words, names = catalogue(language), [f"Player {seat}" for seat in range(seats)]

    def watch(state, seat, action, happened):
        legal = rules.legal_actions(state)
        texts = action_texts(words, legal, seat, names, state.book)
        assert len(set(texts)) == len(legal)
        assert all(text.strip(".") == text != "" and "None" not in text for text in texts)
        assert names[seat] not in " ".join(texts)

    random_game(edition, seats, 0, watch=watch)
