"""Gives players days off in games by the day. While a seat is on a break its clock stands still, until it acts."""

from collections.abc import Mapping
from typing import Any, Final

from engine.events import BreakEnded, BreakTaken
from engine.state import GameState
from games.times import ms_of, text_of

DAY_MS: Final = 86_400_000
DAYS_A_YEAR: Final = 7
"""How many days off each player has in a game by the day, unless its table says otherwise."""


def is_by_the_day(clock: Mapping[str, Any]) -> bool:
    """Returns whether a clock gives days: then its game is one by the day."""
    return int(clock["seconds"]) * 1000 >= DAY_MS


def days_left(clock: Mapping[str, Any] | None, state: GameState, seat: int, at: str) -> int:
    """Returns how many days off a seat may take at a time. They follow on a break that it is on.

    All come back with each calendar year, by UTC. Days count in the year in which they begin.
    """
    last = state.breaks.get(seat)
    if last is not None and _year_of(last) >= (max(at, last.until) if last.still_ms else at)[:4]:
        return last.days_left
    return int(clock["break_days"]) if clock is not None else 0


def _year_of(last: BreakTaken) -> str:
    return text_of(ms_of(last.until) - last.days * DAY_MS)[:4]


def still_ms(state: GameState, seat: int, asked: int) -> int:
    """Returns for how long the clock of a question stands still, in milliseconds, because of breaks.

    `asked` is when it was put, in milliseconds since 1970: a break may have begun before it.
    """
    last = state.breaks.get(seat)
    return max(0, min(last.still_ms, ms_of(last.until) - asked)) if last is not None else 0


def spent_ms(state: GameState, seat: int, asked: int, now: int) -> int:
    """Returns for how long a question has run at a time without breaks; both times in milliseconds since 1970."""
    last = state.breaks.get(seat)
    until = ms_of(last.until) if last is not None and last.still_ms else now
    return max(now, until) - asked - still_ms(state, seat, asked)


def break_taken(
    clock: Mapping[str, Any] | None, state: GameState, seat: int, days: int, asked: int | None, now: int
) -> BreakTaken:
    """Returns the event of a seat that takes days off at a time, in milliseconds since 1970.

    They follow on a break that it is on. `asked` is when the seat was asked what it must answer; None if nothing.
    """
    last, begins, before = state.breaks.get(seat), now, 0
    if last is not None and last.still_ms:
        begins = max(now, ms_of(last.until))
        before = last.still_ms if asked is None else still_ms(state, seat, asked)
    left = days_left(clock, state, seat, text_of(now)) - days
    return BreakTaken(seat, days, text_of(begins + days * DAY_MS), before + days * DAY_MS, left)


def break_ended(clock: Mapping[str, Any] | None, state: GameState, seat: int, now: int) -> BreakEnded | None:
    """Returns the event of a seat that acts after taking days off: it gets back those not begun. None without any."""
    last = state.breaks.get(seat)
    if clock is None or last is None or not last.still_ms:
        return None
    until, all_days = ms_of(last.until), int(clock["break_days"])
    ended, not_begun = text_of(min(until, now)), max(0, until - now) // DAY_MS
    left = last.days_left + not_begun if _year_of(last) >= ended[:4] else all_days
    return BreakEnded(seat, ended, min(left, all_days))  # a clock may have been set back
