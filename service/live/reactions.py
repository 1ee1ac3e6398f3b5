"""Publishes players' reactions to those who follow a game now. Nothing of them is stored, so a lost one is lost."""

from typing import Any, Final, NamedTuple

import orjson

from games.errors import Refused
from games.messages import Message, time_span
from games.tables.reactions import PAUSE_SECONDS, is_quiet
from games.times import ms_of
from service.admission import Admission
from service.inputs.clock import now_ms
from service.play import acting_seat
from service.store import channels
from service.store.limits.counting import count
from service.store.redis.client import RedisClient

MARK: Final = b"!"
"""How a published reaction begins. What is published of events begins with a version."""
NAME: Final = "reaction"


class Reaction(NamedTuple):
    """A published reaction."""

    player: str
    """Who reacts: those who have blocked them are not told."""
    item: dict[str, Any]
    """What followers are sent."""


class Reactions:
    """Takes reactions of seated players."""

    def __init__(self, redis: RedisClient, admission: Admission) -> None:
        self._redis = redis
        self._admission = admission

    def react(self, token: str, game: str, word: str) -> None:
        """Tells everybody who follows a game live how the caller's seat reacts.

        Raises:
            Refused: the token is not valid; there is no such game; `not_seated`, the caller has no seat;
                `game_over`, it ended too long ago; `rate_limited`, they have just reacted in this game.
        """
        snapshot, caller = self._admission.open(token, game, None)
        seat = acting_seat(snapshot, caller, None)
        if snapshot.finished_at is not None and is_quiet(ms_of(snapshot.finished_at), now_ms()):
            raise Refused("game_over", Message("detail.too_late_to_react"), version=snapshot.version)
        self._count(game, caller or "")
        item = {"type": NAME, "seat": seat, "reaction": word}
        message = MARK + orjson.dumps({"player": caller, "item": item})
        self._redis.send(("PUBLISH", self._redis.channel(channels.feed(game)), message))

    def _count(self, game: str, player: str) -> None:
        """Counts a player's reaction in a game.

        Raises:
            Refused: `rate_limited`, it comes too soon after the one before.
        """
        counted = count(self._redis, f"reactions/{game}/{player}", PAUSE_SECONDS, 1)
        if counted.calls > 1:
            seconds = max(1, -(-counted.left // 1000))
            detail = Message("detail.just_reacted", {"wait": time_span(seconds)})
            raise Refused("rate_limited", detail, limit="reactions", retry_after=seconds)


def read_reaction(message: bytes) -> Reaction | None:
    """Returns the reaction that was published of a game; None for events."""
    return Reaction(**orjson.loads(message[1:])) if message.startswith(MARK) else None
