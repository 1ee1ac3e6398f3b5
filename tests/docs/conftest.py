"""What Redis holds once every operation was called."""

from functools import cached_property

import pytest
import redis

from tests.benchmarks.costs import CASES, World
from tests.service.upkeep.test_erasing import values


class OneWholeGame(World):
    """What needs a game that has ended takes the same one."""

    def game(self, steps=8):
        return self.whole if steps == 1000 else super().game(steps)

    @cached_property
    def whole(self):
        return super().game(1000)


@pytest.fixture(scope="session")
def called(redis_server):
    """By name of a key, its type and whether it passes; and what all keys hold, as text."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    world = OneWholeGame(redis_server.url)
    for case in CASES.values():
        call = case(world)
        world.service.health.worker_is_alive()
        world.send(call)
    world.service.notifier.settle()
    kinds = {key: (world.redis.type(key).decode(), world.redis.pttl(key) != -1) for key in world.redis.scan_iter()}
    stored = [(name.decode(), str(found)) for name, found in values(world.redis) if found]
    return {key.decode(): kind for key, kind in kinds.items() if kind[0] != "none"}, stored
