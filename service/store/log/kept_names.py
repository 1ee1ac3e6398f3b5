"""Removes an erased player's name from the answers that are kept for repeated calls, the only copies of names.

Everything else, such as logs and notices, refers to players by id.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import orjson

from games.texts.catalogue import LANGUAGES, catalogue
from service.store import keys
from service.store.log.stored_answers import Kept
from service.store.redis.client import RedisClient
from service.store.redis.scans import scan_pages

SCANNED: Final = 500
"""Keys that are looked at in one round trip."""


def remove_name(redis: RedisClient, player: str) -> None:
    """Replaces an erased player's name in all answers kept for repeated calls by the text for deleted players.

    Raises:
        Unavailable: Redis cannot be reached; some answers may still hold the name.
    """
    for names in scan_pages(redis, keys.answer("*", "*", "*"), scanned=SCANNED):
        found = redis.send_each(*[("GET", name) for name in names]) if names else []
        for name, raw in zip(names, found, strict=True):
            if raw is not None and player.encode() in raw and (new := without_name(raw, player)) is not None:
                redis.send(("SET", name, new, "XX", "KEEPTTL"))


def without_name(raw: bytes, player: str) -> bytes | None:
    """Returns a stored answer without an erased player's name; None if it does not hold it."""
    kept = Kept.read(raw)
    assert kept is not None
    body = orjson.loads(kept.answer.body)
    replacement = catalogue(kept.answer.language or LANGUAGES[0]).text("player.deleted")
    names = {about["name"] for about in _objects_in_answer(body) if about.get("id") == player and about.get("name")} - {
        replacement
    }
    if not names:
        return None
    # Sentences name players, too: only as whole words, so that a name of one letter garbles nothing.
    alone = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?!\w)")
    for about in _objects_in_answer(body):
        if about.get("id") == player and "name" in about:
            about["name"] = replacement
        if isinstance(text := about.get("text"), str):
            about["text"] = alone.sub(lambda _: replacement, text)
    return replace(kept, answer=kept.answer._replace(body=orjson.dumps(body))).stored()


def _objects_in_answer(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects_in_answer(inner)
