"""Runs rounds and games: turns, showdowns, tokens, ends (rules, "A round")."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.events import (
    CardResolved,
    Cards,
    GameFinished,
    HandsRevealed,
    RoundEnded,
    RoundStarted,
    TurnStarted,
    shared,
)
from engine.positions import begin_position
from engine.rulebook import RoundVerdict, Rulebook
from engine.state import SEATS_OF
from engine.table import Table

card_resolved: Final = shared(CardResolved)
turn_started: Final = shared(TurnStarted)


class Deal(NamedTuple):
    """Where the cards of a round lie at its beginning, as in `RoundStarted`."""

    hands: Cards
    deck: Cards
    set_aside: str
    shown_aside: tuple[str, ...]


def settle(table: Table) -> None:
    """Goes on after an action until somebody has to act again or the game is over.

    An open decision is waited for, unless all seats but one have left: the round is then over, whatever was asked.
    """
    state = table.state
    if state.decision is not None and len(state.alive()) > 1:
        return
    if state.in_play:
        _resolve_in_play(table)
    while not _round_over(table):
        if _begin_turn(table, state.next_in_round(state.turn)):
            return


def start_round(table: Table, candidates: tuple[int, ...]) -> None:
    """Shuffles, deals and starts the first turn; a sandbox may have chosen a position instead.

    One of the candidates begins. If none of them takes part in the round, one of those who do begins.
    """
    state = table.state
    book = state.book
    number = state.round_number + 1
    begun = begin_position(state, number, table.chance)
    if begun is not None:
        _go_on_from(table, begun)
        return
    entrants = book.edition.entrants(state)
    starters = tuple([seat for seat in candidates if seat in entrants]) or entrants
    starter = table.chance.starter(starters, number)
    dealt = deal(book, table.chance.order(book.deck, number), entrants)
    table.emit(
        RoundStarted(
            number,
            starter if starter in entrants else _next_of(entrants, starter),  # a sandbox may name one that has left
            entrants,
            tuple([seat.tokens for seat in state.seats]),
            tuple([seat.insane_tokens for seat in state.seats]),
            tuple([i for i, seat in enumerate(state.seats) if seat.left]),
            dealt.hands,
            dealt.deck,
            dealt.set_aside,
            dealt.shown_aside,
            state.banks,
            SEATS_OF[state.away],
            None,
        )
    )
    _begin_turn(table, state.starter)


def _go_on_from(table: Table, begun: RoundStarted) -> None:
    """Starts a round with a position: with the turn of its seat, or after the draw of one that holds two cards."""
    table.emit(begun)
    assert begun.position is not None
    if begun.position["drawn"]:
        table.emit(turn_started(begun.starter))
        table.draw_card(begun.starter)
    elif not _begin_turn(table, begun.starter):
        settle(table)


def deal(book: Rulebook, order: Sequence[str], entrants: tuple[int, ...]) -> Deal:
    """Returns where the cards of a shuffled deck lie, the top first, when these seats are dealt in."""
    first_hand = 1 + book.shown_aside
    draw_pile = first_hand + len(entrants)
    hands: list[str | None] = [None] * book.seats
    for seat, card in zip(entrants, order[first_hand:draw_pile], strict=True):
        hands[seat] = card
    return Deal(tuple(hands), tuple(order[draw_pile:]), order[0], tuple(order[1:first_hand]))


def finish(table: Table, winners: tuple[int, ...]) -> None:
    """Ends the game."""
    table.emit(GameFinished(winners))


def _resolve_in_play(table: Table) -> None:
    """Moves played cards to the discards, the last one first, where they do not lie there yet."""
    state = table.state
    while state.in_play:
        card = state.in_play[-1]
        seat = state.turn
        table.emit(card_resolved(seat, card))
        if not table.game_winners:
            table.discarded(seat, card)


def _round_over(table: Table) -> bool:
    """Ends the round or the game if it is over; whether everybody may stop."""
    state = table.state
    winners = table.game_winners
    alive = SEATS_OF[state.in_round]
    goes_on = len(alive) > 1 and table.verdict is None
    if goes_on and not winners:
        instant = state.book.edition.instant_winners
        if instant is not None:
            winners = instant(state)
        elif state.deck:
            return False
    if winners:
        finish(table, winners)
    elif goes_on and state.deck:
        return False
    else:
        _end_round(table, alive)
    return True


def _begin_turn(table: Table, seat: int) -> bool:
    """Ends the seat's protection, lets the edition have its say, and draws; whether the seat can act."""
    state = table.state
    table.emit(turn_started(seat))
    turn_start = state.book.edition.turn_start
    if turn_start is not None:
        turn_start(table, seat)
        if not state.is_in_round(seat):
            return False
    return table.draw_card(seat)


def _end_round(table: Table, alive: tuple[int, ...]) -> None:
    """Finds the winners, pays all tokens of the round together, and checks once for the end of the game."""
    state = table.state
    book = state.book
    reason, verdict = _verdict(table, alive)
    winners = verdict.winners
    table.emit(RoundEnded(state.round_number, winners, reason, *verdict[1:]))
    kind = book.edition.token_kind
    for seat in winners:
        table.award(seat, "round", kind(state, seat) if kind is not None else "favor")
    for pay in book.round_end:
        pay(table, winners)
    champions = book.edition.game_winners(state)
    if champions:
        finish(table, champions)
    else:
        table.verdict = None
        start_round(table, winners or (state.starter,))


def _verdict(table: Table, alive: tuple[int, ...]) -> tuple[str, RoundVerdict]:
    """Returns how the round has ended, and who has won it by what."""
    if table.verdict is not None:
        return "card", table.verdict
    if len(alive) < 2:
        return "last_seat", RoundVerdict(alive, "last_seat" if alive else "nobody_left")
    state = table.state
    table.emit(HandsRevealed(tuple([seat.hand[0] if seat.hand else None for seat in state.seats])))
    return "showdown", state.book.edition.showdown(table, alive)


def _next_of(seats: tuple[int, ...], seat: int) -> int:
    """Returns the first of `seats` clockwise after `seat`."""
    return next((other for other in seats if other > seat), seats[0])
