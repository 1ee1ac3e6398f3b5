"""Whole games of random legal play, with everything that happens around them, for property tests."""

import random
from collections.abc import Callable, Iterator

from engine import rules
from engine.actions import Action
from engine.editions import EDITIONS
from engine.events import Event, SeatTaken, SeatVacated, SecretRevealed, fold
from engine.shuffle import LooseChance
from engine.state import ACTIVE, GameState
from tests.engine.given import created

TABLES = [(edition.id, seats) for edition in EDITIONS.values() for seats in edition.seats]

Watch = Callable[[GameState, int, Action, list[Event]], None]
"""`(state before, seat, action, what happened)`."""


def unwatched(state: GameState, seat: int, action: Action, happened: list[Event]) -> None:
    """Looks at nothing."""


def random_game(
    edition: str,
    seats: int,
    seed: int,
    *,
    options: dict[str, str] | None = None,
    leaving: float = 0.0,
    watch: Watch = unwatched,
) -> tuple[GameState, list[Event]]:
    """Plays a game to its end and returns its last state and its log.

    `leaving` is the chance that a seat leaves instead of an action; `watch` is called for every action before it is
    folded. Some actions are taken by the clock.
    """
    generator = random.Random(f"{edition} {seats} {seed}")
    chance = LooseChance(generator)
    log: list[Event] = [created(edition, seats, options)]
    state = rules.begin(log[0])
    for happened in _course(state, generator, chance, leaving, watch):
        fold(state, happened)
        log += happened
    return state, log


def _course(
    state: GameState, generator: random.Random, chance: LooseChance, leaving: float, watch: Watch
) -> Iterator[list[Event]]:
    """Yields what happens, step by step; the caller folds it."""
    seats = len(state.seats)
    yield [SeatTaken(seat, f"player {seat}", "") for seat in range(seats)]
    yield [SeatVacated(0), SeatTaken(0, "player 0", "nonce")]
    yield rules.start(state, ["nonce"] + [""] * (seats - 1), chance)
    while state.status == ACTIVE:
        if generator.random() < leaving:
            yield rules.leave(state, generator.choice(state.in_game()), "resigned", chance)
            continue
        seat = state.to_act
        action = generator.choice(rules.legal_actions(state))
        take = rules.time_out if generator.random() < 0.05 else rules.decide
        happened = take(state, seat, action, chance)
        watch(state, seat, action, happened)
        yield happened
    yield [SecretRevealed("00" * 32)]
