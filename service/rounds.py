"""Where the rounds and turns of a game begin, by what everybody sees: the marks for whoever steps through a game."""

from collections.abc import Iterable
from typing import Any

from engine import views
from engine.events import RoundEnded, RoundStarted, TurnStarted
from engine.views import WATCHER
from service.snapshot import Entry


def rounds_of(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Returns the rounds of a log from its beginning, each with its turns and the versions at which they begin."""
    rounds: list[dict[str, Any]] = []
    for entry in entries:
        match views.redact(entry.event, WATCHER):
            case RoundStarted() as begun:
                rounds.append(
                    {
                        "number": begun.number,
                        "version": entry.version,
                        "end": None,
                        "starter": begun.starter,
                        "seats": list(begun.seats),
                        "scores": list(begun.scores),
                        "winners": None,
                        "turns": [],
                    }
                )
            case TurnStarted(seat=seat):
                rounds[-1]["turns"].append({"seat": seat, "version": entry.version})
            case RoundEnded(winners=winners):
                rounds[-1] |= {"end": entry.version, "winners": list(winners)}
    return rounds
