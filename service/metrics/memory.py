"""Reads how much of its allowed memory Redis uses, and whether that is nearly all."""

from typing import Final, NamedTuple

from service.store.cluster import ClusterExchange
from service.store.connection import Exchange

NEARLY_FULL: Final = 0.8
"""Share of memory above which operators are warned, early enough to act before Redis is full."""


class Memory(NamedTuple):
    """The memory of a Redis in bytes."""

    used: int = 0
    most: int = 0
    """Its `maxmemory`; 0 if it has none or is a cluster, whose nodes have their own."""

    @property
    def share(self) -> float:
        """Returns the used share, from 0 to 1; 0 if there is no bound."""
        return self.used / self.most if self.most else 0.0

    @property
    def nearly_full(self) -> bool:
        """Returns whether operators should act."""
        return self.share >= NEARLY_FULL


UNBOUNDED: Final = Memory()
"""The memory of a Redis that cannot be asked."""


def read_memory(exchange: Exchange) -> Memory:
    """Returns the memory of a Redis that is not a cluster.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    if isinstance(exchange, ClusterExchange):
        return UNBOUNDED
    said = exchange.send(("INFO", "memory"))[0]
    text = said.decode() if isinstance(said, bytes) else str(said)
    values = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return Memory(int(values["used_memory"]), int(values.get("maxmemory", 0)))
