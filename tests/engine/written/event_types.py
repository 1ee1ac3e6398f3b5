"""Which events the games of a table can hold, and random games that hold all of them; what is seen is not said here."""

from functools import cache

from engine.events import EVENTS
from tests.engine.random_games import of_all_kinds, random_game

NEVER_PLAYED = {"game_aborted"}
"""Ends a game before its first action."""
OF_CLOCKS = {"time_spent", "seat_taken_back", "break_taken", "break_ended"}
"""What the service notes of time; the engine, which knows no clock, emits neither."""
DECISIONS = {"decision_opened", "decision_taken"}
LOVECRAFT = {"card_resolved", "card_revealed", "card_received", "hand_taken", "hands_given"}
ELSEWHERE = {
    "standard": {"seat_bound", "seat_marked"} | LOVECRAFT,
    "classic": {"seat_bound", "seat_marked", "cards_returned"} | DECISIONS | LOVECRAFT,
    "small premium": {"seat_bound", "seat_marked", "cards_returned"} | DECISIONS | LOVECRAFT,
    "premium": {"cards_returned"} | LOVECRAFT,
    "lovecraft": {"seat_bound", "cards_returned"},
}
"""By edition, the events that only other editions have."""
ENOUGH = 5_000
"""Games in which a rare event must have happened; all of them do in some hundreds."""


def types_at(edition, seats):
    """Returns the types of event that a game at a table without a clock can hold."""
    small = edition == "premium" and seats <= 4
    return set(EVENTS) - NEVER_PLAYED - OF_CLOCKS - ELSEWHERE["small premium" if small else edition]


@cache
def telling_games(edition, seats, games=3):
    """Returns the logs of some random games, and of as many more as it takes to hold every event of the table."""
    logs, missing = [], types_at(edition, seats)
    for seed in range(ENOUGH):
        if seed >= games and not missing:
            return logs
        _, log = random_game(edition, seats, seed, **of_all_kinds(edition, seed))
        types = {event.type for event in log}
        assert types <= types_at(edition, seats), f"{edition} with {seats} seats: {types}"
        if seed < games or types & missing:
            logs.append(log)
            missing -= types
    raise AssertionError(f"no {missing} in {ENOUGH} games of {edition} with {seats} seats")
