"""Says what a viewer can know of the hidden cards of a game, as plain data with the contract's names."""

from typing import Any, Final

from engine.deduction import Certain, Chances, deduce
from engine.views import Viewer
from games.player import Naming
from games.snapshot import Snapshot
from games.texts.cards import card_object
from games.texts.catalogue import Catalogue
from games.texts.plays import labels
from games.views.seated import names_of

DIGITS: Final = 6
"""How many digits a probability has."""


def deductions(snapshot: Snapshot, viewer: Viewer, players: Naming, words: Catalogue) -> dict[str, Any]:
    """Returns what a viewer can know of the hidden cards in the newest round."""
    book = snapshot.state.book
    found = deduce(book, snapshot.round_seen(viewer), viewer)
    called = labels(words, names_of(snapshot, players, words))
    return {
        "version": snapshot.version,
        "deals": {"count": found.deals, "exact": found.deals is not None, "error": round(found.error, DIGITS)},
        "seats": [{"seat": seat, "cards": _cards(hand)} for seat, hand in enumerate(found.hands)],
        "set_aside": _cards(found.set_aside),
        "deck": [{"places": run.places, "cards": _cards(run.chances)} for run in found.deck],
        "certain": [_certain(fact, snapshot, called, words) for fact in found.certain],
    }


def _cards(chances: Chances) -> list[dict[str, Any]]:
    return [{"card": card, "probability": round(chance, DIGITS)} for card, chance in chances.items()]


def _certain(fact: Certain, snapshot: Snapshot, called: list[str], words: Catalogue) -> dict[str, Any]:
    text = words.text(
        "certain.held" if fact.held else "certain.not_held",
        player=called[fact.seat],
        card=card_object(words, fact.card),
    )
    return {
        "seat": fact.seat,
        "card": fact.card,
        "held": fact.held,
        "version": snapshot.entries[fact.event].version,
        "text": text,
    }
