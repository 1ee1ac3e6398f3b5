"""What can be known of the hidden cards of a game."""

from api.schemas.fields.base import Flag, Integer, Items, OpenObject, Part, Share, Text, Word, seat_number
from api.schemas.fields.vocabulary import CARD


class CardChance(OpenObject):
    """A card that may lie in a place."""

    card = Word(CARD, "The card.")
    probability = Share("How likely it lies there, in a hand at least once; never 0.")


class Deals(OpenObject):
    """The deals that fit what the viewer has seen."""

    count = Integer(
        "How many there are; null if they were too many to count. Copies of a card are told apart. The order of deck "
        "cards of which nothing is known is left out.",
        allow_none=True,
    )
    exact = Flag("Whether all were counted. Otherwise some were drawn.")
    error = Share("The standard error of a probability of 0.5; 0 if all were counted.")


class SeatDeduction(OpenObject):
    """What a seat may hold."""

    seat = seat_number("The seat.")
    cards = Items(Part(CardChance()), "What its hand may hold, in the order of the edition; empty without a hand.")


class DeckDeduction(OpenObject):
    """What may lie in some places of the deck."""

    places = Integer("How many places these are, one below the other, of which the viewer knows the same.", least=1)
    cards = Items(Part(CardChance()), "What each of them may hold.")


class CertainFact(OpenObject):
    """Something that is certain of a hand."""

    seat = seat_number("The seat whose hand it is.")
    card = Word(CARD, "The card.")
    held = Flag("Whether the hand holds the card; otherwise it does not, though a copy is hidden somewhere.")
    version = Integer("The version of the event that shows it.")
    text = Text("The same in words, without a full stop.")


class Deduction(OpenObject):
    """What the viewer can know of the hidden cards."""

    version = Integer("How many events the game has; the version that this is about.")
    deals = Part(Deals(), "The deals that fit what the viewer has seen.")
    seats = Items(Part(SeatDeduction()), "What each seat may hold, in table order.")
    set_aside = Items(Part(CardChance()), "What the card set aside may be; empty if none lies there.")
    deck = Items(Part(DeckDeduction()), "What may lie in the deck, from its top.")
    certain = Items(Part(CertainFact()), "What is certain of the hands of others.")
