"""The example bots as processes that play each other; who compiles the one in TypeScript is not said here."""

import os
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tools.players.person import NO_TLS
from tools.testbed.installed import ROOT, imported, python_with_client
from tools.testbed.waiting import wait_until

PYTHON = ROOT / "examples" / "bots" / "bot.py"
Refused = Counter[tuple[str, str, str]]
"""How many calls were refused, by method, route and status."""


class ExampleBot:
    """One of the bots: a program and the file that keeps its token."""

    def __init__(self, command: Sequence[str | Path], base: str, folder: Path, name: str, **environment: str) -> None:
        self.command = [*command, base]
        self.environment = environment
        self.token_file = folder / f"{name}.token"
        self.said = folder / f"{name}.txt"
        self.process: Any = None

    def start(self) -> None:
        """Starts the program, or starts it again as the player that it was."""
        with self.said.open("ab") as said:
            self.process = subprocess.Popen(
                self.command,
                env=os.environ | self.environment | {"TOKEN_FILE": str(self.token_file)},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )

    def kill(self) -> None:
        """Ends the program without a warning."""
        self.process.kill()
        self.process.wait()

    def token(self, seconds: float = 120) -> str:
        """Waits until the bot has registered, and returns its token."""

        def token() -> str:
            self.check()
            return self.token_file.read_text() if self.token_file.exists() else ""

        return wait_until(token, lambda: "the bot has not registered", seconds)

    def me(self, seconds: float = 120) -> str:
        """Waits until the bot has said who it is, and returns its id."""
        return str(self.says(r"^I am player (\S+): invite me ", seconds)[1])

    def says(self, pattern: str, seconds: float = 120) -> re.Match[str]:
        """Waits until the bot has printed something, and returns the match."""

        def match() -> re.Match[str] | None:
            self.check()
            return re.search(pattern, self.said.read_text(), re.MULTILINE)

        return wait_until(match, lambda: f"not said: {pattern}", seconds)

    def ends(self, seconds: float = 120) -> tuple[int, str]:
        """Waits until the bot has ended by itself, and returns how and what it has said."""
        return self.process.wait(seconds), self.said.read_text()

    def check(self) -> None:
        """Checks that it goes on."""
        assert self.process.poll() is None, self.said.read_text()


def in_python(compiled: Path, base: str, folder: Path, **environment: str) -> ExampleBot:
    """Makes the bot in Python, which takes no warning."""
    return ExampleBot([python_with_client(), "-W", "error", PYTHON], base, folder, "python", **environment)


def in_typescript(compiled: Path, base: str, folder: Path, **environment: str) -> ExampleBot:
    """Makes the bot in TypeScript, of the compiled program."""
    return ExampleBot(["node", compiled], base, folder, "typescript", **environment)


MAKERS: dict[str, Callable[..., ExampleBot]] = {"python": in_python, "typescript": in_typescript}


@contextmanager
def playing(base: str, folder: Path, typescript: Path) -> Iterator[list[ExampleBot]]:
    """Yields the two bots, started; `typescript` is the compiled program."""
    bots = [make(typescript, base, folder) for make in MAKERS.values()]
    try:
        for bot in bots:
            bot.start()
        yield bots
    finally:
        for bot in bots:
            bot.kill()


@contextmanager
def opened(base: str, bots: Sequence[ExampleBot], editions: Iterable[str]) -> Iterator[tuple[Any, list[str]]]:
    """Yields a client that watches and the ids of games, one of each edition, to which the bots were invited."""
    with ExitStack() as closing:
        host, *guests = (
            closing.enter_context(imported().Billet(base, token)) for token in (None, *[bot.token() for bot in bots])
        )
        players = [guest.me() for guest in guests]
        assert [player.kind for player in players] == ["bot", "bot"]
        host.register("Host")
        seats = [imported().models.InvitedSeat("invited", player.id) for player in players]
        yield host, [host.create(edition, seats).id for edition in editions]


def ended(host: Any, ids: Sequence[str], bots: Sequence[ExampleBot], seconds: float) -> list[int]:
    """Waits until the games have ended, and returns how often each seat was among the winners."""
    until = time.monotonic() + seconds
    won = [0, 0]
    for game in ids:
        while (view := host.view(game)).status != "finished":
            for bot in bots:
                bot.check()
            assert time.monotonic() < until, f"game {game} stands still at version {view.version}"
            time.sleep(0.1)
        for seat in view.winners:
            won[seat] += 1
    return won


def refused(base: str, host: Any, before: Refused, seconds: float = 100) -> Refused:
    """Returns how many calls more than `before` were refused, by method, route and status, as the service counts them.

    The count is complete when it has one more that is refused last of all.
    """
    with pytest.raises(imported().NotFound):
        host.view("nowhere")
    last = ("GET", "/v1/games/{game_id}", "404")
    wait_until(lambda: (refusals(base) - before)[last], lambda: f"{last} is not counted", seconds)
    return refusals(base) - before - Counter([last])


def refusals(base: str) -> Refused:
    """Reads how many calls were answered with an error.

    Those to `/readyz` are left out: no client makes them, and those of a start are counted at some time after it.
    """
    text = httpx.get(f"{base}/metrics", verify=NO_TLS, timeout=60).text
    return Counter(
        {
            (sample.labels["method"], sample.labels["route"], sample.labels["status"]): int(sample.value)
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == "billet_http_request_seconds_count"
            and int(sample.labels["status"]) >= 400
            and sample.labels["route"] != "/readyz"
        }
    )
