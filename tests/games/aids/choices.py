"""Choices to give reasons for, from tables set up in the middle of a round, and words that keep what is filled in."""

from engine.deduction import deduce
from engine.events import RoundStarted
from engine.views import redact_log, view
from games.aids.reasons import Choice, reasons
from games.texts.catalogue import Catalogue, catalogue

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")


class Keys(Catalogue):
    """Words that are the key of each text and what would be filled in."""

    def __init__(self):
        super().__init__("en", {})

    def text(self, key, **values):
        if key == "guess.number":
            return values["number"]
        return (key, values) if key.startswith("hint.") else key

    def listed(self, items, style="standard"):
        return [*items]


def choice_at(log, seat, action, words=None, **more):
    """Returns the choice of an action by a seat, from the log of the game."""
    first = max(place for place, event in enumerate(log) if isinstance(event, RoundStarted))
    book = view(log, seat).book
    known = deduce(book, redact_log(log[first:], seat), seat, **more)
    return Choice(view(log, seat), seat, action, known, NAMES[: book.seats], words or catalogue("en"))


def reasons_at(table, action, words=None, **more):
    """Returns all reasons for an action of the seat to act."""
    return reasons(choice_at(table.log, table.state.to_act, action, words, **more))
