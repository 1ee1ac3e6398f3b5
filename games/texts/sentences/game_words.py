"""Names players and cards in sentences about events."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from engine.events import Event
from engine.rulebook import Rulebook
from games.texts.cards import card_object
from games.texts.catalogue import Catalogue
from games.texts.plays import labels
from games.texts.sentences.past import BEGINNING

Case: TypeAlias = Literal["nominative", "accusative", "dative"]
"""In which form a language names the reader in a sentence."""


class GameWords:
    """The words of one language for the players and cards of one game.

    Sentences about the reader have texts of their own: the key ends in `.you` if the reader acts, and in `.your` if
    somebody else acts on the reader.
    """

    def __init__(
        self,
        words: Catalogue,
        names: Sequence[str],
        book: Rulebook,
        people: Mapping[str, str],
        reader: int | None,
    ) -> None:
        """Takes what sentences about a game's events need; `reader` is the seat that is addressed."""
        self.words = words
        self.text = words.text
        self.book = book
        self.past = BEGINNING
        """The result of the events before the one that the sentence is about."""
        self.following: Sequence[Event] = ()
        """The next few events."""
        self.people = people
        """The names of players by their ids, of those who sit down or are invited."""
        self._labels = labels(words, names)
        self._reader = reader

    def about(self, key: str, seat: int, target: int | None = None, **values: object) -> str:
        """Returns a sentence of an event about the player of a seat, `{who}`, and perhaps another, `{target}`."""
        if self.is_reader(seat):
            key += ".you"
        elif target is not None and self.is_reader(target):
            key += ".your"
        return self.text(key, who=self._labels[seat], target=self._labels[target or 0], **values)

    def about_all(self, key: str, seats: Sequence[int], **values: object) -> str:
        """Returns a sentence of an event about some players together, `{who}`, who do what it says."""
        if any(self.is_reader(seat) for seat in seats):
            key += ".you"
        return self.text(key, who=self.all(seats), **values)

    def is_reader(self, seat: int) -> bool:
        """Returns whether the reader of a sentence about an event is on a seat."""
        return seat == self._reader

    def one(self, seat: int, case: Case = "nominative") -> str:
        """Returns what a sentence about an event calls the player of a seat."""
        return self.text(f"seat.you.{case}") if self.is_reader(seat) else self._labels[seat]

    def all(self, seats: Sequence[int], case: Case = "nominative", actor: int | None = None) -> str:
        """Returns some seats' players as a sentence about an event lists them; the one who acts is "themselves"."""
        return self.words.listed([self._self(seat, case) if seat == actor else self.one(seat, case) for seat in seats])

    def _self(self, seat: int, case: Case) -> str:
        return self.text(f"seat.yourself.{case}" if self.is_reader(seat) else "seat.self")

    def opened(self, text: str) -> str:
        """Returns a sentence about an event with a capital, if it begins with the word for its reader."""
        if self._reader is not None and text.startswith(f"{self.text('seat.you.nominative')} "):
            return text[0].upper() + text[1:]
        return text

    def card(self, card: str) -> str:
        """Returns a card as the object of a sentence about an event."""
        return card_object(self.words, card)

    def cards(self, cards: Sequence[str | None]) -> str:
        """Returns cards as the object of a sentence about an event.

        Raises:
            AssertionError: the viewer does not know all of them.
        """
        if not cards:
            return self.text("cards.none")
        assert None not in cards, "a card that the viewer does not know has no name"
        return self.words.listed([self.card(card) for card in cards if card is not None])


Sentence: TypeAlias = Callable[[GameWords, Any], str]
"""Returns the sentence about an event of one type."""


def seat_sentence(texts: GameWords, event: Any) -> str:
    """Returns the sentence about an event if its text names the seat alone."""
    return texts.about(f"event.{event.type}", event.seat)


def card_sentence(texts: GameWords, event: Any) -> str:
    """Returns the sentence about an event if its text names the seat and the card alone."""
    return texts.about(f"event.{event.type}", event.seat, card=texts.card(event.card))
