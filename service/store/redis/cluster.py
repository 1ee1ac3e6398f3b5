"""Talks to a Redis Cluster: sends each command to the node that holds its key.

redis-py tracks which node holds which slots. Its own cluster client is not used for the rest, for the reasons given at
`RedisClient`, and because a script that must follow other commands cannot share its pipelines.
"""

import random
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    MovedError,
    RedisClusterException,
    TryAgainError,
)
from redis.retry import Retry

from games.errors import Unavailable
from service.store.redis.client import (
    ANSWER_SECONDS,
    AWAY,
    CONNECT_SECONDS,
    CONNECTIONS,
    Command,
    RedisClient,
    away_is_unavailable,
    connect,
    sound,
)
from service.store.redis.greenlets import in_thread, pause
from service.store.scripts import Script

ATTEMPTS = 20
"""How often a command is sent until a node takes it. Each attempt but the last was redirected."""
TRY_AGAIN_SECONDS = 0.1
"""How long to wait while a slot is moving and its keys are on two nodes; a move takes longer the larger its keys."""

_KEY_AT = {"EVALSHA": 3, "EVAL": 3, "XREAD": 6}
"""Position of a command's first key, where it does not directly follow the name."""
_REFUSALS = (AskError, TryAgainError)  # MovedError is an AskError. A node that answers so has executed nothing.


class Cluster:
    """The nodes of a cluster and their slots, which are read on first use.

    Its calls raise RedisClusterException if no node answers, or none holds the slot.
    """

    def __init__(self, url: str) -> None:
        """`url` names any node of the Redis Cluster. Once it has answered, the others are known too."""
        self._url = url
        self._client: RedisCluster | None = None
        self._refreshing = threading.Lock()
        self._refreshed = 0

    def client(self) -> RedisCluster:
        """Returns redis-py's client for the Redis Cluster."""
        if self._client is None:
            self.refresh()
        assert self._client is not None
        return self._client

    def refresh(self) -> None:
        """Reads again which node of the cluster holds which slots, once for all calls that ask at the same time."""
        in_thread(partial(self._refresh, self._refreshed))

    def _refresh(self, seen: int) -> None:
        with self._refreshing:
            if seen != self._refreshed:
                return
            try:
                if self._client is None:
                    raise RedisClusterException("no node is known")
                self._client.nodes_manager.initialize()
            except RedisClusterException:
                # None of the known nodes is left. The address may lead to another one by now.
                self._client = self._connected()
            self._refreshed += 1

    def node_of(self, key: str) -> ClusterNode:
        """Returns the node of the Redis Cluster that is known to hold a key's slot."""
        slot = key_slot(key.encode())
        try:
            # The primary; `get_node_from_slot` takes ten times as long to look whether it was called by an old name.
            return self.client().nodes_manager.slots_cache[slot][0]
        except LookupError:
            self.refresh()
            return self.client().nodes_manager.get_node_from_slot(slot)

    def node_at(self, host: str, port: int) -> ClusterNode:
        """Returns the node of the Redis Cluster at an address that another node has given."""
        client: Any = self.client()
        return client.get_node(host, port) or ClusterNode(host, port)  # type: ignore[no-untyped-call]  # redis-py's

    def _connected(self) -> RedisCluster:
        return RedisCluster.from_url(
            self._url,
            protocol=2,
            max_connections=CONNECTIONS,
            socket_connect_timeout=CONNECT_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
            require_full_coverage=False,  # the rest of a broken cluster keeps working
        )


