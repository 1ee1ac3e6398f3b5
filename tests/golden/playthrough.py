"""Writes down whole games with what every viewer sees at every step: any change of rules or redaction shows here.

A step is one action. For each it prints what everybody sees of the seats, what each viewer sees of the cards (a `?` is
a card the viewer does not know), the legal actions, the one that is taken, and the events that happened. Now and then
the clock acts for a seat, and at a table of more than two a seat leaves.
"""

import json
import random
import re
from dataclasses import replace
from itertools import groupby

from engine import rules
from engine.events import SeatTaken, SecretRevealed, fold
from engine.logs.codec import event_data
from engine.notation import print_action
from engine.shuffle import Dealer, commitment
from engine.state import ACTIVE
from engine.views import ALL, WATCHER, advance, view
from tests.engine.given import timed_out
from tests.golden.tables import TABLES, TRIED, decisions_of

SECRET = bytes(range(32))
CLOCK_EVERY = 9
LEAVES_AT = 25


def playthrough(edition, seats, seed):
    """Returns the text of a whole game at a table; the seed chooses the actions."""
    about = {"game": "playthrough", "visibility": "public", "creator": "creator", "commitment": commitment(SECRET)}
    created = replace(rules.bare_table(edition, seats, **about), options={})  # as the files have had it from the first
    log = [created, *(SeatTaken(seat, f"player {seat}", "", "") for seat in range(seats))]
    chance = Dealer(SECRET, "playthrough", [""] * seats)
    generator = random.Random(seed)
    lines = [f"# {edition}, {seats} seats, seed {seed}", ""]
    state = rules.fold_log(log)
    happened = [*log, *rules.start(state, [""] * seats, chance)]
    fold(state, happened[len(log) :])
    log = list(happened)
    views = {viewer: view(log, viewer) for viewer in (ALL, WATCHER, *range(seats))}
    step = 0
    while state.status == ACTIVE:
        step += 1
        lines += [*_events(happened, log), "", *_position(views, step)]
        happened, taken = _step(state, generator, chance, step)
        lines.append(f"takes     {taken}")
        fold(state, happened)
        log += happened
        for viewer, seen in views.items():
            advance(seen, happened, viewer)
    log.append(SecretRevealed(SECRET.hex()))
    for viewer, seen in views.items():
        advance(seen, log[-1:], viewer)
    return "\n".join([*lines, *_events([*happened, log[-1]], log), "", *_position(views, step + 1)]) + "\n"


def _step(state, generator, chance, step):
    seat = state.to_act
    if step == LEAVES_AT and len(state.seats) > 2:
        return rules.leave(state, seat, "resigned", chance), f"seat {seat} leaves"
    legal = rules.legal_actions(state)
    action = legal[int(generator.random() * len(legal))]
    if step % CLOCK_EVERY == 0:
        return timed_out(state, seat, action, chance), f"{print_action(action)}, by the clock"
    return rules.decide(state, seat, action, chance), print_action(action)


def _events(happened, log):
    first = len(log) - len(happened) + 1
    return [
        f"{version:>8}  {event.type} {json.dumps(event_data(event))}" for version, event in enumerate(happened, first)
    ]


def _position(views, step):
    full = views[ALL]
    lines = [f"== step {step}, version {full.version}, round {full.round_number}: {_question(full)}"]
    lines += [f"seat {seat}    {_front(full, seat)}" for seat in range(len(full.seats))]
    for viewer, seen in views.items():
        name = {ALL: "all", WATCHER: "watcher"}.get(viewer, f"viewer {viewer}")
        lines.append(f"{name:<10}{_cards(seen)}")
    if full.status == ACTIVE:
        lines.append("legal     " + "  ".join(map(print_action, rules.legal_actions(views[full.to_act]))))
    return lines


def _question(state):
    if state.status != ACTIVE:
        return f"{state.status}, seats {', '.join(map(str, state.winners))} won"
    asked = f"seat {state.to_act} must act"
    return asked if state.decision is None else f"{asked}: {state.decision.kind} for {state.decision.card}"


def _front(state, number):
    seat = state.seats[number]
    marks = ["in"] * state.is_in_round(number) + ["protected"] * state.is_protected(number) + ["left"] * seat.left
    return f"tokens {seat.tokens}  discards {print_deck(seat.discards)}  {' '.join(marks)}".rstrip()


def _cards(state):
    hands = "  ".join(f"{i}: {_hidden(seat.hand)}" for i, seat in enumerate(state.seats))
    return (
        f"hands {hands}  aside {_hidden(state.set_aside)}+{print_deck(state.shown_aside)}  deck {_hidden(state.deck)}"
    )


def _hidden(cards):
    return print_deck("?" if card is None else card for card in cards)


def seed_of(text):
    """Returns the seed that a playthrough was made with."""
    return int(text.partition("\n")[0].rpartition(" ")[2])


def decisions_in(text):
    """Returns the card and kind of every decision in a playthrough."""
    return {(card, kind) for kind, card in re.findall(r" must act: (\w+) for (\w+)\n", text)}


def with_every_decision(edition, seats):
    """Returns the first playthrough of a table that has all its decisions.

    Raises:
        LookupError: no seed leads to one.
    """
    for seed in range(seats, TRIED):
        text = playthrough(edition, seats, seed)
        if decisions_in(text) == decisions_of(edition, seats):
            return text
    raise LookupError(f"no playthrough of {edition} with {seats} seats has all of {decisions_of(edition, seats)}")


def files():
    """Returns the text of every playthrough by the name of its file."""
    return {f"playthroughs/{edition}-{seats}.txt": with_every_decision(edition, seats) for edition, seats in TABLES}


def print_deck(cards):
    """Returns cards in their order; repeated ones have a count."""
    runs = [(card, len(list(run))) for card, run in groupby(cards)]
    return ",".join(card if count == 1 else f"{card}*{count}" for card, count in runs) or "none"
