"""Writes a finished game, its viewer and its verifier into one HTML file, which works from a disk and offline."""

import base64
import gzip
import json
import re
from functools import cache, partial
from posixpath import dirname, join, normpath
from typing import Any, Final

from api.web import contents
from billet.replay.course import ReplayCourse
from billet.replay.source import Played
from engine.views import ALL
from games.texts.catalogue import Catalogue
from games.views import editions

ENTRY: Final = "page/film.js"
IMPORT: Final = re.compile(r'(\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)"')
"""An import of a module by its relative path, static or when needed."""


def film(played: Played, words: Catalogue) -> str:
    """Returns the HTML page in which `billet replay` replays an ended game."""
    course = ReplayCourse(played, ALL, words)
    seats = len(course.view(0)["seats"])
    shown = {
        "language": words.language,
        "log": played.log,
        "book": editions.detail(course.edition, words),
        "viewers": {"all": _seen(course), **{str(n): _seen(ReplayCourse(played, n, words)) for n in range(seats)}},
    }
    parts = {
        "language": words.language,
        "style": contents()["page/page.css"].decode(),
        "viewer": _packed_for_page(_modules()),
        "film": _packed_for_page(shown),
    }
    page = contents()["replay/film.html"].decode()
    return re.sub(r"{{ (\w+) }}", lambda place: parts[place[1]], page)


def _seen(course: ReplayCourse) -> dict[str, Any]:
    """Returns what the replay page shows a viewer: the events, and what changes in the view with each step."""
    views = [course.view(step) for step in range(len(course))]
    return {
        "events": [event for step in range(len(course)) for event in course.events(step)],
        "views": [views[0], *map(_changes, views, views[1:])],
    }


def _changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Returns the members of a view that a replayed step changes; of the seats, only the changed ones, by number."""
    changes = {name: value for name, value in after.items() if before.get(name) != value}
    if "seats" in changes:
        pairs = zip(before["seats"], after["seats"], strict=True)
        changed = {str(i): _changed_members(old, new) for i, (old, new) in enumerate(pairs) if old != new}
        changes["seats"] = changed
    return changes


def _changed_members(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in new.items() if old[name] != value}


@cache
def _modules() -> dict[str, str]:
    """Returns the modules of the replay page by path, which name each other as its import map does."""
    found: dict[str, str] = {}
    wanted = [ENTRY]
    for name in wanted:
        if name in found:
            continue
        text = contents()[name].decode()
        folder = dirname(name)
        wanted += [normpath(join(folder, path)) for _, path in IMPORT.findall(text)]
        found[name] = IMPORT.sub(partial(_mapped_import, folder), text)
    return found


def _mapped_import(folder: str, found: re.Match[str]) -> str:
    return f'{found[1]}"billet/{normpath(join(folder, found[2]))}"'


def _packed_for_page(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
