"""Tells the review of an ended game, as plain data with the contract's names, from the facts about its choices."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from engine.logs.codec import read_action
from games.aids.reasons import percent
from games.player import Naming
from games.snapshot import Snapshot
from games.texts.actions import action_texts
from games.texts.catalogue import Catalogue
from games.texts.plays import labels
from games.views.seated import names_of

SLIP: Final = 0.02
MISTAKE: Final = 0.05
"""How much of the chance to win the game a choice costs that is marked so."""
MARKS: Final = ("slip", "mistake")

Facts = Mapping[int, Mapping[str, Any]]
"""What `judged` returns of each choice, by version."""


def review(snapshot: Snapshot, facts: Facts, players: Naming, words: Catalogue) -> dict[str, Any]:
    """Returns the review of an ended game in words."""
    names = names_of(snapshot, players, words)
    chances = [{"version": version, "by_seat": one["chances"]} for version, one in sorted(facts.items())]
    if snapshot.state.winners:
        chances.append({"version": snapshot.version, "by_seat": _result(snapshot)})
    decisions = [
        _decision(snapshot, version, one, names, words) for version, one in sorted(facts.items()) if "played" in one
    ]
    swing = _swing(chances)
    return {
        "decisions": decisions,
        "chances": chances,
        "swing": swing,
        "summary": _summary(facts, decisions, swing, labels(words, names), words),
    }


def mark_of(loss: float) -> str | None:
    """Returns how a choice is marked that costs so much of the chance to win the game."""
    return MARKS[loss >= MISTAKE] if loss >= SLIP else None


def _result(snapshot: Snapshot) -> list[float]:
    winners = snapshot.state.winners
    return [(seat in winners) / len(winners) for seat in range(len(snapshot.state.seats))]


def _decision(
    snapshot: Snapshot, version: int, facts: Mapping[str, Any], names: Sequence[str], words: Catalogue
) -> dict[str, Any]:
    seat, played, loss = facts["seat"], facts["played"], facts["loss"]
    worth = facts["worth"]
    actions = [read_action(action) for action in (played, *[one for one, _ in worth])]
    own, *texts = action_texts(words, actions, seat, names, snapshot.state.book)
    mark = mark_of(loss)
    found = {"played": own, "best": texts[0], "percent": percent(loss)}
    return {
        "version": version,
        "seat": seat,
        "round": facts["round"],
        "played": played,
        "played_text": own,
        "best": worth[0][0],
        "best_text": texts[0],
        "loss": loss,
        "mark": mark,
        "text": words.text(f"review.{mark}", **found) if mark is not None else None,
        "worth": [
            {"action": action, "text": text, "chance_to_win_game": chance}
            for (action, chance), text in zip(worth, texts, strict=True)
        ],
    }


def _swing(chances: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Returns where a seat's chance changed most, the first such place; None if it never did."""
    found: dict[str, Any] | None = None
    most = 0.0
    for before, after in pairwise(chances):
        for seat, (one, other) in enumerate(zip(before["by_seat"], after["by_seat"], strict=True)):
            if abs(other - one) > most:
                most = abs(other - one)
                found = {"version": before["version"], "seat": seat, "before": one, "after": other}
    return found


def _summary(
    facts: Facts,
    decisions: Sequence[Mapping[str, Any]],
    swing: Mapping[str, Any] | None,
    called: Sequence[str],
    words: Catalogue,
) -> list[str]:
    """Returns what matters most, a sentence each."""
    said = []
    if swing is not None:
        turn = {key: percent(swing[key]) for key in ("before", "after")}
        where = facts[swing["version"]]["round"]
        said.append(words.text("review.swing", player=called[swing["seat"]], round=where, **turn))
    worst = max(decisions, key=lambda one: one["loss"], default=None)
    if worst is not None and worst["mark"] is not None:
        of = {"player": called[worst["seat"]], "round": worst["round"]}
        said.append(words.text("review.worst", text=worst["text"], **of))
    for seat, player in enumerate(called):
        own = [one["mark"] for one in decisions if one["seat"] == seat]
        if own:
            slips, mistakes = (own.count(mark) for mark in MARKS)
            said.append(words.text("review.seat", player=player, count=len(own), slips=slips, mistakes=mistakes))
    return said
