"""Values tokens, for the seat and for its rivals, and finds the tokens that a position may bring."""

from typing import Final

from engine.bots.cautious.piles import Pile, Piles
from engine.bots.cautious.position import PlayOutcome
from engine.bots.counting import Belief
from engine.state import GameState

INSANE_TOKEN: Final = 2 / 3
"""What an insane token is worth, of which it takes three where two sane ones do; but the one that wins is worth 1."""


class Prizes:
    """The tokens of all seats, and what the next one means to each."""

    def __init__(self, view: GameState, me: int, piles: Piles) -> None:
        self._book = view.book
        self._seats = view.seats
        self._me = me
        self._piles = piles
        self._jester = view.marks.get("jester")
        self.threat = [self._closeness(seat, pile) ** 2 for seat, pile in enumerate(piles.of)]
        """How close the next round brings each seat to winning the game, from 0 to 1, squared."""

        self.next_wins = view.seats[me].tokens + 1 >= view.book.tokens_to_win
        """Whether the seat wins the game with its next token, where all are of one kind."""

    def gains(self, position: PlayOutcome, pile: Pile, win: float, alive: float) -> float:
        """Returns the tokens that a position promises the cautious bot: for the round, and what cards pay."""
        gains = win * self._worth_of_round_token(pile) + position.gained
        if pile.constable:
            gains += 1 - alive
        if position.marked is not None:
            gains += (1 - win) * self._favourite(position, position.marked)
        return gains

    def paid_to_rivals(self, position: PlayOutcome, win: float) -> float:
        """Returns what cards may pay to the cautious bot's rivals, weighed by how close these are to winning."""
        cost = sum([self.threat[seat] for seat in position.paid])
        if self._jester is not None and self._jester[0] != self._me:
            owner, target = self._jester
            chance = win if target == self._me else (1 - win) * self._favourite(position, target)
            cost += chance * self.threat[owner]
        return cost

    def _favourite(self, position: PlayOutcome, target: int) -> float:
        """Returns how likely the cautious bot thinks it that one rival wins the round, if a rival does."""
        if target not in position.rivals:
            return 0.0
        strengths = {seat: self._strength(seat, held) for seat, held in position.rivals.items()}
        return strengths[target] / sum(strengths.values())

    def _strength(self, seat: int, held: Belief) -> float:
        """Returns the cautious bot's weight for how well a rival stands: by its hand and its Counts."""
        number = sum([p * self._book.values[card] for card, p in held.items()])
        return (1 + number + self._piles.of[seat].counts) ** 2

    def _worth_of_round_token(self, pile: Pile) -> float:
        if not self._book.insanity:
            return 1.0
        return INSANE_TOKEN if pile.insanity and self._seats[self._me].insane_tokens < 2 else 1.0

    def _closeness(self, seat: int, pile: Pile) -> float:
        """Returns how close to winning the game a seat is if it wins this round, as the cautious bot values it."""
        tokens, insane = self._seats[seat].tokens, self._seats[seat].insane_tokens
        if pile.insanity:
            return min(1.0, (insane + 1) / self._book.insane_tokens_to_win)
        return min(1.0, (tokens - insane + 1) / self._book.tokens_to_win)
