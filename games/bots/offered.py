"""Lists the service's own bots, with what they do and how strong they are."""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from engine.bots import BOTS
from engine.bots.question import DEFAULT_THINK_MS
from engine.editions import EDITIONS
from games.measuring import Sample
from games.texts.catalogue import Catalogue

ResultRow = dict[str, Any]
"""A tournament row: `edition`, `seats`, `bot`, `others`, `games`; `won` and `squares`, the sums of the bot's share of
each game and of its square; and for thinking bots `version` and `think_ms`.
"""


def listing(words: Catalogue, think_ms: int = DEFAULT_THINK_MS) -> list[dict[str, Any]]:
    """Returns the service's own bots, weakest first, with what each does and how well it plays.

    `think_ms` is how long those may think that do.
    """
    return [
        {
            "id": name,
            "text": words.text(f"bot.{name}.text"),
            "version": bot.version,
            "think_ms": think_ms if bot.thinks else 0,
            "strengths": [strength(row) for row in results() if row["bot"] == name],
        }
        for name, bot in BOTS.items()
    ]


def strength(row: ResultRow) -> dict[str, Any]:
    """Returns how strong one of the service's own bots is by a row of the tournament's results."""
    won = sample_of(row)
    return {
        "edition": row["edition"],
        "seats": row["seats"],
        "others": row["others"],
        "think_ms": row.get("think_ms", 0),
        "games": row["games"],
        "won": round(won.mean, 4),
        "least": round(max(won.mean - won.half, 0.0), 4),
        "most": round(min(won.mean + won.half, 1.0), 4),
        "even": round(1 / row["seats"], 4),
    }


def sample_of(row: ResultRow) -> Sample:
    """Returns the shares of games that an own bot won, by a row of the tournament's results."""
    return Sample(row["games"], row["won"], row["squares"])


@cache
def results() -> list[ResultRow]:
    """Returns the tournament results of the service's own bots as they play now, by bot, edition and table."""
    found = json.loads((files(__package__) / "strength.json").read_text(encoding="utf-8"))
    return sorted(filter(_is_of_current_bots, found), key=lambda row: tuple(_bot_row_order(row)))


def _is_of_current_bots(row: ResultRow) -> bool:
    """Returns whether a row of tournament results is of own bots in the versions that play now."""
    thinking = [BOTS[bot] for bot in (row["bot"], row["others"]) if BOTS[bot].thinks]
    return all(bot.version == row["version"] for bot in thinking)


def _bot_row_order(row: ResultRow) -> Iterator[int]:
    yield list(BOTS).index(row["bot"])
    yield list(BOTS).index(row["others"])
    yield list(EDITIONS).index(row["edition"])
    yield row["seats"]
