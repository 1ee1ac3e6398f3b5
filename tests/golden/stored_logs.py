"""Stored logs that must fold to their outcome for ever, whatever becomes of the events' classes.

Unlike the other golden files these are never made again: a new version of an event gets a new folder beside the old
ones, with a log that shows it. So the generator only writes what is missing.
"""

import json

from engine.editions import EDITIONS
from engine.events import SecretRevealed
from engine.logs.codec import store_event
from engine.rules import fold_log
from engine.views import present
from tests.engine.random_games import BANK, random_game
from tests.engine.written.event_types import OF_CLOCKS, types_at

VERSION = 5
SEATS = {"premium": 5, "lovecraft": 5}
"""Where a table of three does not know every event of the edition, or hardly ever."""


def stored_log(edition, seats):
    """Returns a whole game with its outcome, as it is stored; every event of the table happens in it."""
    _, log = next(
        (state, log)
        for state, log in (random_game(edition, seats, seed, leaving=0.01, clock=BANK) for seed in range(1000))
        if {event.type for event in log} == types_at(edition, seats) | OF_CLOCKS
    )
    assert isinstance(log[-1], SecretRevealed)
    events = [store_event(event, f"2030-01-01T00:{i // 60:02}:{i % 60:02}.000Z") for i, event in enumerate(log)]
    lines = ",\n".join(json.dumps(event) for event in events)
    return f'{{"outcome": {json.dumps(present(fold_log(log)))},\n"events": [\n{lines}\n]}}\n'


def files():
    """Returns the text of the log of every edition by the name of its file, as of the present version."""
    return {f"logs/v{VERSION}/{edition}.json": stored_log(edition, SEATS.get(edition, 3)) for edition in EDITIONS}
