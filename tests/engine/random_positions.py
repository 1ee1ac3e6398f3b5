"""Positions for property tests: those that random games come to, whole or with parts left to chance."""

import random

from engine import rules
from engine.events import fold
from engine.rules import legal_actions
from engine.shuffle import LooseChance
from engine.state import ACTIVE
from tests.engine.given import created
from tests.engine.random_games import of_all_kinds

OMISSIBLE = ("deck", "set_aside", "shown_aside", "hands", "protected", "bound", "marks", "tokens", "insane_tokens")


def random_state(edition, seats, seed):
    """Returns a state of a random game in which a seat has drawn and must play, and nobody has left."""
    rng = random.Random(f"{edition} {seats} {seed}")
    first = created(edition, seats, of_all_kinds(edition, seed)["options"])
    state = rules.begin(first)
    chance = LooseChance(rng)
    fold(state, rules.start(state, [""] * seats, chance))
    found = state.copy()
    for _ in range(rng.randint(0, 40)):
        fold(state, rules.decide(state, state.to_act, rng.choice(legal_actions(state)), chance))
        if state.status != ACTIVE:
            break
        if state.decision is None and not state.tie_break:
            found = state.copy()
    return found


def as_position(state):
    """Returns the position that a state is in, with nothing left to chance."""
    seats = range(len(state.seats))
    return {
        "hands": [list(state.seats[seat].hand) for seat in seats],
        "discards": [list(state.seats[seat].discards) for seat in seats],
        "deck": list(state.deck),
        "set_aside": state.set_aside[0],
        "shown_aside": list(state.shown_aside),
        "out": [seat for seat in seats if not state.is_in_round(seat)],
        "protected": [seat for seat in seats if state.is_protected(seat)],
        **({} if state.bound is None else {"bound": state.bound}),
        "marks": [{"card": card, "seat": seat, "target": target} for card, (seat, target) in state.marks.items()],
        "tokens": [seat.tokens for seat in state.seats],
        "insane_tokens": [seat.insane_tokens for seat in state.seats],
        "turn": state.turn,
    }


def in_part(position, rng):
    """Returns a position with some of it left to chance, and fewer cards to draw."""
    made = {name: value for name, value in position.items() if name not in OMISSIBLE or rng.random() < 0.7}
    if "tokens" not in made or ("insane_tokens" not in made and any(position["insane_tokens"])):
        # Insane tokens cannot be without the others, and without them these may have won already.
        made.pop("tokens", None)
        made.pop("insane_tokens", None)
    if "hands" in made:
        made["hands"] = [hand if rng.random() < 0.7 else [] for hand in made["hands"]]
        if not made["hands"][made["turn"]] and not made.get("deck", ["any"]):
            del made["deck"]
    elif not made.get("deck", ["any"]):
        del made["deck"]
    if made.get("deck") and rng.random() < 0.5:
        made["deck"] = made["deck"][: rng.randint(1, len(made["deck"]))]
    return made


def begun(edition, seats, position, seed=1, options=None):
    """Returns the log of a game that begins with a position: `game_created`, and what follows."""
    first = created(edition, seats, options, positions=(position,))
    return [first, *rules.start(rules.begin(first), [""] * seats, LooseChance(random.Random(seed)))]
