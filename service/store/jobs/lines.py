"""Decides whose bot plays next, and whose review goes on: games queue by address and player (decision 004).

Addresses take turns, and so do the players at one address, however many tables or players wait there. A job only says
that some game is due; the lines say which. Lines of games of own bots alone are served when all others are empty.
Sweepers ask again for anything lost here.

The lines are stored beside the queues, in a Redis that is not a cluster.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import redis
from rq import Queue
from rq.job import Job

from service.store import keys
from service.store.redis.client import away_is_unavailable
from service.store.scripts import JOIN_LINE, NEXT_IN_LINE


class NextInLine(NamedTuple):
    """The game that was next in line, and whose turn it was."""

    game: str
    address_hash: str
    player: str


def join_line(
    pipeline: "redis.client.Pipeline", game: str, humans: Sequence[str], address_hash: str, queue: Queue, job: str
) -> None:
    """Adds a game to the lines of a queue, to which `job` has just been added for it.

    `humans` are the players for whom the bot plays, or who asked for the review; `address_hash` is the hash of the
    address that opened the game, or asked.
    """
    humans = humans or (game,)  # the hash of a damaged game may name none
    pipeline.eval(
        JOIN_LINE.text,
        4,
        *(keys.line_turns(queue.name), keys.line_places(queue.name), queue.key, Job.key_for(job)),
        *(game, keys.line_prefix(queue.name), address_hash or humans[0], job, Job.key_for("")),
        *humans,
    )


def next_in_line(client: "redis.Redis", queues: Sequence[str]) -> NextInLine | None:
    """Takes from the lines the next game that waits, the most urgent first; None if none waits.

    Raises:
        Unavailable: the Redis of the queues cannot be reached; a game may have been taken.
    """
    names = [name for queue in queues for name in (keys.line_turns(queue), keys.line_places(queue))]
    with away_is_unavailable():
        found: Any = client.eval(NEXT_IN_LINE.text, len(names), *names, *map(keys.line_prefix, queues))
    return None if found is None else NextInLine(*[one.decode() for one in found])
