"""The environments pass the tests that PettingZoo has for environments, at every table."""

import pytest
from pettingzoo.test import api_test, seed_test

import billet_env
from tests.engine.random_games import EVERY_TABLE

# PettingZoo's own card games, which offer a mask beside the observation as these do, are excused by a list in its test.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


def seeded(environment):
    """Returns an environment of which nothing is by chance, and neither are the actions drawn from its spaces."""
    environment.reset(seed=1)
    for agent in environment.possible_agents:
        environment.action_space(agent).seed(1)
    return environment


@EVERY_TABLE
class TestEveryTable:
    def test_is_an_environment_as_pettingzoo_wants_it(self, edition, seats):
        api_test(seeded(billet_env.env(edition, seats)), num_cycles=100)

    def test_the_bare_environment_is_one_too(self, edition, seats):
        api_test(seeded(billet_env.Environment(edition, seats)), num_cycles=50)

    def test_depends_on_its_seed_alone(self, edition, seats):
        seed_test(lambda: billet_env.env(edition, seats), num_cycles=50)
