"""Every legal action can be chosen step by step, and nothing else can: in whole games of all editions."""

import json
import subprocess
from pathlib import Path

import pytest

from engine import options
from engine.editions import EDITIONS
from engine.logs.codec import action_data
from tests.engine.random_games import random_game

PATHS = Path(__file__).with_name("choice.mjs")
GAMES = 2


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_steps_lead_to_every_legal_action_and_to_no_other(edition):
    lists = set()

    def look(state, seat, action, happened):
        lists.add(json.dumps([action_data(one) for one in options.legal_actions(state)]))

    most = max(EDITIONS[edition].seats)
    for seed in range(GAMES):
        random_game(edition, most if seed % 2 else 3, seed, watch=look)
    walked = subprocess.run(["node", PATHS], input="\n".join(lists), capture_output=True, text=True)
    assert walked.returncode == 0, walked.stderr
    assert int(walked.stdout) == len(lists) > 20
