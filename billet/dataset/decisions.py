"""Yields the decisions of a portable log in order: what the seat knew, its options, its choice, and the outcome.

What a seat knew is read off its own view alone, the redacted log folded; whatever else a decision holds says so by its
part. Which columns are made of them is for `columns`.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine import rules
from engine.actions import Action, PlayCard
from engine.events import CardPlayed, Event, GameCreated, RoundEnded, RoundStarted, TurnStarted, fold
from engine.logs.codec import read_event
from engine.notation import print_action
from engine.state import GameState
from engine.views import WATCHER, redact, redact_log, view
from games.causes import Act, TimeOut, read_cause
from games.messages import Message
from games.records.portable import PortableLog, StoredEvent
from games.records.verification import UNFIT

PLAYER: Final = "player"
BOT: Final = "bot"
STAND_IN: Final = "stand_in"
"""Who may have acted."""


class NoDecisions(Exception):
    """The decisions of a log cannot be read: it does not say what caused them, or what it says is impossible."""

    def __init__(self, why: Message) -> None:
        super().__init__(why.key)
        self.why = why


class GameRecord(NamedTuple):
    """What is known of a game before its first decision; nothing of it is secret."""

    created: GameCreated
    players: Sequence[str | None]


class SeatKnowledge(NamedTuple):
    """What a seat knows when it must act: its own view, and what it saw of the round."""

    seat: int
    view: GameState
    """It changes when the next decision is asked for."""
    turn: int
    plays: Sequence[str]
    legal: Sequence[Action]


class Choice(NamedTuple):
    """The action that the seat took, and who took it."""

    at: str
    player: str | None
    actor: str
    bot: str | None
    bot_version: int | None
    think_ms: int | None
    action: Action
    place: int


class Outcome(NamedTuple):
    """The result of round and game, which nobody knew then."""

    seat: int
    round_winners: Sequence[int] | None
    """None where the round was not played to its end."""
    ended: GameState


class DecisionRecord(NamedTuple):
    """One action of a seat, with all that a row has about it."""

    game: GameRecord
    moment: SeatKnowledge
    choice: Choice
    outcome: Outcome


def decisions(log: PortableLog) -> Iterator[DecisionRecord]:
    """Yields a log's decisions for the dataset, in order; deal with each before you ask for the next.

    Raises:
        NoDecisions: some cannot be read.
    """
    try:
        yield from _decision_records(log)
    except UNFIT:
        raise NoDecisions(Message("log.no_decisions")) from None


def _decision_records(log: PortableLog) -> Iterator[DecisionRecord]:
    if others := {stored["rules"] for stored in log["events"]} - {None, rules.RULES_VERSION}:
        raise NoDecisions(Message("log.other_rules", {"rules": min(others), "here": rules.RULES_VERSION}))
    events = [read_event(stored) for stored in log["events"]]
    created = redact(events[0], WATCHER)
    assert isinstance(created, GameCreated), "a log begins with game_created"
    game = GameRecord(created, log["players"])
    winners = {event.number: event.winners for event in events if isinstance(event, RoundEnded)}
    ended = view(events, WATCHER)
    seats = [_SeatOnRecord(created, seat) for seat in range(created.seats)]
    for before, stored in enumerate(log["events"]):
        cause = read_cause(stored["cause"]) if stored["cause"] is not None else None
        if not isinstance(cause, Act | TimeOut) or cause.action is None:
            continue
        seat = seats[cause.seat]
        seat.see(events[seat.view.version : before])
        moment = seat.moment()
        if seat.view.to_act != cause.seat or cause.action not in moment.legal:
            raise NoDecisions(Message("log.no_decisions"))
        outcome = Outcome(cause.seat, winners.get(seat.view.round_number), ended)
        yield DecisionRecord(game, moment, _choice_record(game, stored, cause, moment.legal), outcome)


class _SeatOnRecord:
    """What one seat knows, as far as it has seen the log."""

    def __init__(self, created: GameCreated, seat: int) -> None:
        self.seat = seat
        self.view = rules.begin(created)
        self.turn = 0
        self.plays: list[str] = []

    def see(self, events: Sequence[Event]) -> None:
        """Takes in the seat's part of the next events of a log, for the dataset."""
        seen = redact_log(events, self.seat)
        fold(self.view, seen)
        for event in seen:
            if isinstance(event, CardPlayed):
                play = PlayCard(event.card, event.targets, event.named, event.face)
                self.plays.append(f"{event.seat} {print_action(play)}")
            elif isinstance(event, TurnStarted):
                self.turn += 1
            elif isinstance(event, RoundStarted):
                self.turn, self.plays = 0, []

    def moment(self) -> SeatKnowledge:
        """Returns what the seat knows now, for a row of the dataset."""
        return SeatKnowledge(self.seat, self.view, self.turn, self.plays[:], rules.legal_actions(self.view))


def _choice_record(game: GameRecord, stored: StoredEvent, cause: Act | TimeOut, legal: Sequence[Action]) -> Choice:
    assert cause.action is not None, "the seat acted"
    thought = cause.thought
    player = game.players[cause.seat]
    return Choice(
        at=stored["at"],
        player=player,
        actor=STAND_IN if isinstance(cause, TimeOut) else PLAYER if thought is None else BOT,
        bot=None if thought is None else thought.bot,
        bot_version=None if thought is None else thought.version,
        think_ms=None if thought is None else thought.think_ms,
        action=cause.action,
        place=legal.index(cause.action),
    )
