"""The results of bots against each other, saved in a file."""

import json
from pathlib import Path

from games.bots.offered import interval


class Results:
    """Games played and won, by table and pair, for one version of the expert and one time to think."""

    def __init__(self, path: Path, version: int, think_ms: int) -> None:
        self._path = path
        self._key = {"version": version, "think_ms": think_ms}
        rows = json.loads(path.read_text()) if path.exists() else []
        self._others = [row for row in rows if not self._mine(row)]
        self.rows = [row for row in rows if self._mine(row)]

    def _mine(self, row):
        return "expert" not in (row["bot"], row["others"]) or self._key.items() <= row.items()

    def _row(self, match):
        (edition, seats), (bot, others) = match
        place = {"edition": edition, "seats": seats, "bot": bot, "others": others}
        return next((row for row in self.rows if place.items() <= row.items()), None), place

    def games(self, match):
        """Returns how many games of a match have been played."""
        row, _ = self._row(match)
        return row["games"] if row else 0

    def add(self, match, games, won, squares):
        """Adds games to a match, and writes the file anew."""
        row, place = self._row(match)
        if row is None:
            key = self._key if "expert" in (place["bot"], place["others"]) else {}
            row = place | key | {"games": 0, "won": 0.0, "squares": 0.0}
            self.rows.append(row)
        row["games"] += games
        row["won"] += won
        row["squares"] += squares
        self._path.parent.mkdir(parents=True, exist_ok=True)
        written = self._path.with_suffix(".new")
        written.write_text(json.dumps(self._others + self.rows, indent=1) + "\n")
        written.replace(self._path)


def report(results):
    """Returns the results as a table."""
    lines = ["| edition | seats | bot | against | games | won | even |", "|---|---|---|---|---|---|---|"]
    for row in sorted(results.rows, key=lambda row: (row["bot"], row["others"], row["edition"], row["seats"])):
        share, half = interval(row)
        lines.append(
            f"| {row['edition']} | {row['seats']} | {row['bot']} | {row['others']} | {row['games']} "
            f"| {100 * share:.1f} ± {100 * half:.1f} % | {100 / row['seats']:.1f} % |"
        )
    return "\n".join(lines)
