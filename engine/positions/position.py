"""A position as given, plain data with the names of the HTTP interface, and what it leaves to chance."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.errors import ImpossiblePosition
from engine.rulebook import Rulebook

SEAT_LISTS: Final = ("hands", "discards", "tokens", "insane_tokens")
"""The members with an item for each seat; seats beyond the end of a list have nothing."""


def complete(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a sandbox's position with all members, None for those that it leaves out, as `game_created` keeps it."""
    return {name: data.get(name) for name in MEMBERS}


def given_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what a sandbox's position says, without the members that it leaves out."""
    return {name: value for name, value in data.items() if value is not None}


class Position(NamedTuple):
    """A position with an item for every seat; None where chance draws. Its members are those of the plain data."""

    hands: tuple[tuple[str, ...], ...]
    """None for a seat that is out, two for one that has drawn already; empty where chance deals."""
    discards: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...] | None
    set_aside: str | None
    shown_aside: tuple[str, ...] | None
    out: tuple[int, ...]
    protected: tuple[int, ...]
    bound: int | None
    marks: tuple[tuple[str, int, int], ...]
    """The card, the seat that played it, and the seat that it marks."""
    tokens: tuple[int, ...] | None
    insane_tokens: tuple[int, ...] | None
    turn: int

    @property
    def drawn(self) -> bool:
        """Returns whether the seat whose turn it is in a sandbox's position has drawn already."""
        return len(self.hands[self.turn]) == 2

    def lying(self) -> list[str]:
        """Returns all cards that a sandbox's position gives."""
        piles = [*self.hands, *self.discards, self.deck or (), self.shown_aside or ()]
        return [card for pile in piles for card in pile] + ([self.set_aside] if self.set_aside is not None else [])


MEMBERS: Final = Position._fields


def read_position(book: Rulebook, data: Mapping[str, Any]) -> Position:
    """Returns the sandbox's position of plain data, in which every seat must be one of the table.

    Raises:
        ImpossiblePosition: it speaks of more seats than the table has, or twice of one.
    """
    data = given_of(data)
    if any(data.get("insane_tokens", ())) and not book.insane_tokens_to_win:
        raise ImpossiblePosition("insane_tokens", "one_kind")
    if "tokens" not in data and any(data.get("insane_tokens", ())):
        raise ImpossiblePosition(
            "insane_tokens", "insane", seat=next(i for i, n in enumerate(data["insane_tokens"]) if n)
        )
    for name in SEAT_LISTS:
        if len(data.get(name, ())) > book.seats:
            raise ImpossiblePosition(name, "seats", seats=book.seats)
    for name, seats in _seats_in_position(data):
        if any(seat not in range(book.seats) for seat in seats):
            raise ImpossiblePosition(name, "seat", last=book.seats - 1)
    for name in ("out", "protected"):
        for i, seat in enumerate(data.get(name, ())):
            if seat in data[name][:i]:
                raise ImpossiblePosition(f"{name}.{i}", "twice", seat=seat)
    hands = _given_piles(data.get("hands", ()), book.seats)
    out = tuple(sorted({*data.get("out", ())}))
    return Position(
        hands=hands,
        discards=_given_piles(data.get("discards", ()), book.seats),
        deck=_given_cards(data, "deck"),
        set_aside=data.get("set_aside"),
        shown_aside=_given_cards(data, "shown_aside"),
        out=out,
        protected=tuple(sorted({*data.get("protected", ())})),
        bound=data.get("bound"),
        marks=tuple([(one["card"], one["seat"], one["target"]) for one in data.get("marks", ())]),
        tokens=_given_numbers(data, "tokens", book.seats),
        insane_tokens=_given_numbers({"insane_tokens": (), **data}, "insane_tokens", book.seats)
        if "tokens" in data
        else None,
        turn=data.get("turn", _whose_turn(hands, out)),
    )


def _seats_in_position(data: Mapping[str, Any]) -> list[tuple[str, list[int]]]:
    found = [(name, [*data.get(name, ())]) for name in ("out", "protected")]
    found += [(name, [data[name]]) for name in ("turn", "bound") if data.get(name) is not None]
    return [*found, ("marks", [seat for one in data.get("marks", ()) for seat in (one["seat"], one["target"])])]


def _whose_turn(hands: Sequence[Sequence[str]], out: Sequence[int]) -> int:
    """Returns whose turn it is in a sandbox's position that does not say: the seat that has drawn, or the first in."""
    drawn = [seat for seat, hand in enumerate(hands) if len(hand) == 2]
    return next(iter(drawn), next((seat for seat in range(len(hands)) if seat not in out), 0))


def _given_piles(piles: Sequence[Sequence[str]], seats: int) -> tuple[tuple[str, ...], ...]:
    return tuple([tuple(pile) for pile in piles] + [()] * (seats - len(piles)))


def _given_cards(data: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    return tuple(data[name]) if name in data else None


def _given_numbers(data: Mapping[str, Any], name: str, seats: int) -> tuple[int, ...] | None:
    return (*data[name], *[0] * (seats - len(data[name]))) if name in data else None


def drawn_places(book: Rulebook, position: Position, entrants: tuple[int, ...]) -> list[str]:
    """Returns the places of a sandbox's position that chance fills, in the order in which a deck is dealt."""
    places = ["set_aside"] if position.set_aside is None else []
    places += [f"shown {i}" for i in range(book.shown_aside)] if position.shown_aside is None else []
    alive = [seat for seat in entrants if seat not in position.out]
    return places + [f"hand {seat}" for seat in alive if not position.hands[seat]]


def undealt(book: Rulebook, position: Position) -> list[str]:
    """Returns the cards of the deck that a sandbox's position does not give, in the deck's order."""
    rest = list(book.deck)
    for card in position.lying():
        if card in rest:
            rest.remove(card)
    return rest
