"""What a viewer cannot see makes no difference in rounds that begin with a position, either.

Random positions, whole or with parts left to chance, are played on at random. The cards that a viewer has not seen by
then are exchanged among the places where they lay as the round began, and the round begins with the position of these.
Whatever everybody does again, the viewer must see the same, as in `test_non_interference`.
"""

import random
from collections import Counter

import pytest

from engine import rules
from engine.errors import ImpossiblePosition
from engine.events import RoundEnded, fold
from engine.positions import check_position, position_of
from engine.state import ACTIVE
from engine.views import WATCHER, redact_log
from tests.engine.random_games import EVERY_TABLE
from tests.engine.random_positions import as_position, begun, in_part, random_state
from tests.engine.views import comparing
from tests.engine.views.other_deals import Step, course, exchanged, take_step

ROUNDS = 12
MOST_ROUNDS = 2_000
"""More must not be needed for them."""
SECRET = ("hands", "deck", "set_aside")


def random_position(edition, seats, generator, number):
    """Returns a position, every second one with parts left to chance, and the options of its table."""
    state = random_state(edition, seats, number)
    position = as_position(state)
    return in_part(position, generator) if number % 2 else position, state.book.options


def round_from(edition, seats, generator, number):
    """Returns the events with which a round begins in a random position, and the steps that follow up to its end."""
    position, options = random_position(edition, seats, generator, number)
    drawn = begun(edition, seats, position, number, options)
    # With nothing left to chance, a next round that follows at once is dealt by the same chance whatever is exchanged.
    log = begun(edition, seats, position_of(drawn[2]), options=options)
    assert log[2] == drawn[2]
    state = rules.fold_log(log)
    steps = []
    for seed in range(generator.randint(0, 12)):
        if state.status != ACTIVE or any(isinstance(event, RoundEnded) for event in log):
            break
        leaves = generator.random() < 0.02
        seat = generator.choice(state.in_game()) if leaves else state.to_act
        action = None if leaves else generator.choice(rules.legal_actions(state))
        happened = take_step(state, seat, action, generator.random() < 0.05, seed)
        steps.append(Step(seat, action, happened))
        fold(state, happened)
        if any(event.type in ("round_ended", "game_finished") for event in happened):
            break
    return log, steps


def other_position(log, places, generator):
    """Returns how the round begins when the cards of some places are exchanged, or None if it cannot begin so."""
    position = position_of(exchanged(log[2], places, generator))
    try:
        check_position(rules.begin(log[0]), position)
    except ImpossiblePosition:
        return None  # such as a Mi-Go braincase that would lie in the deck
    return begun(log[0].edition, log[0].seats, position, options=log[0].options)


def begins_alike(log, other):
    """Whether everybody sees a round begin the same way."""
    return [course(event) for event in log] == [course(event) for event in other]


def shuffled(log, places, generator):
    """Returns another beginning that everybody sees the same way; the same again if none was found."""
    other = other_position(log, places, generator)
    return other if other is not None and begins_alike(log, other) else log


@pytest.mark.many
@EVERY_TABLE
def test_what_a_viewer_cannot_see_of_a_position_makes_no_difference(edition, seats):
    generator = random.Random(f"{edition} {seats}")
    wanted = comparing.wanted_at(seats)
    compared = Counter()
    for number in range(MOST_ROUNDS):
        missing = {thing for thing in wanted if compared[thing] < comparing.ENOUGH}
        if number >= ROUNDS and not missing:
            break
        log, steps = round_from(edition, seats, generator, number)
        for found in comparing.compare(log, steps, seats, generator, shuffled):
            compared.update([*found, "all"])
    assert not missing, f"hardly anything was compared that holds {missing}: {compared}"
    assert compared["all"] > ROUNDS * seats


@EVERY_TABLE
def test_nobody_sees_hidden_cards_of_the_position_they_sit_in(edition, seats):
    generator = random.Random(f"{edition} {seats} hidden")
    for number in range(10):
        position, options = random_position(edition, seats, generator, number)
        log = begun(edition, seats, position, number, options)
        for viewer in (WATCHER, *range(seats)):
            seen = redact_log(log, viewer)
            assert seen[0].sandbox_positions == (None,)
            assert seen[2].deck == (None,) * len(log[2].deck)
            assert seen[2].set_aside is None
            assert all(card is None or seat == viewer for seat, card in enumerate(seen[2].hands))
            assert not {*seen[2].position} & {*SECRET}
