"""A rated match of the example bots over HTTP, while what serves it is killed: each game counts once.

An API process is killed when a quarter of the games have been played, a worker after two quarters, Redis after three.
"""

import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from tools.players.calls import NO_ANSWER, Client
from tools.players.example_bots import playing
from tools.soak.bots import COMPILED
from tools.testbed.fire import Fire
from tools.testbed.installation import Installation
from tools.testbed.installed import ROOT
from tools.testbed.waiting import wait_until

GAMES = 1_000
TARGETS: Final = ("api-process", "worker", "redis")
SECONDS = 3 * 3600
"""Until which the match must be over."""


class Broken(Exception):
    """A game was lost or counted twice."""


class Asking:
    """Asks an installation, again and again until it answers."""

    def __init__(self, base: str) -> None:
        self._client = Client(base, timeout=60)

    def __call__(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """Returns an answer."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}

        def answer() -> Any:
            try:
                found = self._client.request(method, path, body, headers=headers)
            except NO_ANSWER:
                return None
            assert found.status_code < 400 or found.status_code in (408, 429) or found.status_code >= 500, found.text
            return found.json() if found.status_code < 400 else None

        return wait_until(answer, lambda: f"no answer to {method} {path}")

    def items(self, path: str) -> Iterator[Any]:
        """Yields what is on all pages of a list."""
        page = self("GET", path)
        yield from page["items"]
        while page["next_cursor"] is not None:
            page = self("GET", f"{path}?cursor={page['next_cursor']}")
            yield from page["items"]

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


def run(games: int) -> None:
    """Plays a match of so many games under fire, and prints what came of it.

    Raises:
        Broken: a game was lost or counted twice, or a bot has failed.
    """
    subprocess.run(["make", "--silent", COMPILED], cwd=ROOT, check=True)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data", API_PROCESSES="2", WORKERS="2")
        installation.start()
        with closing(installation), closing(Asking(installation.base)) as asking:
            try:
                match, killed = played(installation, asking, Path(folder), games)
                check(installation, asking, match, games)
            except AssertionError as error:
                raise Broken(f"matches: {error}") from error
    minutes = (time.monotonic() - begun) / 60
    print(f"matches: {games} games in {minutes:.1f} minutes, killed {', '.join(killed)}: each is counted once")
    for stands, name in zip(match["standings"], ("Python", "TypeScript"), strict=True):
        print(f"matches: {name} has a share of {stands['share']}, within {stands['interval']}")


def played(installation: Installation, asking: Asking, folder: Path, games: int) -> tuple[Any, list[str]]:
    """Plays a match of the example bots under fire; returns the ended match, and what was killed."""
    fire = Fire(installation, 1)
    with playing(installation.base, folder, ROOT / COMPILED) as bots:
        ids = [bot.me() for bot in bots]
        wait_until(lambda: all(asking("GET", f"/v1/players/{one}")["program"] for one in ids))
        creator = asking("POST", "/v1/players", {"name": "Creator"})["token"]
        body = {
            "name": "Under fire",
            "edition": "lovecraft",
            "entrants": [{"player": one} for one in ids],
            "seats": 2,
            "games": games,
            "deals": "fresh",
            "at_once": 16,
            "clock": {"seconds": 120},
            "rated": True,
        }
        path = f"/v1/matches/{asking('POST', '/v1/matches', body, creator)['id']}"

        def has_played(share: float) -> bool:
            for bot in bots:
                bot.check()
            return bool(asking("GET", path)["played"] >= share * games)

        def targets() -> Iterator[str]:
            for number, target in enumerate(TARGETS, 1):
                wait_until(partial(has_played, number / 4), seconds=SECONDS)
                yield target

        fire.run(targets(), [])

        def over() -> Any:
            for bot in bots:
                bot.check()
            found = asking("GET", path)
            return found if found["state"] == "ended" else None

        return wait_until(over, seconds=SECONDS), fire.killed


def check(installation: Installation, asking: Asking, match: Any, games: int) -> None:
    """Checks that each game of a match is there once, has ended, and is counted once in all that follows from it."""
    path = f"/v1/matches/{match['id']}"
    listed = list(asking.items(f"{path}/games"))
    ids = [one["game"] for one in listed]
    assert sorted(one["number"] for one in listed) == list(range(games)), "the games are not those of the match"
    assert len({*ids}) == games, "two have the same id"
    assert {one["status"] for one in listed} == {"finished"}, "some have not ended"
    with installation.redis() as client:
        stored = {name.decode().partition("{")[2].partition("}")[0] for name in client.scan_iter("billet:{*}:meta")}
    assert stored == {*ids}, f"{len(stored ^ {*ids})} games are not those of the match"

    won: dict[str, float] = defaultdict(float)
    for one in listed:
        first = [seat["player"]["id"] for seat in one["seats"] if seat["place"] == 1]
        for player in first:
            won[player] += 1 / len(first)
    for stands in match["standings"]:
        assert stands["games"] == games, stands
        assert abs(stands["share"] - won[stands["entrant"]] / games) < 1e-4, (stands, won)

    def rated() -> bool:
        pools = [asking("GET", f"/v1/players/{one['entrant']}/ratings")["items"] for one in match["standings"]]
        return [[pool["games"] for pool in found] for found in pools] == [[games], [games]]

    wait_until(rated, lambda: "the ratings do not count each game once")
