"""Lists the moves of a log, and makes them again in another game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import rules
from engine.actions import DECLINABLE, Action, PlayCard
from engine.errors import IllegalAction, ImpossibleMove
from engine.events import (
    CardPlayed,
    CardsReturned,
    DecisionTaken,
    Event,
    GameCreated,
    HandsGiven,
    RoundStarted,
    SeatLeft,
    fold,
)
from engine.positions import position_of
from engine.shuffle import Chance, Dealer
from engine.state import GameState
from engine.table import Table


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat did: an action, or leaving, with the answer that was taken for it if any."""

    seat: int
    action: Action | None
    leaves: str | None = None
    """`resigned` or `timed_out`; None for a seat that stays."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """How a round began, and its moves."""

    starter: int
    order: tuple[str, ...]
    """The whole deck as it lay when it was shuffled, the top first; empty with a position."""
    moves: tuple[Move, ...]
    position: dict[str, Any] | None = None
    """What it began with in place of a deck."""


def played_rounds(log: Sequence[Event]) -> list[PlayedRound]:
    """Returns the rounds of a full log that begins with `game_created`."""
    created = log[0]
    assert isinstance(created, GameCreated), "a log begins with game_created"
    recorder = _Recorder(rules.begin(created))
    for event, following in zip(log[1:], [*log[2:], None], strict=True):
        recorder.note(event, following)
    return [_played_round(deal, tuple(moves)) for deal, moves in recorder.rounds]


class _Recorder:
    """Lists the moves in the events of a log, folding them on the way."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.rounds: list[tuple[RoundStarted, list[Move]]] = []
        self._answered = False
        """Whether the last move is an answer after which nothing but its own effect has happened."""

    def note(self, event: Event, following: Event | None) -> None:
        """Adds the move that an event tells of, if any; an answer can only be told from what follows it."""
        if isinstance(event, RoundStarted):
            self.rounds.append((event, []))
        elif isinstance(event, CardPlayed):
            self._add(Move(event.seat, PlayCard(event.card, event.targets, event.named, event.face)))
        elif isinstance(event, DecisionTaken) and event.kind != PlayCard.type:
            self._add(Move(event.seat, _answer(self.state, event, following)))
            self._answered = True
        elif isinstance(event, SeatLeft):
            self._add_leaving(event)
        elif not isinstance(event, CardsReturned | HandsGiven):
            self._answered = False
        fold(self.state, [event])

    def _add(self, move: Move) -> None:
        self.rounds[-1][1].append(move)

    def _add_leaving(self, event: SeatLeft) -> None:
        moves = self.rounds[-1][1]
        # An extra play that was taken for the seat has not been resolved yet; one of its own would have been.
        extra_play = self.state.in_play and self.state.decision is None
        answer = moves.pop().action if self._answered or extra_play else None
        moves.append(Move(event.seat, answer, event.reason))
        self._answered = False


def _played_round(deal: RoundStarted, moves: tuple[Move, ...]) -> PlayedRound:
    if deal.position is not None:
        return PlayedRound(deal.starter, (), moves, position_of(deal))
    cards = (deal.set_aside, *deal.shown_aside, *deal.hands, *deal.deck)
    return PlayedRound(deal.starter, tuple([card for card in cards if card is not None]), moves)


_NO_CHANCE: Final = Dealer(b"", "", ())
"""For what asks nothing of chance, as no answer by itself does."""


def _answer(state: GameState, taken: DecisionTaken, following: Event | None) -> Action:
    """Returns the answer that was given: its effect begins with the event that follows, or it has none."""
    effect = state.book.answers[taken.card][taken.kind]
    decision = state.decision
    assert effect is not None, "an extra play is an event of its own"
    assert decision is not None, "only a question is answered"
    quiet = []
    for action in rules.legal_actions(state):
        table = Table(fold(state.copy(), [taken]), _NO_CHANCE)
        effect(table, decision, action)
        if not table.events:
            quiet.append(action)
        elif table.events[0] == following:
            return action
    return quiet[0]


def repeat(state: GameState, move: Move, chance: Chance) -> list[Event]:
    """Returns the events of a move of another game, made again in this state, which is left as it was.

    No clock counts, and chance says all but how a seat that leaves answers, which the move says.

    Raises:
        IllegalAction: the rules do not allow it now.
        ImpossibleMove: no seat could leave with this answer.
    """
    if move.leaves is not None:
        return rules.leave(state, move.seat, move.leaves, _AnsweredChance(chance, _place_of_answer(state, move)))
    assert move.action is not None, "a move acts or leaves"
    return rules.decide(state, move.seat, move.action, chance)


def _place_of_answer(state: GameState, move: Move) -> int:
    """Returns the place of the answer of a seat that leaves among the legal ones; 0 if there is none."""
    if move.action is None:
        return 0
    if state.decision is None:
        raise ImpossibleMove("nothing was asked")
    reason = rules.refusal(state, move.seat, move.action)
    if reason is not None:
        raise IllegalAction(reason)
    place = rules.legal_actions(state).index(move.action)
    if place and state.decision.kind in DECLINABLE:
        raise ImpossibleMove("a seat that leaves declines")
    return place


class _AnsweredChance:
    """Chance that gets the answers of seats that leave, and asks another for everything else."""

    def __init__(self, chance: Chance, place: int) -> None:
        self.order = chance.order
        self.starter = chance.starter
        self._place = place

    def answer(self, count: int, version: int) -> int:
        """Returns the place among the legal answers of the one that was given."""
        return self._place
