"""Games between bots by the rules alone: each is given its own seat's view and nothing else."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import rules
from engine.actions import Action
from engine.bots import Bot
from engine.bots.question import Question
from engine.editions import EDITIONS
from engine.events import Event, RoundStarted, fold
from engine.shuffle import ArrangedChance, Chance, LooseChance
from engine.state import ACTIVE, GameState
from engine.views import advance, redact_log, view

TABLES = [(edition.id, seats) for edition in EDITIONS.values() for seats in edition.seats]


@dataclass
class Game:
    """A running game with the view of each seat; the full state is for the referee alone."""

    log: list[Event]
    state: GameState
    views: list[GameState]
    seen: list[list[Event]]
    """By seat, what it has seen of the round."""
    chance: Chance
    actions: list[Action] = field(default_factory=list)

    def act(self, action: Action) -> None:
        """Plays for the seat to act."""
        happened = rules.play(self.state, action, self.chance)
        self.log += happened
        self.actions.append(action)
        for seat, known in enumerate(self.views):
            advance(known, happened, seat)
            self.seen[seat] = this_round(self.seen[seat] + redact_log(happened, seat))

    def question(self, think_ms: int) -> Question:
        """Returns the question to the seat that must act."""
        seat = self.state.to_act
        assert seat is not None
        known = self.views[seat]
        return Question(known, rules.legal_actions(known), self.seen[seat], think_ms)


def begun(edition: str, seats: int, chance: Chance, starter: int | None = None) -> tuple[GameState, list[Event]]:
    """Returns a game that has just started, and its log."""
    created = rules.bare_table(edition, seats)
    state = rules.begin(created)
    events = rules.start(state, [""] * seats, chance, starter)
    return fold(state, events), [created, *events]


def new_game(edition: str, seats: int, seed: int, rounds: Sequence[dict[str, Any]] = ()) -> Game:
    """Returns a game that has just started; `rounds` says how rounds begin, as in a sandbox."""
    chance = ArrangedChance(LooseChance(random.Random(seed)), rounds)
    state, log = begun(edition, seats, chance, seed % seats)
    views = [view(log, seat) for seat in range(seats)]
    return Game(log, state, views, [this_round(redact_log(log, seat)) for seat in range(seats)], chance)


def questions(game: Game, bots: Sequence[Bot], rng: random.Random, think_ms: int = 1) -> Iterator[Question]:
    """Plays a game to its end; yields the bot's question before every action."""
    while game.state.status == ACTIVE:
        question = game.question(think_ms)
        yield question
        seat = game.state.to_act
        assert seat is not None, "while a game is played, a seat must act"
        action = bots[seat](question, rng)
        assert action in question.legal
        game.act(action)


def this_round(events: list[Event]) -> list[Event]:
    """Returns the events since the newest round began."""
    begun = max(place for place, event in enumerate(events) if isinstance(event, RoundStarted))
    return events[begun:]
