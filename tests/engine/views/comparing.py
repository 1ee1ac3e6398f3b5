"""Compares a round with others that differ in what a viewer cannot see: the viewer must see them alike."""

from engine import rules
from engine.state import ACTIVE
from engine.views import WATCHER, present, redact_log, view
from tests.engine.views.other_deals import log_of, replay, unseen_places

SHUFFLES = 4
ENOUGH = 3
"""As many comparisons at least for each event, question and kind of viewer."""
VIEWERS = ("watcher", "in", "out", "to act")
PLACES = ("hands", "deck", "set_aside")


def wanted_at(seats):
    """Returns what must be compared at every table: each kind of viewer, and of place that is hidden from them."""
    found = {("viewer", kind) for kind in VIEWERS} | {("other", place) for place in PLACES}
    # In a game for two, a seat that is out has seen the round end and the next one begin.
    return found - {("viewer", "out")} if seats == 2 else found


def what_it_holds(log):
    """Returns what a round's log is about, the same for all viewers: types of events, and what is asked at the end."""
    state = rules.fold_log(log)
    found = {("event", event.type) for event in log}
    if state.status == ACTIVE:
        found.add(("asked", state.decision.kind if state.decision else "a turn"))
    return found


def compare(deal, steps, seats, generator, exchanged):
    """Compares a round, for every viewer, with others that differ in what they cannot see; yields what each held.

    `exchanged` makes another beginning of one, with the cards of some places in another order.
    """
    log = log_of(deal, steps)
    state = rules.fold_log(log)
    for viewer in (WATCHER, *range(seats)):
        places = unseen_places(deal, steps, viewer)
        for _ in range(SHUFFLES):
            other = replay(deal, steps, exchanged(deal, places, generator))
            if other is None or other == log:
                continue
            assert redact_log(other, viewer) == redact_log(log, viewer), "the log"
            one, two, full = view(log, viewer), view(other, viewer), rules.fold_log(other)
            assert present(one) == present(two), "the view"
            kind = "watcher" if viewer == WATCHER else "in" if state.is_in_round(viewer) else "out"
            found = what_it_holds(log) | {("viewer", kind)}
            found |= {("other", name) for name in PLACES if getattr(deal[2], name) != getattr(other[2], name)}
            if state.to_act == viewer:
                offered = rules.legal_actions(state)
                offers = [rules.legal_actions(its) for its in (full, one, two)]
                assert offers == [offered] * 3, "what is offered"
                found.add(("viewer", "to act"))
            else:
                found -= {thing for thing in found if thing[0] == "asked"}
            yield found
