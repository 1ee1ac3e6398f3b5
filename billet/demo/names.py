"""Names seats and cards for the reader; sentences about them belong to `story` and `table`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_IRREGULAR = {"are": "is", "have": "has"}


@dataclass(slots=True)
class Names:
    """What to call everybody and everything, as one seat's player sees it."""

    mine: int
    cards: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    seats: list[str] = field(default_factory=list)

    def learn_edition(self, edition: dict[str, Any]) -> None:
        """Take the cards' names, values and texts from an edition as the server describes it."""
        self.cards = {card["card"]: f"{card['name']} ({card['value']})" for card in edition["cards"]}
        self.texts = {card["card"]: card["text"] for card in edition["cards"]}

    def learn_seats(self, view: dict[str, Any]) -> None:
        """Take the players' names from a view; where two are called the same, their seats tell them apart."""
        named = [(seat["player"] or {}).get("name", "nobody") for seat in view["seats"]]
        self.seats = [
            name if named.count(name) == 1 else f"{name} (seat {number})" for number, name in enumerate(named)
        ]

    def who(self, seat: int) -> str:
        """Return the name of a seat at the start of a sentence."""
        return "You" if seat == self.mine else self._name(seat)

    def whom(self, seat: int, actor: int | None = None) -> str:
        """Return the name of a seat inside a sentence, in which `actor` acts."""
        if seat == self.mine:
            return "you" if seat != actor else "yourself"
        return self._name(seat) if seat != actor else "themselves"

    def whose(self, seat: int) -> str:
        """Return the possessive of a seat inside a sentence."""
        return "your" if seat == self.mine else f"{self._name(seat)}'s"

    def does(self, seat: int, verb: str) -> str:
        """Return "You draw" or "Ann draws"."""
        third = _IRREGULAR.get(verb, f"{verb}s")
        return f"{self.who(seat)} {verb if seat == self.mine else third}"

    def all(self, seats: Sequence[int], actor: int | None = None) -> str:
        """Return "you, Ann and Bob"."""
        return _listed([self.whom(seat, actor) for seat in seats])

    def card(self, card: str | None) -> str:
        """Return the name of a card, or say that it is not known."""
        return "a card" if card is None else self.cards.get(card, card)

    def hand(self, cards: Sequence[str | None]) -> str:
        """Return the names of several cards."""
        return _listed([self.card(card) for card in cards]) or "nothing"

    def _name(self, seat: int) -> str:
        return self.seats[seat] if seat < len(self.seats) else f"seat {seat}"


def _listed(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
