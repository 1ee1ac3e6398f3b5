"""Every moment of `docs/cards`, so every reading that was settled, by the second model and by the oracle.

The second model plays what the engine plays. The oracle works out from the whole log what each viewer may know.
"""

import json
import random

import pytest

from engine.editions import EDITIONS
from engine.events import fold
from engine.logs import codec
from engine.rules import decide
from engine.shuffle import LooseChance
from engine.views import present, redact, view
from games.causes import Act
from tests.games.records.moment_stories import actions_of, begun, moments_of
from tests.second_model.comparison import compare, position_of
from tests.second_model.effects_comparison import compare_action
from tests.secrecy.oracle import WATCHER, Table, event_for
from tests.secrecy.viewers import in_any_order

EVERY_EDITION = pytest.mark.parametrize("edition", EDITIONS)


def chance(moment):
    return LooseChance(random.Random(moment["name"]))


@EVERY_EDITION
def test_the_second_model_allows_what_is_played_and_makes_the_same_of_it(edition):
    for moment in moments_of(edition):
        state = begun(moment).snapshot.state.copy()
        for seat, action in actions_of(moment):
            assert state.to_act == seat
            assert action in compare(state, position_of(state)), moment["name"]
            # The model deals rounds; one that a position gives is left out of the comparison.
            dealt = state.copy()
            dealt.positions = ()
            compare_action(dealt, action, decide(dealt, seat, action, chance(moment)))
            fold(state, decide(state, seat, action, chance(moment)))


@EVERY_EDITION
def test_every_viewer_knows_what_the_oracle_says(edition):
    for moment in moments_of(edition):
        story = begun(moment)
        check(story, moment)
        for seat, action in actions_of(moment):
            story.tell(Act(seat, action))
            check(story, moment)


def check(story, moment):
    """Checks the hands in the views of all seats and of a watcher, and each event as they read it."""
    stored = json.loads(json.dumps(story.stored))
    table, events = Table(stored), [codec.read_event(one) for one in stored]
    for viewer in (WATCHER, *range(story.snapshot.table.seats)):
        seats = present(view(events, viewer))["seats"]
        for number, seat in enumerate(seats):
            assert in_any_order(seat["hand"]) == in_any_order(table.hand_for(viewer, number)), (moment["name"], viewer)
            assert seat["discards"] == table.discards[number], moment["name"]
        for one, event in zip(stored, events, strict=True):
            seen = json.loads(json.dumps(codec.event_data(redact(event, viewer))))
            assert seen == event_for(viewer, one)["data"], (moment["name"], viewer, one["type"])
