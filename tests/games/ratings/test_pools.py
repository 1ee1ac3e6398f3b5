"""Which games are rated, and in which pool."""

from dataclasses import replace

import pytest

from engine.editions import EDITIONS
from games.ratings.pools import DAYS, LIVE, POOLS, pace_of, rated_game, size_of
from games.ratings.records import records_of
from tests.games.whole_logs import whole_story

HUMAN, BOT = "human", "bot"


def ended(seats=3, players=("a", "b", "c"), winners=(0,), **table):
    """Returns a game that has ended, as if these had played it."""
    snapshot = whole_story("standard", seats, 1).snapshot
    state = snapshot.state.copy()
    state.winners, state.away = winners, 0
    for seat in state.seats:
        seat.left = False
    created = replace(snapshot.table, **{"rated": True, "visibility": "public", "clock": None, **table})
    return replace(snapshot, table=created, state=state, players=list(players))


def kinds(**known):
    return {"a": HUMAN, "b": HUMAN, "c": HUMAN, "bot-random": BOT} | known


def pool(*arguments, **table):
    found = rated_game(ended(**table), kinds(**dict(arguments)))
    return found and found[0]


def test_a_game_of_people_is_rated_in_the_pool_of_its_table():
    found, game = rated_game(ended(), kinds())
    assert found == "standard-3-4-days-people"
    assert game.players == ("a", "b", "c")
    assert game.places[0] == 1
    assert found in POOLS


@pytest.mark.parametrize("table", [{"rated": False}, {"visibility": "unlisted"}, {"sandbox": True}])
def test_no_other_is_rated(table):
    assert pool(**table) is None


def test_it_takes_two_people_or_two_programs():
    assert pool(("b", BOT), ("c", BOT)) == "standard-3-4-days-programs"
    assert pool(("c", BOT)) == "standard-3-4-days-people"
    assert pool(players=("a", "bot-random", "bot-random")) is None
    assert pool(("b", BOT), players=("a", "b", "bot-random")) is None


def test_who_is_of_the_other_kind_is_left_out_and_the_services_bots_are_not():
    _, game = rated_game(ended(), kinds(c=BOT))
    assert game.players == ("a", "b")
    _, game = rated_game(ended(players=("a", "bot-random", "c"), winners=(1,)), kinds())
    assert game.players == ("a", "bot-random", "c")
    assert game.places[1] == 1


@pytest.mark.parametrize(
    ("clock", "pace"),
    [
        (None, DAYS),
        ({"kind": "decision", "seconds": 600}, LIVE),
        ({"kind": "decision", "seconds": 601}, DAYS),
        ({"kind": "bank", "seconds": 7200}, LIVE),
        ({"kind": "bank", "seconds": 7201}, DAYS),
    ],
)
def test_the_clock_says_the_pace(clock, pace):
    assert pace_of(clock) == pace


def test_every_table_has_a_pool():
    assert [size_of(seats) for seats in range(2, 9)] == ["2", "3-4", "3-4", "5+", "5+", "5+", "5+"]
    paces, kinds = (LIVE, DAYS), ("people", "programs")
    tables = [(one.id, size_of(seats)) for one in EDITIONS.values() for seats in one.seats]
    wanted = {f"{edition}-{size}-{pace}-{kind}" for edition, size in tables for pace in paces for kind in kinds}
    assert {*POOLS} == wanted


def test_a_record_says_against_whom_and_what_came_of_it():
    assert records_of(ended(), kinds(c=BOT)) == {
        "a": ("people", "won"),
        "b": ("people", "lost"),
        "c": ("people", "lost"),
    }
    assert records_of(ended(winners=(0, 1)), kinds(b=BOT, c=BOT)) == {
        "a": ("programs", "shared"),
        "b": ("people", "shared"),
        "c": ("people", "lost"),
    }
    assert records_of(ended(players=("a", "bot-random", "bot-random"), winners=(2,)), kinds()) == {
        "a": ("bots", "lost")
    }
