"""The results of bots against each other, saved in a file."""

import json
from pathlib import Path

from games.bots.offered import sample_of
from games.measuring import Sample


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

    def sample(self, match):
        """Returns the shares won in what has been played of a match."""
        row, _ = self._row(match)
        return sample_of(row) if row else Sample.of([])

    def add(self, match, sample):
        """Adds shares won to those of a match, and writes the file anew."""
        whole = self.sample(match) + sample
        row, place = self._row(match)
        if row is None:
            row = place | (self._key if "expert" in (place["bot"], place["others"]) else {})
            self.rows.append(row)
        row |= {"games": whole.count, "won": whole.total, "squares": whole.squares}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        written = self._path.with_suffix(".new")
        written.write_text(json.dumps(self._others + self.rows, indent=1) + "\n")
        written.replace(self._path)


def report(results):
    """Returns the results as a table."""
    lines = ["| edition | seats | bot | against | games | won | even |", "|---|---|---|---|---|---|---|"]
    for row in sorted(results.rows, key=lambda row: (row["bot"], row["others"], row["edition"], row["seats"])):
        sample = sample_of(row)
        lines.append(
            f"| {row['edition']} | {row['seats']} | {row['bot']} | {row['others']} | {row['games']} "
            f"| {100 * sample.mean:.1f} ± {100 * sample.half:.1f} % | {100 / row['seats']:.1f} % |"
        )
    return "\n".join(lines)
