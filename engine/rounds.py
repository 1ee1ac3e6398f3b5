"""Runs rounds and games: turns, showdowns, tokens, ends (rules, "A round")."""

from typing import Final

from engine.events import (
    CardResolved,
    Cards,
    GameFinished,
    HandsRevealed,
    RoundEnded,
    RoundStarted,
    TurnStarted,
    breaks_of,
)
from engine.positions import begin_position
from engine.rulebook import GameVerdict, RoundVerdict, Rulebook
from engine.state import SEATS_OF
from engine.table import Table

SEVERAL: Final = tuple(len(seats) > 1 for seats in SEATS_OF)
"""By bit mask: whether it holds several seats."""


def settle(table: Table) -> None:
    """Goes on after an action until a seat has to act again or the game is over.

    An open decision is waited for, unless all seats but one have left: the round is then over, whatever was asked.
    """
    state = table.state
    if state.decision is not None and SEVERAL[state.in_round]:
        return
    if state.in_play:
        _resolve_in_play(table)
    while not _round_over(table):
        if _begin_turn(table, state.next_in_round(state.turn)):
            return


def start_round(table: Table, candidates: tuple[int, ...]) -> None:
    """Starts a round: shuffles, deals and starts the first turn; a sandbox may have chosen a position.

    One of the candidates begins. If none of them takes part in the round, one of those who do begins.
    """
    state = table.state
    book = state.book
    number = state.round_number + 1
    begun = begin_position(state, number, table.chance) if state.positions else None
    if begun is not None:
        _go_on_from(table, begun)
        return
    entrants = book.edition.entrants(state)
    starters = tuple([seat for seat in candidates if seat in entrants]) or entrants
    starter = table.chance.starter(starters, number)
    hands, deck, set_aside, shown_aside = deal(book, table.chance.order(book.deck, number), entrants)
    table.emit(
        RoundStarted(
            number,
            starter if starter in entrants else _next_of(entrants, starter),  # a sandbox may name one that has left
            entrants,
            tuple([seat.tokens for seat in state.seats]),
            tuple([seat.insane_tokens for seat in state.seats]),
            () if len(entrants) == book.seats else tuple([i for i, seat in enumerate(state.seats) if seat.left]),
            hands,
            deck,
            set_aside,
            shown_aside,
            state.banks,
            SEATS_OF[state.away],
            breaks_of(state),
            None,
        )
    )
    _begin_turn(table, state.starter)


def _go_on_from(table: Table, begun: RoundStarted) -> None:
    """Starts a round with a sandbox's position: with its seat's turn, or after the draw of its seat."""
    table.emit(begun)
    assert begun.position is not None
    if begun.position["drawn"]:
        table.emit(TurnStarted(begun.starter))
        table.draw_card(begun.starter)
    elif not _begin_turn(table, begun.starter):
        settle(table)


def deal(book: Rulebook, order: list[str], entrants: tuple[int, ...]) -> tuple[Cards, Cards, str, tuple[str, ...]]:
    """Returns the hands, draw pile, card set aside and cards shown aside of a shuffled deck dealt to these seats."""
    first_hand = 1 + book.shown_aside
    draw_pile = first_hand + len(entrants)
    hands: list[str | None] = [*order[first_hand:draw_pile]]
    if len(entrants) < book.seats:
        dealt = dict(zip(entrants, hands, strict=True))
        hands = [dealt.get(seat) for seat in range(book.seats)]
    return tuple(hands), tuple(order[draw_pile:]), order[0], tuple(order[1:first_hand])


def finish(table: Table, winners: tuple[int, ...]) -> None:
    """Ends the game, with these winners."""
    table.emit(GameFinished(winners))


def _resolve_in_play(table: Table) -> None:
    """Moves the cards in play to the discards, the last one first, where they do not lie there yet."""
    state = table.state
    while state.in_play:
        card = state.in_play[-1]
        seat = state.turn
        table.emit(CardResolved(seat, card))
        if not isinstance(table.won, GameVerdict):
            table.discarded(seat, card)


def _round_over(table: Table) -> bool:
    """Ends the round or the game if it is over; returns whether everybody may stop."""
    state = table.state
    book = state.book
    goes_on = SEVERAL[state.in_round] and table.won is None
    if goes_on and state.deck and book.instant_winners is None:
        return False  # as after most actions
    winners: tuple[int, ...] = ()
    if isinstance(table.won, GameVerdict):
        winners = table.won.winners
    elif goes_on and book.instant_winners is not None:
        winners = book.instant_winners(state)
    if winners:
        finish(table, winners)
    elif goes_on and state.deck:
        return False
    else:
        _end_round(table, SEATS_OF[state.in_round])
    return True


def _begin_turn(table: Table, seat: int) -> bool:
    """Begins a turn: ends protection, asks the edition, draws; returns whether the seat can act."""
    state = table.state
    table.emit(TurnStarted(seat))
    if state.book.turn_start is not None:
        state.book.turn_start(table, seat)
    return state.is_in_round(seat) and table.draw_card(seat)


def _end_round(table: Table, alive: tuple[int, ...]) -> None:
    """Ends a round: finds the winners, pays all tokens together, checks once for the end of the game."""
    state = table.state
    book = state.book
    reason, verdict = _verdict(table, alive)
    winners = verdict.winners
    table.emit(RoundEnded(state.round_number, winners, reason, verdict.decided_by, verdict.card, verdict.standings))
    kind = book.edition.token_kind
    for seat in winners:
        table.award(seat, "round", kind(state, seat) if kind is not None else "favor")
    for pay in book.round_end:
        pay(table, winners)
    champions = book.edition.game_winners(state)
    if champions:
        finish(table, champions)
    else:
        table.won = None
        start_round(table, winners or (state.starter,))


def _verdict(table: Table, alive: tuple[int, ...]) -> tuple[str, RoundVerdict]:
    """Returns how the round has ended, and who has won it by what."""
    if isinstance(table.won, RoundVerdict):
        return "card", table.won
    if len(alive) < 2:
        return "last_seat", RoundVerdict(alive, "last_seat" if alive else "nobody_left")
    state = table.state
    table.emit(HandsRevealed(tuple([seat.hand[0] if seat.hand else None for seat in state.seats])))
    return "showdown", state.book.edition.showdown(table, alive)


def _next_of(seats: tuple[int, ...], seat: int) -> int:
    """Returns the first of the seats of a round clockwise after another."""
    return next((other for other in seats if other > seat), seats[0])
