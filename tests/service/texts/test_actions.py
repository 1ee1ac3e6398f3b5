"""What a reader may do reads well in every language."""

import pytest

from engine.actions import KeepCard, PeekHand, PlayCard, RedrawHand
from engine.editions import rulebook
from service.texts.actions import action_text, action_texts
from service.texts.catalogue import catalogue

NAMES = ["Ann", "Ben", "Cleo"]


def told(language, action, edition="standard", seats=3, names=NAMES, seat=0):
    return action_text(catalogue(language), action, seat, names, rulebook(edition, seats, {}))


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


def test_seats_tell_those_apart_who_bear_the_same_name():
    names = ["Ann", "Ben", "Ben", ""]
    book = rulebook("standard", 4, {})
    actions = [PlayCard("king", (seat,)) for seat in range(4)]
    assert action_texts(catalogue("de"), actions, 0, names, book) == [
        "Spiele den König auf dich selbst",
        "Spiele den König auf Ben (Platz 1)",
        "Spiele den König auf Ben (Platz 2)",
        "Spiele den König auf Platz 3",
    ]
