"""The page on Redis lists every key: those that the code names, and those that are found after games were played."""

import inspect
import re
from pathlib import Path

from service.store import keys

PAGE = (Path(__file__).parents[2] / "docs" / "redis.md").read_text(encoding="utf-8")
ROWS = {
    name: (kind, lifetime)
    for name, kind, lifetime in re.findall(r"^\| `(billet:[^`]+)` \| (\w+) \| ([^|]+) \|", PAGE, re.MULTILINE)
    if kind in ("string", "hash", "list", "stream", "zset")
}
CHANNELS = re.findall(r"^\| `(billet:[^`]+)` \| a [^|]+ \|$", PAGE, re.MULTILINE)
PLACES = {"player_id": "PLAYER", "share": "SHARE", "name": "LIMIT"}
"""How the page writes a parameter of a name, where not in capitals."""


def names_in_the_code():
    """Returns every name that the code makes, of keys and of channels, with places as the page writes them."""
    made = {value for value in vars(keys).values() if isinstance(value, str) and value.startswith("billet:")}
    for name, function in inspect.getmembers(keys, inspect.isfunction):
        if name not in ("game_of", "line_prefix", "for_notifying"):
            places = [PLACES.get(place, place.upper()) for place in inspect.signature(function).parameters]
            made.add(function(*("PLAYER" if place == "PLAYER_ID" else place for place in places)))
    return made | {keys.line_prefix("QUEUE") + rest for rest in ("players:ADDRESS", "line:ADDRESS:PLAYER")}


def test_the_page_lists_what_the_code_names():
    assert {*ROWS, *CHANNELS} == names_in_the_code()


def test_the_keys_that_are_built_at_once_are_those_that_are_built_one_by_one():
    one_by_one = [keys.player("P"), keys.notices("P"), keys.notified_of("P", "G"), keys.asked_for("P")]
    one_by_one += [keys.approaches("P"), keys.blocked("P")]
    assert keys.for_notifying("P", "G") == (one_by_one, keys.bell("P"))


def test_the_page_lists_every_key_that_calls_leave(called):
    found, _ = called
    patterns = {name: re.compile(re.sub(r"[A-Z]+", "[^:]+", re.escape(name))) for name in ROWS}
    seen = set()
    for key, (kind, passes) in found.items():
        if not key.startswith("rq:"):
            [name] = [name for name in ROWS if patterns[name].fullmatch(key)] or [key]
            assert name in ROWS, "not on the page"
            assert (kind, passes) == (ROWS[name][0], not ROWS[name][1].startswith("as long as")), name
            seen.add(name)
    assert len(seen) > 25
