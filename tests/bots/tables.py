"""Games between bots, each of which is given its own seat's view and nothing else."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine import rules
from engine.actions import Action
from engine.bots import Bot
from engine.editions import EDITIONS
from engine.events import Event
from engine.shuffle import ArrangedChance, Chance, LooseChance
from engine.state import ACTIVE, GameState
from engine.views import advance, redact, view
from tests.engine.given import Situation, created

TABLES = [(edition.id, seats) for edition in EDITIONS.values() for seats in edition.seats]


@dataclass
class Game:
    """A running game with the view of each seat; the full state is for the referee alone."""

    log: list[Event]
    state: GameState
    views: list[GameState]
    chance: Chance
    actions: list[Action] = field(default_factory=list)

    def act(self, action: Action) -> None:
        happened = rules.play(self.state, action, self.chance)
        self.log += happened
        self.actions.append(action)
        for seat, known in enumerate(self.views):
            advance(known, happened, seat)


def new_game(edition: str, seats: int, seed: int, rounds: Sequence[dict] = ()) -> Game:
    first = created(edition, seats)
    chance = ArrangedChance(LooseChance(random.Random(seed)), rounds)
    log = [first, *rules.start(rules.begin(first), [""] * seats, chance, starter=seed % seats)]
    return Game(log, rules.fold_log(log), [view(log, seat) for seat in range(seats)], chance)


def questions(game: Game, bots: Sequence[Bot], rng: random.Random) -> Iterator[tuple[GameState, list[Action]]]:
    """Plays a game to its end; yields, before every action, what the bot is given."""
    while game.state.status == ACTIVE:
        seat = game.state.to_act
        legal = rules.legal_actions(game.views[seat])
        yield game.views[seat], legal
        action = bots[seat](game.views[seat], legal, rng)
        assert action in legal
        game.act(action)


def winners(edition: str, bots: Sequence[Bot], seed: int) -> tuple[int, ...]:
    """Plays a game to its end and returns who won it."""
    game = new_game(edition, len(bots), seed)
    for _ in questions(game, bots, random.Random(seed)):
        pass
    return game.state.winners


def seen_by_the_seat_to_act(table: Situation) -> GameState:
    """Returns the view of the seat to act."""
    return view(table.log, table.state.to_act)


def redacted(log: Sequence[Event], seat: int) -> list[Event]:
    return [redact(event, seat) for event in log]
