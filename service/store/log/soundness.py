"""Checks what is read of a stored game: that its log is whole and unchanged, and that the hash beside it says the same.

Every reader uses it, so nothing of a damaged game is taken for whole (decision 053). Each check raises `Damaged`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.shuffle import commitment
from games.errors import Damaged
from games.snapshot import Snapshot
from service.store.log import checksums
from service.store.log.meta import WHILE_RUNNING, meta_of

_HEAD: Final = re.compile(r"([1-9][0-9]*):[0-9a-f]{8}")
_FIELDS: Final = (b"e", b"c")
"""The fields of an entry: the event, and its checksum."""


def sound_events(game: str, raw: Sequence[Any], first: int) -> list[tuple[int, bytes]]:
    """Returns consecutive stored events of a game with their versions, from the entries of its log since `first`.

    Raises:
        Damaged: an event is missing, doubled or changed.
    """
    found = []
    for version, (entry_id, fields) in enumerate(raw, first):
        if entry_id != b"%d-0" % version:
            raise Damaged(f"event {version} is missing, or another one is doubled")
        if len(fields) != 4 or (fields[0], fields[2]) != _FIELDS:
            raise Damaged(f"event {version} has been changed")
        event, checksum = fields[1], fields[3]
        if checksum != b"%d" % checksums.of_entry(game, version, event):
            raise Damaged(f"event {version} has been changed")
        found.append((version, event))
    return found


def check_length(found: int, wanted: int) -> None:
    """Checks that a log is as long as the head beside it says.

    Raises:
        Damaged: it is not.
    """
    if found < wanted:
        raise Damaged(f"event {found + 1} is missing")
    if found > wanted:
        raise Damaged(f"event {wanted + 1} is one too many, or the head beside the log is an older one")


def version_of_head(head: str | None) -> int:
    """Returns the version of the log to which a stored game's head belongs.

    Raises:
        Damaged: there is no head, or it is none.
    """
    found = _HEAD.fullmatch(head) if head is not None else None
    if found is None:
        raise Damaged("the hash beside its log has no head")
    return int(found[1])


def sound_value(game: str, field: str, raw: bytes | None, checksum: str | None) -> bytes:
    """Returns the packed log or the summary of a stored game.

    Raises:
        Damaged: it is missing, or has been changed.
    """
    if raw is None or checksum is None:
        raise Damaged(f"`{field}` or its checksum is missing")
    if checksum != str(checksums.of_value(game, field, raw)):
        raise Damaged(f"`{field}` has been changed")
    return raw


def check_meta(game: str, meta: Mapping[str, str], snapshot: Snapshot) -> None:
    """Checks that the hash beside a log says what follows from the log.

    Raises:
        Damaged: it does not, or the log is that of another game.
    """
    if snapshot.id != game:
        raise Damaged("its log is that of another game")
    if commitment(snapshot.secret) != snapshot.table.commitment:
        raise Damaged("the secret beside its log is another one")
    is_replaced = checksums.SUMMARY in meta
    for name, value in meta_of(snapshot).items():
        if meta.get(name) != str(value) and not (is_replaced and name in WHILE_RUNNING):
            raise Damaged(f"`{name}` beside its log is wrong")
    for name in ("tell", "told"):
        if not meta.get(name, "0").isdecimal():  # after a failover, `told` may be of a version that was lost
            raise Damaged(f"`{name}` beside its log is wrong")
