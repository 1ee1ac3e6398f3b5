"""The entry points of the engine: begin a game, list legal actions, act, leave.

`decide` holds all the rules and changes nothing it is given; `play` is the same in place, for searches and
simulations that take their actions from `legal_actions`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.actions import DECLINABLE, Action, PlayCard
from engine.editions import rulebook
from engine.errors import GAME_NOT_STARTED, GAME_OVER, SEAT_LEFT, IllegalAction
from engine.events import (
    CardPlayed,
    DecisionOpened,
    DecisionTaken,
    Event,
    GameCreated,
    GameStarted,
    SeatLeft,
    fold,
)
from engine.options import face_of, legal_actions
from engine.refusals import refusal
from engine.rounds import finish, settle, start_round
from engine.shuffle import Chance, LooseChance
from engine.state import ACTIVE, OPEN, GameState
from engine.table import Table

__all__ = [
    "RULES_VERSION",
    "bare_table",
    "begin",
    "decide",
    "fold_log",
    "leave",
    "legal_actions",
    "play",
    "play_out",
    "refusal",
    "start",
]

RULES_VERSION: Final = 1
"""Counts up when an action has another outcome than in the last release, in the same state and with the same chance.

Each step of a log says by which rules it was made, so that nobody verifies it by others.
"""


_BARE: Final[Mapping[str, Any]] = {
    "game": "game",
    "visibility": "unlisted",
    "clock": None,
    "starter": None,
    "creator": "",
    "previous_game": None,
    "commitment": "",
    "sandbox": False,
    "rated": False,
    "aids": True,
    "sandbox_rounds": (),
    "forked_from": None,
    "sandbox_positions": (),
    "match": None,
    "deal": None,
}


def bare_table(edition: str, seats: int, options: Mapping[str, str] | None = None, **others: Any) -> GameCreated:
    """Returns the first event of a game that no service runs; `others` are members that a service would give it.

    Raises:
        UnknownEdition: there is no such edition, or it has no such number of seats, option or value.
    """
    book = rulebook(edition, seats, options or {})
    return GameCreated(**{**_BARE, "edition": edition, "seats": seats, "options": dict(book.options), **others})


def begin(created: GameCreated) -> GameState:
    """Returns the state after the first event of a log.

    Raises:
        UnknownEdition: this engine has no such edition.
    """
    return fold(GameState.empty(rulebook(created.edition, created.seats, created.options)), [created])


def fold_log(log: Sequence[Event]) -> GameState:
    """Returns the state after a whole log, full or redacted; the first event must be `GameCreated`."""
    created = log[0]
    assert isinstance(created, GameCreated), "a log begins with game_created"
    return fold(begin(created), log[1:])


def start(
    state: GameState,
    nonces: Sequence[str],
    chance: Chance,
    starter: int | None = None,
    *,
    committed: Sequence[int] = (),
    unrevealed: Sequence[int] = (),
) -> list[Event]:
    """Returns the events that start a full table's game: play begins and the first round is dealt.

    `starter` begins the first round; if it is None, chance says who. `committed` are the seats that had committed to a
    nonce, `unrevealed` those of them that did not reveal it. The state is left as it was.
    """
    table = Table(state.copy(), chance)
    players = tuple(seat.player or "" for seat in state.seats)
    table.emit(GameStarted(players, tuple(nonces), tuple(committed), tuple(unrevealed)))
    start_round(table, tuple(range(len(players))) if starter is None else (starter,))
    return table.events


def decide(state: GameState, seat: int, action: Action, chance: Chance) -> list[Event]:
    """Returns the events that follow from a seat's action. The state is left as it was.

    Raises:
        IllegalAction: the rules do not allow it now; its reason is a stable code.
    """
    reason = refusal(state, seat, action)
    if reason is not None:
        raise IllegalAction(reason)
    return play(state.copy(), action, chance)


def play(state: GameState, action: Action, chance: Chance) -> list[Event]:
    """Takes an action of the seat to act, in place, and returns the events; legality is not checked."""
    table = Table(state, chance)
    _take(table, action)
    settle(table)
    return table.events


def play_out(state: GameState, chance: LooseChance) -> int:
    """Plays a game to its end at random, in place, and returns how many actions that took.

    A search can rate a position by many such games, each from a copy. Every legal action is as likely as any other.
    """
    table = Table(state, chance)
    actions = 0
    while state.status == ACTIVE:
        legal = legal_actions(state)
        _take(table, legal[chance.answer(len(legal), state.version)])
        settle(table)
        actions += 1
    return actions


def leave(state: GameState, seat: int, reason: str, chance: Chance) -> list[Event]:
    """Returns the events that follow when a seat leaves the running game; the state is left as it was.

    A decision that waits for the seat takes its default first. `reason` is `resigned` or `timed_out`. Rules, "Leaving a
    running game".

    Raises:
        IllegalAction: the game is not active, or the seat has left it already; its reason is a stable code.
    """
    if state.status != ACTIVE:
        raise IllegalAction(GAME_NOT_STARTED if state.status == OPEN else GAME_OVER)
    if state.seats[seat].left:
        raise IllegalAction(SEAT_LEFT)
    table = Table(state.copy(), chance)
    working = table.state
    decides = working.decision is not None and working.decision.seat == seat
    while working.decision is not None and working.decision.seat == seat:
        _take_default(table)
    table.won = None  # whatever its default won, it wins no more
    table.emit(SeatLeft(seat, table.hand_face_up(seat), reason))
    remaining = working.in_game()
    if len(remaining) == 1:
        finish(table, remaining)
    elif decides or working.turn == seat or len(working.alive()) == 1:
        settle(table)
    return table.events


def _take(table: Table, action: Action) -> None:
    """Carries out an action up to the next question, without starting another turn."""
    state = table.state
    if state.decision is not None:
        _answer(table, state.decision, action)
    else:
        _play_card(table, state.turn, action)  # type: ignore[arg-type]  # only a question has other answers


def _answer(table: Table, decision: DecisionOpened, action: Action) -> None:
    """Takes the answer to the open decision; an answer that is a play has its own effect."""
    table.emit(DecisionTaken(decision.seat, decision.card, decision.kind))
    if isinstance(action, PlayCard):
        _play_card(table, decision.seat, action)
    else:
        effect = table.state.book.answers[decision.card][decision.kind]
        assert effect is not None, "only a play has its own effect"
        effect(table, decision, action)


def _play_card(table: Table, seat: int, action: PlayCard) -> None:
    """Plays a card: a card that needs seats and chose none has no effect."""
    book = table.state.book
    card = book.cards[action.card]
    way = face_of(card, action.face)
    guess, value = (None, action.guess) if isinstance(action.guess, int) else (action.guess, None)
    played = CardPlayed(seat, card.key, action.targets, guess, value, action.face)
    table.emit(played)
    if card.discarded is not None and not book.into_play:
        table.discarded(seat, card.key)
    if way.play is not None and (action.targets or way.targets.most == 0):
        way.play(table, played)


def _take_default(table: Table) -> None:
    """Answers for a seat that is leaving: keep, look at none, otherwise chance takes a legal answer."""
    decision = table.decision()
    answers = legal_actions(table.state)
    index = 0 if decision.kind in DECLINABLE else table.chance.answer(len(answers), table.state.version)
    _take(table, answers[index])
