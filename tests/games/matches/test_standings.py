"""Standings: shares, their intervals, and how many more games would decide."""

import math
import random

import pytest

from games.matches.setup import REFERENCE, ROTATED
from games.matches.standings import CALLED_OFF, MOST_POINTS, Outcome, pairs, shares, standings
from games.measuring import WIDTH, Sample
from tests.games.matches.made import BOTS, setup, won_by


def test_a_shared_win_counts_as_fractions():
    assert shares(Outcome((1, 1, 3), (4, 4, 1))) == [0.5, 0.5, 0.0]
    assert shares(CALLED_OFF) == []


def test_before_the_first_game_nothing_is_known():
    made = setup("a", "b")
    empty = {"games": 0, "share": None, "interval": None, "place": None, "course": []}
    assert standings(made, {}) == [{"entrant": one, **empty} for one in ("a", "b")]
    assert pairs(made, {}) == [
        {"a": "a", "b": "b", "deals": 0, "difference": None, "interval": None, "more_needed": None}
    ]


def test_shares_and_places_follow_from_the_games():
    made = setup("a", "b", games=8)
    outcomes = won_by(made, "a", range(6)) | won_by(made, "b", range(6, 8))
    one, other = standings(made, outcomes)
    assert (one["games"], one["share"], one["place"]) == (8, 0.75, 1)
    assert (other["games"], other["share"], other["place"]) == (8, 0.25, 2)
    half = WIDTH * (8 / 12 * 4 / 12 / 12) ** 0.5
    assert one["interval"] == pytest.approx([8 / 12 - half, 8 / 12 + half], abs=1e-4), "two more won, two more lost"
    assert other["interval"] == pytest.approx([4 / 12 - half, 4 / 12 + half], abs=1e-4)
    [pair] = pairs(made, outcomes)
    assert (pair["deals"], pair["difference"]) == (8, 0.5)
    assert pair["interval"] == pytest.approx([4 / 12 - 2 * half, 4 / 12 + 2 * half], abs=1e-4)
    assert pair["more_needed"] == 19


def test_a_few_deals_that_went_the_same_way_leave_a_doubt():
    made = setup("a", "b", games=12)
    for many, is_decided in ((2, False), (4, False), (12, True)):
        outcomes = won_by(made, "a", range(many))
        [pair] = pairs(made, outcomes)
        assert (pair["interval"][0] > 0, pair["more_needed"] == 0) == (is_decided, is_decided)
        one, other = standings(made, outcomes)
        assert one["interval"][0] < one["share"] == one["interval"][1] == 1.0, "no share is above one"
        assert other["interval"][1] > other["share"] == other["interval"][0] == 0.0


def test_an_interval_holds_the_true_share_as_often_as_it_says():
    """Of entrants who win equally often, for each number of games: by all ways in which they can turn out."""
    for games in range(2, 60):
        made = setup("a", "b", games=games)
        held = 0
        for won in range(games + 1):
            one, _ = standings(made, won_by(made, "a", range(won)) | won_by(made, "b", range(won, games)))
            held += math.comb(games, won) if one["interval"][0] <= 0.5 <= one["interval"][1] else 0
        assert held / 2**games > 0.92, games


@pytest.mark.parametrize(("many", "deals"), [(0, []), (1, []), (3, [2, 3]), (400, [*range(10, 401, 10)])])
def test_the_course_of_a_share_says_what_it_was_after_fewer_deals(many, deals):
    made = setup("a", "b", games=400)
    outcomes = won_by(made, "a", range(0, many, 3)) | won_by(made, "b", [n for n in range(many) if n % 3])
    for at, standing in enumerate(standings(made, outcomes)):
        course = standing["course"]
        assert [point["deals"] for point in course] == deals
        assert len(course) <= MOST_POINTS
        for point in course:
            then = standings(made, {n: outcomes[n] for n in range(point["deals"])})[at]
            assert point == {"deals": then["games"], "share": then["share"], "interval": then["interval"]}


