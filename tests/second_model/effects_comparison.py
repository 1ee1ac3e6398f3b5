"""Compares what the engine says has happened with what the second model makes of it; rules belong to neither.

Chance is the engine's: the model is told how a new round was dealt, and what was answered for a seat that leaves.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from engine.actions import Action, GiveHands, KeepCard, PlayCard
from engine.events import (
    CardPlayed,
    CardsReturned,
    Event,
    HandsCompared,
    HandsGiven,
    HandShown,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    SeatTimedOut,
    fold,
)
from engine.logs.codec import action_data
from engine.state import ACTIVE, GameState
from tests.second_model.comparison import position_of
from tests.second_model.model import course, leaving, legality
from tests.second_model.model.cards import NOBODY, chooses
from tests.second_model.model.game import Deal, Game
from tests.second_model.model.position import Question


def game_of(state: GameState) -> Game:
    """Returns a state as the model sees it."""
    decision = state.decision
    numbers = range(len(state.seats))
    return Game(
        edition=state.book.edition.id,
        seats=len(state.seats),
        liber_spares=state.book.options.get("liber_ivonis") == "published",
        numbers=state.book.values,
        running=state.status == ACTIVE,
        winners=state.winners,
        starter=state.starter,
        turn=state.turn,
        tokens_before=state.scores,
        hands=[seat.hand[:] for seat in state.seats],
        discards=[seat.discards[:] for seat in state.seats],
        tokens=[seat.tokens for seat in state.seats],
        insane_tokens=[seat.insane_tokens for seat in state.seats],
        left={number for number in numbers if state.seats[number].left},
        in_round={number for number in numbers if state.in_round >> number & 1},
        protected={number for number in numbers if state.protected >> number & 1},
        deck=state.deck[:],
        set_aside=state.set_aside[:],
        face_up=list(state.shown_aside),
        in_play=state.in_play[:],
        bound=state.bound,
        marks=dict(state.marks),
        question=decision and Question(decision.seat, decision.card, decision.kind, decision.seats),
    )


def compare_action(state: GameState, action: Action, happened: Sequence[Event]) -> tuple[GameState, set[str]]:
    """Compares what follows an action; returns the state after it and what is special about it."""
    data = action_data(action)
    game = game_of(state)
    course.carry_out(game, data)
    met = {kind_of_play(data, state, game)} if data["type"] == "play_card" else {f"{data['type']} answered"}
    course.go_on(game)
    if any(isinstance(event, SeatTimedOut) for event in happened):
        met.add("a seat is late")
    return _compare(state, game, happened), met | game.used


def compare_leaving(state: GameState, seat: int, happened: Sequence[Event]) -> tuple[GameState, set[str]]:
    """Compares what follows when a seat leaves; returns the state after it and what is special about it."""
    game = game_of(state)
    answers = chance_answers(state, happened)
    if answers:
        assert legality.allowed(position_of(state), seat, answers[0]), answers
    leaving.leave(game, seat, answers)
    return _compare(state, game, happened), {"a seat leaves"} | game.used


def chance_answers(state: GameState, happened: Sequence[Event]) -> list[dict[str, Any]]:
    """Returns what chance has answered for a seat before it left, as plain data."""
    answers: list[Action] = []
    for event in takewhile(lambda event: not isinstance(event, SeatLeft), happened):
        if isinstance(event, CardPlayed):
            answers.append(PlayCard(event.card, event.targets, event.named, event.face))
        elif isinstance(event, CardsReturned):
            (kept,) = _without(state.seats[event.seat].hand, event.cards)
            answers.append(KeepCard(kept, event.cards))
        elif isinstance(event, HandsGiven):
            answers.append(GiveHands(tuple((seat, event.hands[seat]) for seat in event.targets)))
    return [action_data(answer) for answer in answers]


def _without(cards: Sequence[str], taken: Sequence[str]) -> list[str]:
    rest = list(cards)
    for card in taken:
        rest.remove(card)
    return rest


def _compare(state: GameState, game: Game, happened: Sequence[Event]) -> GameState:
    """Compares the end of the old round, and the start of the new one if there is one; returns the engine's state."""
    new = next((i for i, event in enumerate(happened) if isinstance(event, RoundStarted)), len(happened))
    folded = fold(state.copy(), happened[:new])
    ended = next((event for event in happened if isinstance(event, RoundEnded)), None)
    if ended is not None:
        folded.decision = None  # it has lapsed
    _same(game, folded, state)
    assert game.round_winners == (None if ended is None else ended.winners), (game.round_winners, happened)
    assert ended is None or reasons_of(game) == reasons_in(ended), (reasons_of(game), ended)
    assert game.looks == looks(happened), (game.looks, happened)
    if new == len(happened):
        assert game.round_winners is None or not game.running, "the model sees the end of a round, the engine does not"
        return folded
    assert game.running, "the model sees the end of a game, the engine does not"
    deal = deal_of(happened[new])
    assert game.round_winners is not None, "the engine deals in the middle of a round"
    wrong = course.wrong_with(game, deal)
    assert not wrong, (wrong, deal)
    course.begin_round(game, deal)
    fold(folded, happened[new:])
    _same(game, folded, state)
    return folded


def _same(game: Game, folded: GameState, before: GameState) -> None:
    found = game_of(folded)
    if game != found:
        expected, given = vars(game), vars(found)
        skipped = [name for name, field in Game.__dataclass_fields__.items() if not field.compare]
        wrong = {
            name: (given[name], expected[name])
            for name in given
            if given[name] != expected[name] and name not in skipped
        }
        raise AssertionError(f"the engine's and the model's: {wrong}; before: {game_of(before)}")


def reasons_of(game: Game) -> tuple[object, ...]:
    """Returns what the model says has decided a round: by a word, what each hand counts, and the sums of discards."""
    if game.round_won_by is not None:
        return "card", {}, {}
    if not game.counted:
        return "last_seat" if game.round_winners else "nobody_left", {}, {}
    word = "equal_numbers" if not game.round_winners else "discard_sum" if game.sums else "highest_number"
    return word, game.counted, game.sums


def reasons_in(ended: RoundEnded) -> tuple[object, ...]:
    """Returns what the engine says has decided a round, in the same form."""
    sums = {one["seat"]: one["discard_sum"] for one in ended.standings if one["discard_sum"] is not None}
    return ended.decided_by, {one["seat"]: one["counted"] for one in ended.standings}, sums


def looks(happened: Sequence[Event]) -> list[tuple[int, int, tuple[str, ...]]]:
    """Returns who has been shown whose hand."""
    found = []
    for event in happened:
        if isinstance(event, HandShown):
            found.append((event.to, event.seat, event.cards))
        elif isinstance(event, HandsCompared):
            found.append((event.seat, event.target, event.target_cards))
            found.append((event.target, event.seat, event.cards))
    return found


def deal_of(event: RoundStarted) -> Deal:
    """Returns a deal as the model is told of it."""
    return Deal(event.starter, event.seats, event.hands, event.deck, event.set_aside, event.shown_aside)


def kind_of_play(data: dict[str, Any], state: GameState, game: Game) -> str:
    """Names a card that is played with what its effect has come to: void, or who is out."""
    card, face = data["card"], data.get("face")
    name = f"{card} insane" if face == "insane" else card
    if not data["targets"] and chooses(card, face) != NOBODY:
        return f"{name}: void"
    if state.to_act not in game.in_round:
        return f"{name}: the player is out"
    if any(seat not in game.in_round for seat in data["targets"]):
        return f"{name}: a target is out"
    return f"{name}: played"
