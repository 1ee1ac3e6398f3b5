"""Copies into a file, while games go on, what an installation cannot make again.

Each line holds a game or a player, read at one moment, or a single key. Games come first: what follows may be newer
than a game, never older. A kept answer may so belong to an action that the game has not seen; `restore` leaves it out.
"""

import gzip
import hashlib
import os
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from service.inputs.clock import now_ms
from service.settings import Settings
from service.store import keys
from service.store.exchange.connection import away_is_unavailable
from service.store.scripts import COPY
from service.upkeep.rebuild import RedisClient, opened

FORMAT: Final = "billet-backup-1"
ALONE: Final = (
    keys.answer("*", "*", "*"),
    keys.idle_calls("*", "*"),
    keys.used("*", "*"),
    keys.grant("*", "*"),
    keys.SECRET,
    keys.FORM,
    keys.ARCHIVE,
    keys.MEASURED,
)
"""What is copied key by key. Other keys are rebuilt from the logs, or come back by themselves."""


class BackupError(Exception):
    """A backup cannot be read, or not be restored here. The text says why."""


class SavedKey(NamedTuple):
    """A key: its type, when it ends in milliseconds since 1970, and what Redis returns of it."""

    name: str
    kind: str
    ends: int | None
    held: Any


def backup(settings: Settings, path: Path) -> Counter[str]:
    """Writes a backup to a file that must not exist and appears when it is whole; returns what it holds, counted.

    Raises:
        OSError: the file exists, or cannot be written.
        Unavailable: Redis cannot be reached.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            with gzip.GzipFile(path.name, "wb", fileobj=file) as packed, away_is_unavailable():
                counts = _write_backup(opened(settings)[0], packed)
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)  # unlike renaming, this overwrites nothing
    finally:
        part.unlink(missing_ok=True)
    return counts


def contents(path: Path) -> Iterator[list[SavedKey]]:
    """Yields the lines of a backup file.

    Raises:
        BackupError: it is no backup, damaged or cut off. Lines that were yielded before may be wrong.
    """
    digest = hashlib.sha256()
    try:
        with gzip.open(path) as packed:
            if orjson.loads(beginning := packed.readline())["format"] == FORMAT:
                digest.update(beginning)
                for line in packed:
                    said = orjson.loads(line)
                    if "sha256" in said:
                        if said["sha256"] == digest.hexdigest() and not packed.read(1):
                            return
                        break
                    digest.update(line)
                    yield [SavedKey(*one) for one in said["keys"]]
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError) as error:
        raise BackupError(f"{path} is not a whole backup: {error}") from error
    raise BackupError(f"{path} is not a whole backup")


def of_game(game: str) -> list[str]:
    """Returns the keys of a game that a backup copies at one moment."""
    return [keys.meta(game), keys.log(game), keys.packed(game), keys.summary(game)]


def of_player(player: str) -> list[str]:
    """Returns the keys of a player that a backup copies at one moment."""
    more = (keys.notices, keys.approaches, keys.blocked, keys.asked_for)
    return [keys.player(player), *(name(player) for name in more)]


def _write_backup(client: RedisClient, packed: gzip.GzipFile) -> Counter[str]:
    digest = hashlib.sha256()
    counts = Counter(games=0, players=0, others=0)

    def put(said: dict[str, Any]) -> None:
        line = orjson.dumps(said) + b"\n"
        digest.update(line)
        packed.write(line)

    put({"format": FORMAT, "at": now_ms()})
    for what, names in _names_to_back_up(client):
        if found := _backed_up(client, names):
            counts[what] += 1
            put({"keys": [list(one) for one in found]})
    put({"sha256": digest.hexdigest()})
    return counts


def _names_to_back_up(client: RedisClient) -> Iterator[tuple[str, list[str]]]:
    """Yields the names of keys that a backup copies at one moment, and what they are."""
    for raw in client.scan_iter(match=keys.meta("*"), count=1000):
        yield "games", of_game(keys.game_of(raw.decode()))
    before = keys.player("")
    for raw in client.scan_iter(match=keys.player("*"), count=1000, _type="hash"):
        yield "players", of_player(raw.decode().removeprefix(before))
    for raw in client.scan_iter(match="billet:*", count=1000):
        name = raw.decode()
        if any(fnmatchcase(name, pattern) for pattern in ALONE):
            yield "others", [name]


def _backed_up(client: RedisClient, names: Sequence[str]) -> list[SavedKey]:
    now = now_ms()
    read = client.eval(COPY.text, len(names), *names)
    found = zip(names, read, strict=True)
    return [
        SavedKey(name, kind.decode(), now + left if left >= 0 else None, _backed_up_text(held))
        for name, (kind, left, held) in found
        if kind != b"none"
    ]


def _backed_up_text(held: Any) -> Any:
    # Each byte becomes the character of its number, so that JSON can hold whatever Redis holds.
    return held.decode("latin-1") if isinstance(held, bytes) else [_backed_up_text(one) for one in held]
