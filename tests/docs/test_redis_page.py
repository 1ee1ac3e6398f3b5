"""The page on Redis lists every key: those that the code names, and those that are found after games were played."""

import inspect
import re

from service.store import channels, keys
from tests.docs.redis_page import PAGE, ROWS

CHANNELS = re.findall(r"^\| `billet:NAME:([^`]+)` \| a [^|]+ \|$", PAGE, re.MULTILINE)
NOT_SHOWN = {
    keys.ARCHIVE: "there is no archive",
    keys.NOT_ARCHIVED: "there is no archive",
    keys.BACKED_UP: "no backup has been written",
    keys.RESTORING: "no backup is being restored",
    keys.CHECKED: "no check was interrupted",
    keys.PENDING_NOTICES: "all notices have been written",
    keys.UNRECORDED: "all results have been recorded",
    keys.STALE: "the lobby's followers have seen all changes",
    keys.pairings("EDITION"): "the games of all pairings are open",
    keys.MATCHES_OVER: "no match is over",
    keys.day_lines("DAY"): "no day is about to end",
    keys.REVIEWS: "no review is under way",
    keys.touched("{KEY}"): "nobody waits for replicas",
}
"""Keys that are not found, and why."""
PLACES = {"player_id": "PLAYER", "match_id": "MATCH", "day_id": "DAY", "address_hash": "ADDRESS", "name": "LIMIT"}
"""How the page writes a parameter of a name, where not in capitals."""


LIFETIMES = {
    "seconds": 10,
    "a minute": 60,
    "an hour": 60 * 60,
    "a day": 24 * 60 * 60,
    "a week": 7 * 24 * 60 * 60,
    "400 days": 400 * 24 * 60 * 60,
    "four weeks": 28 * 24 * 60 * 60,
    "the window of the limit": None,
}
"""The lifetimes that the page states, in seconds; None if a setting says how long."""
SINCE = 10 * 60
"""How many seconds ago, at most, a key that is found was written."""


def lasts(lifetime, left):
    """Whether a key that has so many milliseconds left may have a lifetime as the page states it."""
    if lifetime.startswith("as long as"):
        return left == -1
    seconds = LIFETIMES[lifetime]
    return left >= 0 if seconds is None else max(0, seconds - SINCE) <= left / 1000 <= seconds


def rows_by_name():
    """Returns the rows of the page by the name that each key and channel has in `keys`."""
    named = [*vars(keys).items(), *vars(channels).items()]
    made = {name: [value] for name, value in named if name.isupper() and isinstance(value, str)}
    for name, function in [one for one in named if inspect.isfunction(one[1])]:
        if name not in ("game_of", "all_of", "line_prefix", "for_notifying", "of_pool"):
            places = [PLACES.get(place, place.upper()) for place in inspect.signature(function).parameters]
            made[name] = [function(*("PLAYER" if place == "PLAYER_ID" else place for place in places))]
    parts = ("order", "inputs", "outcomes", "latest", "table", "state")
    made["of_pool"] = [keys.of_pool("POOL", part) for part in parts]
    made["line_prefix"] = [keys.line_prefix("QUEUE") + rest for rest in ("players:ADDRESS", "line:ADDRESS:PLAYER")]
    return made


def test_the_page_lists_what_the_code_names():
    assert {*ROWS, *CHANNELS} == {row for rows in rows_by_name().values() for row in rows}


def test_the_keys_that_are_built_at_once_are_those_that_are_built_one_by_one():
    one_by_one = [keys.player("P"), keys.notices("P"), keys.notified_of("P", "G"), keys.notices_read("P")]
    one_by_one += [keys.approaches("P"), keys.blocked("P")]
    assert keys.for_notifying("P", "G") == one_by_one
    assert channels.new_notices("P") == f"{{{keys.player('P')}}}:bell"


def test_the_page_lists_every_key_that_is_found_and_nearly_all_are(called):
    found, _ = called
    patterns = {name: re.compile(re.sub(r"[A-Z]+", "[^:]+", re.escape(name))) for name in ROWS}
    seen = set()
    for key, (kind, left) in found.items():
        if not key.startswith("rq:"):
            [name] = [name for name in ROWS if patterns[name].fullmatch(key)] or [key]
            assert name in ROWS, "not on the page"
            assert kind == ROWS[name][0], name
            assert lasts(ROWS[name][1], left), (name, left)
            seen.add(name)
    assert seen | NOT_SHOWN.keys() == ROWS.keys()
