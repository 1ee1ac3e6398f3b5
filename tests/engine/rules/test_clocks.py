"""What a state carries for clocks: banks and who is away, from the first event of a round as well as from all."""

from itertools import pairwise

import pytest

from engine import rules
from engine.events import BreakEnded, BreakTaken, RoundStarted, SeatLeft, SeatTakenBack, SeatTimedOut, TimeSpent, fold
from engine.views import WATCHER, present, view
from tests.engine.given import created, given
from tests.engine.random_games import BANK, EVERY_TABLE, random_game
from tests.engine.rules.invariants import check_folding, check_folding_from_the_newest_round

DECISION = {"kind": "decision", "seconds": 60, "increment": 0, "on_timeout": "bot_plays"}


def banked():
    """A table of three in the middle of a round, of which each seat has a bank."""
    table = given(hands=["guard spy", "king", "priest"])
    table.state.banks = (300_000, 200_000, 100_000)
    return table


def test_each_seat_begins_with_the_whole_bank():
    assert rules.begin(created(seats=3, clock=BANK)).banks == (300_000,) * 3


@pytest.mark.parametrize("clock", [None, DECISION])
def test_other_clocks_have_no_banks(clock):
    state = rules.begin(created(seats=3, clock=clock))
    assert state.banks is None
    assert [seat["bank_ms"] for seat in present(state)["seats"]] == [None] * 3


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_time_that_is_spent_changes_one_bank(seat):
    table = banked()
    before = table.state.banks
    after = fold(table.state.copy(), [TimeSpent(seat, 1234, 98_765)])
    assert after.banks == tuple(98_765 if other == seat else ms for other, ms in enumerate(before))
    assert (after.since, after.to_act) == (table.state.since, table.state.to_act), "the question is still the same"
    assert [shown["bank_ms"] for shown in present(after)["seats"]] == list(after.banks)
    assert table.state.banks == before


def test_a_seat_is_away_from_when_its_time_is_up_until_it_is_taken_back():
    state = banked().state
    away = fold(state.copy(), [SeatTimedOut(1), SeatTimedOut(2), SeatTimedOut(1)])
    assert [shown["away"] for shown in present(away)["seats"]] == [False, True, True]
    back = fold(away, [SeatTakenBack(1)])
    assert [back.is_away(seat) for seat in range(3)] == [False, False, True]
    assert not fold(back, [SeatLeft(2, (), "resigned")]).is_away(2), "nobody stands in for a seat that has left"


def test_the_last_break_of_a_seat_is_kept_and_stands_for_nothing_once_it_has_acted():
    state, taken = banked().state, BreakTaken(1, 2, "2026-06-03T12:00:00.000Z", 172_800_000, 5)
    before = state.breaks
    on_break = fold(state.copy(), [taken])
    assert (on_break.breaks, before, on_break.since) == ({1: taken}, {}, state.since)
    ended = fold(on_break.copy(), [BreakEnded(1, "2026-06-02T12:00:00.000Z", 6)])
    assert (ended.breaks[1].still_ms, ended.breaks[1].days_left) == (0, 6)
    assert on_break.breaks == {1: taken}


@pytest.mark.many
@EVERY_TABLE
def test_banks_and_who_is_away_are_the_same_from_wherever_one_reads(edition, seats):
    for seed in range(2):
        _, log = random_game(edition, seats, seed, leaving=0.01, clock=BANK)
        check_folding(log)
        check_folding_from_the_newest_round(log)
        state = rules.fold_log(log)
        for viewer in (WATCHER, *range(seats)):
            seen = view(log, viewer)
            assert (seen.banks, seen.away, seen.breaks) == (state.banks, state.away, state.breaks)


def test_a_bank_is_what_was_there_less_what_was_spent_and_with_what_was_gained():
    _, log = random_game("premium", 8, 3, clock=BANK)
    spent = [event for event in log if isinstance(event, TimeSpent)]
    for seat in range(8):
        own = [event for event in spent if event.seat == seat]
        for before, after in pairwise([TimeSpent(seat, 0, 300_000), *own]):
            assert after.bank_ms == before.bank_ms - after.spent_ms + 5000
    deals = [event for event in log if isinstance(event, RoundStarted)]
    assert deals[0].banks == (300_000,) * 8
    assert deals[-1].banks != deals[0].banks
    assert any(deal.away for deal in deals)
