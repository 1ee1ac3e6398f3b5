"""A Redis and its replica for tests, either of which can be killed, frozen, started again and promoted."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import redis

from billet.redis.embedded import DURABLE
from tools.testbed.cluster_nodes import Process
from tools.testbed.installation import free_port
from tools.testbed.waiting import wait_until


class Server(Process):
    """One Redis, with the settings that `docs/redis.md` advises."""

    def __init__(self, folder: Path, **more: Any) -> None:
        folder.mkdir(exist_ok=True)
        options = {"dir": folder, "repl-diskless-sync-delay": 0, "repl-timeout": 600}
        super().__init__(free_port(), DURABLE | options | more)

    def follow(self, port: int) -> None:
        """Becomes the replica of the primary at a port, and returns when it has all of its data."""
        self.client.replicaof("127.0.0.1", port)
        wait_until(self.follows)

    def promote(self) -> None:
        """Becomes a primary."""
        self.client.replicaof("NO", "ONE")

    def knows_waitaof(self) -> bool:
        """Returns whether it can wait for the disk of a replica, as Redis can since 7.2."""
        try:
            return bool(self.client.execute_command("WAITAOF", 0, 0, 1))
        except redis.ResponseError:
            return False


@contextlib.contextmanager
def running_pair(folder: Path, **options: Any) -> Iterator[tuple[Server, Server]]:
    """Runs a primary, which may have options of its own, and its replica."""
    with contextlib.ExitStack() as stack:
        primary = Server(folder / "primary", **options)
        stack.callback(primary.kill)
        replica = Server(folder / "replica")
        stack.callback(replica.kill)
        replica.follow(primary.port)
        yield primary, replica
