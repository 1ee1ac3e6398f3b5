"""Writes a finished game, its viewer and its verifier into one HTML file, which works from a disk and offline."""

import base64
import gzip
import json
import re
from collections.abc import Sequence
from functools import cache, partial
from posixpath import dirname, join, normpath
from typing import Any, Final

from api.web import contents
from billet.replay.frames import frames_of
from billet.replay.source import Played
from engine.views import ALL
from games.texts.catalogue import Catalogue
from games.views import editions

ENTRY: Final = "page/film.js"
IMPORT: Final = re.compile(r'(\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)"')
"""An import of a module by its relative path, static or when needed."""


def film(played: Played, words: Catalogue) -> str:
    """Returns the HTML page in which `billet replay` replays an ended game."""
    whole = frames_of(played, ALL, words)
    game = whole[0]["game"]
    shown = {
        "language": words.language,
        "log": played.log,
        "book": editions.detail(game["edition"], words),
        "viewers": {
            "all": _seen(whole),
            **{str(seat): _seen(frames_of(played, seat, words)) for seat in range(len(game["seats"]))},
        },
    }
    parts = {
        "language": words.language,
        "style": contents()["page/page.css"].decode(),
        "viewer": _packed_for_page(_modules()),
        "film": _packed_for_page(shown),
    }
    page = contents()["replay/film.html"].decode()
    return re.sub(r"{{ (\w+) }}", lambda place: parts[place[1]], page)


def _seen(frames: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns what the replay page shows a viewer: the events, and the view after each step."""
    return {"events": [event for one in frames for event in one["events"]], "views": [one["game"] for one in frames]}


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
