"""Every card and every refusal has words."""

from engine import errors
from engine.actions import PlayCard
from engine.editions import EDITIONS, rulebook
from service.texts import CARD_NAMES, CARD_TEXTS, action_text, reason_text

REASONS = sorted(
    value
    for name, value in vars(errors).items()
    if name.isupper() and isinstance(value, str) and value != errors.MUST_PLAY
)


def test_every_reason_has_a_sentence():
    assert len(REASONS) > 20
    for reason in REASONS:
        assert reason_text(reason).endswith("."), reason
    assert reason_text("must_play_countess") == "The Countess in your hand must be played."


def test_every_card_has_a_name_and_a_text():
    cards = {card.key for edition in EDITIONS.values() for seats in edition.seats for card in edition.cards_for(seats)}
    assert set(CARD_NAMES) == set(CARD_TEXTS) == cards


def test_a_card_that_can_choose_nobody_says_that_it_does_nothing():
    book = rulebook("standard", 2, {})
    names = ["Ann", "Ben"]
    assert action_text(PlayCard("guard"), names, book) == "Play the Guard without effect, as nobody can be chosen"
    assert action_text(PlayCard("handmaid"), names, book) == "Play the Handmaid"
    aimed = PlayCard("guard", (1,), "priest")
    assert action_text(aimed, names, book) == "Play the Guard on Ben (seat 1) and name the Priest"
