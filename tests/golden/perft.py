"""Counts the sequences of legal actions from a fixed deal, by their length: a changed rule changes the counts.

A file holds one deal (the table, the secret that its decks come from with the game id `perft`, who begins) and the
counts. A sequence that ends with the game is not counted further.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

from engine import rules
from engine.editions import EDITIONS
from engine.events import fold
from engine.notation import print_action
from engine.shuffle import Dealer
from tests.golden.tables import TABLES, decisions_of

ENOUGH = 5_000
"""The depth of a file is the first at which there are so many sequences."""


@dataclass(frozen=True)
class Deal:
    """A deal to count from."""

    edition: str
    seats: int
    secret: bytes
    starter: int

    def chance(self):
        return Dealer(self.secret, "perft", [""] * self.seats)

    def state(self):
        state = rules.begin(rules.bare_table(self.edition, self.seats))
        return fold(state, rules.start(state, [""] * self.seats, self.chance(), self.starter))


def count(state, chance, depth):
    """Returns how many sequences of `depth` legal actions lead on from a state."""
    legal = rules.legal_actions(state)
    if depth == 1:
        return len(legal)
    return sum(count(after(state, action, chance), chance, depth - 1) for action in legal)


def answered(state, chance, depth):
    """Yields the card and kind of every decision that is answered on the way to the last action of a sequence."""
    if depth > 1:
        if state.decision is not None:
            yield state.decision.card, state.decision.kind
        for action in rules.legal_actions(state):
            yield from answered(after(state, action, chance), chance, depth - 1)


def after(state, action, chance):
    played = state.copy()
    rules.play(played, action, chance)
    return played


def divide(deal, depth):
    """Returns the count under each first action, to find where two engines part."""
    state, chance = deal.state(), deal.chance()
    legal = rules.legal_actions(state)
    below = [1 if depth == 1 else count(after(state, action, chance), chance, depth - 1) for action in legal]
    return dict(zip(map(print_action, legal), below, strict=True))


@cache
def counts(deal):
    found = []
    while not found or found[-1] < ENOUGH:
        found.append(count(deal.state(), deal.chance(), len(found) + 1))
    return found


def write(deal, found):
    lines = [
        f"edition {deal.edition}",
        f"seats {deal.seats}",
        f"secret {deal.secret.hex()}",
        f"starter {deal.starter}",
        *(f"perft {depth} {number}" for depth, number in enumerate(found, start=1)),
    ]
    return "\n".join(lines) + "\n"


def read(text):
    """Returns the deal and the counts of a file."""
    lines = [line.split() for line in text.splitlines()]
    header = dict(line for line in lines if line[0] != "perft")
    deal = Deal(header["edition"], int(header["seats"]), bytes.fromhex(header["secret"]), int(header["starter"]))
    return deal, [int(line[2]) for line in lines if line[0] == "perft"]


def deals(edition):
    """Yields two deals of each table of an edition by number, and others that lead to a decision which none before has.

    Raises:
        LookupError: no deal that is tried leads to some decision.
    """
    tables = [seats for other, seats in TABLES if other == edition]
    missing = decisions_of(edition, tables[-1])
    for number, seats in product(range(1, 256), tables):  # each number is a byte of the secret
        if number > 2 and not missing:
            return
        deal = Deal(edition, seats, bytes([number]) * 32, number % seats)
        found = missing.intersection(answered(deal.state(), deal.chance(), len(counts(deal))))
        if number <= 2 or found:
            yield number, deal
        missing -= found
    raise LookupError(f"no sequences of {edition} hold {missing}")


def files():
    """Returns the text of every perft file by its name."""
    return {
        f"perft/{edition}-{deal.seats}-{number}.perft": write(deal, counts(deal))
        for edition in EDITIONS
        for number, deal in deals(edition)
    }
