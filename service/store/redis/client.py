"""Connects to Redis and sends commands in one round trip."""

import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import redis
from greenlet import getcurrent
from redis.backoff import NoBackoff
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
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

from games.errors import NotReplicated, StoreFull, StoreReadOnly, Unavailable
from service.store import keys
from service.store.redis.greenlets import CallGreenlet, pause
from service.store.redis.shared_connection import ConfirmingConnection, SharedConnection, is_demoted, loop_connection
from service.store.scripts import Script

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 5.0
CONNECTIONS = 1024
REPLICA_MS = 2_000
"""How long to wait for a replica. A call on a loop may have to sit through two such waits within ANSWER_SECONDS."""
TOUCHED_MS = 60_000
TOUCHES = 20
"""How often a wait is begun until a node of a cluster takes it."""
TOUCH_AGAIN_SECONDS = 0.1

Command = tuple[Any, ...]

AWAY = (RedisConnectionError, RedisTimeoutError, RedisClusterException)
"""Errors which mean that Redis, or the node that is needed, cannot be reached."""
_CANNOT = (ClusterDownError, TryAgainError)
# Codes without a class of their own. Errors in scripts have their code in the middle of the text.
_FULL = re.compile(r"\bOOM\b")
_READ_ONLY = re.compile(r"\b(MISCONF|READONLY|NOREPLICAS)\b")
_CANNOT_CODES = re.compile(r"\b(MASTERDOWN|CLUSTERDOWN|LOADING|TRYAGAIN|BUSY)\b")


def connect(url: str, *, answer_seconds: float | None = ANSWER_SECONDS) -> "redis.Redis":
    """Returns a client with which commands get to a Redis. It connects on first use.

    The client never retries on its own: a repeated append would be refused and hide that the first succeeded.
    """
    return redis.Redis.from_url(
        url,
        protocol=2,  # `RedisClient` reads replies in the older, flat form
        max_connections=CONNECTIONS,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=answer_seconds,
        retry=Retry(NoBackoff(), 0),
    )


@contextmanager
def away_is_unavailable() -> Iterator[None]:
    """Turns errors of a Redis that is away, not ready or unable to write into `Unavailable`."""
    try:
        yield
    except (*AWAY, ResponseError) as error:
        kind = _unavailable(error)
        if kind is None:
            raise
        raise kind(str(error)) from error


def _unavailable(error: Exception) -> type[Unavailable] | None:
    """Returns the kind of `Unavailable` that an error of Redis means; None if it is about the command."""
    if isinstance(error, AWAY):
        return Unavailable
    text = str(error)
    if isinstance(error, OutOfMemoryError) or _FULL.search(text):
        return StoreFull
    if isinstance(error, ReadOnlyError) or _READ_ONLY.search(text):
        return StoreReadOnly
    return Unavailable if isinstance(error, _CANNOT) or _CANNOT_CODES.search(text) else None


