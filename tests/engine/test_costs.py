"""What an action, a view and a bot's turn cost, counted in Python calls: the same on every machine.

A figure above its record fails. Raise the record only in the commit that says what the calls are for. Lower it when a
figure has fallen, so that it cannot climb back unnoticed.
"""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

import pytest

import engine
from engine import rules, views
from engine.actions import Action
from engine.bots import BOTS
from engine.bots.question import Question
from engine.events import Event, fold
from engine.shuffle import LooseChance
from engine.state import GameState
from tests.counted_calls import calls

SEATS: Final = 4
GAMES: Final = 8
MARGIN: Final = 1.02
"""What versions of Python may count more."""


pytestmark = pytest.mark.many


class Cost(NamedTuple):
    """Python calls, in the mean of every third turn of some games of cautious bots."""

    action: float
    """Of deciding on an action and folding its events."""
    view: float
    """Of folding the events of an action onto the view of a seat, and presenting it."""
    turn: float
    """Of a turn of the `cautious` bot: listing the legal actions and choosing one."""


RECORDS: Final = {
    "standard": Cost(action=69.3, view=30.7, turn=801.1),
    "classic": Cost(action=70.9, view=30.9, turn=740.9),
    "premium": Cost(action=73.0, view=30.7, turn=759.3),
    "lovecraft": Cost(action=82.7, view=36.2, turn=1297.1),
}


class Turn(NamedTuple):
    """A turn of a game, and what was there before it."""

    state: GameState
    view: GameState
    action: Action
    seat: int
    events: list[Event]


def played(edition: str) -> list[Turn]:
    """Returns every third turn of some games of cautious bots: what a turn of theirs costs depends on the game."""
    turns = []
    for seed in range(GAMES):
        game, rng = engine.new_game(edition, SEATS, seed=seed), random.Random(seed)
        while not game.over:
            seat = game.to_act
            state, view = game.state.copy(), game.view(seat)
            action = BOTS["cautious"](Question(view, game.legal_actions()), rng)
            turns.append(Turn(state, view, action, seat, game.act(action)))
    return turns[::3]


def acted(turn: Turn) -> None:
    fold(turn.state.copy(), rules.decide(turn.state, turn.seat, turn.action, LooseChance(random.Random(1))))


def viewed(turn: Turn) -> None:
    views.present(views.advance(turn.view.copy(), turn.events, turn.seat))


def chosen(turn: Turn) -> None:
    BOTS["cautious"](Question(turn.view, rules.legal_actions(turn.view)), random.Random(1))


def mean(work: Callable[[Turn], None], turns: list[Turn]) -> float:
    """Returns the calls of a turn, once memos are filled."""
    for turn in turns:
        work(turn)
    return round(sum(calls(lambda turn=turn: work(turn)) for turn in turns) / len(turns), 1)


@pytest.mark.parametrize("edition", RECORDS)
def test_actions_views_and_turns_of_bots_take_no_more_calls_than_on_record(edition):
    turns = played(edition)

    cost = Cost(mean(acted, turns), mean(viewed, turns), mean(chosen, turns))

    record = RECORDS[edition]
    beyond = [name for name, now, then in zip(Cost._fields, cost, record, strict=True) if now > then * MARGIN]
    assert not beyond, f"{edition}: {', '.join(beyond)}: {cost} calls, on record {record}"
