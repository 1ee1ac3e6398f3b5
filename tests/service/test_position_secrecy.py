"""Games from positions that differ only in what a viewer cannot see are the same to that viewer to the last byte."""

import random

import pytest

from engine.errors import ImpossiblePosition
from engine.positions import check_position
from engine.state import GameState
from engine.views import redact_log
from games.submitted import Submitted
from tests.engine.random_positions import as_position, random_state
from tests.service.at_table import EN, Game
from tests.service.readable import everything_for, hidden

TABLES = [("standard", 2), ("classic", 3), ("premium", 5), ("lovecraft", 4)]
ENOUGH = 6
"""At each table, games that are compared with another."""


def exchanged(state, viewer, rng):
    """Returns a state's position with the cards that a viewer does not see in another order; None if it cannot be."""
    position = as_position(state)
    places = [("deck", i) for i in range(len(position["deck"]))] + [("set_aside", None)]
    places += [(seat, i) for seat, hand in enumerate(position["hands"]) for i in range(len(hand)) if seat != viewer]
    cards = [card_at(position, place) for place in places]
    rng.shuffle(cards)
    for (pile, i), card in zip(places, cards, strict=True):
        if pile == "set_aside":
            position[pile] = card
        else:
            (position["deck"] if pile == "deck" else position["hands"][pile])[i] = card
    try:
        check_position(GameState(state.book), position)
    except ImpossiblePosition:
        return None
    return position


def card_at(position, place):
    pile, i = place
    if pile == "set_aside":
        return position[pile]
    return (position["deck"] if pile == "deck" else position["hands"][pile])[i]


def what_is_read(service, client, state, position, viewer, chosen):
    """Returns everything that a viewer reads of a game from a position, before and after the first action.

    That is the chosen one of those that the viewer has; nobody acts if it is not the viewer's turn. What the viewer may
    see of what it led to comes last.
    """
    client.flushall()
    options = state.book.options
    game = Game.begin(
        service, len(state.seats), edition=state.book.edition.id, options=options, sandbox={"positions": [position]}
    )
    before, after, shown = everything_for(service, game, viewer), [], []
    if viewer == game.to_act():
        version = game.view()["version"]
        legal = game.legal(viewer)
        done = service.play.act(
            game.token(viewer), game.id, Submitted.read(legal[chosen % len(legal)]), words=EN, texts=True
        )
        after = [hidden(done.body.decode(), game), everything_for(service, game, viewer)]
        events = [entry.event for entry in service.games._log.entries(game.id, version)]
        shown = redact_log(events, viewer)
    return before, after, shown


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_what_a_viewer_cannot_see_of_a_position_changes_nothing_they_read(service, client, edition, seats):
    rng = random.Random(f"{edition} {seats}")
    compared = acted = 0
    for seed in range(20):
        if acted and compared >= ENOUGH:
            break
        state = random_state(edition, seats, seed)
        other = next(seat for seat in (*range(seats), 0) if seat != state.turn)
        for viewer in (None, state.turn, other):
            chosen = rng.randrange(100)
            position = exchanged(state, viewer, rng)
            if position is None or position == as_position(state):
                continue
            before, after, shown = what_is_read(service, client, state, as_position(state), viewer, chosen)
            seen = what_is_read(service, client, state, position, viewer, chosen)
            assert seen[0] == before
            compared += 1
            if seen[2] == shown:  # an action may show a card that was hidden until then
                assert seen[1] == after
                acted += bool(shown)
    assert acted
    assert compared >= ENOUGH
