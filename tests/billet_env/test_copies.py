"""An environment copies deeply and can be pickled at every decision, wrapped or not; a copy goes its own way."""

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import billet_env
from tests.engine.copies import EACH_WAY_TO_COPY, pickled
from tests.engine.random_games import TABLES

ROOT = Path(__file__).parents[2]
MADE = pytest.mark.parametrize("made", [billet_env.Environment, billet_env.env])
CROSSED = pytest.mark.parametrize(
    ("made", "copied"),
    [
        (billet_env.Environment, pickled),
        (billet_env.env, copy.deepcopy),
        pytest.param(billet_env.Environment, copy.deepcopy, marks=pytest.mark.soak),
        pytest.param(billet_env.env, pickled, marks=pytest.mark.soak),
    ],
)
"""Both environments and both ways to copy; the soak has each environment copied in each way."""
SMALL_TABLES = pytest.mark.parametrize(
    ("edition", "seats"), [pytest.param(*table, marks=[] if table[1] == 3 else pytest.mark.soak) for table in TABLES]
)
"""One of each edition, for how long a game is adds nothing that is copied; the soak has all."""


def seen(environment):
    """Returns everything that an environment shows, in a form that can be compared."""
    table = environment.unwrapped
    observed = [environment.observe(agent) for agent in table.possible_agents]
    return (
        environment.agent_selection,
        environment.rewards,
        environment.terminations,
        [(row["observation"].tolist(), row["action_mask"].tolist()) for row in observed],
        [repr(table.events(agent)) for agent in table.possible_agents],
    )


def played(environment, rng):
    """Plays at random to the end; yields each number before it is taken."""
    while not any(environment.terminations.values()):
        mask = environment.observe(environment.agent_selection)["action_mask"]
        number = int(rng.choice(np.flatnonzero(mask)))
        yield number
        environment.step(number)


def begun(made, edition, seats, seed=4):
    environment = made(edition, seats)
    environment.reset(seed=seed)
    return environment


@SMALL_TABLES
@CROSSED
def test_a_copy_has_the_same_future_and_leaves_the_original_its_own(edition, seats, made, copied):
    whole = begun(made, edition, seats)
    course = [(number, seen(whole)) for number in played(whole, random.Random(1))]
    ended = seen(whole)

    environment = begun(made, edition, seats)
    for taken, (number, expected) in enumerate(course):
        assert seen(environment) == expected
        aside, same = copied(environment), copied(environment)
        assert seen(same) == expected
        for _, _ in zip(range(10), played(aside, random.Random(taken)), strict=False):
            pass
        if taken % 10 == 0:
            for later, shown in course[taken:]:
                assert seen(same) == shown
                same.step(later)
            assert seen(same) == ended
        assert seen(environment) == expected
        environment.step(number)
    assert seen(environment) == ended


@MADE
@EACH_WAY_TO_COPY
def test_the_next_games_of_a_copy_are_those_of_the_original(made, copied):
    for environment in (made("standard", 3), begun(made, "lovecraft", 2)):  # not begun, and begun
        twin = copied(environment)
        for _ in range(3):
            environment.reset()
            before = seen(environment)
            twin.reset()
            assert seen(twin) == before == seen(environment)


@MADE
@EACH_WAY_TO_COPY
def test_a_copy_samples_actions_of_its_own(made, copied):
    environment = begun(made, "premium", 3)
    space = environment.action_space("seat_0")
    space.seed(9)
    twin = copied(environment)
    samples = [twin.action_space("seat_0").sample() for _ in range(20)]
    assert [space.sample() for _ in range(20)] == samples


def test_another_process_plays_on_from_what_was_pickled(tmp_path):
    environment = begun(billet_env.env, "lovecraft", 3)
    for _, _ in zip(range(12), played(environment, random.Random(5)), strict=False):
        pass
    file = tmp_path / "environment"
    file.write_bytes(pickle.dumps(environment))
    numbers = list(played(environment, random.Random(6)))

    program = "import pickle, sys; env = pickle.load(open(sys.argv[1], 'rb')); "
    program += "[env.step(int(number)) for number in sys.argv[2:]]; print(env.rewards)"
    words = [sys.executable, "-c", program, file, *map(str, numbers)]
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=240, cwd=ROOT).stdout
    assert said.strip() == str(environment.rewards)
