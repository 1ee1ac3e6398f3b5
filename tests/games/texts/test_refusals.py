"""Every reason has a sentence that says what to do, and says it of what was tried."""

import pytest

from engine.actions import KeepCard, PlayCard, RedrawHand
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.refusals import Attempt, reason_text
from tests.engine.editions.premium_tables import premium
from tests.engine.given import given
from tests.games.texts.needed import all_reasons

NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil"]


def attempt(table, action):
    """Returns an action that is tried at a table."""
    return Attempt(table.state, NAMES[: len(table.state.seats)], action)


def told(table, action, seat=None, language="en"):
    """Returns the reason why an action is refused, and its sentence."""
    reason = table.refused_action(action, seat)
    return reason, reason_text(catalogue(language), reason, attempt(table, action))


def standard(hand="guard king", **situation):
    return given(hands=[hand, "priest", "baron"], deck="spy spy handmaid", **situation)


def lovecraft():
    hands = ["deep_ones hound_of_tindalos", "elder_sign", "elder_sign"]
    return given("lovecraft", hands=hands, deck="elder_sign")


def bound(card):
    """Returns a table at which seat 1 holds a card, and seat 0 has bound it."""
    table = premium(hands=["sycophant count", card, "prince", "priest"], deck="handmaid count")
    table.play("sycophant", 1)
    return table


def redrawing():
    """Returns a table at which seat 1 decides in the turn of seat 0."""
    table = premium(hands=["bishop count", "prince", "princess"], deck="handmaid count")
    table.play("bishop", 1, names=5)
    return table


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language):
    words = catalogue(language)
    tables = {"target_bound": bound("prince")}
    texts = [
        reason_text(words, reason, attempt(tables.get(reason, standard()), PlayCard("guard", (1,))))
        for reason in all_reasons()
    ]
    assert len(set(texts)) == len(texts) > 20
    assert all(text.endswith(".") and text[0].isupper() for text in texts)
    assert not any("/v1/" in text for text in texts), "a player reads them"


def test_the_card_that_must_be_played_is_named():
    tried = attempt(standard(), PlayCard("guard"))
    assert reason_text(catalogue("en"), "must_play_countess", tried).startswith("You must play the Countess,")
    assert reason_text(catalogue("de"), "must_play_silver_key", tried).startswith(
        "Du musst den Silbernen Schlüssel spielen,"
    )


OWN = "You would have to choose yourself, which this card cannot do. Play it without choosing: it has no effect."
CASES = [
    (bound("guard"), PlayCard("guard", (2,), 5), "target_not_allowed", OWN),
    (bound("guard"), PlayCard("guard", (1,), 5), "target_not_allowed", OWN),
    (bound("prince"), PlayCard("prince", (2,)), "target_bound", "The last card named Ben: "),
    (bound("count"), PlayCard("count", (2,)), "target_not_allowed", "You do not choose anybody"),
    (standard(), RedrawHand(True), "wrong_action", "You have to play a card now."),
    (redrawing(), PlayCard("prince", (0,)), "wrong_action", "You have to decide something else first."),
    (standard(), PlayCard("guard", (1,)), "guess_required", "Guess a character: Spy, Priest, "),
    (standard(), PlayCard("guard", (1,), 5), "guess_not_allowed", "This card guesses one of these characters: Spy, "),
    (standard(), PlayCard("king", (1,), 5), "guess_not_allowed", "There is nothing to guess with this card."),
    (
        premium(hands=["guard count", "prince"], protected=[1]),
        PlayCard("guard", (), 5),
        "guess_not_allowed",
        "Nobody is chosen this time, so there is nothing to guess.",
    ),
    (
        premium(hands=["guard count", "prince"]),
        PlayCard("guard", (1,)),
        "guess_required",
        "Guess a number: 0, 2, ",
    ),
    (
        premium(hands=["guard count", "prince"]),
        PlayCard("guard", (1,), "prince"),
        "guess_not_allowed",
        "This card guesses one of these numbers: 0, 2, ",
    ),
    (standard(), PlayCard("king", (1,), None, "sane"), "face_not_allowed", "This card has one effect only."),
    (lovecraft(), PlayCard("hound_of_tindalos", (1,), None, "insane"), "face_not_allowed", "You are sane,"),
]


@pytest.mark.parametrize(("table", "action", "reason", "beginning"), CASES)
def test_the_sentence_is_about_what_was_tried(table, action, reason, beginning):
    given_reason, text = told(table, action)
    assert given_reason == reason
    assert text.startswith(beginning)
    assert told(table, action, language="de")[1].endswith(".")


def test_who_must_wait_is_told_for_whom():
    keep = KeepCard("priest", ())
    assert told(standard(), keep, 1) == (
        "not_your_turn",
        "It is not your turn: Ada is to play.",
    )
    assert told(redrawing(), keep, 0)[1] == "Ben has to decide something first."
    assert told(redrawing(), keep, 0, "de")[1] == "Zuerst muss Ben etwas entscheiden."
