"""Attacks by logs that are to be verified."""

import gzip
import json
from typing import Any

from tests.attack.target import Target

VERIFY = "/v1/logs/verify"


def _log(game: str, hands: int, cards: int = 8) -> dict[str, Any]:
    """Returns a log that says that seats hold many cards that there are not."""
    return {
        "format": "billet-log",
        "format_version": 1,
        "game": game,
        "edition": "standard",
        "seats": 2,
        "events": [
            {"version": i + 1, "type": "card_drawn", "seat": 0, "rules": 2, "card": f"c{i}-{n}"}
            for i in range(hands)
            for n in range(cards)
        ],
    }


def invented_cards(target: Target) -> None:
    """Has 150 logs verified whose hands hold cards that nobody has ever heard of."""
    target.many(150, lambda i: target.call("POST", VERIFY, _log(f"g{i}", 1)), threads=4)


def unpacked(target: Target) -> None:
    """Has 24 small bodies unpacked that become 3 MB each, twelve at a time."""
    body = gzip.compress(json.dumps({"events": [{"a": [0] * 50}] * 15_000}).encode())
    target.many(24, lambda _: target.call("POST", VERIFY, body, Content_Encoding="gzip"), threads=12)


def nested(target: Target) -> None:
    """Has 50 bodies verified that are nested 100,000 deep."""
    target.many(50, lambda _: target.call("POST", VERIFY, b"[" * 100_000), threads=8)


ATTACKS = (invented_cards, unpacked, nested)
