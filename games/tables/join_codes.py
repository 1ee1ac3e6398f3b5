"""Checks join codes under the guard of the caller, which counts wrong codes.

The guard is set once for a call, so that it need not be passed through functions that have nothing to do with codes.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final, TypeAlias

from games.errors import Refused
from games.messages import Message
from games.snapshot import Snapshot

Guard: TypeAlias = Callable[[str], AbstractContextManager[object]]
"""Returns the context manager in which a join code of the game with this id is checked. It counts each code that is
refused inside, and after too many it refuses before any check."""

_guard: Final[ContextVar[Guard]] = ContextVar("guard", default=nullcontext)


@contextmanager
def guarded(guard: Guard) -> Iterator[None]:
    """Sets the guard that counts wrong join codes of tables during a `with` block."""
    before = _guard.set(guard)
    try:
        yield
    finally:
        _guard.reset(before)


ANY_GAME: Final = ""
"""The guard's argument when a join code is used to find a game."""


def check_join_code_found(found: str | None) -> str:
    """Checks that a join code belongs to a table, and returns its game; a wrong code is counted.

    Raises:
        Refused: `not_found`, there is none; or as the guard refuses.
    """
    with _guard.get()(ANY_GAME):
        if found is None:
            raise Refused("not_found", Message("detail.no_such_code"))
    return found


def check_join_code(snapshot: Snapshot, code: str | None, missing: Message) -> None:
    """Checks the join code of a caller who needs one; `missing` says where to send it.

    Raises:
        Refused: `join_code_wrong`, it is missing or not that of the table; or as the guard refuses.
    """
    if code is None:
        raise Refused("join_code_wrong", missing)
    with _guard.get()(snapshot.id):
        if not snapshot.is_join_code(code):
            raise Refused("join_code_wrong", Message("detail.other_join_code"))
