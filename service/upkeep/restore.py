"""Writes a backup into a Redis without games, and rebuilds what a backup leaves out."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from service.settings import Settings
from service.store import keys
from service.store.damaged import leaving_out
from service.store.exchange.connection import Command, away_is_unavailable
from service.store.log.answers import Kept
from service.upkeep.backup import BackupError, SavedKey, contents
from service.upkeep.rebuild import RedisClient, games_in, opened, rebuild

VALUES: Final = 1000
"""The most fields or members in one command; an even number, because fields come in pairs."""
ANSWERS: Final = keys.answer("*", "*", "*")


def restore(settings: Settings, path: Path) -> Counter[str]:
    """Restores a backup, after reading the whole file once; returns the numbers of keys restored and left out.

    Games that were damaged in the backup stay so; their number is returned, too, and the lists lack them.

    If it is broken off, restoring the same file again finishes it.

    Raises:
        BackupError: the file is no whole backup, or the Redis holds games or players. Nothing was written.
        OSError: the file cannot be read.
        Unavailable: Redis cannot be reached.
    """
    for _ in contents(path):
        pass
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    counts: Counter[str] = Counter({"keys": 0, "damaged": 0, "left out": 0})
    with away_is_unavailable():
        client, _ = opened(settings)
        _begin_restoring(client, digest)
        for line in contents(path):
            pipeline: Any = client.pipeline(transaction=False)
            for saved in line:
                if _is_too_new(client, saved):
                    counts["left out"] += 1
                    continue
                for command in _restoring_commands(saved):
                    pipeline.execute_command(*command)
                counts["keys"] += 1
            pipeline.execute()
        counts["damaged"] = rebuild(settings)["damaged"]
        client.delete(keys.RESTORING)
    return counts


def _begin_restoring(client: RedisClient, digest: str) -> None:
    """Marks the Redis as one into which a backup is being restored."""
    begun: Any = client.get(keys.RESTORING)
    if begun is None and (_has_any(games_in(client)) or _has_any(client.scan_iter(match=keys.player("*"), count=1000))):
        raise BackupError("this Redis holds games or players: restore into one that is empty")
    if begun is not None and begun.decode() != digest:
        raise BackupError("another backup was being restored into this Redis: restore that one, or empty the Redis")
    client.set(keys.RESTORING, digest)


def _has_any(found: Iterator[Any]) -> bool:
    return next(found, None) is not None


def _is_too_new(client: RedisClient, saved: SavedKey) -> bool:
    """Returns whether a key of a backup holds the answer to an action that the restored game has not seen.

    Nobody can say what a damaged game has seen: its answers count as such.
    """
    if not fnmatchcase(saved.name, ANSWERS):
        return False
    game = keys.game_of(saved.name)
    with leaving_out(game, "the restored answers"), away_is_unavailable():
        kept = Kept.read(_restored_bytes(saved.held))
        head: Any = client.hget(keys.meta(game), "head")
        if head is None or kept is None or kept.answer.tag is None:
            return head is None
        return int(kept.answer.tag.split("-")[0]) > int(head.split(b":")[0])
    return True


def _restoring_commands(saved: SavedKey) -> Iterator[Command]:
    """Yields the commands that restore a key, whatever a restore before has left of it."""
    name, kind, ends, held = saved
    yield "DEL", name
    match kind:
        case "string":
            yield "SET", name, _restored_bytes(held)
        case "hash":
            yield from _restoring_command_in_parts("HSET", name, held)
        case "list":
            yield from _restoring_command_in_parts("RPUSH", name, held)
        case "zset":
            turned = [one for member, score in zip(held[::2], held[1::2], strict=True) for one in (score, member)]
            yield from _restoring_command_in_parts("ZADD", name, turned)
        case "stream":
            for entry, fields in held:
                yield "XADD", name, entry, *map(_restored_bytes, fields)
    if ends is not None:
        yield "PEXPIREAT", name, ends


def _restoring_command_in_parts(command: str, name: str, values: list[str]) -> Iterator[Command]:
    for begin in range(0, len(values), VALUES):
        yield command, name, *map(_restored_bytes, values[begin : begin + VALUES])


def _restored_bytes(text: str) -> bytes:
    return text.encode("latin-1")
