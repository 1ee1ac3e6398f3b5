"""Plays games between made-up players of different strength, on all cores."""

import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from engine.bots import BOTS
from engine.events import RoundStarted, TokenAwarded
from tools.players.bot_games import new_game, questions


class Played(NamedTuple):
    """One game of the backtest: who played, and what came of it by seat."""

    players: tuple[int, ...]
    winners: tuple[int, ...]
    tokens: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    """By round, the seats that got a token in it."""


def play_games(edition: str, seats: int, count: int, players: int, seed: int) -> list[Played]:
    """Plays so many games between random players; the same arguments give the same games.

    The n-th of N players answers at random with a probability of n / (N - 1), and else as `cautious` does.
    """
    with ProcessPoolExecutor() as pool:
        return list(pool.map(partial(_play, edition, seats, players), range(seed, seed + count), chunksize=20))


def _play(edition: str, seats: int, players: int, seed: int) -> Played:
    rng = random.Random(f"{edition} {seats} {players} {seed}")
    seated = tuple(rng.sample(range(players), seats))
    game = new_game(edition, seats, seed)
    bots = [_careless(one / (players - 1)) for one in seated]
    for _ in questions(game, bots, rng):  # they answer as they are asked
        pass
    rounds: dict[int, list[int]] = {}
    number = 0
    for event in game.log:
        if isinstance(event, RoundStarted):
            number += 1
        elif isinstance(event, TokenAwarded):
            rounds.setdefault(number, []).append(event.seat)
    tokens = tuple(seat.tokens for seat in game.state.seats)
    return Played(seated, game.state.winners, tokens, tuple(tuple({*won}) for won in rounds.values()))


def _careless(probability: float):
    def choose(question, rng):
        return BOTS["random" if rng.random() < probability else "cautious"](question, rng)

    return choose
