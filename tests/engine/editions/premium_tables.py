"""Tables of the premium edition for tests, and what its cards offer there; `given` says how a situation is written."""

from engine.editions import EDITIONS
from tests.engine.given import given
from tests.second_model.model.cards import cards_of

NUMBERS = cards_of("premium", 8)
CHOOSERS = [card.key for card in EDITIONS["premium"].cards_for(8) if card.targets.most]


def small(*, hands, **situation):
    """Returns a table of as many seats as hands, at most four, with the smaller deck."""
    return given("premium", hands=hands, **situation)


def premium(*, hands, tokens=None, **situation):
    """Returns a table of five, so that the larger deck is in play; seats that are not listed are out of the round."""
    more = 5 - len(hands)
    scores = [*tokens, *[0] * more] if tokens else None
    return given("premium", hands=[*hands, *[None] * more], tokens=scores, **situation)


def targets_of(table, card):
    """Returns the choices of seats that a card offers, each once."""
    return list(dict.fromkeys(action.targets for action in table.legal() if action.card == card))


def numbers_of(table, card):
    """Returns the numbers that a card may name."""
    return sorted({action.guess for action in table.legal() if action.card == card})


def choose(table, card, *targets):
    """The seat to act plays a card on seats, naming a number if the card needs one; returns what happened."""
    return table.act(next(action for action in table.legal() if (action.card, action.targets) == (card, targets)))
