"""How well the bots play: bounds far enough below what was measured that chance alone does not break them."""

import pytest

from games.matches.standings import standings
from tools.tournament.__main__ import match
from tools.tournament.playing import play

pytestmark = pytest.mark.many


def share_won(edition, seats, games, one="cautious", others="random"):
    """Returns the share that one bot wins against others of another kind, on every seat in turn."""
    made = match(edition, seats, one, others, games)
    return standings(made, play(made, range(games)))[0]["share"]


# What was measured over thousands of games, an even share, and how many standard deviations the bound is away from it:
@pytest.mark.parametrize(
    ("edition", "seats", "games", "least"),
    [
        ("standard", 4, 25, 0.5),  # 81 %, 25 %, four
        ("classic", 4, 25, 0.5),  # 81 %, 25 %, four
        ("premium", 5, 25, 0.4),  # 79 %, 20 %, nearly five
        ("lovecraft", 4, 30, 0.4),  # 72 %, 25 %, nearly four
        pytest.param("standard", 2, 60, 0.75, marks=pytest.mark.soak),  # 95 %, 50 %, seven
        pytest.param("classic", 2, 60, 0.75, marks=pytest.mark.soak),  # 95 %, 50 %, seven
        pytest.param("premium", 4, 60, 0.6, marks=pytest.mark.soak),  # 81 %, 25 %, four
        pytest.param("lovecraft", 2, 100, 0.65, marks=pytest.mark.soak),  # 81 %, 50 %, four: two tokens may be enough
    ],
)
def test_cautious_against_random(edition, seats, games, least):
    assert share_won(edition, seats, games) >= least


def test_expert_against_cautious():
    # 62 % of thousands of games with more thought, and half without any; `random` wins 5 %. 20 % of 30 is more than
    # three standard deviations away from half.
    assert share_won("standard", 2, 30, "expert", "cautious") >= 0.2
