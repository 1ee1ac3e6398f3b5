"""What a viewer cannot see makes no difference to what the viewer sees.

A round is played at random and stopped somewhere, at the latest when it is over. The cards that a viewer has not seen
by then are shuffled among the places where they lay at the deal, and everybody does again what they did. If that gives
the same public course (the same cards played and laid down, the same seats knocked out: a Guard may well hit another
card now, and then the viewer does learn something), then the viewer must see the same log, to the last detail, and must
be offered the same actions.

Every table goes on until it has compared enough rounds with every event and every question that its rounds can hold.
"""

import random
from collections import Counter

import pytest

from engine.editions import rulebook
from tests.engine.random_games import EVERY_TABLE
from tests.engine.views import comparing
from tests.engine.views.other_deals import log_of, random_round, shuffled_deal
from tests.engine.written.event_types import types_at

ROUNDS = 6
MOST_ROUNDS = 3_000
"""More must not be needed for them."""
BEFORE_THE_DEAL = {
    *("game_created", "seat_taken", "seat_vacated", "seat_cleared"),
    *("seat_offered", "seat_declined", "offer_withdrawn"),
    *("reveal_started", "nonce_revealed"),
}
NOTHING_HIDDEN = {*BEFORE_THE_DEAL, "game_started", "hands_revealed", "secret_revealed"}
"""Events before the deal or after the end, and the showdown: the deck is empty then, every hand is shown, and the one
card that is still hidden has none that it could be exchanged with."""


def wanted_at(edition, seats):
    """Returns everything that must be compared at a table: events, questions, kinds of viewers and of hidden cards."""
    questions = set().union(*rulebook(edition, seats, {}).answers.values())
    found = {("event", name) for name in types_at(edition, seats) - NOTHING_HIDDEN}
    found |= {("asked", kind) for kind in questions | {"a turn"}}
    return found | comparing.wanted_at(seats)


def may_show(deal, steps, seats):
    """Returns what of all that is wanted a comparison of a round may show; of viewers and places one cannot say."""
    return comparing.what_it_holds(log_of(deal, steps)) | comparing.wanted_at(seats)


def prefixes(steps, deal, missing):
    """Yields a round as it was played, and up to where it asks a question that is wanted still."""
    yield steps
    for end in range(1, len(steps)):
        last = steps[end - 1].happened[-1]
        if last.type == "decision_opened" and ("asked", last.kind) in missing:
            yield steps[:end]


@pytest.mark.many
@EVERY_TABLE
def test_what_a_viewer_cannot_see_makes_no_difference(edition, seats):
    generator = random.Random(f"{edition} {seats}")
    wanted = wanted_at(edition, seats)
    compared = Counter()
    for number in range(MOST_ROUNDS):
        missing = {thing for thing in wanted if compared[thing] < comparing.ENOUGH}
        if number >= ROUNDS and not missing:
            break
        deal, steps = random_round(edition, seats, generator, number)
        for part in prefixes(steps, deal, missing):
            if number < ROUNDS or missing & may_show(deal, part, seats):
                for found in comparing.compare(deal, part, seats, generator, shuffled_deal):
                    compared.update([*found, "all"])
    assert not missing, f"hardly anything was compared that holds {missing}: {compared}"
    assert compared["all"] > ROUNDS * seats
