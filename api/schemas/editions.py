"""The editions you can play."""

from api.schemas.fields.base import Flag, Integer, Items, OpenObject, Part, Text, Word
from api.schemas.fields.vocabulary import CARD, DECISION, EDITION, FACE, GUESS, TOKEN


class SeatRange(OpenObject):
    """How many seats a table may have."""

    min = Integer("The fewest.")
    max = Integer("The most.")


class OptionChoice(OpenObject):
    """A value of a house rule."""

    value = Text("What to send.")
    title = Text("What it is called.")
    text = Text("What it means for the game.")


class EditionOption(OpenObject):
    """A house rule you can choose."""

    name = Text("The member of `options` that chooses it.")
    title = Text("What it is called.")
    text = Text("What it decides.")
    values = Items(Text("A value."), "What may be chosen, the default first.")
    choices = Items(Part(OptionChoice()), "The same values with a title and a text.")


class TokenKind(OpenObject):
    """A kind of token that rounds are won for."""

    kind = Word(TOKEN, "The kind.")
    name = Text("What it is called.")


class Edition(OpenObject):
    """A rule set and its deck, in short."""

    id = Word(EDITION, "The edition's id.")
    title = Text("Its name.")
    seats = Part(SeatRange(), "How many can play.")
    tokens = Items(Part(TokenKind()), "The kinds of token you can win.")
    options = Items(Part(EditionOption()), "The house rules you can choose.")


class EditionList(OpenObject):
    """All editions."""

    items = Items(Part(Edition()), "The editions.")
    next_cursor = Text("Always null: the list has one page.", allow_none=True)


class EditionTable(OpenObject):
    """What a table of one size looks like."""

    seats = Integer("The number of seats.")
    deck_size = Integer("How many cards the whole deck has.")
    tokens_to_win = Integer("How many tokens win the game; where there are two kinds, how many sane ones.")
    insane_tokens_to_win = Integer("How many insane tokens win the game; null where there are none.", allow_none=True)
    shown_aside = Integer("How many cards lie face up beside the deck.")
    max_turns = Integer(
        "How many turns a round has at most when everybody is dealt in: the cards of the draw pile at its beginning."
    )
    guesses = Items(Word(CARD, "A card."), "The cards that may be named; empty where cards name numbers.")
    guess_values = Items(Integer("A number."), "The numbers that may be named; empty where cards name cards.")


class SeatCopies(OpenObject):
    """How many copies of a card a table of one size plays with."""

    seats = Integer("The number of seats.")
    copies = Integer("How many the deck holds.")


class TargetCount(OpenObject):
    """Whom a card chooses."""

    min = Integer("How many seats at least; 0 when it chooses nobody. If too few can be chosen, none need be.")
    max = Integer("How many seats at most.")
    own = Flag("Whether the own seat may be among them.")


class FaceMeaning(OpenObject):
    """A state of a player, for which some cards have an effect of their own."""

    face = Word(FACE, "The face.")
    name = Text("What it is called.")
    text = Text("What it means, and when you may choose it.")


class CardFace(OpenObject):
    """One way to play a card."""

    face = Word(FACE, "The `face` of the action; null for a card with one effect.", allow_none=True)
    name = Text("What the face is called; null for a card with one effect.", allow_none=True)
    text = Text("What the card does with this face.")
    short_text = Text("The same on one line.")
    targets = Part(TargetCount(), "Whom it chooses.")
    guess = Word(GUESS, "What it names of each chosen seat; null for nothing.", allow_none=True)
    decisions = Items(Word(DECISION, "A kind of decision."), "The decisions that it may then ask for.")


class EditionCard(OpenObject):
    """A kind of card of an edition."""

    card = Word(CARD, "The card's id.")
    value = Integer("The number printed on it.")
    copies = Integer("How many the deck of the largest table holds.")
    copies_by_seats = Items(Part(SeatCopies()), "How many each deck holds, one row for each number of seats.")
    name = Text("Its name.")
    text = Text("What it does; if it has two effects, the sane one.")
    short_text = Text("The same on one line, as on a reference card.")
    symbol = Text("The name of its drawing, unique to the card; `web/cards/symbols.js` has the SVG paths.")
    colour = Text("A CSS colour to draw the card in; it can be read as text on white and on ivory.")
    insanity = Flag("Whether it makes a seat insane by lying in its discards.")
    faces = Items(Part(CardFace()), "The ways to play it: one, or a sane and an insane one.")
    decisions = Items(Word(DECISION, "A kind of decision."), "The decisions of all its faces together.")


class EditionDetail(Edition):
    """A rule set and its deck, in full."""

    text = Text("How a round and a game go, for players who do not know the rules.")
    faces = Items(Part(FaceMeaning()), "What the faces of cards mean; empty where every card has one effect.")
    tables = Items(Part(EditionTable()), "One row for each number of seats.")
    cards = Items(Part(EditionCard()), "The cards, by value.")
