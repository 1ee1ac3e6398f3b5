"""Checks the Redis of an installation: whether it answers, takes writes, keeps what it stores, and has room."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from redis.exceptions import AuthenticationError, ResponseError

from games.errors import StoreFull, StoreReadOnly, Unavailable
from games.times import SKEW_MS
from service.inputs.clock import now_ms
from service.store import keys
from service.store.redis.client import AWAY, RedisClient
from service.store.redis.cluster import ClusterClient

NEARLY_FULL: Final = 0.8
"""Share of memory above which operators are warned, early enough to act before Redis is full."""
OLDEST: Final = (6, 2)
"""The oldest supported version."""
PROBE_MS: Final = 60_000

FAULTS: Final = (
    *("away", "full", "read_only", "wrong_kind", "too_old"),
    *("no_replica", "not_persistent", "evicts", "evicted", "not_saved", "nearly_full", "other_clock"),
)
"""The faults of a Redis, by their codes."""
UNUSABLE: Final = ("wrong_kind", "too_old")
"""Faults with which nothing works."""
UNSAFE: Final = ("not_persistent", "evicts")
"""Faults with which games get lost sooner or later."""
OF_QUEUES: Final = ("away", "full", "read_only", "wrong_kind")
"""Faults that matter to the queues, which may lose what they hold."""
AWAY_SAYS: Final = {"away": "does not answer"}

Info = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition of one Redis, or of one primary of a cluster."""

    node: str = ""
    """The address of a cluster's node; "" for a Redis that is not a cluster."""
    faults: Mapping[str, str] = field(default_factory=dict)
    """What is wrong: the code of each fault, and the predicate of a sentence about this Redis."""
    used: int = 0
    """Used memory, in bytes."""
    most: int = 0
    """Its `maxmemory`, in bytes; 0 if it has none."""
    replicas: int = 0
    """Connected replicas."""
    synced: str = ""
    """Its `appendfsync`; "" if it does not tell."""
    ahead_ms: int = 0
    """How far its clock is ahead of that of this process, in milliseconds; less than 0 if it is behind."""

    @property
    def share(self) -> float:
        """Returns the used share of a Redis' memory, from 0 to 1; 0 if there is no bound."""
        return self.used / self.most if self.most else 0.0


def check(client: RedisClient) -> list[Condition]:
    """Returns the condition of a Redis, or of each primary of a cluster. It writes to each."""
    if not isinstance(client, ClusterClient):
        return [_checked("", client, client, keys.probe(0))]
    found: list[Condition] = []
    for anew in (False, True):
        try:
            nodes = client.primaries(anew=anew)
            found = [_checked(name, node, client, _key_on(client, name)) for name, node in nodes.items()]
        except AWAY:
            found = [Condition(faults={"away": "does not answer, or is not a cluster: unset REDIS_CLUSTER"})]
        if not any("away" in one.faults for one in found):
            break  # otherwise a replica may have taken over
    return found


def _key_on(client: ClusterClient, name: str) -> str:
    return next(key for key in map(keys.probe, count()) if client.node_name(key) == name)


def _checked(name: str, node: RedisClient, client: RedisClient, key: str) -> Condition:
    asked = now_ms()
    try:
        reply, synced = node.send_each(("INFO",), ("CONFIG", "GET", "appendfsync"))
    except Unavailable as error:
        refused = isinstance(error.__cause__, AuthenticationError)
        return Condition(name, {"away": "refuses user or password"} if refused else AWAY_SAYS)
    if reply is None:
        return Condition(name, {"wrong_kind": "does not let Billet call INFO: allow its user all commands"})
    info, answered = _values(reply), now_ms()
    faults = _of_kind(info, clustered=bool(name))
    if info.get("loading") == "1":
        return Condition(name, faults or {"away": "is still loading its data"})  # meanwhile it has `aof_enabled:0`
    faults = faults or _of_writes(client, key, info) | _of_settings(info)
    theirs = int(info.get("server_time_usec", 1000 * asked)) // 1000
    ahead = theirs - min(max(theirs, asked), answered)
    faults |= _of_clock(ahead)
    used, most = int(info.get("used_memory", 0)), int(info.get("maxmemory", 0))
    if most and used >= NEARLY_FULL * most and "full" not in faults:
        faults["nearly_full"] = f"uses {100 * used / most:.0f} % of its maxmemory; at 100 % it takes no writes"
    replicas = int(info.get("connected_slaves", 0))
    if client.replicated and not replicas and info.get("role") != "slave":
        faults["no_replica"] = "has no replica: with DURABILITY=replicated nothing that changes is answered"
    return Condition(name, faults, used, most, replicas, synced[1].decode() if synced else "", ahead)


def _values(reply: object) -> Info:
    text = reply.decode() if isinstance(reply, bytes) else str(reply)
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _of_kind(info: Info, *, clustered: bool) -> dict[str, str]:
    mode = info.get("redis_mode") or info.get("server_mode")
    if mode == "sentinel":
        return {
            "wrong_kind": "is a Sentinel, which holds no games: set REDIS_URL to an address that leads to its primary"
        }
    if mode == "cluster" and not clustered:
        return {"wrong_kind": "is a node of a cluster: set REDIS_CLUSTER=1 and QUEUE_REDIS_URL"}
    version = re.match(r"(\d+)\.(\d+)", text := info.get("redis_version", ""))
    if version is not None and tuple(map(int, version.groups())) < OLDEST:
        return {"too_old": f"is version {text}; Billet needs 6.2 or newer"}
    return {}


def _of_writes(client: RedisClient, key: str, info: Info) -> dict[str, str]:
    try:
        client.send(("SET", key, 1, "PX", PROBE_MS))
    except StoreFull:
        return {"full": "is full and takes no writes: give it more memory, or archive games"}
    except StoreReadOnly:
        return {"read_only": f"is read-only: {_why_read_only(info)}"}
    except Unavailable:
        return dict(AWAY_SAYS)
    except ResponseError:
        return {"wrong_kind": "does not let Billet write: allow its user all commands on the keys billet:* and rq:*"}
    return {}


def _why_read_only(info: Info) -> str:
    if info.get("role") == "slave":
        return "it is a replica"
    if "min_slaves_good_slaves" in info:
        return "it has fewer replicas than min-replicas-to-write"
    return "it cannot write to its disk"


def _of_settings(info: Info) -> dict[str, str]:
    faults = {}
    if info.get("aof_enabled", "1") == "0":
        faults["not_persistent"] = "loses games when it stops (appendonly no): set appendonly yes"
    if (policy := info.get("maxmemory_policy", "noeviction")) != "noeviction":
        faults["evicts"] = f"deletes games when its memory runs out (maxmemory-policy {policy}): set noeviction"
    if gone := int(info.get("evicted_keys", 0)):
        faults["evicted"] = f"has deleted {gone} keys to free memory since it started: games may be lost"
    if info.get("aof_enabled") == "1" and info.get("aof_last_write_status", "ok") != "ok":
        faults["not_saved"] = "cannot write its append-only file"
    return faults


def _of_clock(ahead: int) -> dict[str, str]:
    if abs(ahead) <= SKEW_MS:
        return {}
    which = "ahead of" if ahead > 0 else "behind"
    return {"other_clock": f"has a clock {abs(ahead) / 1000:.0f} s {which} that of this machine: keep clocks in sync"}
