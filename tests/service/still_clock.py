"""A clock of the service that only its holder moves."""

import sys
from typing import Any

from games.ratings.standing import DAY_MS
from service.inputs.clock import now_ms


class Clock:
    """The service's clock, in milliseconds since 1970; it stands still.

    It begins at noon, so that no test depends on when a day ends; tomorrow, as Redis forgets things by its own clock.
    """

    def __init__(self) -> None:
        self.ms = now_ms() // DAY_MS * DAY_MS + DAY_MS * 3 // 2
        self._most = self.ms

    def __call__(self) -> int:
        return self.ms

    def advance(self, seconds: float) -> None:
        """Moves the clock, backwards too."""
        self.ms += int(seconds * 1000)

    def monotonic(self) -> float:
        """Returns by how far it has come, in seconds, as sweepers measure it to notice that a clock was set back."""
        self._most = max(self._most, self.ms)
        return self._most / 1000


def still_clock(monkeypatch: Any) -> Clock:
    """Puts such a clock in the place of the service's, until what is patched is undone."""
    made = Clock()
    for name, module in list(sys.modules.items()):
        if name.startswith("service.") and name != "service.inputs.clock" and hasattr(module, "now_ms"):
            monkeypatch.setattr(module, "now_ms", made)
    for name in ("service.jobs.schedule", "service.store.lists.recovery"):
        monkeypatch.setattr(f"{name}.time", made)
    return made
