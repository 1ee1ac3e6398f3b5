"""The engine and the second model agree on what follows actions and seats that leave, wherever a game may stand.

Random games are compared in `test_second_model`, which looks at what is legal in the same positions.
"""

import random
from collections import Counter

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.shuffle import LooseChance
from tests.second_model.arbitrary_positions import eventful_position
from tests.second_model.effects_comparison import compare_action, compare_leaving
from tests.second_model.model.cards import NOBODY, ONE_OF_ALL, TWO_EFFECTS, cards_of, chooses
from tests.second_model.tables import EVERYWHERE, SOMEWHERE

POSITIONS = 3_000
"""Eventful positions at each table in the soak, from each of which up to four actions follow."""
ACTIONS = 5_500
"""How many actions these are at least."""
FEW = 60
"""Positions at each table otherwise, and more until everything wanted has occurred."""


def compare_what_follows(edition, seats, options, generator, telling=()):
    """Plays a few actions from an eventful position, after a seat has left perhaps; yields what was special."""
    chance = LooseChance(generator)
    state = eventful_position(edition, seats, options, generator, telling)
    if generator.random() < 0.25:
        seat = generator.choice(state.in_game())
        state, met = compare_leaving(state, seat, rules.leave(state, seat, "resigned", chance))
        yield met
    for _ in range(4):
        if state.to_act is None:
            return
        action = any_action(state, generator)
        state, met = compare_action(state, action, rules.decide(state, state.to_act, action, chance))
        yield met | {"action"}


def any_action(state, generator):
    """Returns a legal action; one that is insane or guesses well more often than chance would."""
    actions = rules.legal_actions(state)
    telling = [action for action in actions if isinstance(action, PlayCard) and is_telling(state, action)]
    return generator.choice(telling if telling and generator.random() < 0.6 else actions)


def is_telling(state, action):
    if action.guess is None:
        return action.face == "insane"
    (held,) = state.seats[action.targets[0]].hand
    return action.guess in (held, state.book.values[held])


@SOMEWHERE
def test_they_agree_on_what_follows(edition, seats, options):
    compare_at_least(FEW, edition, seats, options)


@pytest.mark.soak
@EVERYWHERE
def test_they_agree_on_what_follows_from_many_positions(edition, seats, options):
    assert compare_at_least(POSITIONS, edition, seats, options) >= ACTIONS


def compare_at_least(positions, edition, seats, options):
    """Compares from so many positions, and more until all that is wanted has occurred; returns how many actions."""
    generator = random.Random(f"{edition} {seats} {options}")
    met, missing = Counter(), wanted(edition, seats, options)
    for number in range(POSITIONS):
        if number >= positions and not missing:
            break
        telling = RARE.get(edition, ()) if seats > 4 or edition != "premium" else ()
        for named in compare_what_follows(edition, seats, options, generator, telling if number % 2 else ()):
            met.update(named)
        missing = {name for name in missing if not met[name]}
    assert not missing
    return met["action"]


# --- what must occur ----------------------------------------------------------------------------------------------

RARE = {
    "standard": ("chancellor", "princess", "prince"),
    "classic": ("princess", "prince"),
    "premium": ("bishop", "princess", "prince", "cardinal", "jester", "dowager_queen"),
    "lovecraft": ("cthulhu", "golden_mead", "mi_go", "deep_ones", "shining_trapezohedron", "hound_of_tindalos"),
}
"""Cards that half of the positions have more often in the hand of the seat to act."""

HIT, LOST, PLAYED = "a target is out", "the player is out", "played"
COMPARE = (HIT, LOST, PLAYED)
FATES = {
    "guard": (HIT, PLAYED),
    "baron": COMPARE,
    "prince": COMPARE,
    "princess": (LOST,),
    "dowager_queen": COMPARE,
    "mi_go_braincase": (LOST,),
    "investigators": (HIT, PLAYED),
    "deep_ones": (HIT, PLAYED),
    "deep_ones insane": (HIT, PLAYED),
    "great_race_of_yith": COMPARE,
    "hound_of_tindalos": COMPARE,
    "hound_of_tindalos insane": (HIT, PLAYED),
    "professor_henry_armitage": COMPARE,
    "mi_go": COMPARE,
}
"""What a card that is not void may come to; the others are just played."""

RULES = {
    "standard": {
        "Spies of several seats pay nothing",
        "a round is won by 2",
        "a seat leaves that chancellor asks",
        "keep_card answered",
        "princess lies among the discards",
        "several seats win the game",
        "the Spy pays",
    },
    "classic": {"a round is won by 2", "princess lies among the discards", "several seats win the game"},
    "premium": {
        "a round is won by 2",
        "a tie-break round begins",
        "a tie-break round ends the game",
        "a tie-break round is repeated",
        "princess lies among the discards",
        "the sum of the discards decides",
    },
    "lovecraft": {
        "a Golden Mead finds no card",
        "a card wins the game",
        "a card wins the round",
        "a check",
        "a check finds no card",
        "a check is the end",
        "a round is won by 0",
        "a seat leaves that golden_mead asks",
        "a seat leaves that mi_go asks",
        "a seat leaves that nyarlathotep asks",
        "an extra play with golden_mead",
        "an extra play with mi_go",
        "cthulhu lies among the discards",
        "equal numbers remove each other",
        "give_hands answered",
        "necronomicon lies among the discards",
    },
}
WITH_MORE_THAN_TWO_SEATS = {
    "standard": {"chancellor goes on asking"},
    "lovecraft": {f"{card} goes on asking" for card in ("golden_mead", "mi_go", "nyarlathotep")},
}
FROM_FIVE_SEATS_OF_PREMIUM = {
    "a seat leaves that bishop asks",
    "a seat leaves that cardinal asks",
    "a seat leaves that is bound",
    "a winner has Counts",
    "bishop goes on asking",
    "cardinal goes on asking",
    "guard: the player is out",
    "peek_hand answered",
    "redraw_hand answered",
    "the Assassin turns a Guard away",
    "the Bishop pays",
    "the Constable pays",
    "the Jester pays",
    "the Princess beats the Bishop",
    "the game ends within a round",
}


def wanted(edition, seats, options):
    """Returns what must have occurred: each fate of each card, and each rule."""
    names = {"a seat leaves", "the card set aside is drawn", "a round is won by 1"} | RULES.get(edition, set())
    names |= WITH_MORE_THAN_TWO_SEATS.get(edition, set()) if seats > 2 else set()
    names |= FROM_FIVE_SEATS_OF_PREMIUM if edition == "premium" and seats > 4 else set()
    if edition == "lovecraft":
        names |= {"Liber Ivonis spares a seat" if options else "Liber Ivonis keeps a seat in the showdown"}
    return names.union(*(fates(edition, seats, card, None) for card in cards_of(edition, seats))).union(
        *(fates(edition, seats, card, "insane") for card in TWO_EFFECTS if edition == "lovecraft")
    )


def fates(edition, seats, card, face):
    """Returns what a card must have come to; only a Sycophant makes one void that may choose its own seat."""
    name = f"{card} insane" if face else card
    found = {f"{name}: {fate}" for fate in FATES.get(name, (PLAYED,))}
    whom = chooses(card, face)
    if whom != NOBODY and (whom != ONE_OF_ALL or (edition == "premium" and seats > 4)):
        found.add(f"{name}: void")
    return found
