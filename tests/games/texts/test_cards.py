"""Every card has words in every language."""

import re

import pytest

from engine.editions import EDITIONS, rulebook
from games.texts.cards import card_name, card_object, card_short_text, card_text
from games.texts.catalogue import LANGUAGES, catalogue
from tests.games.texts.needed import cards_of

SHORT = 60
"""As many characters as fit on the line of a reference card."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_card_has_its_words(language, edition):
    words = catalogue(language)
    for card in EDITIONS[edition].cards_for(EDITIONS[edition].seats[-1]):
        # A name inside a sentence is declined, but not beyond recognition.
        assert card_name(words, card.key)[:3] in card_object(words, card.key)
        texts = [card_text(words, edition, card.key)]
        shorts = [card_short_text(words, edition, card.key)]
        if card.insane is not None:
            texts.append(card_text(words, edition, card.key, insane=True))
            shorts.append(card_short_text(words, edition, card.key, insane=True))
        assert all(text.endswith(".") for text in texts), card.key
        assert len(set(texts)) == len(texts), card.key
        for short in shorts:
            assert len(short) <= SHORT, card.key
            assert not short.endswith("."), card.key


@pytest.mark.parametrize(
    ("language", "said"), [("en", "This is an insanity card"), ("de", "Dies ist eine Wahnsinnskarte")]
)
def test_the_insanity_cards_say_that_they_are_such(language, said):
    words = catalogue(language)
    for card in EDITIONS["lovecraft"].cards_for(6):
        assert (said in card_text(words, "lovecraft", card.key)) == card.insanity, (card.key, said)


@pytest.mark.parametrize(("language", "nobody"), [("en", ("nobody", "no two")), ("de", ("niemand", "keine zwei"))])
@pytest.mark.parametrize("edition", list(EDITIONS.values()), ids=list(EDITIONS))
def test_a_card_that_may_find_nobody_says_what_then(language, nobody, edition):
    """All that is said in the words of the actions, the texts say beforehand."""
    words = catalogue(language)
    for card in edition.cards_for(edition.seats[-1]):
        if card.targets.most:
            assert any(word in card_text(words, edition.id, card.key) for word in nobody), (card.key, nobody)
        if card.insane is not None and card.insane.targets.most:
            assert nobody[0] in card_text(words, edition.id, card.key, insane=True), (card.key, nobody[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", list(EDITIONS.values()), ids=list(EDITIONS))
def test_no_two_cards_of_an_edition_are_called_the_same(language, edition):
    words = catalogue(language)
    names = [card_name(words, card) for card in cards_of(edition)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_title_of_an_edition_says_how_many_cards_its_decks_have(language, edition):
    decks = {len(rulebook(edition.id, seats, {}).deck) for seats in edition.seats}
    title = catalogue(language).text(f"edition.{edition.id}.title")
    assert [int(number) for number in re.findall(r"\b\d\d\b", title)] == sorted(decks), "its year has four digits"


def test_the_classic_edition_is_told_in_the_words_of_the_standard_one():
    words = catalogue("en")
    assert card_text(words, "classic", "king") == card_text(words, "standard", "king")
