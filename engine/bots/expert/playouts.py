"""Plays rounds to their end quickly, with every seat playing by habit, so that a search can rate an action.

A seat goes for the leader. It names what it has seen in a hand, otherwise the card that most copies are hidden of.
"""

import random
from collections.abc import Sequence
from typing import Final

from engine import rules
from engine.actions import Action, Guess, KeepCard, PlayCard
from engine.bots.expert.habits import firm_shares
from engine.bots.expert.sightings import Sightings, take_in
from engine.options import legal_actions, plays
from engine.rulebook import Rulebook
from engine.shuffle import LooseChance
from engine.state import ACTIVE, GameState

OWN_SEAT: Final = 0.2
"""How often a seat chooses itself where it may and others can be chosen too."""
LEADER: Final = 0.85
"""How often a seat chooses among those with most tokens, if it chooses another."""
INSANE_FACE: Final = 0.85
"""How often a seat plays the insane face of a card, which comes after the sane one, if it may."""

Ways = dict[tuple[str, str | None], dict[tuple[int, ...], dict[Guess | None, PlayCard]]]
"""The plays of a hand: by card and face, by the seats chosen, by what is named."""


class RoundOver(Exception):
    """The next round would begin."""


class OneRound(LooseChance):
    """Chance that ends with the round, after its tokens have been paid."""

    def starter(self, seats: Sequence[int], round_number: int) -> int:
        """Raises RoundOver when the next round would begin, which ends the expert's playout."""
        raise RoundOver


class Playouts:
    """The habits and the memo of plays that the playouts of one search share."""

    def __init__(self, book: Rulebook, rng: random.Random) -> None:
        self._shares = firm_shares(book)
        self._values = book.values
        self._rng = rng
        self._chance = OneRound(rng)
        self._ways: dict[int, tuple[tuple[PlayCard, ...], Ways]] = {}
        # By identity, which is that of the engine's memo; what it belongs to is kept, so that it stays that.
        self.actions = 0
        """How many actions have been played."""

    def finish(self, state: GameState, action: Action, seen: Sightings) -> None:
        """Takes an action and plays an expert's playout to the round's end, in place; `seen` are the sightings."""
        seen = seen.copy()
        try:
            take_in(seen, rules.play(state, action, self._chance))
            self.actions += 1
            while state.status == ACTIVE:
                take_in(seen, rules.play(state, self.choice(state, seen), self._chance))
                self.actions += 1
        except RoundOver:
            self.actions += 1

    def choice(self, state: GameState, seen: Sightings) -> Action:
        """Returns what the seat to act does in a playout of the expert."""
        decision = state.decision
        if decision is None or decision.kind == PlayCard.type:
            return self._play_by_habit(state, state.turn if decision is None else decision.seat, seen)
        legal = legal_actions(state)
        if isinstance(legal[0], KeepCard):
            return self._keeping(state, legal)
        return legal[int(self._rng.random() * len(legal))]

    def _keeping(self, state: GameState, legal: Sequence[Action]) -> Action:
        """Returns the answer of an expert's playout that keeps the card least often played rather than the others."""
        assert state.decision is not None
        insane = state.is_insane(state.decision.seat)
        best, least = legal[0], float("inf")
        for answer in legal:
            assert isinstance(answer, KeepCard)
            played = sum([self._shares[insane, answer.keep, other] for other in answer.bottom])
            if played < least:
                best, least = answer, played
        return best

    def _play_by_habit(self, state: GameState, seat: int, seen: Sightings) -> PlayCard:
        offered = plays(state, seat)
        if len(offered) == 1:
            return offered[0]
        _, ways = self._ways.get(id(offered)) or self._remember_plays(offered)
        sure = self._sure_guess(state, seat, ways, seen) if seen else None
        if sure is not None:
            return sure
        by_seats = ways[self._card_by_habit(state, seat, ways)]
        by_name = by_seats[self._targets_by_habit(state, seat, list(by_seats))]
        return next(iter(by_name.values())) if len(by_name) == 1 else self._guess_of_most_copies(state, seat, by_name)

    def _sure_guess(self, state: GameState, seat: int, ways: Ways, seen: Sightings) -> PlayCard | None:
        """Returns a play of an expert's playout that names a card which the seat has seen and which is there still."""
        for (viewer, target), card in seen.items():
            if viewer == seat and card is not None and card in state.seats[target].hand:
                for by_seats in ways.values():
                    by_name = by_seats.get((target,), {})
                    play = (by_name.get(card) or by_name.get(self._values[card])) if len(by_name) > 1 else None
                    if play is not None:
                        return play
        return None

    def _targets_by_habit(self, state: GameState, seat: int, offered: list[tuple[int, ...]]) -> tuple[int, ...]:
        """Returns the seats that an expert's playout chooses: a leader most of the time, seldom the own seat."""
        if len(offered) == 1:
            return offered[0]
        draw = self._rng.random
        if (seat,) in offered:
            if draw() < OWN_SEAT:
                return (seat,)
            offered.remove((seat,))
        if len(offered) > 1 and draw() < LEADER:
            seats = state.seats
            most = max([seats[targets[0]].tokens for targets in offered])
            offered = [targets for targets in offered if seats[targets[0]].tokens == most]
        return offered[int(draw() * len(offered))]

    def _remember_plays(self, offered: tuple[PlayCard, ...]) -> tuple[tuple[PlayCard, ...], Ways]:
        found = self._ways[id(offered)] = offered, sorted_out(offered)
        return found

    def _card_by_habit(self, state: GameState, seat: int, ways: Ways) -> tuple[str, str | None]:
        """Returns the card and face that an expert's playout plays: by habit which of two, mostly the insane face."""
        a, b = state.seats[seat].hand
        assert a is not None
        assert b is not None
        insane = state.is_insane(seat) if state.book.insanity else False
        card = a if self._rng.random() < self._shares[insane, a, b] else b
        faces = [way for way in ways if way[0] == card]
        return faces[-1 if self._rng.random() < INSANE_FACE else 0]

    def _guess_of_most_copies(self, state: GameState, seat: int, by_name: dict[Guess | None, PlayCard]) -> PlayCard:
        """Returns the play of an expert's playout that names the card of which most copies are hidden."""
        hidden: list[Guess | None] = [*state.deck, *state.set_aside]
        for other in state.alive():
            if other != seat:
                hidden += state.seats[other].hand
        if isinstance(next(iter(by_name)), int):
            hidden = [self._values[card] for card in hidden if isinstance(card, str)]
        best: list[PlayCard] = []
        most = -1
        for name, play in by_name.items():
            count = hidden.count(name)
            if count > most:
                best, most = [play], count
            elif count == most:
                best.append(play)
        return best[int(self._rng.random() * len(best))]


def sorted_out(offered: Sequence[PlayCard]) -> Ways:
    """Returns the plays of a hand by what they choose, for the expert's playouts."""
    ways: Ways = {}
    for play in offered:
        ways.setdefault((play.card, play.face), {}).setdefault(play.targets, {})[play.guess] = play
    return ways
