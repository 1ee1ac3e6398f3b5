"""Says what `expert` would play for a seat, what each action is worth, and why: by counting, and then by its own games.

All of it follows from what the seat has seen: the bot's chance, too. Equal questions have equal answers.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.bots.expert.search import Rating, rate
from engine.bots.question import Question
from engine.deduction import Deduction, deduce
from engine.events import Event
from engine.logs.codec import action_data
from engine.options import legal_actions
from engine.state import GameState
from games.aids.reasons import Choice, percent, reasons
from games.player import Naming
from games.snapshot import Snapshot
from games.texts.actions import action_texts
from games.texts.catalogue import Catalogue
from games.texts.plays import labels, missing_for
from games.views.seated import names_of

THINK_MS: Final = 100
"""How much the expert thinks about a hint, in milliseconds of one core of an ordinary machine."""
MOST_REASONS: Final = 3
DIGITS: Final = 4
"""How many digits a chance has."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What the expert makes of a seat's question."""

    ratings: tuple[Rating, ...]
    """The best action first."""
    known: Deduction
    """What the seat can know of the hidden cards."""


def advice(view: GameState, events: Sequence[Event], seat: int) -> Advice:
    """Returns the expert's advice to the seat that must act, from its view and the round's events as it saw them."""
    legal = legal_actions(view)
    chance = random.Random(repr(events))  # nothing but what the seat knows
    ratings = rate(Question(view.copy(), list(legal), events, THINK_MS), chance)
    return Advice(tuple(ratings), deduce(view.book, events, seat))


def hint(snapshot: Snapshot, seat: int, given: Advice, players: Naming, words: Catalogue) -> dict[str, Any]:
    """Returns a hint for the seat that must act, as plain data with the contract's names."""
    view = snapshot.view(seat)
    names = names_of(snapshot, players, words)
    rated = [one.action for one in given.ratings]
    texts = action_texts(words, rated, seat, names, view.book, view.bound, missing_for(view, seat))
    return {
        "version": snapshot.version,
        "action": action_data(rated[0]),
        "text": texts[0],
        "reasons": why(view, seat, given, labels(words, names), words),
        "worth": [
            {"action": action_data(one.action), "text": text, "chance_to_win_round": round(one.wins_round, DIGITS)}
            for one, text in zip(given.ratings, texts, strict=True)
        ],
    }


def why(view: GameState, seat: int, given: Advice, called: Sequence[str], words: Catalogue) -> list[str]:
    """Returns reasons for the best action, the most telling first; after those by counting, how often `expert` won."""
    best, *others = given.ratings
    found = reasons(Choice(view, seat, best.action, given.known, called, words))[:MOST_REASONS]
    if len(legal_actions(view)) == 1:
        return found[:1] or [words.text("hint.only_one")]
    if others and len(found) < MOST_REASONS:
        second = max(others, key=lambda one: one.worth)
        mine, theirs = percent(best.wins_round), percent(second.wins_round)
        found.append(words.text("hint.wins_more" if mine > theirs else "hint.wins", percent=mine, other=theirs))
    return found
