"""Proves that the archive is that of the installation: its marker file and Redis name the same one.

Without it, a disk that is not mounted would look like an empty archive, and games would leave Redis for it.
"""

import secrets

from service.store import keys
from service.store.archive import Archive, Garbled
from service.store.redis.client import RedisClient
from service.store.scripts import NAME_ARCHIVE


class NotProven(Exception):
    """What ARCHIVE_URL names is not the archive of this installation; the text says why."""


def prove(redis: RedisClient, archive: Archive) -> None:
    """Checks by its marker that the archive is the installation's; writes the marker the first time.

    Raises:
        NotProven: the marker is missing, or names another archive.
        Unavailable: Redis cannot be reached.
        Exception: whatever the store raises.
    """
    wanted, written = _named(redis)
    if written:
        _compare(wanted, archive.marked())
        return
    wanted = wanted or redis.run(NAME_ARCHIVE, [keys.ARCHIVE], [secrets.token_hex(16), ""])[0].decode()
    try:
        found = archive.marked()
    except Garbled:
        found = None  # nobody has finished writing it
    if found is None:
        archive.mark(wanted)
        found = archive.marked()
    _compare(wanted, found)
    redis.run(NAME_ARCHIVE, [keys.ARCHIVE], [wanted, "1"])


def look(redis: RedisClient, archive: Archive) -> None:
    """Checks the archive's marker as `prove` does, if one was ever written, and writes nothing.

    Raises:
        Exception: as for `prove`, and NoArchive if this process has no ARCHIVE_URL while games are archived.
    """
    wanted, written = _named(redis)
    if written:
        _compare(wanted, archive.marked())


def _named(redis: RedisClient) -> tuple[str | None, bool]:
    name, written = redis.send(("HMGET", keys.ARCHIVE, "id", "marked"))[0]
    return (name.decode() if name is not None else None), written is not None


def _compare(wanted: str | None, found: str | None) -> None:
    if found is None:
        raise NotProven("its marker is missing: is the disk mounted?")
    if found != wanted:
        raise NotProven("its marker names another archive")
