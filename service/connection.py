"""Connections to Redis; what is said over them belongs to the modules that use them."""

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import (
    ClusterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from service.errors import Unavailable
from service.scripts import Script

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 5.0
CONNECTIONS = 1024

Command = tuple[Any, ...]

AWAY = (RedisConnectionError, RedisTimeoutError, RedisClusterException)
"""What says that Redis, or the part of it that is needed, cannot be reached."""
_CANNOT = (ReadOnlyError, OutOfMemoryError, ClusterDownError, TryAgainError)
# Codes without a class of their own, and the codes of errors in scripts, which stand in the middle of their text.
_CANNOT_CODES = re.compile(r"\b(OOM|MISCONF|READONLY|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|LOADING|TRYAGAIN|BUSY)\b")


def connect(url: str, *, answer_seconds: float | None = ANSWER_SECONDS) -> "redis.Redis":
    """Returns a client for a Redis; it connects when it is first used.

    The client never repeats a command by itself: a repeated append would be refused and hide that the first was made.
    """
    return redis.Redis.from_url(
        url,
        protocol=2,  # `Exchange` reads replies in the older, flat form
        max_connections=CONNECTIONS,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=answer_seconds,
        retry=Retry(NoBackoff(), 0),
    )


@contextmanager
def away_is_unavailable() -> Iterator[None]:
    """Turns the errors of a Redis that is away, not ready or cannot write into `Unavailable`."""
    try:
        yield
    except AWAY as error:
        raise Unavailable(str(error)) from error
    except ResponseError as error:
        if isinstance(error, _CANNOT) or _CANNOT_CODES.search(str(error)):
            raise Unavailable(str(error)) from error
        raise


class Exchange:
    """Several commands in one round trip, over one connection per thread.

    It is what every action goes through: a client's pool, pipelines and retries cost four times as much processor time.
    The commands are not one transaction; those that must be are one script.
    """

    def __init__(self, client: "redis.Redis") -> None:
        self._pool = client.connection_pool
        self._thread = threading.local()

    def send(self, *commands: Command) -> list[Any]:
        """Sends commands and returns their replies.

        Raises:
            Unavailable: Redis is away, and which of the commands it carried out is not known.
            ResponseError: Redis refused a command; the others were carried out.
        """
        with away_is_unavailable():
            replies = self._sent(commands)
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        return replies

    def send_each(self, *commands: Command) -> list[Any]:
        """Sends commands about one thing each and returns their replies; None for those that cannot be had.

        Where each may be on another node, that is if this is away; and anywhere if it is not what it should be: what
        somebody has damaged keeps nobody from reading the others.

        Raises:
            Unavailable: Redis is away.
        """
        with away_is_unavailable():
            return [sound(reply) for reply in self._sent(commands)]

    def _sent(self, commands: Sequence[Command]) -> list[Any]:
        """Sends commands and returns a reply or an error for each."""
        connection = self._connection()
        try:
            connection.send_packed_command(connection.pack_commands(commands))
            return [reply_of(connection) for _ in commands]
        except BaseException:
            # What is still on its way must not be taken for the reply to another command.
            connection.disconnect()
            raise

    def run(self, script: Script, keys: Sequence[str], arguments: Sequence[Any], before: Sequence[Command] = ()) -> Any:
        """Runs a script after some commands, in one round trip, and returns the script's reply."""
        call = ("EVALSHA", script.digest, len(keys), *keys, *arguments)
        try:
            return self.send(*before, call)[-1]
        except NoScriptError:
            self.send(("SCRIPT", "LOAD", script.text))
            return self.send(*before, call)[-1]

    def _connection(self) -> Any:
        connection = getattr(self._thread, "connection", None)
        if connection is None:
            connection = self._thread.connection = self._pool.make_connection()
        elif _is_stale(connection):
            connection.disconnect()
        return connection


def sound(reply: Any) -> Any:
    """Returns a reply, None for one that says that what was asked for is not what it should be.

    Raises:
        Unavailable: it says that Redis is away.
    """
    if not isinstance(reply, Exception):
        return reply
    try:
        with away_is_unavailable():
            raise reply
    except ResponseError:
        return None


def _is_stale(connection: Any) -> bool:
    """Whether the other side has hung up since the last exchange."""
    try:
        return bool(connection.can_read())
    except AWAY:
        return True


def reply_of(connection: Any) -> Any:
    """Reads a reply; a refusal of one command is returned, so that the replies to the others are read too."""
    try:
        return connection.read_response()
    except ResponseError as error:
        return error
