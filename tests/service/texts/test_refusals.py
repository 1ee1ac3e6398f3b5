"""Every reason has a sentence that says what to do."""

import pytest

from service.texts.catalogue import LANGUAGES, catalogue
from service.texts.refusals import reason_text
from tests.service.texts.needed import all_reasons


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language):
    words = catalogue(language)
    told = [reason_text(words, reason) for reason in all_reasons()]
    assert len(set(told)) == len(told) > 20
    assert all(text.endswith(".") and text[0].isupper() for text in told)


def test_the_card_that_must_be_played_is_named():
    assert reason_text(catalogue("en"), "must_play_countess").startswith("You must play the Countess,")
    assert reason_text(catalogue("de"), "must_play_silver_key").startswith("Du musst den Silbernen Schlüssel spielen,")


def test_a_card_that_cannot_choose_the_bound_seat_is_not_told_to_choose_it():
    assert reason_text(catalogue("en"), "target_bound").endswith("or nobody if this card cannot choose it.")
    assert reason_text(catalogue("de"), "target_bound").endswith("niemanden, wenn diese Karte ihn nicht wählen kann.")
