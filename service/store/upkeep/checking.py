"""Keeps how far a check of all games has come, so that one that was interrupted goes on there."""

from contextlib import suppress
from typing import NamedTuple

from games.errors import TakesNoWrites
from service.store import keys
from service.store.redis.client import RedisClient, hash_of


class CheckPlace(NamedTuple):
    """How far a check of all games has come: the last game by id, and the numbers of games so far."""

    upto: str = ""
    games: int = 0
    damaged: int = 0


def kept_place(redis: RedisClient) -> CheckPlace:
    """Returns how far an interrupted check of all games has come; the beginning if there was none."""
    kept = hash_of(redis.send(("HGETALL", keys.CHECKED))[0])
    return CheckPlace(kept["upto"], int(kept["games"]), int(kept["damaged"])) if kept else CheckPlace()


def keep_place(redis: RedisClient, place: CheckPlace) -> None:
    """Keeps in Redis how far a check of all games has come; one that takes no writes can be checked all the same."""
    with suppress(TakesNoWrites):
        redis.send(("HSET", keys.CHECKED, *[part for pair in place._asdict().items() for part in pair]))


def forget_place(redis: RedisClient) -> None:
    """Removes from Redis how far a check of all games has come, because it is done."""
    with suppress(TakesNoWrites):
        redis.send(("DEL", keys.CHECKED))
