"""Checks a position, and lists every reason why no game could begin with it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.errors import ImpossiblePosition
from engine.positions.position import Position, drawn_places, read_position, undealt
from engine.rulebook import Rulebook
from engine.state import GameState


def check_position(state: GameState, data: Mapping[str, Any]) -> Position:
    """Returns the position of plain data, checked so that a sandbox round could begin with it in a state.

    Raises:
        ImpossiblePosition: none could; its reason is a stable word.
    """
    position = read_position(state.book, data)
    _check_position_deck(state.book, position)
    placed = scored(state, position)
    entrants = entrants_of(placed)
    _check_position_seats(position, entrants)
    _check_position_hands(position, entrants)
    _check_position_marks(state.book, position)
    placed.marks = {card: (seat, target) for card, seat, target in position.marks}
    _check_discards(placed, position, entrants)
    _check_draws(state.book, position, entrants)
    return position


def _check_position_deck(book: Rulebook, position: Position) -> None:
    """Checks that a sandbox's position has no card too often, and that those beside the deck stay out of it."""
    deck = Counter(book.deck)
    for card, count in Counter(position.lying()).items():
        if card not in book.cards:
            raise ImpossiblePosition("", "no_such_card", card=card)
        copies = deck[card] or 1
        if count > copies:
            raise ImpossiblePosition("", "excess", card=card, count=count, copies=copies)
    piles = {
        "deck": position.deck or (),
        "shown_aside": position.shown_aside or (),
        "set_aside": () if position.set_aside is None else (position.set_aside,),
    }
    for name, pile in piles.items():
        for card in pile:
            if not deck[card]:
                raise ImpossiblePosition(name, "beside", card=card)
    for card in {*position.lying()} - {*deck}:
        givers = [other.key for other in book.cards.values() if other.gives == card]
        if not any(giver in pile for giver in givers for pile in position.discards):
            raise ImpossiblePosition("", "not_given", card=card)
    if len(piles["shown_aside"]) > book.shown_aside:
        raise ImpossiblePosition("shown_aside", "shown", most=book.shown_aside)


def scored(state: GameState, position: Position) -> GameState:
    """Returns a state in which the seats have the tokens of a sandbox's position.

    Raises:
        ImpossiblePosition: the game would be over, or there are no such tokens.
    """
    placed = state.copy()
    # As at the beginning of a game: who has enough tokens now has gained them.
    placed.scores = (0,) * len(placed.seats)
    for i, seat in enumerate(placed.seats):
        seat.tokens = seat.tokens if position.tokens is None else position.tokens[i]
        seat.insane_tokens = seat.insane_tokens if position.insane_tokens is None else position.insane_tokens[i]
        if seat.insane_tokens > seat.tokens:
            raise ImpossiblePosition("insane_tokens", "insane", seat=i)
    if state.book.edition.game_winners(placed):
        raise ImpossiblePosition("tokens", "won")
    return placed


def entrants_of(placed: GameState) -> tuple[int, ...]:
    """Returns the seats that the round of a sandbox's position is dealt to."""
    return placed.book.edition.entrants(placed)


def _check_position_seats(position: Position, entrants: tuple[int, ...]) -> None:
    alive = [seat for seat in entrants if seat not in position.out]
    if len(alive) < 2:
        raise ImpossiblePosition("out", "alone")
    named = {"turn": [position.turn], "protected": position.protected}
    if position.bound is not None:
        named["bound"] = [position.bound]
    for name, seats in named.items():
        for seat in seats:
            if seat not in alive:
                raise ImpossiblePosition(name, "out", seat=seat)
    if position.turn in position.protected:
        raise ImpossiblePosition("protected", "turn", seat=position.turn)


def _check_position_hands(position: Position, entrants: tuple[int, ...]) -> None:
    for seat, hand in enumerate(position.hands):
        if hand and (seat in position.out or seat not in entrants):
            raise ImpossiblePosition(f"hands.{seat}", "hand_of_out", seat=seat)
        most = 2 if seat == position.turn else 1
        if len(hand) > most:
            raise ImpossiblePosition(f"hands.{seat}", "hand", seat=seat, most=most)


def _check_position_marks(book: Rulebook, position: Position) -> None:
    if position.bound is not None and not any(card.binds for card in book.cards.values()):
        raise ImpossiblePosition("bound", "nothing_binds")
    for i, (key, seat, target) in enumerate(position.marks):
        field = f"marks.{i}"
        card = book.cards.get(key)
        if key in [other for other, *_ in position.marks[:i]]:
            raise ImpossiblePosition(f"{field}.card", "mark_twice", card=key)
        if card is None or card.marks is None:
            raise ImpossiblePosition(f"{field}.card", "no_mark", card=key)
        if key not in position.discards[seat]:
            raise ImpossiblePosition(f"{field}.seat", "mark_of_nobody", card=key, seat=seat)
        if (seat == target) != (card.marks == "own"):
            raise ImpossiblePosition(f"{field}.target", "marked", card=key)


def _check_discards(placed: GameState, position: Position, entrants: tuple[int, ...]) -> None:
    """Checks that no seat of a sandbox's position is in that a card in front of it would have knocked out."""
    spared = placed.book.edition.spared
    for seat, pile in enumerate(position.discards):
        if pile and seat not in entrants:
            raise ImpossiblePosition(f"discards.{seat}", "hand_of_out", seat=seat)
        if seat in position.out or (spared is not None and spared(placed, seat)):
            continue
        for card in pile:
            if placed.book.cards[card].discarded is not None:
                raise ImpossiblePosition(f"discards.{seat}", "fatal", card=card, seat=seat)


def _check_draws(book: Rulebook, position: Position, entrants: tuple[int, ...]) -> None:
    """Checks that a sandbox's position leaves cards for what chance draws, and one for the seat whose turn it is."""
    left = len(undealt(book, position)) - len(drawn_places(book, position, entrants))
    if left < 0:
        raise ImpossiblePosition("", "too_few", missing=-left)
    pile = left if position.deck is None else len(position.deck)
    if not position.drawn and pile == 0:
        raise ImpossiblePosition("deck", "nothing_to_draw", seat=position.turn)
