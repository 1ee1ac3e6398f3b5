"""The open decision of a state: who must answer, for which card, and of which kind."""

from typing import Final, NamedTuple, get_args

from engine.actions import Action

DECLINABLE: Final = frozenset(kind.type for kind in get_args(Action) if kind.declinable)
"""Questions that a seat whose time is up, or that leaves, declines: it keeps its hand, looks at none. The first of the
legal answers declines."""


class Decision(NamedTuple):
    """A question that only `seat` may answer.

    `kind` is the type of the actions that answer it. `seats` are the seats the answer is about: the hands on offer, or
    those that are given one.
    """

    seat: int
    card: str
    kind: str
    seats: tuple[int, ...] = ()
