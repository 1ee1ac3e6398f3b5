"""Serves the table in the browser: pages, and the files of `web/` under names with a hash of their content."""

import gzip
import hashlib
import json
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from api.request.threads import PAGES, runs_in
from api.responses import kept_for
from engine.editions import EDITIONS
from games.texts.catalogue import catalogue
from games.texts.languages import LANGUAGES
from games.views.editions import detail

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html worker"
)
TYPES: Final = {
    "js": "text/javascript",
    "mjs": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
    "html": "text/plain",
    "map": "application/json",
}
"""Of the files in the folders. HTML there is for scripts to read, and no page."""
MODULES: Final = (
    "api",
    "cards",
    "daily",
    "learn",
    "look",
    "matches",
    "page",
    "players",
    "replay",
    "start",
    "table",
    "vendor",
    "verify",
    "words",
)
JOINED: Final = "joined"
"""Where `npm run join` writes the modules of each page as a few small files, with their maps."""
FOLDERS: Final = (*MODULES, JOINED)
"""The folders of `web/` that are served to browsers."""
ROOT: Final = Path(__file__).parents[1] / "web"
YEAR: Final = 365 * 86400
ICONS: Final = {192: "icon-192.png", 512: "icon-512.png"}
IMPORT: Final = re.compile(r"""\b(?:from|import)\s*"(\.[^"]+)";?""")
"""What a script imports at once."""
ANY_IMPORT: Final = re.compile(r"""\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]""")
"""That, and what it imports when it is needed."""

web = Blueprint("Web", __name__)


@web.get("/")
@runs_in(PAGES)
def start() -> Response:
    """Serves the start page."""
    return page("start", "", "index.html")


@web.get("/games/<id:game_id>")
@runs_in(PAGES)
def game(game_id: str) -> Response:
    """Serves the page of a game, which asks for the game itself."""
    return page("game", "../", kind="game")


@web.get("/learn")
@runs_in(PAGES)
def learn() -> Response:
    """Serves the page of a lesson, which its query names."""
    return page("learn", "", kind="game lesson")


@web.get("/replays/<id:game_id>")
@runs_in(PAGES)
def replay(game_id: str) -> Response:
    """Serves the page of an ended game to watch again, which other pages may show in a frame."""
    response = page("replay", "../", kind="game")
    response.headers["Content-Security-Policy"] = POLICY.replace("frame-ancestors 'none'; ", "")
    return response


@web.get("/replays")
@runs_in(PAGES)
def files() -> Response:
    """Serves the page that watches a game from a file; browsers keep it for when there is no connection."""
    return page("replay", "", kind="game")


@web.get("/sw.js")
@runs_in(PAGES)
def worker() -> Response:
    """Serves the service worker, with what it keeps: it is another one as soon as any of that is."""
    folder = f"web/{version()}"
    names = ["page/page.css", "page/icon.svg", *reachable(f"{JOINED if joined() else 'page'}/replay.js")]
    books = {language: [detail(edition, catalogue(language)) for edition in EDITIONS] for language in LANGUAGES}
    build = hashlib.sha256(f"{version()} {json.dumps(books)}".encode()).hexdigest()[:16]
    kept = {
        "build": build,
        "page": "replays",
        "files": [f"{folder}/{name}" for name in names],
        "books": [f"v1/editions/{edition}" for edition in EDITIONS],
        "languages": list(LANGUAGES),
    }
    script = f"self.kept = {json.dumps(kept)};\n".encode() + contents()["replay/worker.js"]
    return packed(Response(script, mimetype=TYPES["js"]), 0)


