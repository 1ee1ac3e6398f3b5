"""What one game makes of ratings: who gains, how much, and what counts less."""

import json
from pathlib import Path

import pytest

import games
from games.ratings.anchors import ANCHORS
from games.ratings.fold import occasion_of, standings_after
from games.ratings.model import FADING, after_game, chances
from games.ratings.pools import PEOPLE, PROGRAMS, RatedGame
from games.ratings.standing import DAY_MS, NEW, STEADY, Rating, Standing

STRENGTH = Path(games.__file__).parent / "bots" / "strength.json"
STRONG, WEAK = Rating(1900.0, 80.0), Rating(1300.0, 80.0)


def game(players="ab", places=(1, 2), ended_ms=1000):
    return RatedGame("g", ended_ms, tuple(players), tuple(places))


def after(places, *ratings):
    return after_game(ratings or [NEW] * len(places), places, 0)


def test_who_comes_first_gains_what_the_other_loses():
    won, lost = after((1, 2))
    assert won.mean - NEW.mean == pytest.approx(NEW.mean - lost.mean)
    assert won.mean > NEW.mean
    assert won.deviation == lost.deviation < NEW.deviation


def test_each_version_of_a_program_is_rated_for_itself():
    known = {"a": Standing(STRONG, 80, 500), "b": Standing(STRONG, 80, 500)}
    same = standings_after(game(), known, 0)
    assert [one.games for one in same.values()] == [81, 81]
    other = standings_after(game()._replace(versions=(1, 0)), known, 0)
    assert (other["a"].version, other["a"].games, other["b"].games) == (1, 1, 81)
    assert other["a"].rating == standings_after(game(), {"b": known["b"]}, 0)["a"].rating
    again = standings_after(game()._replace(versions=(1, 0)), other, 0)
    assert (again["a"].version, again["a"].games) == (1, 2)


def test_a_shared_place_is_a_tie():
    assert [one.mean for one in after((1, 1))] == [NEW.mean, NEW.mean]
    one, two, three = after((1, 2, 2))
    assert one.mean > NEW.mean > two.mean == three.mean
    up, down = after((1, 1), WEAK, STRONG)
    assert (up.mean > WEAK.mean, down.mean < STRONG.mean) == (True, True)


def test_the_order_of_the_rest_counts():
    first, second, third, last = after((1, 2, 3, 4))
    assert first.mean > second.mean > third.mean > last.mean


def test_a_surprise_changes_more_than_what_was_expected():
    expected, surprise = after((1, 2), STRONG, WEAK)[0], after((2, 1), STRONG, WEAK)[0]
    assert expected.mean - STRONG.mean < STRONG.mean - surprise.mean
    assert chances([STRONG, WEAK])[0] > 0.7
    assert sum(chances([STRONG, WEAK, NEW])) == pytest.approx(1)


def test_the_same_games_lead_to_the_same_ratings_to_the_last_digit():
    def played():
        ratings = [NEW] * 4
        for number in range(200):
            places = [1 + (number * 7 + seat * 3) % 4 for seat in range(4)]
            ratings = after_game(ratings, places, number % 3)
        return ratings

    assert played() == played()


def test_ratings_become_steady():
    ratings = [NEW, NEW]
    for number in range(60):
        ratings = after_game(ratings, (1 + number % 2, 2 - number % 2), 0)
    assert all(one.deviation <= STEADY for one in ratings)


@pytest.mark.parametrize("kind", [PEOPLE, PROGRAMS])
def test_two_who_trade_wins_all_day_gain_no_more_than_by_five_games(kind):
    farmed, fair = [NEW, NEW], [NEW, NEW]
    for number in range(500):
        farmed = after_game(farmed, (1, 2), number, kind)
    for _ in range(round(1 / (1 - FADING[kind]))):
        fair = after_game(fair, (1, 2), 0)
    assert farmed[0].mean <= fair[0].mean


def test_two_new_accounts_that_trade_wins_gain_at_most_what_is_said_and_are_never_ranked():
    known, gained = {}, {}
    for number in range(30 * 100):
        day, earlier = divmod(number, 100)
        known = standings_after(game("ab", ended_ms=(20_000 + day) * DAY_MS), known, earlier)
        assert not known["a"].is_steady
        gained[day] = known["a"].rating.mean - NEW.mean
    assert (round(gained[0]), round(gained[29])) == (473, 1221), "as docs/ratings.md says"


def test_a_match_of_programs_on_a_day_makes_their_ratings_steady():
    one, other = NEW, NEW
    for number in range(200):
        one, other = after_game([one, other], (1, 2) if number % 5 < 3 else (2, 1), number, PROGRAMS)
    assert other.mean < 1500 < one.mean
    assert one.deviation < STEADY, "200 games of the same two on a day"
    farmed = [NEW, NEW]
    for number in range(200):
        farmed = after_game(farmed, (1, 2), number, PROGRAMS)
    assert (round(farmed[0].mean - NEW.mean), farmed[0].deviation > STEADY) == (1127, True), "as docs/ratings.md says"
    assert FADING[PEOPLE] < FADING[PROGRAMS]


def test_occasions_are_the_same_people_on_the_same_day():
    begins = 20_000 * DAY_MS
    assert occasion_of(game("ab", ended_ms=begins)) == occasion_of(game("ba", ended_ms=begins + DAY_MS - 1))
    assert occasion_of(game("ab", ended_ms=begins)) != occasion_of(game("ab", ended_ms=begins - 1))
    with_bot = game(("a", "bot-cautious", "b"), (1, 2, 3), begins)
    assert occasion_of(with_bot) == occasion_of(game("ab", ended_ms=begins))
    assert occasion_of(game("abc", (1, 2, 3), begins)) != occasion_of(with_bot)


def test_the_ratings_of_the_bots_predict_the_games_by_which_they_were_measured():
    """With two seats to 5 in 100 games, but for the edition in which luck decides more."""
    measured = json.loads(STRENGTH.read_text())
    for one in [one for one in measured if one["seats"] == 2 and one["edition"] != "lovecraft"]:
        said, _ = chances([ANCHORS[one["bot"]], ANCHORS[one["others"]]])
        assert said == pytest.approx(one["won"] / one["games"], abs=0.05), one


def test_the_services_bots_never_change_and_are_not_rated():
    played = game(("a", "bot-cautious", "b"), (1, 2, 3))
    found = standings_after(played, {}, 0)
    assert found.keys() == {"a", "b"}
    assert [one.games for one in found.values()] == [1, 1]
    by_bot = after_game([NEW, ANCHORS["cautious"], NEW], (1, 2, 3), 0)
    assert [one.rating for one in found.values()] == [by_bot[0], by_bot[2]]
    assert standings_after(game(("a", "bot-expert", "b"), (1, 2, 3)), {}, 0)["a"].rating.mean > by_bot[0].mean


def test_a_rating_grows_uncertain_with_absence_up_to_that_of_a_newcomer():
    known = Standing(Rating(1700.0, 60.0), 30, 1000)
    assert known.at(1000) == known.rating
    month, year = known.at(1000 + 30 * DAY_MS), known.at(1000 + 365 * DAY_MS)
    assert 60 < month.deviation < year.deviation < STEADY
    assert known.at(1000 + 10**6 * DAY_MS) == Rating(1700.0, NEW.deviation)
    assert known.at(0) == known.rating, "a clock may be set back"
    back = standings_after(game("ab", ended_ms=1000 + 365 * DAY_MS), {"a": known, "b": known}, 0)
    assert back["a"].rating == after_game([year, year], (1, 2), 0)[0]
    assert back["a"].games == 31
