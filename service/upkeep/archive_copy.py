"""Copies the archive to another store while the service runs: each file is verified on both sides, none is removed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Final, Literal, NamedTuple, TypeAlias

from games.log_lines import kind_of
from service.store.archive import AT_ONCE, Archive, Garbled

BATCH: Final = 100

CopyOutcome: TypeAlias = Literal["copied", "there already", "unreadable", "gone"]
"""What became of a file; it is `gone` if somebody has removed it meanwhile."""


class CopyError(Exception):
    """The archive cannot be copied. The text says why; what was copied stays."""


class CopiedFile(NamedTuple):
    """A file of the archive and what became of it."""

    name: str
    outcome: CopyOutcome


def copy(source: Archive, target: Archive) -> Iterator[CopiedFile]:
    """Copies all files from one archive to another, and its marker at last; goes on where it was interrupted.

    The target has no marker before it holds everything, so no process takes half a copy for the archive.

    Raises:
        CopyError: a store cannot be used, or the target is another archive.
    """
    archive = _archive_marker(source, "the archive")
    if archive is None:
        raise CopyError("the archive has no marker: is the disk mounted, and has a game ever been archived?")
    if _archive_marker(target, "the new store") not in (None, archive):
        raise CopyError("the new store is another archive: its marker names one")
    names = _archived_names(source)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while batch := list(islice(names, BATCH)):
            yield from pool.map(lambda name: CopiedFile(name, _copy_archived(source, target, name)), batch)
    if _archive_marker(source, "the archive") != archive:  # a disk that goes away looks like files that are gone
        raise CopyError("the archive has lost its marker: is the disk still mounted?")
    try:
        target.mark(archive)
    except Exception as error:
        raise CopyError(f"the new store cannot be written: {kind_of(error)}") from error


def _archive_marker(archive: Archive, what: str) -> str | None:
    try:
        return archive.marked()
    except Garbled:
        raise CopyError(f"the marker of {what} is damaged") from None
    except Exception as error:
        raise CopyError(f"{what} cannot be read: {kind_of(error)}") from error


def _archived_names(source: Archive) -> Iterator[str]:
    try:
        yield from source.names()
    except Exception as error:
        raise CopyError(f"the archive cannot be listed: {kind_of(error)}") from error


def _copy_archived(source: Archive, target: Archive, name: str) -> CopyOutcome:
    try:
        if target.has(name):
            return "there already"
    except Exception as error:
        raise CopyError(f"the new store cannot be read: {kind_of(error)}") from error
    try:
        raw = source.file(name)
    except FileNotFoundError:
        return "gone"
    except Exception:
        _archive_marker(source, "the archive")  # if that can be read, it is this file alone that cannot
        return "unreadable"
    try:
        target.put_file(name, raw)
    except Garbled:
        raise CopyError("the new store returns other bytes than were written") from None
    except Exception as error:
        raise CopyError(f"the new store cannot be written: {kind_of(error)}") from error
    return "copied"
