"""Defines the service's errors, with the contract's stable codes."""

import os
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Final, NamedTuple

from games.messages import Message

ROOM_SECONDS: Final = 60
"""How long to wait when something is full. Nobody can know when there will be room."""


class Fault(NamedTuple):
    """One fault in a request: the member, parameter or header, and what is wrong with it."""

    field: str
    detail: Message


@dataclass(eq=False, repr=False)
class Refused(Exception):
    """A call was refused and has changed nothing."""

    code: str
    """A stable code of the contract."""
    detail: Message | str
    """Why, and what to do: as a message, or as text already in the caller's language."""
    _: KW_ONLY
    reason: str | None = None
    """Why, as a stable code, where one code has several reasons."""
    faults: Sequence[Fault] | None = None
    legal_actions: Sequence[dict[str, Any]] | None = None
    version: int | None = None
    """The present version of the game."""
    limit: str | None = None
    """The name of a limit that was reached."""
    retry_after: int | None = None
    """The seconds until more is possible."""


class Unavailable(Exception):
    """Redis cannot be reached. The call had its full effect or none; a retry with the same idempotency key is safe."""

    code: ClassVar = "unavailable"
    detail: ClassVar = Message("detail.storage_away")
    retry_after: ClassVar = 1


class TakesNoWrites(Unavailable):
    """Redis answers but refuses writes. Calls that change something fail; reads continue."""

    retry_after = 5


class StoreFull(TakesNoWrites):
    """Redis has reached its `maxmemory`."""

    detail = Message("detail.storage_full")


class StoreReadOnly(TakesNoWrites):
    """Redis is a replica, has too few replicas, or cannot write to its disk."""

    detail = Message("detail.storage_read_only")


class NotReplicated(Unavailable):
    """No replica has confirmed a write in time. It may stand on the primary; a retry with the same key waits again."""

    code = "not_replicated"
    detail = Message("detail.not_replicated")


class ArchiveAway(Unavailable):
    """The archive cannot be reached, or lacks a file. Only games that ended long ago are affected."""

    code = "archive_unavailable"
    detail = Message("detail.archive_away")
    retry_after = 5


class ArchivedFileDamaged(ArchiveAway):
    """The archive answers, but one file of it is missing or damaged; only a backup brings it back."""


class Damaged(Exception):
    """What is stored of a game is damaged. The text says what, and holds nothing of the game."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def unauthenticated() -> Refused:
    """Returns the refusal to raise for a call without a valid token."""
    return Refused("unauthenticated", Message("detail.token_not_valid"))


def no_such_game() -> Refused:
    """Returns the refusal to raise for a call about a game that does not exist."""
    return Refused("not_found", Message("detail.no_such_game"))


def stale(version: int) -> Refused:
    """Returns the refusal to raise for a call made on an earlier view; `version` is the present one."""
    return Refused("stale_version", Message("detail.stale_view"), version=version)


def full(limit: str, key: str, **values: object) -> Refused:
    """Returns the refusal to raise for one more of what is full, by a limit's name; `key` names the text."""
    return Refused("rate_limited", Message(key, values), limit=limit, retry_after=ROOM_SECONDS)


def invalid(field: str, key: str, **values: object) -> Refused:
    """Returns the refusal to raise for a request with an invalid field; `key` names the text of the fault."""
    fault = Message(key, values)
    return Refused(
        "invalid_request", Message("detail.field", {"field": field, "fault": fault}), faults=[Fault(field, fault)]
    )


def kind_of(error: BaseException) -> str:
    """Returns what process logs may hold of an error: its kind, and the system's words for its number.

    Of damage it is all that is known, which names no card.
    """
    if isinstance(error, Damaged):
        return f"damaged: {error.why}"
    module, name = type(error).__module__, type(error).__qualname__
    kind = name if module == "builtins" else f"{module}.{name}"  # as in a traceback
    if isinstance(error, OSError) and error.errno:
        return f"{kind} ({os.strerror(error.errno)})"
    return kind
