"""The moments of `docs/moments/` as whole games in memory: what each plays, and then anything legal up to the end."""

import random
from dataclasses import replace

from engine.editions import rulebook
from engine.logs.codec import read_action
from engine.options import legal_actions
from engine.positions import canonical
from engine.state import ACTIVE
from games.causes import Act, Join, Open
from games.records.portable import as_json, parsed, portable
from tests.games.whole_logs import Story, whole_story
from tools.docs import moments_page

MOMENTS = moments_page.moments()


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
    """Returns the portable log of a moment's game, played on to its end by chance."""
    story, rng = begun(moment), random.Random(moment["name"])
    for seat, action in actions_of(moment):
        story.tell(Act(seat, action))
    while story.snapshot.state.status == ACTIVE:
        story.tell(Act(story.snapshot.state.to_act, rng.choice(legal_actions(story.snapshot.state))))
    return parsed(as_json(portable(story.stored)))
