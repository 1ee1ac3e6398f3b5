"""Queue tickets for tests."""

import json
from functools import cache
from typing import Any

from games.queue.tickets import QueueTicket, Wishes

NOW = 10_000_000


def ticket(player: str, *seats: int, waited: float = 0, rating: float = 1500, kind: str = "human", **body: Any):
    """Returns the ticket of a player who has waited so many seconds for a table with some number of seats."""
    wanted = {"edition": "standard", "seats": list(seats) or [2], **body}
    return QueueTicket(f"t-{player}", player, kind, _wishes(json.dumps(wanted)), NOW - round(1000 * waited), rating)


@cache
def _wishes(body: str) -> Wishes:
    return Wishes.of(json.loads(body))