def test_games_that_were_called_off_do_not_count():
    made = setup("a", "b", games=4)
    found = standings(made, won_by(made, "a", range(2)) | {2: CALLED_OFF})
    assert [(one["games"], one["share"]) for one in found] == [(2, 1.0), (2, 0.0)]


def test_equal_shares_share_a_place():
    made = setup("a", "b", bots=1, games=6)
    outcomes = won_by(made, "a", [0]) | won_by(made, "b", [1]) | won_by(made, "a", [2])
    assert [one["place"] for one in standings(made, outcomes)] == [1, 2, 3]
    assert [one["place"] for one in standings(made, won_by(made, "a", [0]) | won_by(made, "b", [1]))] == [1, 1, None]


def test_seats_count_once_they_have_been_rotated():
    made = setup("a", "b", games=4, deals=ROTATED)
    outcomes = won_by(made, "a", [0, 1, 2])
    assert [one["share"] for one in standings(made, outcomes)] == [1.0, 0.0]
    assert pairs(made, outcomes)[0]["deals"] == 1
    assert pairs(made, outcomes | {3: CALLED_OFF})[0]["deals"] == 1
    assert pairs(made, outcomes | won_by(made, "b", [3]))[0]["difference"] == 0.5


def test_on_reference_deals_entrants_are_compared_deal_by_deal():
    made = setup("a", "b", games=6, deals=REFERENCE, against=BOTS[:1])
    both_win, only_a = [0, 1], [2]
    outcomes = {
        number: Outcome((2, 1) if made.slot(number).entrants[0] is None else (1, 2), (0, 0)) for number in both_win
    }
    outcomes |= won_by(made, "a", only_a)
    assert [one["share"] for one in standings(made, outcomes)] == [1.0, 1.0]
    [pair] = pairs(made, outcomes)
    assert (pair["deals"], pair["difference"], pair["more_needed"]) == (1, 0.0, None), "b has not played the second"
    assert pairs(made, outcomes | won_by(made, "bot-cautious", [3]))[0]["difference"] == 0.5


def test_bots_that_fill_the_table_are_no_entrants_though_they_are_called_the_same():
    made = setup(bots=1, seats=3, games=3, against=BOTS[:1])
    [one] = standings(made, {0: Outcome((1, 2, 2), (3, 0, 0)), 1: Outcome((1, 2, 2), (3, 0, 0))})
    assert one["share"] == 0.5, "it sat on another seat in the second game"


def test_luck_that_all_share_cancels_on_reference_deals():
    """Who is dealt well wins, whoever it is, and a is stronger by a tenth: the interval says so sooner."""
    rng = random.Random(7)
    made = setup("a", "b", games=400, deals=REFERENCE, against=BOTS[:1])
    fresh, same = {}, {}
    for deal in range(200):
        luck = rng.random()
        for number in made.slots_of(deal):
            seat = next(i for i, one in enumerate(made.slot(number).entrants) if one is not None)
            bonus = 0.1 if made.slot(number).entrants[seat] == "a" else 0
            for found, drawn in ((same, luck), (fresh, rng.random())):
                has_won = drawn + bonus > 0.5
                places = [2, 2]
                places[seat if has_won else 1 - seat] = 1
                found[number] = Outcome(tuple(places), (0, 0))
    widths = [pair["interval"][1] - pair["interval"][0] for [pair] in (pairs(made, same), pairs(made, fresh))]
    assert widths[0] < widths[1] / 2
    assert pairs(made, same)[0]["more_needed"] == 0


def test_a_sample_says_how_many_more_it_needs():
    assert Sample.of([]).more_needed is None
    assert Sample.of([1.0]).more_needed is None
    assert Sample.of([1.0, -1.0]).more_needed is None
    assert Sample.of([1.0, 1.0]).more_needed == 0
    values = [1.0, 1.0, -1.0]
    needed = Sample.of(values).more_needed
    assert needed > 0
    assert Sample.of(values * (1 + (needed + 2) // 3)).more_needed == 0
