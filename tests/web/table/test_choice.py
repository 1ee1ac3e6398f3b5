"""Every legal action can be chosen step by step, and nothing else can: in a whole game of each edition."""

import json
import subprocess
from pathlib import Path

import pytest

from engine import options
from engine.editions import EDITIONS
from engine.logs.codec import action_data
from tests.engine.random_games import random_game

PATHS = Path(__file__).with_name("choice.mjs")
SEATS, SEED = 5, 3
"""Of one game of each edition, if it has so many seats: `premium` has all of its cards then."""
ASKED = {
    "standard": {"keep_card"},
    "classic": set(),
    "premium": {"redraw_hand", "peek_hand"},
    "lovecraft": {"give_hands"},
}
"""What comes beside plays in these games."""


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_steps_lead_to_every_legal_action_and_to_no_other(edition):
    lists, kinds = set(), set()

    def look(state, seat, action, happened):
        offered = options.legal_actions(state)
        kinds.update(one.type for one in offered)
        lists.add(json.dumps([action_data(one) for one in offered]))

    random_game(edition, min(SEATS, EDITIONS[edition].seats[-1]), SEED, watch=look)
    assert kinds == {"play_card"} | ASKED[edition]
    walked = subprocess.run(["node", PATHS], input="\n".join(lists), capture_output=True, text=True)
    assert walked.returncode == 0, walked.stderr
    assert int(walked.stdout) == len(lists) > 20
