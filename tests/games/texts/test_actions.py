"""What a reader may do reads well in every language."""

import pytest

from engine import rules
from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.editions import rulebook
from games.texts.actions import action_texts
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.plays import missing_for
from tests.engine.given import given
from tests.engine.random_games import EVERY_TABLE, random_game

NAMES = ["Ann", "Ben", "Cleo"]


def told(language, action, edition="standard", seats=3, names=NAMES, seat=0):
    return action_texts(catalogue(language), [action], seat, names, rulebook(edition, seats, {}))[0]


@pytest.mark.parametrize(
    ("action", "en", "de"),
    [
        (PlayCard("handmaid"), "Play the Handmaid", "Spiele die Zofe"),
        (
            PlayCard("guard", (1,), "prince"),
            "Play the Guard on Ben and guess the Prince",
            "Spiele die Wächterin auf Ben und tippe auf den Prinzen",
        ),
        (
            PlayCard("guard"),
            "Play the Guard without effect, as nobody can be chosen",
            "Spiele die Wächterin ohne Wirkung, da niemand gewählt werden kann",
        ),
        (PlayCard("prince", (0,)), "Play the Prince on yourself", "Spiele den Prinzen auf dich selbst"),
        (
            KeepCard("king", ("spy", "countess")),
            "Keep the King and put the Spy, then the Countess under the deck",
            "Behalte den König und lege die Spionin, dann die Gräfin unter den Nachziehstapel",
        ),
        (
            KeepCard("princess", ("priest",)),
            "Keep the Princess and put the Priest under the deck",
            "Behalte die Prinzessin und lege den Priester unter den Nachziehstapel",
        ),
        (RedrawHand(True), "Discard your hand and draw a new one", "Lege deine Hand ab und ziehe neu"),
        (RedrawHand(False), "Keep your hand", "Behalte deine Hand"),
        (PeekHand(), "Look at no hand", "Sieh dir keine Hand an"),
        (PeekHand(0), "Look at your own hand", "Sieh dir deine eigene Hand an"),
        (PeekHand(2), "Look at the hand of Cleo", "Sieh dir die Hand von Cleo an"),
    ],
)
def test_actions_in_words(action, en, de):
    assert told("en", action) == en
    assert told("de", action) == de


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


@pytest.mark.parametrize(
    ("action", "en", "de"),
    [
        (
            PlayCard("guard", (1,), 4),
            "Play the Guard on Ben and guess 4 (Handmaid or Sycophant)",
            "Spiele die Wächterin auf Ben und tippe auf die 4 (Zofe oder Schmeichler)",
        ),
        (
            PlayCard("cardinal", (0, 2)),
            "Play the Cardinal on yourself and Cleo",
            "Spiele den Kardinal auf dich selbst und Cleo",
        ),
        (
            PlayCard("cardinal"),
            "Play the Cardinal without effect, as no two players can be chosen",
            "Spiele den Kardinal ohne Wirkung, da keine zwei gewählt werden können",
        ),
        (PlayCard("count"), "Play the Count", "Spiele den Grafen"),
    ],
)
def test_actions_of_the_premium_edition_in_words(action, en, de):
    names = [*NAMES, "Dora", "Emil"]
    assert told("en", action, "premium", 5, names) == en
    assert told("de", action, "premium", 5, names) == de


@pytest.mark.parametrize(
    ("action", "en", "de"),
    [
        (
            PlayCard("deep_ones", (1,), 8, "insane"),
            "Play the Deep Ones (insane) on Ben and guess 8 (Necronomicon or Cthulhu)",
            "Spiele die Tiefen Wesen (wahnsinnig) auf Ben und tippe auf die 8 (Necronomicon oder Cthulhu)",
        ),
        (
            PlayCard("hound_of_tindalos", (), None, "sane"),
            "Play the Hound of Tindalos (sane) without effect, as nobody can be chosen",
            "Spiele den Hund von Tindalos (bei Verstand) ohne Wirkung, da niemand gewählt werden kann",
        ),
        (
            GiveHands(((1, "elder_sign"), (2, "golden_mead"))),
            "Give Ben the Elder Sign and Cleo the Golden Mead",
            "Gib Ben das Ältere Zeichen und Cleo den Goldenen Met",
        ),
        (
            GiveHands(()),
            "Give nothing, for nobody is left to give a card to",
            "Gib nichts, denn niemand ist mehr da, der eine Karte bekäme",
        ),
    ],
)
def test_actions_of_the_lovecraft_edition_in_words(action, en, de):
    assert told("en", action, "lovecraft") == en
    assert told("de", action, "lovecraft") == de


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
