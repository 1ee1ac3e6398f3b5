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
from dataclasses import dataclass, fields, replace
from itertools import chain

import pytest

from engine import rules
from engine.actions import GiveHands, KeepCard
from engine.editions import rulebook
from engine.events import RoundStarted, SeatTimedOut, fold
from engine.shuffle import LooseChance
from engine.state import ACTIVE
from engine.views import WATCHER, present, redact_log, view
from tests.engine.given import created, timed_out
from tests.engine.random_games import EVERY_TABLE, of_all_kinds
from tests.engine.views.knowledge import Knowledge, take
from tests.engine.views.test_redaction import SECRETS
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


@dataclass
class Step:
    """What a seat did, and what happened; without an action it left."""

    seat: int
    action: object
    happened: list

    def by_the_clock(self):
        return any(isinstance(event, SeatTimedOut) for event in self.happened)


def chance(seed):
    return LooseChance(random.Random(seed))


def take_step(state, seat, action, by_the_clock, seed):
    if action is None:
        return rules.leave(state, seat, "resigned", chance(seed))
    return (timed_out if by_the_clock else rules.decide)(state, seat, action, chance(seed))


def random_round(edition, seats, generator, number=0):
    """Returns the events of the deal, and the steps of a round up to its end or somewhere before it.

    In every tenth round everybody is likely to leave, so that some end the game.
    """
    leaving = 0.5 if number % 10 == 9 else 0.02
    deal = [created(edition, seats, of_all_kinds(edition, number)["options"])]
    state = rules.begin(deal[0])
    deal += rules.start(state, [""] * seats, LooseChance(generator))
    fold(state, deal[1:])
    steps = []
    for seed in range(generator.randint(0, 25)):
        leaves = generator.random() < leaving
        seat = generator.choice(state.in_game()) if leaves else state.to_act
        action = None if leaves else generator.choice(rules.legal_actions(state))
        happened = take_step(state, seat, action, generator.random() < 0.05, seed)
        steps.append(Step(seat, action, happened))
        if any(event.type in ("round_ended", "game_finished") for event in happened):
            break
        fold(state, happened)
    return deal, steps


def log_of(deal, steps):
    return [*deal, *(event for step in steps for event in step.happened)]


def unseen_places(deal, steps, viewer, seats):
    """Returns the places of the deal, as (place, index), of the cards the viewer has not seen when the round stops."""
    knowledge = Knowledge(viewer, seats)
    knowledge.after(deal[2])
    origins = [(slot, ("deck", i)) for i, slot in enumerate(knowledge.deck)]
    origins += [(slot, ("aside", i)) for i, slot in enumerate(knowledge.aside)]
    origins += [(slot, ("hands", i)) for i, hand in enumerate(knowledge.hands) for slot in hand]
    seen = set()
    for event in log_of(deal[3:], steps):
        if isinstance(event, RoundStarted):
            break
        knowledge.after(event)
        lying = {id(slot): slot[1] for slot in chain(knowledge.deck, knowledge.aside, *knowledge.hands)}
        seen |= {slot for slot, known in lying.items() if known}
    return [place for slot, place in origins if id(slot) in lying and id(slot) not in seen]


def shuffled_deal(deal, places, generator):
    """Returns the deal with the cards of some places in another order."""
    old = deal[2]
    piles = {"deck": list(old.deck), "aside": [old.set_aside], "hands": list(old.hands)}
    cards = [piles[place][i] for place, i in places]
    generator.shuffle(cards)
    for (place, i), card in zip(places, cards, strict=True):
        piles[place][i] = card
    new = replace(old, deck=tuple(piles["deck"]), set_aside=piles["aside"][0], hands=tuple(piles["hands"]))
    return [*deal[:2], new, deal[3], replace(deal[4], card=new.deck[0])]


def again(state, other, step):
    """Returns what the step's seat does in another state: the same, with the cards that lie where the others lay."""
    action = step.action
    if isinstance(action, KeepCard):
        hand = [[card, i] for i, card in enumerate(state.seats[step.seat].hand)]
        order = [take(hand, card)[1] for card in (*action.bottom, action.keep)]
        *bottom, keep = (other.seats[step.seat].hand[i] for i in order)
        return KeepCard(keep, tuple(bottom))
    if isinstance(action, GiveHands):
        slots = [[state.seats[seat].hand[0], seat] for seat, _ in action.hands]
        given = [(seat, take(slots, card)[1]) for seat, card in action.hands]
        return GiveHands(tuple((seat, other.seats[source].hand[0]) for seat, source in given))
    return action


def course(event):
    """Returns what everybody can see of an event at a real table, where a hand laid down has no order."""
    shown = {
        field.name: getattr(event, field.name) for field in fields(event) if (event.type, field.name) not in SECRETS
    }
    return event.type, {name: Counter(value) if name == "cards" else value for name, value in shown.items()}


def replay(deal, steps, other_deal):
    """Returns the log of the same steps after another deal, or None if the course is another one."""
    state, other = rules.fold_log(deal), rules.fold_log(other_deal)
    log = list(other_deal)
    for number, step in enumerate(steps):
        action = again(state, other, step)
        if action is not None and not rules.is_legal(other, step.seat, action):
            return None
        happened = take_step(other, step.seat, action, step.by_the_clock(), number)
        if [course(event) for event in happened] != [course(event) for event in step.happened]:
            return None
        fold(state, step.happened)
        fold(other, happened)
        log += happened
    return log


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