class ClusterClient(RedisClient):
    """An `RedisClient` for keys on any node of a cluster.

    The nodes work on a call at the same time, each in one round trip, and each in the order of its commands. Only
    commands that were refused because their slot has moved are sent again.

    `primaries`, `node_name` and `listening` raise RedisClusterException if no node answers.
    """

    is_single = False

    def __init__(self, cluster: Cluster, *, replicated: bool = False) -> None:
        self.replicated = replicated
        self._cluster = cluster
        self._nodes: dict[str, _Node] = {}
        self._away: set[str] = set()

    def leave_loop(self) -> None:
        """Closes the connections to Redis of the event loop that runs this. The loop calls it before it ends."""
        for node in self._nodes.values():
            node.client.leave_loop()

    def send(self, *commands: Command) -> list[Any]:
        """Sends commands to the cluster's nodes and returns their replies, in the order of the commands.

        Raises:
            Unavailable: a node cannot be reached, and it is unknown which of the commands were executed.
            ResponseError: a node refused a command; the others were executed.
        """
        with away_is_unavailable():
            replies = self._replies(commands)
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        return replies

    def send_each(self, *commands: Command) -> list[Any]:
        """Sends commands to the cluster's nodes and returns their replies, None for each unavailable or refused."""
        return [_available(reply) for reply in self._replies(commands)]

    def run(self, script: Script, keys: Sequence[str], arguments: Sequence[Any], before: Sequence[Command] = ()) -> Any:
        """Runs a script of Redis after some commands have been executed, on any nodes; returns the script's reply."""
        if before:
            self.send(*before)
        return super().run(script, keys, arguments)

    def run_between(
        self, before: Sequence[Command], script: Script, keys: Sequence[str], after: Sequence[Command]
    ) -> list[Any]:
        """Runs a script of Redis after some commands, on any nodes, and then others; returns the replies to all.

        The others take another round trip: while a slot is moving, they could overtake the script.
        """
        replies = super().run_between(before, script, keys, ())
        return [*replies, *self.send(*after)] if after else replies

    def primaries(self, *, anew: bool = False) -> dict[str, RedisClient]:
        """Returns a client of each primary of the cluster, by its address; `anew` asks which ones they are."""
        if anew:
            self._cluster.refresh()
        client: Any = self._cluster.client()
        return {node.name: self._known(node).client for node in client.get_primaries()}

    def node_name(self, key: str) -> str:
        """Returns the address of the primary that is known to hold a key of Redis."""
        return str(self._cluster.node_of(key).name)

    def _pool_to_hear(self) -> redis.ConnectionPool:
        """Returns the pool of any node, another one each time: all nodes hear everything."""
        self._cluster.refresh()
        client: Any = self._cluster.client()
        return self._known(random.choice(client.get_nodes())).client._pool

    def _node_with(self, key: str) -> RedisClient:
        return self._node_of(("GET", key)).client

    def _look_again(self) -> None:
        self._cluster.refresh()

    def _replies(self, commands: Sequence[Command]) -> list[Any]:
        """Sends commands to the cluster's nodes and returns a reply or an error for each."""
        replies: list[Any] = [None] * len(commands)
        pending: dict[int, _Errand] = {}
        for place, command in enumerate(commands):
            try:
                pending[place] = _Errand(command, self._node_of(command))
            except AWAY as error:
                replies[place] = error
        for _ in range(ATTEMPTS):
            for place, reply in zip(pending, self._round(list(pending.values())), strict=True):
                replies[place] = reply
            refused = {place: errand for place, errand in pending.items() if isinstance(replies[place], _REFUSALS)}
            if not refused:
                return replies
            pending = self._elsewhere(refused, replies)
        for place in pending:
            replies[place] = Unavailable("the cluster is moving a slot, and no node serves it")
        return replies

    def _node_of(self, command: Command) -> "_Node":
        key = command[_KEY_AT.get(command[0], 1)]
        node = self._cluster.node_of(key)
        if node.name in self._away:
            self._cluster.refresh()
            self._away.discard(node.name)
            node = self._cluster.node_of(key)
        return self._known(node)

    def _known(self, node: ClusterNode) -> "_Node":
        known = self._nodes.get(node.name)
        if known is None:
            client = self._cluster.client().get_redis_connection(node)
            known = self._nodes.setdefault(node.name, _Node(node.name, node.host, RedisClient(client)))
        return known

    def _elsewhere(self, refused: "dict[int, _Errand]", replies: list[Any]) -> "dict[int, _Errand]":
        """Returns to which nodes to send refused commands next. If one cannot be sent, its reply is the reason."""
        reasons = {type(replies[place]) for place in refused}
        if TryAgainError in reasons:
            pause(TRY_AGAIN_SECONDS)
        pending = {}
        try:
            if MovedError in reasons:
                self._cluster.refresh()
            for place, (command, node, _) in refused.items():
                reason = replies[place]
                if isinstance(reason, TryAgainError):
                    pending[place] = _Errand(command, self._node_of(command))
                else:
                    # The node asked for the slots may not know of the move yet; this one does.
                    target = self._cluster.node_at(reason.host or node.host, reason.port)
                    asking = not isinstance(reason, MovedError)
                    pending[place] = _Errand(command, self._known(target), asking)
        except AWAY as error:
            for place in refused.keys() - pending.keys():
                replies[place] = error
        return pending

    def _round(self, errands: "Sequence[_Errand]") -> list[Any]:
        """Sends each command to its Redis node, in one round trip, and returns a reply or an error for each."""
        by_node: dict[_Node, list[int]] = {}
        for place, errand in enumerate(errands):
            by_node.setdefault(errand.node, []).append(place)
        replies: list[Any] = [None] * len(errands)
        pending: dict[_Node, Callable[[], list[Any]]] = {}
        try:
            for node, places in by_node.items():
                try:
                    pending[node] = node.client.ask([words for place in places for words in errands[place].words()])
                except AWAY as error:
                    self._is_away(node, error, places, replies)
            for node in [*pending]:
                try:
                    received = iter(pending[node]())
                    for place in by_node[node]:
                        replies[place] = [next(received) for _ in errands[place].words()][-1]
                except AWAY as error:
                    self._is_away(node, error, by_node[node], replies)
                del pending[node]
        except BaseException:
            for node in pending:
                node.client.hang_up()
            raise
        return replies

    def _is_away(self, node: "_Node", error: Exception, places: list[int], replies: list[Any]) -> None:
        """Records that a Redis node is away; the next caller that needs it asks for the new primary of its slots."""
        self._away.add(node.name)
        for place in places:
            replies[place] = error


def client_at(url: str, clustered: int, *, replicated: bool = False) -> RedisClient:
    """Returns a client of the Redis at an address, or of its cluster if `clustered` is 1; connects on first use.

    Its `confirm` waits for a replica, and needs `replicated`.
    """
    if clustered:
        return ClusterClient(Cluster(url), replicated=replicated)
    return RedisClient(connect(url), replicated=replicated)


def nodes_of(client: RedisClient) -> list[RedisClient]:
    """Returns a client of each node of Redis that holds keys, in a fixed order.

    Raises:
        Unavailable: the cluster cannot be reached.
    """
    if not isinstance(client, ClusterClient):
        return [client]
    with away_is_unavailable():
        return [node for _, node in sorted(client.primaries().items())]


class _Node(NamedTuple):
    """A node of the cluster."""

    name: str
    host: str
    client: RedisClient


class _Errand(NamedTuple):
    """A command and its target node; `asking` makes a node answer for a slot that it is about to take over."""

    command: Command
    node: _Node
    asking: bool = False

    def words(self) -> list[Command]:
        return [("ASKING",), self.command] if self.asking else [self.command]


def _available(reply: Any) -> Any:
    """Returns a reply of Redis; None if it means that Redis is away or that the data is damaged."""
    try:
        return sound(reply)
    except Unavailable:
        return None
