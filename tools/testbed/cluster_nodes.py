"""A real cluster of nodes for tests, whose slots can be moved and whose nodes can be killed and started again."""

import contextlib
import signal
import socket
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.retry import Retry

from billet.redis.binary import find_redis
from tools.testbed.installation import free_port
from tools.testbed.waiting import wait_until

SLOTS = 16384
BUS = 10_000
"""How much higher the port is on which the nodes talk to one another."""
PATIENT_MS = 15_000
"""How long a node may be silent: after half of it others break their links to it, and lose what they would publish."""


def free_ports() -> int:
    """Returns a port that is free, and so is the one for talking to other nodes."""
    while True:
        port = free_port()
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port + BUS)):
            return port


class Process:
    """A Redis server's process, with what it needs to be started again; `client` connects to it."""

    def __init__(self, port: int, options: Any) -> None:
        self.port = port
        self.url = f"redis://127.0.0.1:{port}"
        self.client: Any = redis.Redis(port=port, retry=Retry(NoBackoff(), 0))
        options = {"port": port, "bind": "127.0.0.1", "loglevel": "warning"} | options
        self._command: list[Any] = [
            find_redis(),
            *(word for name, value in options.items() for word in (f"--{name}", *words(value))),
        ]
        self.start()

    def start(self) -> None:
        """Starts, with the data of the last time."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        try:
            wait_until(self._answers)
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """Ends at once."""
        self._process.kill()
        self._process.wait(100)
        self.client.close()

    def freeze(self) -> None:
        """Stops for now; who has connected waits for answers."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Goes on."""
        self._process.send_signal(signal.SIGCONT)

    def follows(self) -> bool:
        """Returns whether it is a replica that has all data of its primary."""
        return bool(self.client.info("replication").get("master_link_status") == "up")

    def _answers(self) -> bool:
        with contextlib.suppress(redis.ConnectionError):
            return bool(self.client.ping())
        return False


def words(value: object) -> tuple[str, ...]:
    """Returns the words of an option: one, or several that are given as a tuple."""
    return value if isinstance(value, tuple) else (str(value),)


class Node(Process):
    """One node, by itself until it meets others."""

    def __init__(self, folder: Path, **more: Any) -> None:
        folder.mkdir(exist_ok=True)
        options = {"dir": folder, "save": "", "appendonly": "yes", "appendfsync": "no", "cluster-enabled": "yes"}
        options |= {"cluster-node-timeout": PATIENT_MS, "cluster-require-full-coverage": "no"}
        super().__init__(free_ports(), options | more)
        self.id = self.client.execute_command("CLUSTER MYID").decode()

    def holds(self, slot: int) -> bool:
        """Returns whether the node takes a slot for its own."""
        return any(first <= slot <= last and port == self.port for first, last, port in self.ranges())

    def is_linked_to(self, nodes: Iterable["Node"]) -> bool:
        """Returns whether all of some nodes, or itself, get what is published here."""
        linked = {one["node_id"] for one in self.client.execute_command("CLUSTER NODES").values() if one["connected"]}
        return {node.id for node in nodes} <= linked

    def ranges(self) -> list[tuple[int, int, int]]:
        """Returns which node the node takes for the owner of which slots: the first, the last, and the port."""
        return sorted(
            (first, last, owner[1]) for first, last, owner, *_ in self.client.execute_command("CLUSTER SLOTS")
        )

    def slots(self) -> dict[int, int]:
        """Returns which node the node takes for the owner of each slot, by port."""
        return {slot: port for first, last, port in self.ranges() for slot in range(first, last + 1)}


class NodeCluster:
    """A cluster whose first node holds what is not a game's or a player's: the lists and the sweepers' entries."""

    def __init__(self, nodes: Sequence[Node], shared_keys: Iterable[str] = ()) -> None:
        self.nodes = nodes
        self.url = nodes[0].url
        shared = {key_slot(key.encode()) for key in shared_keys}
        owned = [set(range(SLOTS * i // len(nodes), SLOTS * (i + 1) // len(nodes))) for i in range(len(nodes))]
        for i, (node, slots) in enumerate(zip(nodes, owned, strict=True)):
            slots = slots | shared if i == 0 else slots - shared
            node.client.execute_command("CLUSTER SET-CONFIG-EPOCH", i + 1)
            node.client.execute_command("CLUSTER ADDSLOTS", *slots)
        for node in nodes[1:]:
            node.client.execute_command("CLUSTER MEET", "127.0.0.1", nodes[0].port)
        wait_until(self.agrees)

    def agrees(self) -> bool:
        """Returns whether all nodes are up, are linked to one another and know the same owner for every slot."""
        known = [node.ranges() for node in self.nodes]
        if not all(node.is_linked_to(self.nodes) for node in self.nodes):
            return False
        states = {node.client.execute_command("CLUSTER INFO")["cluster_state"] for node in self.nodes}
        held = sum(last - first + 1 for first, last, _ in known[0])
        return held == SLOTS and all(ranges == known[0] for ranges in known) and states == {"ok"}

    def flush(self) -> None:
        """Empties all nodes."""
        for node in self.nodes:
            node.client.flushall()

    def node_of(self, key: str) -> Node:
        """Returns the node that holds a key and knows it; others may hear of it later, or of a move before the last."""
        slot = key_slot(key.encode())
        return next(node for node in self.nodes if node.holds(slot))

    def begin_move(self, key: str, target: Node) -> None:
        """Begins to move a key's slot; what is in it stays where it is."""
        slot, source = key_slot(key.encode()), self.node_of(key)
        target.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", source.id)
        source.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", target.id)

    def move_keys(self, key: str, target: Node, most: int = 1000) -> int:
        """Moves keys of a slot that is being moved, and returns how many."""
        source = self.node_of(key)
        names = source.client.execute_command("CLUSTER GETKEYSINSLOT", key_slot(key.encode()), most)
        if names:
            source.client.execute_command("MIGRATE", "127.0.0.1", target.port, "", 0, 100_000, "KEYS", *names)
        return len(names)

    def end_move(self, key: str, target: Node, tell: bool = True) -> None:
        """Gives the slot to its new node; without `tell` the nodes that have no part in it are left to hear of it."""
        slot, source = key_slot(key.encode()), self.node_of(key)
        others = [node for node in self.nodes if node not in (source, target)] if tell else []
        for node in [target, source, *others]:
            node.client.execute_command("CLUSTER SETSLOT", slot, "NODE", target.id)

    def move(self, key: str, target: Node) -> None:
        """Moves a key's slot with all that is in it."""
        self.begin_move(key, target)
        while self.move_keys(key, target):
            pass
        self.end_move(key, target)


@contextlib.contextmanager
def running(folder: Path, count: int, shared_keys: Iterable[str] = ()) -> Iterator[NodeCluster]:
    """Runs a cluster of so many nodes."""
    nodes: list[Node] = []
    try:
        for i in range(count):
            nodes.append(Node(folder / str(i)))
        yield NodeCluster(nodes, shared_keys)
    finally:
        for node in nodes:
            node.kill()
