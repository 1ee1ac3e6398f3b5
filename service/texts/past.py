"""What a sentence about an event needs of the events before it; where those are read is for `service/earlier.py`."""

from typing import Final, NamedTuple

from engine.events import CardPlayed, Event, RoundStarted, SeatBound, SeatTakenBack, SeatTimedOut


class Past(NamedTuple):
    """What has come of the events so far; before the first round, nothing."""

    bound: int | None = None
    """The seat that the next card must choose, if it chooses."""
    away: frozenset[int] = frozenset()
    """The seats that a bot stands in for."""

    def after(self, event: Event) -> "Past":
        """Returns what has come of one event more."""
        match event:
            case SeatBound():
                return self._replace(bound=event.seat)
            case CardPlayed():
                return self._replace(bound=None)
            case RoundStarted():
                return Past(away=frozenset(event.away))
            case SeatTimedOut():
                return self._replace(away=self.away | {event.seat})
            case SeatTakenBack():
                return self._replace(away=self.away - {event.seat})
        return self


BEGINNING: Final = Past()
"""What has come of nothing."""
