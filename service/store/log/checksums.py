"""Computes the checksums that are stored with a game, by which every reader finds what has been changed (decision 053).

Each is of a text that says what is stored where, and of the bytes: what belongs to another game, or to another place of
its log, is found too. They detect damage, not forgery.
"""

from typing import Final
from zlib import crc32

SUM: Final = "sum"
"""The field of the hash beside a log with the checksum of the secret and the join code, which are nowhere else."""
PACKED: Final = "packed"
"""The field with the checksum of the packed log."""
SUMMARY: Final = "summary"
"""The field with the checksum of the summary. A game has it once its log is packed or archived."""


def of_entry(game: str, version: int, raw: bytes) -> int:
    """Returns the checksum that is stored with an event of a game's log."""
    return crc32(raw, crc32(b"%b %d" % (game.encode(), version))) >> 1  # Redis keeps 31 bits in fewer bytes than 32


def of_value(game: str, field: str, raw: bytes) -> int:
    """Returns the checksum of a stored value of a game, which has this field in the hash beside its log."""
    return crc32(raw, crc32(f"{game} {field}".encode())) >> 1


def of_secrets(game: str, secret: str, join_code: str) -> int:
    """Returns the checksum of a stored game's secret and join code."""
    return of_value(game, SUM, f"{secret} {join_code}".encode())