class RedisClient:
    """Sends several commands in one round trip, over one connection per thread, or one for all calls on an event loop.

    Every action uses it: a client's pool, pipelines and retries cost four times as much processor time. The commands
    are not a transaction; commands that must be atomic belong in one script.
    """

    is_single = True
    """Whether all keys are in one Redis, so that one script may name any of them."""
    _installation: str | None = None

    def __init__(self, client: "redis.Redis", *, replicated: bool = False) -> None:
        """Sends commands by a client of Redis; `confirm` waits for a replica, and needs `replicated`."""
        self.replicated = replicated
        self._pool = client.connection_pool
        self._thread = threading.local()
        self._shared = SharedConnection(client, CONNECT_SECONDS, ANSWER_SECONDS)
        self._confirming = ConfirmingConnection(client, CONNECT_SECONDS, ANSWER_SECONDS)
        # A replica that is asked as soon as it has a write names what its disk had before, and next a second later.
        received = REPLICA_MS // 4
        self._waits: tuple[Command, ...] = (("WAIT", 1, received), ("WAITAOF", 1, 1, REPLICA_MS - received))

    def leave_loop(self) -> None:
        """Closes the connection to Redis of the event loop that runs this. The loop calls it before it ends."""
        self._shared.close()
        self._confirming.close()

    def send(self, *commands: Command) -> list[Any]:
        """Sends commands to Redis in one round trip and returns their replies.

        Raises:
            Unavailable: Redis cannot be reached, and it is unknown which of the commands were executed.
            ResponseError: Redis refused a command; the others were executed.
        """
        try:  # as `away_is_unavailable` does, which takes longer when nothing fails
            replies = self.ask(commands)() if commands else []
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        except (*AWAY, ResponseError) as error:
            kind = _unavailable(error)
            if kind is None:
                raise
            raise kind(str(error)) from error
        return replies

    def channel(self, name: str) -> str:
        """Returns the full name of a channel of Redis, which begins with the installation's own name.

        Other installations may use other databases of the same Redis, which publishes to all of them. A cluster has
        one database: there the name is left out, so that no process needs the node that would keep it.

        Raises:
            Unavailable: the name is needed for the first time, and Redis cannot be reached.
        """
        if not self.is_single:
            return f"billet:{name}"
        if self._installation is None:
            self._installation = self._named()
        return f"billet:{self._installation}:{name}"

    def listening(self) -> tuple[Any, str]:
        """Returns a connection of redis-py to hear what is published, not open yet, and what channels begin with.

        Raises:
            Unavailable: the installation's name is needed for the first time, and Redis cannot be reached.
            RedisClusterException: no node of a cluster answers.
        """
        return loop_connection(self._pool_to_hear(), socket_timeout=None), self.channel("")

    def _pool_to_hear(self) -> redis.ConnectionPool:
        return self._pool

    def keep_name(self) -> list[Command]:
        """Returns the Redis command that stores the installation's name again, if it is known and has been lost."""
        return [] if self._installation is None else [("SET", keys.INSTALLATION, self._installation, "NX")]

    def _named(self) -> str:
        (kept,) = self.send(("GET", keys.INSTALLATION))  # alone: a replica or a full Redis takes no writes
        if kept is None:
            made = ("SET", keys.INSTALLATION, os.urandom(8).hex(), "NX")
            _, kept = self.send(made, ("GET", keys.INSTALLATION))
        name: str = kept.decode()
        return name

    def send_each(self, *commands: Command) -> list[Any]:
        """Sends independent commands to Redis and returns their replies; None for those that fail.

        On a cluster a command fails if its node is away. Anywhere it fails if its data is damaged, so that one damaged
        game does not keep the others from being read.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        with away_is_unavailable():
            return [sound(reply) for reply in self.ask(commands)()] if commands else []

    def ask(self, commands: Sequence[Command]) -> Callable[[], list[Any]]:
        """Sends commands to Redis; returns what to call for their replies and errors, unless the connection is hung up.

        Nothing else may be sent by this thread until then.
        """
        if isinstance(call := getcurrent(), CallGreenlet):
            return self._shared.send(call, commands).replies
        connection = self._connection()
        try:
            connection.send_packed_command(connection.pack_commands(commands))
        except BaseException:
            connection.disconnect()
            raise
        return partial(self._replies_of, connection, len(commands))

    def _replies_of(self, connection: Any, count: int) -> list[Any]:
        replies: list[Any] = []
        try:
            while len(replies) < count:
                replies.append(_reply_of(connection))
        except BaseException:
            # Pending replies must not be taken for those of later commands.
            connection.disconnect()
            raise
        for reply in replies:
            if isinstance(reply, ResponseError) and is_demoted(reply):
                connection.disconnect()  # the same address may lead to the new primary
                break
        return replies

    def hang_up(self) -> None:
        """Closes this thread's connection to Redis, if it has one, and with it abandons pending replies."""
        if (connection := getattr(self._thread, "connection", None)) is not None:
            connection.disconnect()

    def run(self, script: Script, keys: Sequence[str], arguments: Sequence[Any], before: Sequence[Command] = ()) -> Any:
        """Runs a script of Redis after some commands, in one round trip, and returns the script's reply."""
        rest = (len(keys), *keys, *arguments)
        try:
            return self.send(*before, ("EVALSHA", script.digest, *rest))[-1]
        except NoScriptError:
            # Only the script has not run. Redis keeps the text that it runs now.
            return self.send(("EVAL", script.text, *rest))[0]

    def run_between(
        self, before: Sequence[Command], script: Script, keys: Sequence[str], after: Sequence[Command]
    ) -> list[Any]:
        """Runs a script of Redis between other commands, in one round trip, and returns the replies to all.

        The script and the commands must only read: if a node does not know the script yet, all are sent again.
        """
        commands = (*before, ("EVALSHA", script.digest, len(keys), *keys), *after)
        try:
            return self.send(*commands)
        except NoScriptError:
            self.run(script, keys, [])
            return self.send(*commands)

    def run_each(
        self, script: Script, calls: Sequence[tuple[Sequence[str], Sequence[Any]]], after: Sequence[Command] = ()
    ) -> None:
        """Runs a script of Redis several times and then some commands, in one round trip.

        The script must be idempotent: if one node of a cluster does not know it yet, it runs again on all.
        """
        try:
            self.send(*[("EVALSHA", script.digest, len(keys), *keys, *arguments) for keys, arguments in calls], *after)
        except NoScriptError:
            for keys, arguments in calls:
                self.run(script, keys, arguments)
            if after:
                self.send(*after)

    def confirm(self, key: str, *proof: Command) -> list[Any]:
        """Returns replies to `proof` once a replica has on disk all that the Redis node of `key` held by then.

        `proof` reads keys of that node. Check the replies: after a failover, it may be another node than the one on
        which the write was made (decision 045).

        Raises:
            NotReplicated: no replica has it in time; or it is unknown whether one has.
        """
        touch = ("SET", keys.touched(key), "", "PX", TOUCHED_MS)
        try:
            for _ in range(TOUCHES):
                try:
                    return self._node_with(key).waited((*proof, touch))
                except MovedError:
                    self._look_again()
                except (AskError, TryAgainError):
                    pause(TOUCH_AGAIN_SECONDS)
        except AWAY as error:
            raise NotReplicated(str(error)) from error
        raise NotReplicated("the cluster is moving a slot")

    def _node_with(self, key: str) -> "RedisClient":
        """Returns the client of the Redis that holds a key."""
        return self

    def _look_again(self) -> None:
        """Asks a Redis Cluster which nodes hold which keys."""

    def waited(self, commands: Sequence[Command]) -> list[Any]:
        """Sends Redis commands, the last a write, waits for a replica, and returns the replies of the others.

        Raises:
            NotReplicated: no replica has the write in time.
            AskError, TryAgainError: the node does not hold the keys.
        """
        waits = self._waits
        if isinstance(call := getcurrent(), CallGreenlet):
            self._confirming.waits = waits
            *replies, held = self._confirming.send(call, commands).replies()
        else:
            *replies, held = self.ask((*commands, *waits))()
        replies = replies[: len(commands)]
        for reply in replies:
            if isinstance(reply, AskError | TryAgainError):  # a MovedError is an AskError
                raise reply
            if isinstance(reply, Exception):
                raise NotReplicated(str(reply))
        if isinstance(held, ResponseError) and "unknown command" in str(held) and len(waits) > 1:
            self._waits = (("WAIT", 1, REPLICA_MS),)  # before Redis 7.2: a replica has it, if not on disk
            return self.waited(commands)
        if isinstance(held, Exception):
            raise NotReplicated(str(held))
        if (held if isinstance(held, int) else min(held)) < 1:
            raise NotReplicated("no replica has confirmed the write in time")
        return replies[:-1]

    def _connection(self) -> Any:
        connection = getattr(self._thread, "connection", None)
        if connection is None:
            # Not `make_connection`: the pool would count those of threads that have ended against its maximum.
            connection = self._thread.connection = self._pool.connection_class(**self._pool.connection_kwargs)
            return connection
        try:
            has_hung_up = connection.can_read()
        except AWAY:
            has_hung_up = True
        if has_hung_up:
            connection.disconnect()
        return connection


def hash_of(reply: Sequence[bytes]) -> dict[str, str]:
    """Returns a hash that is stored in Redis, from a reply with alternating names and values."""
    return {name.decode(): value.decode() for name, value in zip(reply[::2], reply[1::2], strict=True)}


def sound(reply: Any) -> Any:
    """Returns a reply of Redis; None if it means that the data is damaged.

    Raises:
        Unavailable: it means that Redis is away.
    """
    if not isinstance(reply, Exception):
        return reply
    try:
        with away_is_unavailable():
            raise reply
    except ResponseError:
        return None


def _reply_of(connection: Any) -> Any:
    """Reads a reply of Redis; returns a command's refusal instead of raising it: later replies are read too."""
    try:
        return connection.read_response()
    except ResponseError as error:
        return error
