"""Which bot thinks next: one player after the other gets a thought, however many tables each of them has.

A game waits in the line of somebody for whom its bots play, and the lines are served in turn. The job of a thought says
no more than that one is due; which one is found here. The lines for games of bots alone are served when all others are
empty. What is lost here is asked for again by sweepers.

It is kept beside the queues, in a Redis that is no cluster.
"""

from typing import Any

import redis

from service import keys
from service.connection import away_is_unavailable
from service.due import Hint
from service.scripts import AWAIT_THOUGHT, NEXT_THOUGHT


def await_thought(pipeline: "redis.client.Pipeline", hint: Hint) -> None:
    """Lets the game of a hint wait for a thought, once however often it is asked for."""
    whose = hint.whose or (hint.game,)  # not known of a game that was last stored before it was kept
    turns, lines = keys.thought_turns(hint.unattended), keys.thought_line(hint.unattended, "")
    pipeline.eval(AWAIT_THOUGHT.text, 1, turns, f"{hint.game} {hint.version}", lines, *whose)


def next_thought(client: "redis.Redis") -> tuple[str, int] | None:
    """Takes the game that is to be thought about next, and returns it with its version; None if none waits.

    Raises:
        Unavailable: the Redis of the queues is away; a game may have been taken.
    """
    turns = [keys.thought_turns(unattended) for unattended in (False, True)]
    lines = [keys.thought_line(unattended, "") for unattended in (False, True)]
    with away_is_unavailable():
        found: Any = client.eval(NEXT_THOUGHT.text, len(turns), *turns, *lines)
    if found is None:
        return None
    game, version = found.decode().split(" ")
    return game, int(version)
