"""Sets up a table in the middle of a round, for tests that read like the rulebook.

The state is made by real events only, so it is one that a log could have. Cards are written in one text, separated by
spaces; hands are listed by seat, and the seat to act holds two cards, the second of which it has just drawn.
"""

import random
from collections.abc import Mapping, Sequence

from engine import rules
from engine.actions import Action, KeepCard, PlayCard
from engine.errors import IllegalAction
from engine.events import (
    CardDrawn,
    CardRevealed,
    Event,
    GameStarted,
    KnockedOut,
    RoundEnded,
    RoundStarted,
    SeatProtected,
    SeatTimedOut,
    TurnStarted,
    fold,
)
from engine.shuffle import ArrangedChance, Chance, LooseChance
from engine.state import GameState
from engine.views import view


def created(edition="standard", seats=3, options=None, starter=None, game="game", clock=None, positions=()):
    sandbox = {"sandbox": bool(positions), "sandbox_positions": positions}
    return rules.bare_table(edition, seats, options, game=game, starter=starter, clock=clock, **sandbox)


def chance(seed=1, rounds=()):
    return ArrangedChance(LooseChance(random.Random(seed)), rounds)


def timed_out(state, seat, action, chance):
    """Returns the events of an action that the clock takes for a seat, in the order in which `games.steps` has them."""
    first = SeatTimedOut(seat)
    return [first, *rules.decide(fold(state.copy(), [first]), seat, action, chance)]


class Situation:
    """A state with its log, on which a test acts; every action it takes is folded into both."""

    def __init__(self, state: GameState, log: list[Event], chance: Chance) -> None:
        self.state = state
        self.log = log
        self.chance = chance

    def play(self, card, *targets, names=None, face=None):
        """The seat to act plays a card; returns what happened."""
        return self.act(PlayCard(card, targets, names, face))

    def keep(self, card, bottom=""):
        return self.act(KeepCard(card, tuple(bottom.split())))

    def act(self, action: Action, seat=None):
        before = self.state.copy()
        happened = rules.decide(self.state, self.state.to_act if seat is None else seat, action, self.chance)
        assert before == self.state, "decide must leave its state alone"
        return self._happen(happened)

    def time_out(self, action: Action):
        """The clock takes an action for the seat to act."""
        return self._happen(timed_out(self.state, self.state.to_act, action, self.chance))

    def leave(self, seat, reason="resigned"):
        return self._happen(rules.leave(self.state, seat, reason, self.chance))

    def refused(self, card, *targets, names=None, face=None):
        """Returns the reason why the seat to act may not play a card that way."""
        return self.refused_action(PlayCard(card, targets, names, face))

    def refused_action(self, action: Action, seat=None):
        seat = self.state.to_act if seat is None else seat
        try:
            rules.decide(self.state, seat, action, self.chance)
        except IllegalAction as refusal:
            return refusal.reason
        raise AssertionError(f"{action} is legal")

    def legal(self):
        return list(rules.legal_actions(self.state))

    def legal_cards(self):
        """Returns the different cards that may be played, in order."""
        return list(dict.fromkeys(action.card for action in self.legal()))

    def hand(self, seat):
        return " ".join(self.state.seats[seat].hand)

    def discards(self, seat):
        return " ".join(self.state.seats[seat].discards)

    def tokens(self):
        return [seat.tokens for seat in self.state.seats]

    def _happen(self, happened):
        fold(self.state, happened)
        self.log += happened
        return happened


def given(
    edition: str = "standard",
    *,
    hands: Sequence[str | None],
    deck: str = "",
    set_aside: str = "handmaid",
    turn: int = 0,
    options: Mapping[str, str] | None = None,
    discards: Mapping[int, str] | None = None,
    protected: Sequence[int] = (),
    tokens: Sequence[int] | None = None,
    insane_tokens: Sequence[int] | None = None,
    left: Sequence[int] = (),
    starter: int | None = None,
    next_rounds: Sequence[dict] = (),
    seed: int = 1,
) -> Situation:
    """Returns a table at which `turn` has drawn and must act.

    `hands` has one text per seat, and None for a seat that is out of the round. `deck` is what is left to draw, the
    top first. `tokens` counts those of both kinds. `next_rounds` says how later rounds begin, as in a sandbox; all
    other chance comes from `seed`.
    """
    seats = len(hands)
    held = ["guard" if cards is None else cards.split()[0] for cards in hands]
    dealt_in = tuple(seat for seat in range(seats) if seat not in left)
    lying = [(seat, card) for seat, cards in (discards or {}).items() for card in cards.split()]
    drawn = (hands[turn] or "").split()[1:]
    log: list[Event] = [
        GameStarted(tuple(f"player {seat}" for seat in range(seats)), ("",) * seats, (), ()),
        RoundStarted(
            1,
            turn if starter is None else starter,
            dealt_in,
            tuple(tokens or [0] * seats),
            tuple(insane_tokens or [0] * seats),
            tuple(left),
            tuple(held[seat] if seat in dealt_in else None for seat in range(seats)),
            (*[card for _, card in lying], *drawn, *deck.split()),
            set_aside,
            (),
            None,
            (),
            (),
            None,
        ),
        *[CardRevealed(seat, card) for seat, card in lying],
        *[KnockedOut(seat, ("guard",)) for seat in dealt_in if hands[seat] is None],
        TurnStarted(turn),
        *[SeatProtected(seat) for seat in protected],
        *[CardDrawn(turn, card, "deck") for card in drawn],
    ]
    first = created(edition, seats, dict(options or {}))
    return Situation(fold(rules.begin(first), log), [first, *log], chance(seed, [{}, *next_rounds]))


def seen_by_the_seat_to_act(table: Situation) -> GameState:
    """Returns the view of the seat to act."""
    return view(table.log, table.state.to_act)


class round_over:
    """Equals the end of a round with these winners, whatever decided it: that is tested in `test_verdicts`."""

    def __init__(self, number, winners, reason):
        self.told = (number, winners, reason)

    def __eq__(self, other):
        return isinstance(other, RoundEnded) and self.told == (other.number, other.winners, other.reason)

    def __repr__(self):
        return f"round_over{self.told}"


def round_part(events):
    """Returns the events of the round that is being played, without those of a round that started after it."""
    for i, event in enumerate(events):
        if isinstance(event, RoundStarted):
            return events[:i]
    return events


def next_round(events):
    """Returns how the round began that started among these events."""
    return next(event for event in events if isinstance(event, RoundStarted))
