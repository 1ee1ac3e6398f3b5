"""The habits: what was counted in games of `cautious`, and what the rules leave no choice about."""

import pytest

from engine.bots.expert.habits import UNKNOWN, firm_shares, shares
from engine.editions import rulebook
from tools.tournament.games import TABLES


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


def test_nobody_gives_the_princess_away():
    assert shares(rulebook("classic", 4, {}))[False, "princess", "guard"] <= 0.01


def test_oddity_is_playing_either_whatever_the_habit():
    book = rulebook("standard", 2, {})
    habit, odd = shares(book)[False, "guard", "princess"], shares(book, 0.4)[False, "guard", "princess"]

    assert odd == pytest.approx(0.6 * habit + 0.2)


def test_what_was_never_counted_is_as_likely_as_not():
    book = rulebook("lovecraft", 2, {})

    assert shares(book)[False, "cthulhu", "hound_of_tindalos"] != UNKNOWN
    assert shares(book)[True, "silver_key", "liber_ivonis"] == UNKNOWN, "the pair was too seldom held"


def test_a_firm_habit_is_what_is_done_more_often_still():
    book = rulebook("standard", 2, {})
    habit, firm = shares(book), firm_shares(book)

    assert firm[False, "handmaid", "priest"] > habit[False, "handmaid", "priest"] > 0.5
    assert firm[False, "priest", "handmaid"] == pytest.approx(1 - firm[False, "handmaid", "priest"])
    assert firm[False, "countess", "king"] == 1
