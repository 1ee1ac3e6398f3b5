"""How well the bots play: bounds far enough below what was measured that chance alone does not break them."""

import pytest

from engine.bots import BOTS
from tests.bots.tables import winners

pytestmark = pytest.mark.many


def share_won(edition, seats, games):
    """Returns the share of games that one `cautious` wins against `random` ones, in every seat in turn."""
    won = 0
    for number in range(games):
        seat = number % seats
        bots = [BOTS["random"]] * seats
        bots[seat] = BOTS["cautious"]
        won += seat in winners(edition, bots, number)
    return won / games


@pytest.mark.parametrize("edition", ["standard", "classic", "premium"])
class TestCautiousAgainstRandom:
    def test_at_two_seats(self, edition):
        # 95 % over thousands of games, an even share is 50 %; 75 % of 60 is seven standard deviations away.
        assert share_won(edition, 2, games=60) >= 0.75

    def test_at_four_seats(self, edition):
        # 81 % over thousands of games, an even share is 25 %; 60 % of 60 is four standard deviations away.
        assert share_won(edition, 4, games=60) >= 0.6


def test_cautious_against_random_with_the_large_deck_of_premium():
    # 79 % over thousands of games, an even share is 20 %; 40 % of 25 is nearly five standard deviations away.
    assert share_won("premium", 5, games=25) >= 0.4


class TestCautiousAgainstRandomInTheShortGamesOfLovecraft:
    def test_at_two_seats(self):
        # 81 % over thousands of games, for two tokens may be enough; 65 % of 100 is four standard deviations away.
        assert share_won("lovecraft", 2, games=100) >= 0.65

    def test_at_four_seats(self):
        # 72 % over thousands of games, an even share is 25 %; 45 % of 60 is more than four standard deviations away.
        assert share_won("lovecraft", 4, games=60) >= 0.45


def test_expert_against_cautious():
    # 62 % of thousands of games with more thought, and half without any; `random` wins 5 %. 20 % of 40 is nearly four
    # standard deviations away from half.
    won = 0
    for number in range(40):
        bots = [BOTS["expert"], BOTS["cautious"]]
        seat = number % 2
        won += seat in winners("standard", bots if seat == 0 else bots[::-1], number, think_ms=2)

    assert won >= 0.2 * 40
