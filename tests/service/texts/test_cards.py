"""Every card has words in every language."""

import pytest

from engine.editions import EDITIONS
from service.texts.cards import card_name, card_object, card_short_text, card_text, edition_title
from service.texts.catalogue import LANGUAGES, catalogue
from tests.service.texts.needed import cards_of

SHORT = 60
"""As many characters as fit on the line of a reference card."""

CARDS = [
    (edition.id, card)
    for edition in EDITIONS.values()
    for card in cards_of(edition)
    if edition.id in ("standard", "classic")
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("edition", "card"), CARDS)
def test_a_card_has_its_words(language, edition, card):
    words = catalogue(language)
    # A name inside a sentence is declined, but not beyond recognition.
    assert card_name(words, card)[:4].strip() in card_object(words, card)
    assert card_text(words, edition, card).endswith(".")
    short = card_short_text(words, edition, card)
    assert len(short) <= SHORT
    assert not short.endswith(".")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", list(EDITIONS.values()), ids=list(EDITIONS))
def test_no_two_cards_of_an_edition_are_called_the_same(language, edition):
    words = catalogue(language)
    names = [card_name(words, card) for card in cards_of(edition)]
    assert len(set(names)) == len(names)
    assert edition_title(words, edition.id)


def test_the_classic_edition_is_told_in_the_words_of_the_standard_one():
    words = catalogue("en")
    assert card_text(words, "classic", "king") == card_text(words, "standard", "king")
