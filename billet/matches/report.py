"""A match as lines for a person."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from billet.columns import table

Match = dict[str, Any]
"""As `GET /v1/matches/{id}` answers."""

BAR: Final = 30
"""The characters of a bar that is full."""


def progress(match: Match) -> str:
    """Returns how far a match is, in one line."""
    done = BAR * match["played"] // match["games"]
    line = f"[{'#' * done}{'.' * (BAR - done)}] {match['played']} of {match['games']} games, {match['running']} running"
    if match["state"] == "invited":
        waits = [one["name"] for one in match["entrants"] if not one["accepted"]]
        return f"{line}; not yet accepted by {', '.join(waits)}"
    return line if match["state"] == "running" else f"{line}; {match['state']}"


def lines(match: Match) -> Iterator[str]:
    """Yields the standings of a match, and how each two entrants compare."""
    names = {one["id"]: _name(one) for one in match["entrants"]}
    title = match["name"] or ", ".join(one["bot"] or one["name"] for one in match["entrants"])
    yield f"{title}: {match['state']}, {match['played']} of {match['games']} games ({match['deals']} deals)"
    yield ""
    yield from table(
        ("entrant", "place", "games", "share", "95 % interval"),
        [
            (names[one["entrant"]], _text(one["place"]), str(one["games"]), _share(one["share"]), *_ends(one))
            for one in sorted(match["standings"], key=lambda one: (one["place"] is None, one["place"]))
        ],
    )
    if match["pairs"]:
        yield ""
        yield from table(
            ("pair", "deals", "difference", "95 % interval", "more deals needed"),
            [
                (
                    f"{names[one['a']]} - {names[one['b']]}",
                    str(one["deals"]),
                    _share(one["difference"]),
                    *_ends(one),
                    _text(one["more_needed"]),
                )
                for one in match["pairs"]
            ],
        )


def _name(entrant: dict[str, Any]) -> str:
    """Returns the name of an entrant; programs may have the same, so their ids follow."""
    return str(entrant["bot"] or f"{entrant['name']} ({entrant['id']})")


def _text(number: int | None) -> str:
    return "-" if number is None else str(number)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _ends(one: dict[str, Any]) -> Sequence[str]:
    """Returns the cell of an interval."""
    return ["-" if one["interval"] is None else f"{100 * one['interval'][0]:.1f} to {100 * one['interval'][1]:.1f} %"]
