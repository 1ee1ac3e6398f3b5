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
        # 95 % over thousands of games; 85 % of 300 is eight standard deviations away.
        assert share_won(edition, 2, games=300) >= 0.85

    def test_at_four_seats(self, edition):
        # 81 % over thousands of games, an even share is 25 %; 65 % of 160 is five standard deviations away.
        assert share_won(edition, 4, games=160) >= 0.65


def test_cautious_against_random_with_the_large_deck_of_premium():
    # 79 % over thousands of games, an even share is 20 %; 50 % of 60 is more than five standard deviations away.
    assert share_won("premium", 5, games=60) >= 0.5


class TestCautiousAgainstRandomInTheShortGamesOfLovecraft:
    def test_at_two_seats(self):
        # 81 % over thousands of games, for two tokens may be enough; 68 % of 300 is more than five deviations away.
        assert share_won("lovecraft", 2, games=300) >= 0.68

    def test_at_four_seats(self):
        # 72 % over thousands of games, an even share is 25 %; 53 % of 160 is five standard deviations away.
        assert share_won("lovecraft", 4, games=160) >= 0.53


@pytest.mark.long
def test_expert_against_cautious():
    # 62 % of thousands of games with more thought; 30 % of 80 is more than five standard deviations away.
    won = 0
    for number in range(80):
        bots = [BOTS["expert"], BOTS["cautious"]]
        seat = number % 2
        won += seat in winners("standard", bots if seat == 0 else bots[::-1], number, think_ms=4)

    assert won >= 0.3 * 80
