"""Looks at join codes where they decide, under the guard of whoever calls; how guesses are counted is theirs to say.

The guard is of a call and not of a use case: so it need not be handed through all that has nothing to do with codes.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final, TypeAlias

from service.errors import Refused
from service.said import Said
from service.snapshot import Snapshot

Guard: TypeAlias = Callable[[str], AbstractContextManager[None]]
"""For a game's id: in it a code is looked at, and refused if it is wrong. It may refuse to let anybody look."""


def _nobody(game: str) -> AbstractContextManager[None]:
    return nullcontext()


_guard: Final[ContextVar[Guard]] = ContextVar("guard", default=_nobody)


@contextmanager
def guarded(guard: Guard) -> Iterator[None]:
    """Has a guard stand by whenever a join code is looked at in a call."""
    before = _guard.set(guard)
    try:
        yield
    finally:
        _guard.reset(before)


def check_join_code(snapshot: Snapshot, code: str | None, why: Said) -> None:
    """Checks the join code of somebody who needs it; who needs none is not asked here.

    Raises:
        Refused: `join_code_wrong`, it is missing or not that of the table; or as the guard refuses.
    """
    if code is None:
        raise Refused("join_code_wrong", why)
    with _guard.get()(snapshot.id):
        if not snapshot.is_join_code(code):
            raise Refused("join_code_wrong", why)
