"""The engine and the second model agree in random games, on legality also in arbitrary positions.

Effects in arbitrary positions are compared in `test_effects`.
"""

import ast
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from engine import errors, rules
from engine.actions import PlayCard
from engine.editions import EDITIONS
from engine.shuffle import LooseChance
from tests.engine.random_games import random_game
from tests.second_model.arbitrary_positions import arbitrary_position, every_hand
from tests.second_model.comparison import (
    as_given,
    compare,
    in_one_form,
    position_of,
    situations,
)
from tests.second_model.effects_comparison import compare_action, compare_leaving
from tests.second_model.model import cards, legality, questions
from tests.second_model.model.cards import TWO_EFFECTS
from tests.second_model.model.conceivable import everything
from tests.second_model.tables import EVERYWHERE, SOMEWHERE

MODEL = Path(legality.__file__).parent

PLAYED = {2: 4_600, 3: 4_600, 4: 4_600, 5: 4_000, 6: 4_000, 7: 3_000, 8: 3_000}
"""Positions of random games in the soak, by number of seats: fewer where the model has more to try."""
FEW = 10
"""Positions otherwise, and more until every situation that is wanted has occurred."""
MOST = 10_000
ARBITRARY = 800
"""Arbitrary positions at each table in the soak."""
FEW_ARBITRARY = 100
"""Arbitrary positions otherwise, and more until every situation that is wanted has occurred."""

REASONS = {value for name, value in vars(errors).items() if name.isupper() and name != "MUST_PLAY"}


@pytest.mark.parametrize("edition", cards.CARDS)
def test_the_cards_are_those_of_the_engine_in_its_order(edition):
    in_engine = EDITIONS[edition].cards_for(EDITIONS[edition].seats[-1])
    assert [(key, card.number, card.copies) for key, card in cards.CARDS[edition].items()] == [
        (card.key, card.value, card.copies) for card in in_engine
    ]


@SOMEWHERE
def test_they_agree_in_random_games(edition, seats, options):
    compare_games(FEW, edition, seats, options)


@pytest.mark.soak
@EVERYWHERE
def test_they_agree_in_many_random_games(edition, seats, options):
    compare_games(PLAYED[seats], edition, seats, options)


def compare_games(positions, edition, seats, options):
    """Compares in so many positions of random games, and in more until all that is wanted has occurred."""
    met, missing = Counter(), wanted_in_games(edition, seats)

    def watch(state, seat, action, happened):
        position = position_of(state)
        assert action in compare(state, position)
        named = compare_action(state, action, happened)[1]
        met.update(situations(position) | named | {"position"})

    def watch_leaving(state, seat, happened):
        met.update(compare_leaving(state, seat, happened)[1])

    seed = 0
    while met["position"] < positions or (missing and met["position"] < MOST):
        leaving = 0.004 * (seed % 3)
        random_game(edition, seats, seed, options=options, leaving=leaving, watch=watch, watch_leaving=watch_leaving)
        seed += 1
        missing = {name for name in missing if not met[name]}
    assert not missing


def wanted(edition, seats):
    """Returns the situations that must occur wherever an edition is compared."""
    names = {"protected", "nobody choosable"} | ({"seat out"} if seats > 2 else set())
    if edition == "lovecraft":
        names |= {"insane", "7 not forced", "silver_key forced", "shining_trapezohedron forced"}
        names |= {f"{card} insane" for card in TWO_EFFECTS}
    else:
        names.add("countess forced")
    if edition == "premium" and seats > 4:
        names |= {"bound to another", "bound to oneself"}
    asking = {card for known, card in questions.QUESTIONS if known == edition}
    return names | {f"{card} asks" for card in asking.intersection(cards.cards_of(edition, seats))}


def wanted_in_games(edition, seats):
    rare = {"nobody choosable"} if seats > 6 else set()
    return (wanted(edition, seats) - rare) | {"a seat is late", "a seat leaves", "a round is won by 1"}


def wanted_in_arbitrary_positions(edition, seats):
    names = wanted(edition, seats)
    if edition == "standard":
        names |= {"asks for 2", "asks for 3"}
    if edition == "premium" and seats > 4:
        names |= {"bound to nobody", "asked about is out"}
    if edition == "lovecraft":
        names |= {"asked about is out"} if seats > 2 else set()
        names |= {"both 7s", "both 7s insane", *(f"asks for {count}" for count in range(1, min(seats, 4)))}
    return names


@SOMEWHERE
def test_they_agree_in_arbitrary_positions(edition, seats, options):
    compare_arbitrary(FEW_ARBITRARY, edition, seats, options)


@pytest.mark.soak
@EVERYWHERE
def test_they_agree_in_many_arbitrary_positions(edition, seats, options):
    compare_arbitrary(ARBITRARY, edition, seats, options)


