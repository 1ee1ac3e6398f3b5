"""Portable logs of games whose first round begins with a position, whole or in part left to chance."""

import random
from dataclasses import replace

from engine.options import legal_actions
from engine.positions import canonical
from engine.state import ACTIVE
from games.causes import Act, Join, Leave, Open
from games.records.portable import as_json, parsed, portable
from tests.engine.random_positions import as_position, in_part, random_state
from tests.games.whole_logs import Story, whole_story


def position_story(edition, seats, seed, rounds):
    """Returns such a game: all seats but the last are the creator's, and some leave; after so many rounds all."""
    rng = random.Random(f"{edition} {seats} {seed}")
    state = random_state(edition, seats, seed)
    position = as_position(state)
    if seed % 2:
        position = in_part(position, rng)
    opened = whole_story("standard", 2, seed).snapshot
    created = replace(
        opened.table,
        edition=edition,
        seats=seats,
        options=dict(state.book.options),
        clock=None,
        starter=None,
        sandbox=True,
        rated=False,
        sandbox_rounds=(),
        sandbox_positions=tuple([canonical(state.book, one) for one in (position, {}, {"tokens": [1]})]),
        match=None,
    )
    story = Story(created, opened.secret)
    story.tell(Open(tuple(Join(seat, "p0" if seat + 1 < seats else "p1", "") for seat in range(seats - 1))))
    story.tell(Join(seats - 1, "p1", ""))
    while story.snapshot.state.status == ACTIVE:
        if rng.random() < 0.005 or story.snapshot.state.round_number > rounds:
            story.tell(Leave(rng.choice(story.snapshot.state.in_game())))
            continue
        story.tell(Act(story.snapshot.state.to_act, rng.choice(legal_actions(story.snapshot.state))))
    return story


def position_log(edition, seats, seed, rounds=99):
    """Returns the log of such a game as one reads it who was sent it."""
    return parsed(as_json(portable(position_story(edition, seats, seed, rounds).stored)))
