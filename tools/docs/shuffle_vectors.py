"""Generates the worked example of `shuffle.md` with the engine's own shuffle; the full set is in `tests/golden`."""

import json
from typing import Any

from engine.editions import rulebook
from engine.shuffle import COMMITTED, Dealer, commitment, nonce_digest, revealed_digest

SECRET = bytes(range(32))
GAME = "game-2"
NONCES = ("a lucky number", "", "ünïcode")
EDITION = "standard"
WIDE = 3_000_000_000
"""A bound so large that three values in ten are thrown away; no game draws below it, but a test should."""


def example() -> dict[str, Any]:
    """Returns the example: what goes in and everything that comes out."""
    digests = [nonce_digest(text) for text in NONCES]
    dealer = Dealer(SECRET, GAME, digests)
    deck = list(rulebook(EDITION, len(NONCES), {}).deck)
    return {
        "secret": SECRET.hex(),
        "commitment": commitment(SECRET),
        "game": GAME,
        "nonce_texts": list(NONCES),
        "nonces": digests,
        "edition": EDITION,
        "starters": [
            {"round": number, "among": [0, 1, 2], "seat": dealer.starter((0, 1, 2), number)} for number in (1, 2)
        ],
        "orders": [{"round": number, "order": dealer.order(deck, number)} for number in (1, 2)],
        "answers": [
            {"version": version, "count": count, "index": dealer.answer(count, version)}
            for version, count in ((40, 6), (41, 3), (3, WIDE), (7, WIDE), (20, WIDE))
        ],
    }


REVEALED = ("a nonce of 32 characters or more", "a nonce that is never revealed...", "ünïcode counts by its characters")


def revealed_example() -> dict[str, Any]:
    """Returns an example by commit and reveal; the player of seat 1 does not reveal their nonce."""
    unrevealed = [1]
    nonces = ["" if seat in unrevealed else revealed_digest(nonce) for seat, nonce in enumerate(REVEALED)]
    dealer = Dealer(SECRET, GAME, nonces, COMMITTED)
    deck = list(rulebook(EDITION, len(REVEALED), {}).deck)
    return {
        "secret": SECRET.hex(),
        "game": GAME,
        "nonce_texts": list(REVEALED),
        "nonce_hashes": [nonce_digest(nonce) for nonce in REVEALED],
        "unrevealed": unrevealed,
        "nonces": nonces,
        "edition": EDITION,
        "starters": [{"round": 1, "among": [0, 1, 2], "seat": dealer.starter((0, 1, 2), 1)}],
        "orders": [{"round": 1, "order": dealer.order(deck, 1)}],
    }


def block(data: dict[str, Any]) -> str:
    """Returns an example as a block of JSON, a line per item of its lists."""
    lines = []
    for name, value in data.items():
        if isinstance(value, list):
            items = ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in value)
            lines.append(f'  "{name}": [\n{items}\n  ]')
        else:
            lines.append(f'  "{name}": {json.dumps(value)}')
    return "```json\n{\n" + ",\n".join(lines) + "\n}\n```"
