"""Stored logs that must fold to their outcome for ever, whatever becomes of the events' classes.

Unlike the other golden files these are never made again: a new version of an event gets a new folder beside the old
ones, with a log that shows it. So the generator only writes what is missing.
"""

import json

from engine.codec import store_event
from engine.editions import EDITIONS
from engine.events import SecretRevealed
from engine.rules import fold_log
from engine.views import present
from tests.engine.random_games import random_game

VERSION = 1


def stored_log(edition, seats):
    """Returns a whole game with its outcome, as it is stored."""
    _, log = next(
        (state, log)
        for state, log in (random_game(edition, seats, seed, leaving=0.01) for seed in range(100))
        if {"seat_left", "seat_timed_out"} <= {event.type for event in log} and state.round_number > 2
    )
    assert isinstance(log[-1], SecretRevealed)
    events = [store_event(event, f"2030-01-01T00:{i // 60:02}:{i % 60:02}.000Z") for i, event in enumerate(log)]
    lines = ",\n".join(json.dumps(event) for event in events)
    return f'{{"outcome": {json.dumps(present(fold_log(log)))},\n"events": [\n{lines}\n]}}\n'


def files():
    """Returns the text of the log of every edition by the name of its file, as of the present version."""
    return {f"logs/v{VERSION}/{edition.id}.json": stored_log(edition.id, 3) for edition in EDITIONS.values()}
