"""Decides how long a bot may think about a turn, and tells it when its time is up."""

from collections.abc import Callable
from typing import Protocol

from games.snapshot import Snapshot

LEAST_SHARE = 0.1
"""The share of its time that a bot has at least, however late it starts: on a busy machine bots think less."""
LONGEST_MS = 3_500
"""The longest a bot thinks while people wait, whatever the installation allows."""
HURRIED_MS = 200
"""The longest while people wait who are all out of the round: none of them plays before the next one."""
QUICK_SECONDS = 0.00012
"""How long a quick bot takes for each rival and each kind of card, which is more than it needs on an idle machine."""
ANSWER_SECONDS = 0.02
"""How long before the end of its time a bot must hurry, at most half of that time: it first ends what it is trying."""

Hurry = Callable[[], bool]
"""Returns whether a bot must answer now."""


class RunningClock(Protocol):
    """A clock that can be waited on, as the module `time` is."""

    def monotonic(self) -> float:
        """Returns the time by the clock of a bot's thinking time, in seconds."""

    def sleep(self, seconds: float, /) -> None:
        """Waits for seconds of a bot's thinking time."""


class StoppedClock:
    """A clock for bots that get no time."""

    def monotonic(self) -> float:
        """Returns always the same time, for a bot that gets no thinking time."""
        return 0.0

    def sleep(self, seconds: float, /) -> None:
        """Does not wait: a bot that gets no thinking time has nothing left to wait for."""


def remaining(snapshot: Snapshot, think_ms: int, now: int) -> float:
    """Returns how many seconds of thinking time a bot has: what is left since it was asked, at most half its clock.

    Where people wait it ends before the stand-in would take the turn, and soon if none of them is in the round. In a
    game of own bots alone nobody waits for it, and its time begins when it comes to think.
    """
    if snapshot.asked is None:
        return think_ms / 1000
    longest = HURRIED_MS if snapshot.bots_alone else LONGEST_MS
    until = now + think_ms if snapshot.unattended else snapshot.asked + min(think_ms, longest)
    if snapshot.deadline is not None:
        until = min(until, (snapshot.asked + snapshot.deadline) // 2)
    return min(think_ms, max(think_ms * LEAST_SHARE, until - now)) / 1000


def beat(snapshot: Snapshot) -> float:
    """Returns in how many seconds, or a multiple of them, a quick bot answers, whatever it holds.

    How long it needs grows with the number of its legal actions, and that depends on its hand. The beat is long enough
    for the most actions that anybody at the table may have, so it depends only on what everybody sees.
    """
    return QUICK_SECONDS * (len(snapshot.players) - 1) * len(snapshot.state.book.copies)


class HurryByClock:
    """Tells a bot to hurry shortly before its time is up, and counts how often it asked before."""

    def __init__(self, seconds: float, clock: RunningClock) -> None:
        now = clock.monotonic()
        self._clock = clock
        self._begun = now
        self._hurry_at = now + seconds - min(ANSWER_SECONDS, seconds / 2)
        self._until = now + seconds
        self.seconds = seconds
        self._over = False
        self.looks = 0

    def __call__(self) -> bool:
        """Returns whether a bot's thinking time is up, so that it must answer now; once it must, it stays so."""
        self._over = self._over or self._clock.monotonic() >= self._hurry_at
        self.looks += not self._over
        return self._over

    def rest(self) -> None:
        """Waits for the rest of a bot's thinking time, because a quick answer would tell something of its hand."""
        self._clock.sleep(max(0.0, self._until - self._clock.monotonic()))

    def rest_to_beat(self, seconds: float) -> None:
        """Waits until a multiple of some seconds since a quick bot began: how soon it knew would tell of its hand."""
        self._clock.sleep(seconds - (self._clock.monotonic() - self._begun) % seconds)
