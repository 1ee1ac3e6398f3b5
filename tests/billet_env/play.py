"""Random play in an environment, for tests that look at what it shows on the way."""

import random
from collections.abc import Iterator

import billet_env


def positions(edition: str, seats: int, seed: int) -> Iterator[billet_env.Environment]:
    """Plays a game at random; yields the environment before every action."""
    environment = billet_env.Environment(edition, seats)
    environment.reset(seed=seed)
    generator = random.Random(seed)
    while not any(environment.terminations.values()):
        yield environment
        agent = environment.agent_selection
        action = generator.choice(environment.legal_actions(agent))
        environment.step(environment.numbering.number(environment.view(agent), action))
