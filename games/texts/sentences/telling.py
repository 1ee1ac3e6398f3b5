"""Names players and cards in sentences about events."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from engine.events import Event
from engine.rulebook import Rulebook
from games.texts.cards import card_object
from games.texts.catalogue import Catalogue
from games.texts.seats import labels
from games.texts.sentences.past import BEGINNING


class GameWords:
    """The words of one language for the players and cards of one game."""

    def __init__(self, words: Catalogue, names: Sequence[str], book: Rulebook, people: Mapping[str, str]) -> None:
        self.words = words
        self.text = words.text
        self.book = book
        self.past = BEGINNING
        """What has come of the events before the one being told of."""
        self.people = people
        """The names of players by their ids, of those who sit down or are invited."""
        self._labels = labels(words, names)

    def who(self, seat: int) -> str:
        """Returns what to call the player of a seat."""
        return self._labels[seat]

    def all(self, seats: Sequence[int], actor: int | None = None) -> str:
        """Returns the players of some seats as an enumeration; the one who acts is "themselves" in it."""
        return self.words.listed([self.text("seat.self") if seat == actor else self.who(seat) for seat in seats])

    def card(self, card: str) -> str:
        """Returns a card as the object of a sentence."""
        return card_object(self.words, card)

    def cards(self, cards: Sequence[str | None]) -> str:
        """Returns cards as the object of a sentence.

        Raises:
            AssertionError: the viewer does not know all of them.
        """
        if not cards:
            return self.text("cards.none")
        assert None not in cards, "a card that the viewer does not know has no name"
        return self.words.listed([self.card(card) for card in cards if card is not None])


Sentence: TypeAlias = Callable[[GameWords, Any, Sequence[Event]], str]
"""`(telling, event, following)`: the sentence about an event of one type; `following` are the next few events."""
