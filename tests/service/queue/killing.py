"""Kills a process at a chosen round trip to Redis, for tests."""

from service.store.redis.client import RedisClient


class Killed(BaseException):
    """The process is gone."""


class Kill:
    """Kills a service at one of its round trips to Redis, after it and before the reply.

    What a kill before the next one leaves in Redis is the same.
    """

    def __init__(self, monkeypatch, trip):
        self._trip = trip
        self.has_killed = False
        self._asked = RedisClient.ask
        monkeypatch.setattr(RedisClient, "ask", lambda client, commands: self._ask(client, commands))

    def _ask(self, client, commands):
        if self.has_killed:
            raise Killed
        self._trip -= 1
        self.has_killed = self._trip < 0
        replies = self._asked(client, commands)()
        if self.has_killed:
            raise Killed
        return lambda: replies
