"""What a position is worth to a seat, in tokens: a rule of thumb over the counted cards, exact in the last turn.

How likely the cards are comes from `counting`; which plays lead to which positions is said in `plays`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Final

from engine.bots.counting import Belief
from engine.state import GameState

KNOCK_OUTS_PER_TURN: Final = 0.2
"""How many seats an ordinary turn knocks out; with it comes how many rounds reach the showdown."""
KEPT_PER_TURN: Final = 0.5
"""How likely a card is still in hand one own turn later."""
PLAYED_IF_HELD: Final = 0.7
"""How likely a rival plays a dangerous card that it has in hand."""
KNOWLEDGE: Final = 0.1
"""What it adds to a seat's share of the round to know every rival's hand."""
ENVY: Final = 0.3
"""What a token in the hands of a rival about to win the game costs."""
RIVAL_SPY_LOST: Final = 0.3
"""How likely a rival's Spy stops counting before the round ends."""
NO_SPY_SHOWS: Final = 0.7
"""How likely no rival shows a Spy that is still unseen."""


@dataclass(slots=True)
class Position:
    """What a play may lead to."""

    hand: str | None
    """The card the seat keeps, or None when it is out of the round."""
    rivals: Mapping[int, Belief]
    """The hands of the others still in."""
    spy: bool
    """Whether a Spy lies in the seat's discards."""
    protected: bool = False
    known_to: int | None = None
    """A rival that knows the hand."""


class Outlook:
    """The judgement of one seat at one moment of a game."""

    def __init__(self, view: GameState, unseen: Mapping[str, int], turns: int) -> None:
        book = view.book
        self.turns = turns
        """How many turns the deck still gives after this one."""
        self.values = book.values
        self.deadly = frozenset(card.key for card in book.cards.values() if card.discarded is not None)
        self._unseen = unseen
        self._total = sum(unseen.values())
        self._nameable = sum(copies for card, copies in unseen.items() if card != "guard")
        self._spies = frozenset(i for i, seat in enumerate(view.seats) if "spy" in seat.discards)
        self._threat = [min(1.0, (seat.tokens + 1) / book.tokens_to_win) ** 2 for seat in view.seats]

    def worth(self, position: Position) -> float:
        """Returns what a position is worth: the tokens it promises, less what rivals close to winning may gain."""
        rivals = position.rivals
        alive = win = 0.0
        if position.hand is not None:
            share = 1 / (len(rivals) + 1)
            to_the_end = showdown_chance(self.turns, len(rivals))
            safe = 1.0 - self._danger(position.hand, position)
            alive = safe * (to_the_end + (1 - to_the_end) * share)
            win = safe * self._win(position.hand, rivals, share, to_the_end)
        return win + alive * self._only_spy(position) - self._envy(position, win)

    def _win(self, hand: str, rivals: Mapping[int, Belief], share: float, to_the_end: float) -> float:
        """Returns the chance to win the round for a seat that is not knocked out at once."""
        kept: float = KEPT_PER_TURN ** (self.turns * share)
        showdown = kept * self._beats(hand, rivals) + (1 - kept) * share
        win = to_the_end * showdown + (1 - to_the_end) * share
        return win + KNOWLEDGE * share * _known(rivals) if self.turns else win

    def _beats(self, hand: str, rivals: Mapping[int, Belief]) -> float:
        """Returns the chance that a card is the highest at the showdown; a tie, which pays its rivals too, is half."""
        chance = 1.0
        values = self.values
        value = values[hand]
        for held in rivals.values():
            chance *= sum(p if values[card] < value else p / 2 for card, p in held.items() if values[card] <= value)
        return chance

    def _danger(self, hand: str, position: Position) -> float:
        """Returns the chance to be knocked out before the own next turn."""
        rivals = position.rivals
        if position.protected or not rivals:
            return 0.0
        # Each rival has its turn if the deck lasts, and picks this seat out of as many as there are rivals.
        pick = PLAYED_IF_HELD * min(1.0, self.turns / len(rivals)) / len(rivals)
        value = self.values[hand]
        by_count = 0.0 if hand == "guard" else (self._unseen.get(hand, 0) + 1) / (self._nameable + 1)
        danger = 0.0
        for seat, held in rivals.items():
            hit = 1.0 if seat == position.known_to and hand != "guard" else by_count
            danger += self._may_play(held, "guard") * hit
            danger += self._may_play(held, "baron") * sum(p for card, p in held.items() if self.values[card] > value)
            if hand in self.deadly:
                danger += self._may_play(held, "prince")
        return min(1.0, pick * danger)

    def _may_play(self, held: Belief, card: str) -> float:
        """Returns the chance that a rival has a card next turn: it holds it or draws it."""
        chance = held.get(card, 0.0)
        drawn = self._unseen.get(card, 0) / self._total if self._total else 0.0
        return chance + (1 - chance) * drawn

    def _only_spy(self, position: Position) -> float:
        """Returns the chance that a seat that stays in gains the Spy's token."""
        if not position.spy:
            return 0.0
        chance = 1.0
        lost = RIVAL_SPY_LOST if self.turns else 0.0
        for seat in position.rivals:
            if seat in self._spies:
                chance *= lost
        return chance * NO_SPY_SHOWS if self.turns and self._unseen.get("spy", 0) else chance

    def _envy(self, position: Position, win: float) -> float:
        """Returns what the tokens cost that rivals may gain instead, the more the closer they are to winning."""
        rivals = position.rivals
        if not rivals:
            return 0.0
        chance = (1 - win) / len(rivals)
        cost = sum([chance * self._threat[seat] for seat in rivals])
        spies = [seat for seat in rivals if seat in self._spies]
        if len(spies) == 1 and not position.spy:
            cost += self._threat[spies[0]]
        return ENVY * cost


@lru_cache(maxsize=1024)
def showdown_chance(turns: int, rivals: int) -> float:
    """Returns the chance that fewer seats than there are rivals are knocked out in so many turns."""
    p = KNOCK_OUTS_PER_TURN
    return sum(comb(turns, out) * p**out * (1 - p) ** (turns - out) for out in range(min(rivals, turns + 1)))


def _known(rivals: Mapping[int, Belief]) -> float:
    """Returns how well the rivals' hands are known, from 0 to 1; a Guard is worth nothing, nobody may name it."""
    if not rivals:
        return 0.0
    return sum(
        [max([p for card, p in held.items() if card != "guard"], default=0.0) for held in rivals.values()]
    ) / len(rivals)
