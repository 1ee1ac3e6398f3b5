"""Names seats and cards for the reader."""

from collections.abc import Sequence
from typing import Any

from games.texts.catalogue import Catalogue
from games.texts.seats import labels

UNBROKEN = "\N{NO-BREAK SPACE}"


class TableNames:
    """Names of seats and cards at one table, in the reader's language."""

    def __init__(self, words: Catalogue, edition: dict[str, Any], view: dict[str, Any]) -> None:
        """Takes the demo's cards from an edition as the server describes it, and its players from a view."""
        self.words = words
        self.edition = edition
        self.table = next(table for table in edition["tables"] if table["seats"] == len(view["seats"]))
        self._cards = {card["card"]: f"{card['name']} ({card['value']})" for card in edition["cards"]}
        # The server's sentences use the same names.
        self._seats = labels(words, [(seat["player"] or {}).get("name", "") for seat in view["seats"]])

    def who(self, seat: int) -> str:
        """Returns the name of a seat's player, for the demo's terminal."""
        return self._seats[seat]

    def all(self, seats: Sequence[int]) -> str:
        """Returns the names of several seats' players, for the demo's terminal."""
        return self.words.listed([self.who(seat) for seat in seats])

    def card(self, card: str) -> str:
        """Returns the name of a card with its number, for the demo's terminal."""
        return self._cards.get(card, card)

    def cards(self, cards: Sequence[str | None]) -> str:
        """Returns the names of the known cards, for the demo's terminal; no line breaks within one."""
        return ", ".join(self.card(card).replace(" ", UNBROKEN) for card in cards if card is not None)
