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
from tests.second_model.model import cards, course, effects, ends, leaving, moves, questions
from tests.second_model.model.cards import INSANITY_CARDS, NOBODY, ONE_OF_ALL, TWO_EFFECTS, cards_of, chooses
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


# --- the comparison itself ----------------------------------------------------------------------------------------


def is_noticed(edition, seats, options, telling=(), positions=1_500):
    """Whether the model, changed as it is, and the engine come to differ in some positions."""
    generator = random.Random(f"{edition} {seats}")
    try:
        for _ in range(positions):
            for _ in compare_what_follows(edition, seats, options, generator, telling):
                pass
    except AssertionError:
        return True
    return False


PUBLISHED = {"liber_ivonis": "published"}
TABLE_OF = {
    card: (edition, seats, {})
    for edition, seats in (("premium", 5), ("standard", 3), ("lovecraft", 4))
    for card in cards_of(edition, seats)
}
WRONG = {"necronomicon": effects.braincase, "cthulhu": effects.braincase}
"""What to do instead of nothing, where protecting a seat that goes out is nothing too."""
ALL_EFFECTS = [(effects.EFFECTS, card) for card in effects.EFFECTS] + [
    (effects.INSANE_EFFECTS, card) for card in effects.INSANE_EFFECTS
]


@pytest.mark.parametrize(
    ("table", "card"),
    ALL_EFFECTS,
    ids=[f"{card}-insane" if table is effects.INSANE_EFFECTS else card for table, card in ALL_EFFECTS],
)
def test_a_wrong_effect_is_noticed(monkeypatch, table, card):
    wrong = WRONG.get(card, effects.protect) if table[card] is effects.nothing else effects.nothing
    monkeypatch.setitem(table, card, wrong)
    insanity = sorted(INSANITY_CARDS)[:2] if table is effects.INSANE_EFFECTS else []
    assert is_noticed(*TABLE_OF[card], [card, *insanity])


def nothing(*_):
    return None


def lay_down_as_drawn(game, seat):
    hand, game.hands[seat] = game.hands[seat], []
    game.discards[seat] += hand
    return hand


WRONG_RULES = {
    "a showdown is won by all": ("classic", 3, {}, ends, "showdown", lambda game: sorted(game.in_round)),
    "Counts do not count": ("premium", 6, {}, ends, "_showdown_with_counts", lambda game, seats: seats[:1]),
    "equal numbers stay": ("lovecraft", 4, {}, ends, "_showdown_of_different_numbers", lambda game, seats: seats[-1:]),
    "there are no tie-breaks": ("premium", 3, {}, ends, "is_tie_break", lambda game: False),
    "all play a tie-break": ("premium", 4, {}, ends, "entrants", lambda game: ends.in_game(game)),
    "anybody may win the game": ("premium", 4, {}, ends, "champions", lambda game: ends.tied(game)),
    "the loser begins": ("standard", 3, {}, ends, "possible_starters", lambda game: [(game.starter + 1) % 3]),
    "one token less wins": ("standard", 4, {}, ends, "enough", lambda game, seat: game.tokens[seat] >= 3),
    "Spies pay nothing": ("standard", 3, {}, course, "pay_spy", nothing),
    "Jesters pay nothing": ("premium", 5, {}, course, "pay_jester", nothing),
    "nobody is checked": ("lovecraft", 3, {}, course, "check_sanity", nothing),
    "plays stay in play": ("lovecraft", 3, {}, course, "lay_down_what_was_played", nothing),
    "hands are laid down as drawn": (
        "standard",
        3,
        {},
        moves,
        "lay_down",
        lay_down_as_drawn,
    ),
    "the Princess does no harm": ("classic", 2, {}, effects, "out_if_it_lies_there", nothing),
    "nor when discarded by force": ("classic", 2, {}, moves, "out_if_it_lies_there", nothing),
    "Constables pay nothing": ("premium", 5, {}, effects, "knock_out", moves.put_out),
    "Liber Ivonis spares nobody": ("lovecraft", 3, PUBLISHED, moves, "knock_out", moves.put_out),
    "Bishops pay nothing": ("premium", 5, {}, questions, "gain", nothing),
    "Bishops always ask": ("premium", 5, {}, questions, "champions", nothing),
    "one Guard more": ("classic", 2, {}, course, "deck_of", lambda *table: ["guard", *cards.deck_of(*table)]),
    "leaving after a Bishop draws": (
        "premium",
        5,
        {},
        leaving,
        "DECLINED",
        questions.DECLINED | {"redraw_hand": {"type": "redraw_hand", "redraw": True}},
    ),
}


@pytest.mark.parametrize(
    ("edition", "seats", "options", "module", "name", "wrong"), WRONG_RULES.values(), ids=WRONG_RULES.keys()
)
def test_a_wrong_rule_is_noticed(monkeypatch, edition, seats, options, module, name, wrong):
    monkeypatch.setattr(module, name, wrong)
    assert is_noticed(edition, seats, options)


def test_nothing_is_noticed_where_nothing_is_wrong():
    assert not is_noticed("classic", 2, {}, positions=200)