@web.get("/manifest.webmanifest")
@runs_in(PAGES)
def manifest() -> Response:
    """Serves what a device asks for to install the table as an app."""
    drawings = [
        {"src": f"web/{version()}/page/{name}", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size, name in ICONS.items()
        for purpose in ("any", "maskable")
    ]
    described = {
        "name": "Billet",
        "short_name": "Billet",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#1c1319",
        "theme_color": "#1c1319",
        "icons": drawings,
    }
    return packed(Response(json.dumps(described), mimetype="application/manifest+json"), 0)


@web.get("/players/<id:player_id>")
@runs_in(PAGES)
def player(player_id: str) -> Response:
    """Serves the page of a player."""
    return page("players", "../")


@web.get("/daily")
@runs_in(PAGES)
def deals_of_the_day() -> Response:
    """Serves the page of today's deals of the day."""
    return page("daily", "")


@web.get("/daily/<id:edition>/<id:date>")
@runs_in(PAGES)
def past_deal(edition: str, date: str) -> Response:
    """Serves the page of a deal of a day that is over."""
    return page("daily", "../../")


@web.get("/leaderboards")
@runs_in(PAGES)
def leaderboards() -> Response:
    """Serves the leaderboards, of which the page chooses one."""
    return page("players", "")


@web.get("/leaderboards/<pool:pool>")
@runs_in(PAGES)
def leaderboard(pool: str) -> Response:
    """Serves the leaderboard of a pool."""
    return page("players", "../")


@web.get("/matches")
@runs_in(PAGES)
def matches() -> Response:
    """Serves the list of matches."""
    return page("matches", "")


@web.get("/matches/<id:match_id>")
@runs_in(PAGES)
def match(match_id: str) -> Response:
    """Serves the page of a match."""
    return page("matches", "../")


@web.get("/web/<digest>/<path:name>")
@runs_in(PAGES)
def asset(digest: str, name: str) -> Response:
    """Serves a file; an older page gets what is there now, and asks again soon."""
    content = contents().get(name)
    if content is None:
        raise NotFound
    return packed(Response(content, mimetype=TYPES[name.rpartition(".")[2]]), YEAR if digest == version() else 60)


def page(entry: str, root: str, name: str = "page.html", kind: str = "") -> Response:
    """Returns a page that begins with a script of `page/`; `root` leads from its address to that of the service."""
    folder = f"{root}web/{version()}"
    entry = f"{JOINED if joined() else 'page'}/{entry}.js"
    preloads = "\n".join(f'<link rel="modulepreload" href="{folder}/{module}">' for module in modules(entry))
    text = (ROOT / name).read_text("utf-8")
    for hole, filling in {"preloads": preloads, "web": folder, "root": root, "entry": entry, "kind": kind}.items():
        text = text.replace(f"{{{{ {hole} }}}}", filling)
    response = packed(Response(text, mimetype="text/html"), 0)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def packed(response: Response, seconds: int) -> Response:
    """Returns a cacheable response, compressed if the client accepts it."""
    response.headers["Vary"] = "Accept-Encoding"
    if request.accept_encodings["gzip"]:
        response.set_data(compressed(response.get_data()))
        response.headers["Content-Encoding"] = "gzip"
    return kept_for(seconds, response)


@cache
def compressed(content: bytes) -> bytes:
    """Returns a file gzipped, the same bytes each time."""
    return gzip.compress(content, 9, mtime=0)


@cache
def contents() -> dict[str, bytes]:
    """Returns every file by its path below `web/`."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix[1:] in TYPES)
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in found}


@cache
def joined() -> bool:
    """Whether there are joined files, and made from the modules that are there: else those are served as they are."""
    maps = [
        json.loads(content)
        for name, content in contents().items()
        if name.startswith(f"{JOINED}/") and name.endswith(".map")
    ]
    sources = {source: text for one in maps for source, text in zip(one["sources"], one["sourcesContent"], strict=True)}
    here = {f"../{name}": content for name, content in contents().items()}
    return bool(sources) and all(here.get(source) == text.encode() for source, text in sources.items())


@cache
def version() -> str:
    """Returns a hash of all files, so that browsers may cache them forever."""
    digest = hashlib.sha256()
    for name, content in sorted(contents().items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


@cache
def modules(entry: str) -> list[str]:
    """Returns a script and all its static imports, so that they load in parallel."""
    return _imported(entry, IMPORT)


@cache
def reachable(entry: str) -> list[str]:
    """Returns a script and all that it may ever import."""
    return _imported(entry, ANY_IMPORT)


def _imported(entry: str, imports: re.Pattern[str]) -> list[str]:
    found = [entry]
    for name in found:
        for path in imports.findall(contents()[name].decode()):
            module = normpath(join(dirname(name), path))
            if module not in found:
                found.append(module)
    return found
