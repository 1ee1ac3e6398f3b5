"""A bot that searches: it tries actions on many deals that its seat cannot tell apart, each to the round's end.

Deals are drawn as the course of the round makes them likely; on each all actions are tried, so that none has luck.
After a share of the effort the worse half is dropped. An action is worth the chance to win the game that it leads to.
"""

import random
from typing import Final, NamedTuple

from engine.actions import Action
from engine.bots.cautious.judging import judge
from engine.bots.counting import unseen_cards
from engine.bots.expert.deals import Deals
from engine.bots.expert.inference import weigh_hands
from engine.bots.expert.playouts import Playouts
from engine.bots.expert.race import chance_to_win
from engine.bots.expert.sightings import in_deal, seen_in_round
from engine.bots.question import Question

VERSION: Final = 2
"""Counts up whenever the same question may be answered in another way."""
MOST_TRIED: Final = 8
"""How many of the actions that look best at first sight are tried at all."""
ACTIONS_PER_MS: Final = 100
"""How many actions of playouts a millisecond of thinking pays for, on an ordinary machine in pure Python."""
FIRST_SIGHT: Final = 0.1
"""How much of a token's worth at first sight counts against the chance to win the game that playouts find."""


class Rating(NamedTuple):
    """What the expert thinks of an action."""

    action: Action
    worth: float
    """By this it chooses: the chance to win the game, with a little of what it is worth at first sight."""
    wins_game: float
    wins_round: float
    """In what share of the deals on which it was tried the seat has won the round."""


def choose(question: Question, rng: random.Random) -> Action:
    """Returns the action that does best in the expert's search; the same question and seed give the same one.

    Unless it has to hurry: then it is the best so far.
    """
    if len(question.legal) == 1:
        return question.legal[0]
    return rate(question, rng)[0].action


def rate(question: Question, rng: random.Random) -> list[Rating]:
    """Returns what the expert thinks of the actions that it tries, the best first; the same for the same seed."""
    return _Search(question, rng).run(question.think_ms * ACTIONS_PER_MS)


class _Search:
    """Some actions, and how they have done so far."""

    def __init__(self, question: Question, rng: random.Random) -> None:
        view = question.view
        assert view.to_act is not None, "where there are legal actions, a seat must act"
        self._seat = view.to_act
        self._hurry = question.hurry
        self._rng = rng
        self._playouts = Playouts(view.book, rng)
        self._deals = Deals(view, unseen_cards(view), weigh_hands(view, question.events))
        self._seen = seen_in_round(question.events)
        sight = judge(view, question.legal)
        ranked = sorted(range(len(sight)), key=sight.__getitem__, reverse=True)[:MOST_TRIED]
        self._tried = [question.legal[place] for place in ranked]
        self._sight = [sight[place] * FIRST_SIGHT for place in ranked]
        self._sums = [0.0] * len(ranked)
        self._rounds = [0] * len(ranked)
        self._counts = [0] * len(ranked)

    def run(self, effort: int) -> list[Rating]:
        """Tries actions, fewer and fewer, for as many actions of the expert's playouts; returns the best first."""
        left = list(range(len(self._tried)))
        dropped: list[int] = []
        stages = max(1, (len(left) - 1).bit_length())
        for stage in range(1, stages + 1):
            while self._playouts.actions * stages < effort * stage and not self._hurry():
                self._play_out(left)
            left.sort(key=self._mean_worth, reverse=True)
            kept = (len(left) + 1) // 2
            left, dropped = left[:kept], left[kept:] + dropped
        return [self._rating(place) for place in (*left, *dropped)]

    def _play_out(self, left: list[int]) -> None:
        deal = self._deals.draw(self._rng)
        seen = in_deal(self._seen, deal)
        for place in left:
            state = deal.copy()
            self._playouts.finish(state, self._tried[place], seen)
            self._sums[place] += chance_to_win(state, self._seat)
            self._rounds[place] += self._seat in (state.round_winners or state.winners)
            self._counts[place] += 1

    def _mean_worth(self, place: int) -> float:
        return self._sums[place] / max(1, self._counts[place]) + self._sight[place]

    def _rating(self, place: int) -> Rating:
        tried = max(1, self._counts[place])
        game, turns = self._sums[place] / tried, self._rounds[place] / tried
        return Rating(self._tried[place], self._mean_worth(place), game, turns)
