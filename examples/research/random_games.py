"""Plays random games in the PettingZoo environment and says how they went: `make research`.

After that, which installs the extra `env`: `.venv/bin/python examples/research/random_games.py --help`.
"""

import argparse
import time

import billet_env
from engine.errors import UnknownEdition


def main() -> None:
    """Plays as many games as asked, and prints what each seat got and how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", default="standard", help="default: %(default)s")
    parser.add_argument("--seats", type=int, default=4, help="default: %(default)s")
    parser.add_argument("--games", type=int, default=1000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="the same seed plays the same games (default: %(default)s)")
    asked = parser.parse_args()

    if asked.games < 1:
        parser.error("--games: at least one")
    try:
        env = billet_env.env(asked.edition, asked.seats)
    except UnknownEdition as unknown:
        parser.error(str(unknown))
    env.reset(seed=asked.seed)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(asked.seed + number)  # where the random actions come from

    rewards = dict.fromkeys(env.possible_agents, 0.0)
    actions, began = 0, time.perf_counter()
    for _ in range(asked.games):
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                rewards[agent] += reward
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                actions += 1
        env.reset()
    seconds = time.perf_counter() - began

    print(f"{asked.edition}, {asked.seats} seats: {asked.games} games, {actions} actions in {seconds:.1f} s")
    for agent, reward in rewards.items():
        print(f"{agent}: {reward / asked.games:+.3f} a game")


if __name__ == "__main__":
    main()
