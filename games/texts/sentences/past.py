"""Tracks what a sentence about an event needs from the events before it."""

from typing import Final, NamedTuple

from engine.events import CardPlayed, Event, RoundStarted, SeatBound, SeatTakenBack, SeatTimedOut


class Past(NamedTuple):
    """The result of the events so far; empty before the first round."""

    bound: int | None = None
    """The seat that the next card must choose, if it chooses."""
    away: frozenset[int] = frozenset()
    """The seats that a bot stands in for."""

    def after(self, event: Event) -> "Past":
        """Returns what sentences need of the past after one more event."""
        match event:
            case SeatBound():
                return self._replace(bound=event.seat)
            case CardPlayed():
                return self._replace(bound=None)
            case RoundStarted():
                begun = event.position or {}
                return Past(begun.get("bound"), frozenset(event.away))
            case SeatTimedOut():
                return self._replace(away=self.away | {event.seat})
            case SeatTakenBack():
                return self._replace(away=self.away - {event.seat})
        return self


BEGINNING: Final = Past()
"""The result of no events."""
