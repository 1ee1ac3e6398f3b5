"""The moments of `docs/cards/` as whole games in memory."""

import json
from dataclasses import replace
from pathlib import Path

from engine.editions import rulebook
from engine.logs.codec import read_action
from engine.positions import canonical
from engine.state import ACTIVE
from games.causes import Act, Join, Leave, Open
from games.records.portable import as_json, parsed, portable
from tests.games.whole_logs import Story, whole_story

MOMENTS = json.loads((Path(__file__).parents[3] / "examples" / "moments.json").read_text(encoding="utf-8"))["moments"]


def moments_of(edition):
    """Returns the moments of an edition."""
    return [moment for moment in MOMENTS if moment["edition"] == edition]


def begun(moment):
    """Returns the game of a moment in which its first action is waited for; all seats are one player's."""
    request = moment["request"]
    edition, seats = request["edition"], len(request["seats"])
    book = rulebook(edition, seats, request.get("options", {}))
    opened = whole_story("standard", 2, 0).snapshot
    created = replace(
        opened.table,
        edition=edition,
        seats=seats,
        options=dict(book.options),
        clock=None,
        starter=None,
        sandbox=True,
        sandbox_rounds=(),
        sandbox_positions=tuple(canonical(book, one) for one in request["sandbox"]["positions"]),
    )
    story = Story(created, opened.secret)
    story.tell(Open(tuple(Join(seat, "p0", "") for seat in range(seats))))
    return story


def actions_of(moment):
    """Yields the seat and the action of each play of a moment."""
    for one in moment["actions"]:
        yield one["seat"], read_action(one["action"])


def log_of(moment):
    """Returns the portable log of a moment's game, which all seats but one leave in the end if it is not over then."""
    story = begun(moment)
    for seat, action in actions_of(moment):
        story.tell(Act(seat, action))
    while story.snapshot.state.status == ACTIVE:
        story.tell(Leave(story.snapshot.state.in_game()[-1]))
    return parsed(as_json(portable(story.stored)))