def compare_arbitrary(positions, edition, seats, options):
    """Compares in so many arbitrary positions, and in more until all that is wanted has occurred."""
    generator = random.Random(f"{edition} {seats}")
    met, missing = Counter(), wanted_in_arbitrary_positions(edition, seats)
    for number in range(ARBITRARY):
        if number >= positions and not missing:
            break
        state = arbitrary_position(edition, seats, options, generator)
        position = position_of(state)
        compare(state, position)
        met.update(situations(position))
        missing = {name for name in missing if not met[name]}
    assert not missing


@pytest.mark.parametrize(
    ("edition", "seats", "least"),
    [("standard", 3, 300), ("classic", 2, 90), ("premium", 3, 180), ("premium", 5, 2_600), ("lovecraft", 3, 1_400)],
)
def test_they_agree_on_every_hand(edition, seats, least):
    hands = 0
    for state in every_hand(edition, seats):
        compare(state, position_of(state))
        hands += 1
    assert hands > least


@pytest.mark.parametrize(("edition", "seats"), [("standard", 3), ("premium", 5), ("premium", 8), ("lovecraft", 4)])
def test_they_agree_on_what_is_asked(edition, seats):
    asking = [card for known, card in questions.QUESTIONS if known == edition]
    generator = random.Random(f"{edition} {seats}")
    chance = LooseChance(generator)
    met = Counter()
    for _ in range(ARBITRARY):
        state = arbitrary_position(edition, seats, {}, generator, asking)
        for action in rules.legal_actions(state):
            if isinstance(action, PlayCard) and action.card in asking:
                after, _ = compare_action(state, action, rules.decide(state, state.to_act, action, chance))
                met[action.card, after.decision is not None] += 1
    assert all(met[card, True] > 20 and met[card, False] not in range(1, 21) for card in asking), met


# --- what is not allowed is refused -------------------------------------------------------------------------------


REFUSING = [
    ("standard", 2, 6),
    ("standard", 4, 3),
    ("classic", 3, 5),
    ("premium", 3, 5),
    ("premium", 5, 1),
    ("lovecraft", 3, 2),
]
"""Tables, and in how many positions what is conceivable is tried there: in the soak all of it."""
MOST_REFUSING = 20
"""In how many at most, until enough reasons have been given."""
EACH = 20
"""Otherwise one in so many of it, and all that is nearly right."""


@pytest.mark.parametrize(
    ("edition", "seats", "positions", "each"),
    [
        *((*table, EACH) for table in REFUSING),
        *(pytest.param(*table, 1, marks=pytest.mark.soak) for table in REFUSING),
    ],
)
def test_whatever_the_model_does_not_allow_is_refused_for_a_reason(edition, seats, positions, each):
    generator = random.Random(f"{edition} {seats}")
    given = set()
    for tried_before in range(MOST_REFUSING):
        if tried_before >= positions and len(given) > 8:
            break
        state = arbitrary_position(edition, seats, {}, generator)
        while not given and state.decision is not None:  # the first is before a play, which most reasons are for
            state = arbitrary_position(edition, seats, {}, generator)
        position = position_of(state)
        seat = legality.seat_to_act(position)
        tried, allowed = [], []
        for number, data in enumerate(everything(position)):
            if number % each and not is_near(data, position, seat):
                continue
            action = as_given(data)
            tried.append(in_one_form(data))
            reason = rules.refusal(state, seat, action)
            if legality.allowed(position, seat, data):
                allowed.append(in_one_form(data))
                assert reason is None, (data, position)
            else:
                assert reason in REASONS or reason in must_play(position), (data, position)
                given.add(reason)
            if number % 50 == 0:
                assert rules.refusal(state, (seat + 1) % seats, action) in REASONS
        # What gives up early lists the same as trying everything.
        legal = Counter(map(in_one_form, legality.legal(position, seat)))
        assert Counter(allowed) == Counter(tried) & legal
        assert each > 1 or Counter(allowed) == legal
    assert len(given) > 8


def is_near(data, position, seat):
    """Whether an action is an answer of the kind that is asked for, or plays a card of the hand against at most one."""
    asked = position.question.kind if position.question else "play_card"
    if data["type"] == "play_card":
        return asked == "play_card" and data["card"] in position.hands[seat] and len(data["targets"]) < 2
    return data["type"] == asked


def must_play(position):
    return {f"{errors.MUST_PLAY}{card}" for hand in position.hands for card in hand}


def test_the_model_shares_no_code_with_the_engine():
    files = sorted(MODEL.glob("*.py"))
    assert len(files) == 11
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            else:
                continue
            for name in names:
                own = f"{name}.".startswith("tests.second_model.model.")
                assert own or name.split(".")[0] in sys.stdlib_module_names
