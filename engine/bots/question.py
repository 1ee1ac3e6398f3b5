"""The question a bot answers, with everything it may know and use, and nothing of the full state."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.actions import Action
from engine.events import Event
from engine.state import GameState

DEFAULT_THINK_MS = 200


def never() -> bool:
    """Returns False: the default `hurry` of a bot's question, where its time is never up."""
    return False


@dataclass(frozen=True, slots=True)
class Question:
    """What the seat to act is asked."""

    view: GameState
    """What the seat sees; it must be left as it is."""
    legal: Sequence[Action]
    """All actions of which one must be chosen; never empty."""
    events: Sequence[Event] = ()
    """What has happened since the round began, `round_started` first, as the seat saw it."""
    think_ms: int = DEFAULT_THINK_MS
    """How much to think, in milliseconds of one core of an ordinary machine; the same everywhere."""
    hurry: Callable[[], bool] = never
    """Whether the answer must be given now, the best so far: a machine that is slow or busy runs out of time."""
