"""Where the rounds and turns of a game begin, by what everybody sees: the marks for whoever steps through a game.

A turn begins in the middle of a step, that of the action before it. Its seat is asked once it has drawn, and with that
the step ends; a seat that is knocked out first, or finds no card left to draw, is never asked.
"""

from collections.abc import Iterable
from typing import Any

from engine import views
from engine.events import CardDrawn, RoundEnded, RoundStarted, TurnStarted
from engine.views import WATCHER
from service.snapshot import Entry


def rounds_of(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Returns the rounds of a log from its beginning, each with its turns and the versions at which they begin.

    The log ends where a step does, so that all is said of its last turn.
    """
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
                rounds[-1]["turns"].append({"seat": seat, "version": entry.version, "act_version": None})
            case CardDrawn() if rounds[-1]["turns"][-1]["act_version"] is None:
                # The first card that is drawn in a turn is its seat's own: all others are by what is played.
                rounds[-1]["turns"][-1]["act_version"] = entry.version
            case RoundEnded(winners=winners):
                rounds[-1] |= {"end": entry.version, "winners": list(winners)}
    return rounds
