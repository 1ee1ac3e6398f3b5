"""Finds where the rounds and turns of a game begin, so that clients can step through it; uses only public information.

A turn begins in the middle of the previous action's step. Its seat is asked once it has drawn, which ends the step; a
seat that is knocked out first, or finds no card left to draw, is never asked.
"""

from collections.abc import Iterable
from typing import Any

from engine import views
from engine.events import CardDrawn, RoundEnded, RoundStarted, TurnStarted
from engine.views import WATCHER
from games.snapshot import Entry


def rounds_of(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Returns for readers the rounds that begin in a part of a log, each with its turns and their versions.

    The part ends where a step does, so that all is said of its last turn. What comes before the first round is left
    out.
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
            case _ if not rounds:
                continue
            case TurnStarted(seat=seat):
                rounds[-1]["turns"].append({"seat": seat, "version": entry.version, "act_version": None})
            case CardDrawn() if rounds[-1]["turns"][-1]["act_version"] is None:
                # The first card that is drawn in a turn is its seat's own: all others are by what is played.
                rounds[-1]["turns"][-1]["act_version"] = entry.version
            case RoundEnded(winners=winners):
                rounds[-1] |= {"end": entry.version, "winners": list(winners)}
    return rounds
