"""The rules of the games, pure: play a game in memory, with nothing but the standard library.

>>> import engine
>>> game = engine.new_game("standard", seats=2, seed=7)
>>> while not game.over:
...     actions = game.legal_actions()
...     events = game.act(actions[0])
>>> game.winners, game.scores
((0,), (6, 1))
>>> game.view(seat=0).seats[1].discards
['prince', 'baron', 'guard', 'prince', 'princess', 'countess']

A `Game` is a log and its fold (`state`); the functions of `engine.rules` and `engine.views` do the work. A search that
plays thousands of games uses `rules.play` and `rules.play_out` on a state of its own.
"""

import random
from collections.abc import Mapping
from typing import Final

from engine import rules, views
from engine.actions import Action
from engine.editions import EDITIONS
from engine.events import Event, GameCreated, fold
from engine.shuffle import LooseChance
from engine.state import ACTIVE, GameState
from engine.views import WATCHER

__all__ = ["EDITIONS", "WATCHER", "Game", "new_game"]


class Game:
    """A running or finished game: every event so far, and the state they lead to."""

    def __init__(self, created: GameCreated, rng: random.Random) -> None:
        self._chance: Final = LooseChance(rng)
        self.state = rules.begin(created)
        started = rules.start(self.state, [""] * created.seats, self._chance)
        fold(self.state, started)
        self.log: list[Event] = [created, *started]

    @property
    def to_act(self) -> int | None:
        """Returns the seat that must act, or None when the game is over."""
        return self.state.to_act

    @property
    def over(self) -> bool:
        """Returns whether the game has ended."""
        return self.state.status != ACTIVE

    @property
    def winners(self) -> tuple[int, ...]:
        """Returns the seats that won; empty while the game goes on."""
        return self.state.winners

    @property
    def scores(self) -> tuple[int, ...]:
        """Returns the tokens of every seat."""
        return tuple([seat.tokens for seat in self.state.seats])

    def legal_actions(self) -> list[Action]:
        """Returns all legal actions of the seat to act, in a fixed order."""
        return list(rules.legal_actions(self.state))

    def act(self, action: Action) -> list[Event]:
        """Takes an action of the seat to act, and returns the events that follow.

        Raises:
            IllegalAction: the rules do not allow it now; its reason is a stable code, and nothing has changed.
        """
        seat = self.state.to_act
        events = rules.decide(self.state, self.state.turn if seat is None else seat, action, self._chance)
        fold(self.state, events)
        self.log += events
        return events

    def view(self, seat: int) -> GameState:
        """Returns what a seat, or `WATCHER`, may know of the game."""
        return views.view(self.log, seat)


def new_game(edition: str, seats: int, seed: int, options: Mapping[str, str] | None = None) -> Game:
    """Returns a game that has just started; the same seed and actions give the same game.

    Raises:
        UnknownEdition: there is no such edition, or it has no such number of seats, option or value.
    """
    return Game(rules.bare_table(edition, seats, options), random.Random(seed))
