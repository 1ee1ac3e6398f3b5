"""The actions a seat may send, one closed shape per type."""

from typing import Any

import marshmallow as ma

from api.schemas.fields.base import (
    MAX_SEAT,
    Closed,
    Constant,
    Flag,
    Integer,
    Items,
    Open,
    Part,
    Text,
    Union,
    Word,
    seat_number,
)
from api.schemas.fields.checks import wrong
from api.schemas.fields.vocabulary import CARD, FACE
from games.messages import Message

MAX_CARDS = 8
"""More cards than one action ever names."""


class PlayCard(Closed):
    """Play a card of the own hand."""

    type = Constant("play_card")
    card = Word(CARD, "The card to play.", required=True)
    targets = Items(
        seat_number("A chosen seat."),
        "The chosen seats, in any order. Empty or absent when nobody is or can be chosen.",
        most=MAX_SEAT + 1,
    )
    guess = Word(CARD, "The character named, in editions whose cards name characters.")
    guess_value = Integer("The number named, in editions whose cards name numbers.", most=9)
    face = Word(FACE, "Which effect to use, in editions whose cards have two.")

    @ma.validates_schema
    def one_guess(self, data: Any, **options: Any) -> None:
        """Refuses an action that names both a character and a number."""
        if "guess" in data and "guess_value" in data:
            raise ma.ValidationError({"guess_value": [Message("fault.one_guess")]})


class KeepCard(Closed):
    """Keep one card and put the others under the deck."""

    type = Constant("keep_card")
    keep = Word(CARD, "The card to keep.", required=True)
    bottom = Items(
        Word(CARD, "A card to put back."),
        "The cards to put back in order, the last one undermost.",
        required=True,
        most=MAX_CARDS,
    )


class RedrawHand(Closed):
    """Discard the own hand and draw another, or keep it."""

    type = Constant("redraw_hand")
    redraw = Flag("Whether to draw another hand.", required=True)


class PeekHand(Closed):
    """Look at one of the hands on offer, or at none of them."""

    type = Constant("peek_hand")
    seat = seat_number("Whose hand to look at; absent to look at none.")


class HandGift(Closed):
    """A card and who gets it."""

    seat = seat_number("Who gets the card.", required=True)
    card = Word(CARD, "The card.", required=True)


class GiveHands(Closed):
    """Give each seat one of the collected cards."""

    type = Constant("give_hands")
    hands = Items(Part(HandGift()), "One card for each seat.", required=True, most=MAX_SEAT + 1)


class GameAction(Union):
    """What a seat asks for, told apart by `type`."""

    variants = (PlayCard(), KeepCard(), RedrawHand(), PeekHand(), GiveHands())

    def load(self, data: Any, **options: Any) -> Any:
        """Returns the action as its variant reads it.

        Raises:
            ValidationError: it is no action; the likeliest mistake has a sentence of its own.
        """
        if isinstance(data, dict) and "action" in data and self.tag not in data:
            raise wrong(Message("fault.item_of_legal_actions"))
        return super().load(data, **options)


class LegalAction(Open):
    """An action the viewer may take now."""

    action = Part(GameAction(), "The action; post it back unchanged.")
    text = Text("The same in words.")
