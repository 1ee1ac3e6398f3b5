"""The example bots play many games against each other at once, over HTTP; nothing may be refused."""

import subprocess
import tempfile
import time
from collections import Counter
from itertools import cycle, islice
from pathlib import Path

from engine.editions import EDITIONS
from tools.players.example_bots import ended, opened, playing, refused
from tools.testbed.installation import Installation
from tools.testbed.installed import ROOT

GAMES = 50
SECONDS = 1200
COMPILED = Path("build/bots/typescript/bot.mjs")


class Broken(Exception):
    """A bot has failed, a game stands still, or something was refused."""


def run(games: int) -> None:
    """Plays so many games of all editions and says what came of them."""
    subprocess.run(["make", "--silent", COMPILED], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data", WORKERS="2")
        installation.start()
        try:
            print(f"bots: {played(installation.base, Path(folder), games)}")
        except AssertionError as error:
            raise Broken(f"bots: {error}") from error
        finally:
            installation.close()


def played(base: str, folder: Path, games: int) -> str:
    """Plays the games on an installation; returns what it came to, in words."""
    began = time.monotonic()
    editions = islice(cycle(EDITIONS), games)
    with playing(base, folder, ROOT / COMPILED) as bots, opened(base, bots, editions) as (host, ids):
        won = ended(host, ids, bots, SECONDS)
        seconds = time.monotonic() - began
        found = refused(base, host, Counter())
        assert not found, f"calls were refused: {found}"
    return f"{games} games in {seconds:.0f} s, won {won[0]} in Python and {won[1]} in TypeScript; nothing was refused"
