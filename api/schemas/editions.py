"""The rule sets one can play; the shapes of a game are elsewhere."""

from api.schemas.base import Integer, Items, Open, Part, Text, Word
from api.schemas.vocabulary import CARD, EDITION


class SeatRange(Open):
    """How many seats a table may have."""

    min = Integer("The fewest.")
    max = Integer("The most.")


class EditionOption(Open):
    """A house reading one can choose."""

    name = Text("The member of `options` that chooses it.")
    values = Items(Text("A value."), "What may be chosen, the default first.")


class Edition(Open):
    """A rule set and its deck, in short."""

    id = Word(EDITION, "The edition's id.")
    title = Text("Its name.")
    seats = Part(SeatRange(), "How many can play.")
    options = Items(Part(EditionOption()), "The house readings one can choose.")


class EditionList(Open):
    """All editions."""

    items = Items(Part(Edition()), "The editions.")
    next_cursor = Text("Always null: the list has one page.", allow_none=True)


class EditionTable(Open):
    """What a table of one size looks like."""

    seats = Integer("The number of seats.")
    deck_size = Integer("How many cards the whole deck has.")
    tokens_to_win = Integer("How many tokens win the game.")
    shown_aside = Integer("How many cards lie face up beside the deck.")


class EditionCard(Open):
    """A kind of card of an edition."""

    card = Word(CARD, "The card's id.")
    value = Integer("The number printed on it.")
    copies = Integer("How many the deck of the largest table holds.")
    name = Text("Its name.")
    text = Text("What it does.")


class EditionDetail(Edition):
    """A rule set and its deck, in full."""

    tables = Items(Part(EditionTable()), "One row for each number of seats.")
    cards = Items(Part(EditionCard()), "The cards, by value.")
