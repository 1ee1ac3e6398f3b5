"""What the engine costs by itself: random play at every table, and the parts of an action in the service.

Processor time of this process alone; each figure is the median of several runs, with the best beside it, because on a
shared machine everything that disturbs a run makes it slower.
"""

import random
import statistics
import time
from collections.abc import Callable, Sequence

from engine import rules
from engine.actions import Action
from engine.editions import EDITIONS
from engine.events import Event
from engine.logs.codec import read_event, store_event
from engine.shuffle import Dealer, LooseChance
from engine.state import ACTIVE, GameState
from engine.views import redact, redact_log
from tools.benchmarks.machine import seconds
from tools.players.bot_games import begun

RUNS = 9
GAMES = 60
WARM_UP = 200
"""Games before the first run: they fill the memo of legal plays, as a service or a simulation soon has."""


def run() -> None:
    """Prints actions per second of random play, and the cost of each part of an action."""
    print("engine: random play, actions a second on one core")
    for edition in EDITIONS.values():
        for seats in edition.seats:
            random_play(edition.id, seats, WARM_UP, 0)
            rates = [random_play(edition.id, seats, GAMES, seed) for seed in range(1, RUNS + 1)]
            print(f"  {edition.id:<9} {seats} seats: {statistics.median(rates):9,.0f}  (best {max(rates):,.0f})")
    print("engine: microseconds in a game of standard with 4 seats")
    log, positions = recorded_game("standard", 4)
    for name, count, work in _parts(log, positions):
        figures = [seconds(work) / count * 1e6 for _ in range(RUNS)]
        print(f"  {name:<42} {statistics.median(figures):8.2f}  (best {min(figures):.2f})")
    _print_decide_beside_play(positions)


def random_play(edition: str, seats: int, games: int, seed: int) -> float:
    """Returns the actions per second of random games."""
    generator = random.Random(seed)
    chance = LooseChance(generator)
    actions = 0
    start = time.process_time()
    for _ in range(games):
        state, _ = begun(edition, seats, chance)
        actions += rules.play_out(state, chance)
    return actions / (time.process_time() - start)


Position = tuple[GameState, int, Action]


def recorded_game(edition: str, seats: int) -> tuple[list[Event], list[Position]]:
    """Returns the log of a random game, and every position in it with the seat and the action taken there."""
    generator = random.Random(1)
    chance = LooseChance(generator)
    state, log = begun(edition, seats, chance)
    positions = []
    while state.status == ACTIVE:
        seat = state.to_act
        assert seat is not None
        action = generator.choice(rules.legal_actions(state))
        positions.append((state.copy(), seat, action))
        log += rules.play(state, action, chance)
    return log, positions


def _parts(log: list[Event], positions: list[Position]) -> list[tuple[str, int, Callable[[], object]]]:
    """Returns what is measured: its name, how many of it there are in one call, and the call."""
    loose = LooseChance(random.Random(1))
    dealer = Dealer(bytes(32), "game", ["", "", "", ""])
    stored = [store_event(event, "2030-01-01T00:00:00Z") for event in log]
    redacted = redact_log(log, 0)
    deck = positions[0][0].book.deck
    states = [state for state, _, _ in positions]
    return [
        ("fold a full log, an event", len(log), lambda: rules.fold_log(log)),
        ("fold a redacted log, an event", len(log), lambda: rules.fold_log(redacted)),
        ("redact for a seat, an event", len(log), lambda: _each(log, lambda event: redact(event, 0))),
        ("store, an event", len(log), lambda: _each(log, lambda event: store_event(event, ""))),
        ("read, an event", len(log), lambda: _each(stored, read_event)),
        ("copy a state", len(states), lambda: _each(states, GameState.copy)),
        ("list the legal actions", len(states), lambda: _each(states, rules.legal_actions)),
        ("shuffle a deck verifiably", 1, lambda: dealer.order(deck, 1)),
        (
            "play on a copy, an action",
            len(positions),
            lambda: [rules.play(s.copy(), a, loose) for s, _, a in positions],
        ),
        ("decide, an action", len(positions), lambda: [rules.decide(s, seat, a, loose) for s, seat, a in positions]),
    ]


def _print_decide_beside_play(positions: list[Position]) -> None:
    chance = LooseChance(random.Random(1))
    ratios = []
    for _ in range(RUNS):
        copies = [(state.copy(), action) for state, _, action in positions]
        played = seconds(lambda copies=copies: [rules.play(state, action, chance) for state, action in copies])
        decided = seconds(lambda: [rules.decide(state, seat, action, chance) for state, seat, action in positions])
        ratios.append(decided / played)
    print(f"  deciding (legality, a copy) costs {statistics.median(ratios):.2f} times as much as playing in place")


def _each(items: Sequence[object], work: Callable[..., object]) -> None:
    for item in items:
        work(item)


if __name__ == "__main__":
    run()
