"""Makes, follows and steers a match for `billet match`."""

import argparse
import json
import shlex
import sys
import time
from pathlib import Path
from typing import Any, Final

from billet.errors import StartError
from billet.escaping import plain
from billet.matches.connection import Connection
from billet.matches.report import Match, lines, progress
from billet.processes.ports import base_url
from games.ids import is_id
from service.settings import Settings

LOOK_SECONDS: Final = 1.0
LINE_SECONDS: Final = 10.0
"""How often a line is printed where none can be drawn anew."""
CLEARED: Final = "\r\x1b[K"
"""Goes back to the begin of a line of a terminal, and empties it."""
STEPS = {"pause": ({"state": "paused"}, "PATCH"), "resume": ({"state": "running"}, "PATCH"), "end": (None, "DELETE")}


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Runs `billet match`; returns the exit status."""
    url = options.url or base_url(settings.host, settings.port)
    service = Connection(url, _say)
    if options.step is not None and options.match is None:
        raise StartError(f"name the match to {options.step}")
    if options.match is not None and options.entrants is not None:
        raise StartError("name either a match to follow, or the entrants of a new one")
    match = _made(service, options) if options.match is None else _checked(options.match)
    if options.step is not None:
        service.token = _token(service, options.token_file)
        print(plain(progress(service.json(f"/matches/{match}", *STEPS[options.step]))))
        return 0
    if options.match is None:
        _say(f"made match {match}")
    try:
        ended = _followed(service, match)
    except KeyboardInterrupt:
        _say(f"the match goes on. To follow it: billet match {match} --url {shlex.quote(url)}")
        return 130
    if options.csv:
        print(service.answer(f"/matches/{match}/table"), end="")
    elif options.json:
        print(json.dumps(ended, indent=2))
    else:
        print(*map(plain, lines(ended)), sep="\n")
    return 0


def _checked(match: str) -> str:
    if not is_id(match):
        raise StartError(f"{match!r} is no id of a match")
    return match


def _made(service: Connection, options: argparse.Namespace) -> str:
    """Makes the match that the command line asks for, and returns its id."""
    from engine.bots import BOTS

    if options.entrants is None:
        raise StartError("name the match to follow, or who is to play one: billet match --entrants cautious random")
    service.token = _token(service, options.token_file)
    body: dict[str, Any] = {
        "entrants": [{"bot": who} if who in BOTS else {"player": who} for who in options.entrants],
        "options": dict(_pair(one) for one in options.options),
        **{name: getattr(options, name) for name in ("edition", "seats", "games", "deals", "rated")},
    }
    if options.name is not None:
        body["name"] = options.name
    if options.against is not None:
        body["against"] = [{"bot": bot} for bot in options.against]
    if options.at_once is not None:
        body["at_once"] = options.at_once
    if options.clock is not None:
        body["clock"] = {"seconds": options.clock}
    return str(service.json("/matches", body)["id"])


def _pair(option: str) -> tuple[str, str]:
    name, equals, choice = option.partition("=")
    if not equals:
        raise StartError(f"--option takes NAME=CHOICE, not {option!r}")
    return name, choice


def _token(service: Connection, file: Path) -> str:
    """Returns the token of who makes and steers matches, a new player's if the file is not there."""
    try:
        if not file.exists():
            token = service.json("/players", {"name": "Billet match"})["token"]
            file.touch(mode=0o600)
            file.write_text(token)
        return file.read_text().strip()
    except OSError as error:
        raise StartError(f"{file}: {error.strerror}") from None


def _followed(service: Connection, match: str) -> Match:
    """Returns a match once its last game has ended; reports until then how far it is."""
    draws = sys.stderr.isatty()
    before, next_line = "", 0.0
    while True:
        found: Match = service.json(f"/matches/{match}")
        over = found["state"] == "ended" and not found["running"]
        line = plain(progress(found))
        if draws:
            print(f"{CLEARED}{line}", end="\n" if over else "", file=sys.stderr, flush=True)
        elif line != before and (over or time.monotonic() >= next_line):
            before, next_line = line, time.monotonic() + LINE_SECONDS
            print(line, file=sys.stderr, flush=True)
        if over:
            return found
        time.sleep(LOOK_SECONDS)


def _say(line: str) -> None:
    """Prints a line beside the progress, on a line of its own."""
    print(f"{CLEARED if sys.stderr.isatty() else ''}billet: {plain(line)}", file=sys.stderr, flush=True)
