"""What a viewer cannot see makes no difference to what the viewer sees.

A round is played at random and stopped somewhere, at the latest when it is over. The cards that a viewer has not seen
by then are shuffled among the places where they lay at the deal, and everybody does again what they did. If that gives
the same public course (the same cards played and laid down, the same seats knocked out: a Guard may well hit another
card now, and then the viewer does learn something), then the viewer must see the same log, to the last detail, and must
be offered the same actions.

Every table goes on until it has compared enough rounds with every event and every question that its rounds can hold.
"""

import random
from collections import Counter

import pytest

from engine import rules
from engine.editions import rulebook
from engine.events import RoundStarted
from engine.state import ACTIVE
from engine.views import WATCHER, present, redact_log, view
from tests.engine.random_games import EVERY_TABLE
from tests.engine.views.other_deals import (
    log_of,
    random_round,
    replay,
    shuffled_deal,
    unseen_places,
)
from tests.engine.written.event_types import types_at

ROUNDS = 6
SHUFFLES = 4
ENOUGH = 3
"""As many comparisons at least for each event, question and kind of viewer."""
VIEWERS = ("watcher", "in", "out", "to act")
PLACES = ("hands", "deck", "set_aside")
MOST_ROUNDS = 3_000
"""More must not be needed for them."""
BEFORE_THE_DEAL = {
    *("game_created", "seat_taken", "seat_vacated", "seat_offered", "seat_declined", "offer_withdrawn"),
    *("reveal_started", "nonce_revealed"),
}
NOTHING_HIDDEN = {*BEFORE_THE_DEAL, "game_started", "hands_revealed", "secret_revealed"}
"""Events before the deal or after the end, and the showdown: the deck is empty then, every hand is shown, and the one
card that is still hidden has none that it could be exchanged with."""


def wanted_at(edition, seats):
    """Returns everything that must be compared at a table: events, questions, kinds of viewers and of hidden cards."""
    questions = set().union(*rulebook(edition, seats, {}).answers.values())
    found = {("event", name) for name in types_at(edition, seats) - NOTHING_HIDDEN}
    found |= {("asked", kind) for kind in questions | {"a turn"}}
    found |= {("viewer", kind) for kind in VIEWERS}
    found |= {("other", place) for place in PLACES}
    if seats == 2:
        # Whoever is out of a round for two has seen it end, and the next one begin.
        found -= {("viewer", "out")}
    return found


def what_it_holds(deal, steps, state):
    """Returns which of what is wanted a round holds, whoever looks at it."""
    found = {("event", event.type) for event in log_of(deal, steps)}
    if state.status == ACTIVE:
        found.add(("asked", state.decision.kind if state.decision else "a turn"))
    return found


def may_show(deal, steps):
    """Returns what of all that is wanted a comparison of a round may show; of viewers and places one cannot say."""
    found = what_it_holds(deal, steps, rules.fold_log(log_of(deal, steps)))
    return found | {("viewer", kind) for kind in VIEWERS} | {("other", place) for place in PLACES}


def prefixes(steps, deal, missing):
    """Yields a round as it was played, and up to where it asks a question that is wanted still."""
    yield steps
    for end in range(1, len(steps)):
        last = steps[end - 1].happened[-1]
        if last.type == "decision_opened" and ("asked", last.kind) in missing:
            yield steps[:end]


def compare(deal, steps, seats, generator):
    """Compares a round, for every viewer, with others that differ in what they cannot see; yields what each held."""
    log = log_of(deal, steps)
    state = rules.fold_log(log)
    for viewer in (WATCHER, *range(seats)):
        places = unseen_places(deal, steps, viewer, seats)
        for _ in range(SHUFFLES):
            other = replay(deal, steps, shuffled_deal(deal, places, generator))
            if other is None or other == log:
                continue
            assert redact_log(other, viewer) == redact_log(log, viewer)
            one, two, full = view(log, viewer), view(other, viewer), rules.fold_log(other)
            assert present(one) == present(two)
            kind = "watcher" if viewer == WATCHER else "in" if state.is_in_round(viewer) else "out"
            found = what_it_holds(deal, steps, state) | {("viewer", kind)}
            found |= {("other", name) for name in PLACES if differ(deal, other, name)}
            if state.to_act == viewer:
                offered = rules.legal_actions(state)
                assert rules.legal_actions(full) == offered
                assert rules.legal_actions(one) == rules.legal_actions(two) == offered
                found.add(("viewer", "to act"))
            else:
                found -= {thing for thing in found if thing[0] == "asked"}
            yield found


def differ(deal, other, name):
    return getattr(deal[2], name) != getattr(other[2], name)


@pytest.mark.many
@EVERY_TABLE
def test_what_a_viewer_cannot_see_makes_no_difference(edition, seats):
    generator = random.Random(f"{edition} {seats}")
    wanted = wanted_at(edition, seats)
    compared = Counter()
    for number in range(MOST_ROUNDS):
        missing = {thing for thing in wanted if compared[thing] < ENOUGH}
        if number >= ROUNDS and not missing:
            break
        deal, steps = random_round(edition, seats, generator, number)
        for part in prefixes(steps, deal, missing):
            if number < ROUNDS or missing & may_show(deal, part):
                for found in compare(deal, part, seats, generator):
                    compared.update([*found, "all"])
    assert not missing, f"hardly anything was compared that holds {missing}: {compared}"
    assert compared["all"] > ROUNDS * seats


def test_the_deal_is_where_the_test_thinks_it_is():
    deal, _ = random_round("standard", 3, random.Random(1))

    assert isinstance(deal[2], RoundStarted)
    assert deal[4].card == deal[2].deck[0]


def test_a_log_that_shows_too_much_is_found(monkeypatch):
    monkeypatch.setitem(globals(), "redact_log", lambda log, viewer: log)
    with pytest.raises(AssertionError):
        test_what_a_viewer_cannot_see_makes_no_difference("premium", 5)


def test_an_offer_that_hangs_on_the_top_of_the_deck_is_found(monkeypatch):
    honest = rules.legal_actions

    def telling(state):
        legal = honest(state)
        return legal[:-1] if len(legal) > 1 and state.deck and state.deck[0] == "guard" else legal

    monkeypatch.setattr(rules, "legal_actions", telling)
    with pytest.raises(AssertionError, match=r"assert \(\w+\("):  # two lists of offers
        test_what_a_viewer_cannot_see_makes_no_difference("premium", 5)
