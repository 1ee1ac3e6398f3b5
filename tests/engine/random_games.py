"""Whole games of random legal play, with everything that happens around them, for property tests and the soak."""

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from engine import rules
from engine.actions import Action
from engine.editions import EDITIONS
from engine.events import (
    BreakEnded,
    BreakTaken,
    Event,
    NonceRevealed,
    OfferWithdrawn,
    RevealStarted,
    SeatCleared,
    SeatDeclined,
    SeatOffered,
    SeatTaken,
    SeatTakenBack,
    SeatVacated,
    SecretRevealed,
    TimeSpent,
    fold,
)
from engine.shuffle import LooseChance, nonce_digest, revealed_digest
from engine.state import ACTIVE, GameState
from tests.engine.given import created, timed_out

TABLES = [(edition.id, seats) for edition in EDITIONS.values() for seats in edition.seats]
OUTERMOST = [(edition.id, seats) for edition in EDITIONS.values() for seats in (min(edition.seats), max(edition.seats))]
EVERY_TABLE = pytest.mark.parametrize(
    ("edition", "seats"),
    [pytest.param(*table, marks=[] if table in OUTERMOST else pytest.mark.soak) for table in TABLES],
)
"""Runs a test at the smallest and the largest table of each edition; in the soak also at those between."""
MOST_STEPS = 20_000
"""Random play that takes longer does not end."""
BANK = {"kind": "bank", "seconds": 300, "increment": 5, "on_timeout": "bot_plays"}
"""A clock with banks."""

NONCE = "the nonce of the player on seat 0"

Watch = Callable[[GameState, int, Action, list[Event]], None]
"""`(state before, seat, action, what happened)`."""
WatchLeaving = Callable[[GameState, int, list[Event]], None]
"""`(state before, seat, what happened)`."""
Look = Callable[[GameState], None]
"""`(state)`."""


def unwatched(state: GameState, seat: int, action: Action, happened: list[Event]) -> None:
    """Looks at nothing."""


def unwatched_leaving(state: GameState, seat: int, happened: list[Event]) -> None:
    """Looks at nothing."""


def unseen(state: GameState) -> None:
    """Looks at nothing."""


def of_all_kinds(edition: str, seed: int) -> dict:
    """Returns how to play a seed, so that consecutive seeds have every option, with and without seats that leave."""
    readings = EDITIONS[edition].options
    chosen = list(product(*readings.values()))
    return {
        "options": dict(zip(readings, chosen[seed % len(chosen)], strict=True)),
        "leaving": 0.02 if seed % 3 == 2 else 0.0,
    }


def random_game(
    edition: str,
    seats: int,
    seed: int,
    *,
    leaving: float = 0.0,
    options: dict[str, str] | None = None,
    clock: dict | None = None,
    watch: Watch = unwatched,
    watch_leaving: WatchLeaving = unwatched_leaving,
    look: Look = unseen,
) -> tuple[GameState, list[Event]]:
    """Plays a game to its end and returns its last state and its log.

    `leaving` is the chance that a seat leaves instead of an action; some actions are taken by the clock. With `clock`,
    one with banks, there is also what the service notes of time: every other seat that is away comes back. `watch` is
    called for every action before it is folded, `watch_leaving` for every seat that leaves, `look` with every state
    that somebody must act in. The same seed is the same game whoever watches; one that nobody watches is played in
    place, which is quicker.
    """
    generator = random.Random(f"{edition} {seats} {seed}")
    chance = LooseChance(generator)
    log: list[Event] = [created(edition, seats, options, clock=clock)]
    state = rules.begin(log[0])
    for happened in _opening(state, chance):
        fold(state, happened)
        log += happened
    for happened in _course(state, generator, chance, leaving, watch, watch_leaving, look):
        log += happened
    log.append(SecretRevealed("00" * 32))
    return fold(state, log[-1:]), log


def _opening(state: GameState, chance: LooseChance) -> Iterator[list[Event]]:
    """Yields what happens until the first turn, step by step; the caller folds it."""
    seats = len(state.seats)
    yield [SeatTaken(seat, f"player {seat}", "", "") for seat in range(seats)]
    yield [SeatVacated(0), SeatTaken(0, "another", "", ""), SeatCleared(0, "another")]
    yield [SeatOffered(0, "a friend"), SeatDeclined(0, "a friend", "later")]
    yield [SeatOffered(0, "another"), OfferWithdrawn(0, "another"), SeatTaken(0, "player 0", "", nonce_digest(NONCE))]
    yield [RevealStarted((0,)), NonceRevealed(0, NONCE)]
    yield rules.start(state, [revealed_digest(NONCE)] + [""] * (seats - 1), chance, committed=(0,))


def _course(
    state: GameState,
    generator: random.Random,
    chance: LooseChance,
    leaving: float,
    watch: Watch,
    watch_leaving: WatchLeaving,
    look: Look,
) -> Iterator[list[Event]]:
    """Plays in place to the end; yields what happens, step by step."""
    for _ in range(MOST_STEPS):
        if state.status != ACTIVE:
            return
        look(state)
        if generator.random() < leaving:
            seat = generator.choice(state.in_game())
            happened = rules.leave(state, seat, "resigned", chance)
            watch_leaving(state, seat, happened)
            fold(state, happened)
            yield happened
            continue
        seat = state.to_act
        if state.banks is not None:
            noted = _time(state, seat, random.Random(state.version))
            fold(state, noted)
            yield noted
        action = generator.choice(rules.legal_actions(state))
        by_the_clock = generator.random() < 0.05
        if watch is unwatched and not by_the_clock:
            yield rules.play(state, action, chance)
            continue
        happened = (timed_out if by_the_clock else rules.decide)(state, seat, action, chance)
        watch(state, seat, action, happened)
        fold(state, happened)
        yield happened
    raise AssertionError(f"the game does not end in {MOST_STEPS} steps")


def _time(state: GameState, seat: int, generator: random.Random) -> list[Event]:
    """Returns what is noted of the time of a seat that acts."""
    spent = generator.randrange(state.banks[seat])
    back = [SeatTakenBack(seat)] if state.is_away(seat) and generator.random() < 0.5 else []
    taken = BreakTaken(generator.choice(state.in_game()), 1, "2026-06-02T12:00:00.000Z", 86_400_000, 6)
    breaks = [taken] if generator.random() < 0.1 else []
    if seat in state.breaks and state.breaks[seat].still_ms:
        breaks.append(BreakEnded(seat, "2026-06-01T12:00:00.000Z", 7))
    return [*back, TimeSpent(seat, spent, state.banks[seat] - spent + 5000), *breaks]
