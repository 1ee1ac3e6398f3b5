"""Values a position for a seat, in tokens: a rule of thumb over the counted cards, exact in the last turn.

`counting` gives the probabilities of cards, `plays` the positions that plays lead to, `dangers` the threats by rivals,
`showdowns` the winner when hands are shown, and `piles` the value of discards.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import comb
from typing import Final

from engine.bots.cautious.dangers import Dangers
from engine.bots.cautious.piles import Pile, Piles
from engine.bots.cautious.position import PlayOutcome
from engine.bots.cautious.prizes import Prizes
from engine.bots.cautious.showdowns import Showdowns
from engine.bots.counting import Belief
from engine.state import GameState

__all__ = ["Outlook", "PlayOutcome", "showdown_chance"]

KNOCK_OUTS_PER_TURN: Final = 0.2
"""How many seats an ordinary turn knocks out; with it comes how many rounds reach the showdown."""
KEPT_PER_TURN: Final = 0.5
"""How likely a card is still in hand one own turn later."""
KNOWLEDGE: Final = 0.1
"""What it adds to a seat's share of the round to know every rival's hand."""
ENVY: Final = 0.3
"""What a token in the hands of a rival about to win the game costs."""
RIVAL_SPY_LOST: Final = 0.3
"""How likely a rival's Spy stops counting before the round ends."""
NO_SPY_SHOWS: Final = 0.7
"""How likely no rival shows a Spy that is still unseen."""
GAME_WON: Final = 10.0
"""What it is worth to have won the game: more than any other position."""


class Outlook:
    """The judgement of one seat at one moment of a game."""

    def __init__(self, view: GameState, unseen: Mapping[str, int], turns: int) -> None:
        book = view.book
        self.turns = turns
        """How many turns the deck still gives after this one."""
        self.values = book.values
        self.deadly = frozenset(card.key for card in book.cards.values() if card.discarded is not None)
        self._unseen = unseen
        self._judged: dict[int, tuple[PlayOutcome, float]] = {}
        self._nameable: dict[tuple[int, bool], tuple[Belief, float]] = {}
        self._spies = frozenset(i for i, seat in enumerate(view.seats) if "spy" in seat.discards)
        me = view.to_act
        assert me is not None, "where somebody judges, a seat must act"
        self.piles = Piles(view, me, unseen, turns)
        self._dangers = Dangers(view, me, unseen, self.deadly, self.piles, turns)
        self._showdowns = Showdowns(view, self.piles, turns)
        self.prizes = Prizes(view, me, self.piles)

    def worth(self, position: PlayOutcome) -> float:
        """Returns what a position is worth to the cautious bot: the tokens it promises, less what rivals may gain."""
        key = id(position)
        if key not in self._judged:
            # The position is kept with its worth, so that no other can be mistaken for it.
            self._judged[key] = position, GAME_WON if position.game_won else self._worth(position)
        return self._judged[key][1]

    def _worth(self, position: PlayOutcome) -> float:
        rivals = position.rivals
        pile = self.piles.own(position.played, position.liber)
        alive = win = promise = 0.0
        if position.hand is not None:
            share = self.piles.share(pile, rivals)
            to_the_end = showdown_chance(self.turns, len(rivals))
            safe = self._safe(position.hand, position, pile)
            alive = safe * (to_the_end + (1 - to_the_end) * share)
            win = safe * self._win(position.hand, position, pile, share, to_the_end)
            promise = safe * self.piles.promise(position.hand, pile, len(rivals))
        gains = self.prizes.gains(position, pile, win, alive) + promise
        return gains + alive * self._only_spy(position) - self._envy(position, win)

    def _safe(self, hand: str, position: PlayOutcome, pile: Pile) -> float:
        """Returns the cautious bot's chance to be still in the round when its own next turn has begun."""
        if self.piles.is_spared(pile) or not position.rivals:
            return 1.0
        return (1.0 - self._dangers.of(hand, position, pile)) * self.piles.passes_check(pile, len(position.rivals))

    def _win(self, hand: str, position: PlayOutcome, pile: Pile, share: float, to_the_end: float) -> float:
        """Returns the cautious bot's chance to win the round if it is not knocked out at once."""
        kept: float = KEPT_PER_TURN ** (self.turns * share)
        showdown = kept * self._showdowns.won_with(hand, position, pile) + (1 - kept) * share
        win = to_the_end * showdown + (1 - to_the_end) * share
        return win + KNOWLEDGE * share * self._known(position) if self.turns else win

    def _known(self, position: PlayOutcome) -> float:
        """Returns how well the cautious bot knows its rivals' hands, from 0 to 1; a 1 counts for nothing."""
        rivals = position.rivals
        if not rivals:
            return 0.0
        return sum([self.nameable(held, seat in position.looked_at) for seat, held in rivals.items()]) / len(rivals)

    def nameable(self, held: Belief, looked_at: bool) -> float:
        """Returns the cautious bot's chance to name a rival's hand, now or once it has been looked at."""
        key = (id(held), looked_at)
        if key not in self._nameable:
            chances = [p for card, p in held.items() if self.values[card] != 1]
            # The belief is kept with the figure, so that no other can be mistaken for it.
            self._nameable[key] = held, sum(chances) if looked_at else max(chances, default=0.0)
        return self._nameable[key][1]

    def _only_spy(self, position: PlayOutcome) -> float:
        """Returns the cautious bot's chance to gain the Spy's token if it stays in the round."""
        if not position.spy:
            return 0.0
        chance = 1.0
        lost = RIVAL_SPY_LOST if self.turns else 0.0
        for seat in position.rivals:
            if seat in self._spies:
                chance *= lost
        return chance * NO_SPY_SHOWS if self.turns and self._unseen.get("spy", 0) else chance

    def _envy(self, position: PlayOutcome, win: float) -> float:
        """Returns what tokens that rivals may gain cost the cautious bot: more the closer they are to winning."""
        rivals = position.rivals
        if not rivals:
            return 0.0
        threat = self.prizes.threat
        chance = (1 - win) / len(rivals)
        cost = sum([chance * threat[seat] for seat in rivals])
        spies = [seat for seat in rivals if seat in self._spies]
        if len(spies) == 1 and not position.spy:
            cost += threat[spies[0]]
        return ENVY * (cost + self.prizes.paid_to_rivals(position, win))


@lru_cache(maxsize=1024)
def showdown_chance(turns: int, rivals: int) -> float:
    """Returns how likely the cautious bot thinks it that a round with so many turns left reaches its showdown."""
    p = KNOCK_OUTS_PER_TURN
    return sum(comb(turns, out) * p**out * (1 - p) ** (turns - out) for out in range(min(rivals, turns + 1)))
