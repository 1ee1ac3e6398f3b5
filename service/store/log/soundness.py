"""Checks what is read of a stored game: that its log is whole and unchanged, by the checksums stored with it.

Every reader uses it, so nothing of a damaged game is taken for whole (decision 053). Each checksum is of a text that
says what is stored where, and of the bytes: what belongs to another game, or to another place of its log, is found too.
They detect damage, not forgery.
"""

import re
from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

from games.errors import Damaged

SUM: Final = "sum"
"""The field of the hash beside a log with the checksum of the secret and the join code, which are nowhere else."""
PACKED: Final = "packed"
"""The field with the checksum of the packed log."""
SUMMARY: Final = "summary"
"""The field with the checksum of the summary. A game has it once its log is packed or archived."""


def checksum_of_entry(game: str, version: int, raw: bytes) -> int:
    """Returns the checksum that is stored with an event of a game's log."""
    return crc32(raw, crc32(b"%b %d" % (game.encode(), version))) >> 1  # Redis keeps 31 bits in fewer bytes than 32


def checksum_of_value(game: str, field: str, raw: bytes) -> int:
    """Returns the checksum of a stored value of a game, which has this field in the hash beside its log."""
    return crc32(raw, crc32(f"{game} {field}".encode())) >> 1


def checksum_of_secrets(game: str, secret: str, join_code: str) -> int:
    """Returns the checksum of a stored game's secret and join code."""
    return checksum_of_value(game, SUM, f"{secret} {join_code}".encode())


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
        if checksum != b"%d" % checksum_of_entry(game, version, event):
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
    if checksum != str(checksum_of_value(game, field, raw)):
        raise Damaged(f"`{field}` has been changed")
    return raw
