"""The habits: what was counted in games of `cautious`, and what the rules leave no choice about."""

import pytest

from engine.bots.expert.habits import UNKNOWN, shares
from engine.editions import rulebook
from tools.players.bot_games import TABLES


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_either_of_two_cards_is_played(edition, seats):
    book = rulebook(edition, seats, {})
    found = shares(book)
    for (insane, card, kept), share in found.items():
        if card != kept:
            assert share + found[insane, kept, card] == pytest.approx(1, abs=0.011), (card, kept)


def test_forced_plays_are_sure():
    found = shares(rulebook("standard", 2, {}), oddity=0.5)

    assert found[False, "countess", "king"] == 1
    assert found[False, "king", "countess"] == 0


def test_what_was_never_counted_is_as_likely_as_not():
    book = rulebook("lovecraft", 2, {})

    assert shares(book)[False, "cthulhu", "hound_of_tindalos"] != UNKNOWN
    assert shares(book)[True, "silver_key", "liber_ivonis"] == UNKNOWN, "the pair was too seldom held"
