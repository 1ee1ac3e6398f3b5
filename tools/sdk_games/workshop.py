"""Where clients are generated and programs built as tests ask for them, once for all processes of a test session."""

import fcntl
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.sdk.clients import named
from tools.sdk.tools import generate
from tools.sdk_games.programs import PROGRAMS, ROOT, Command, Program

PATIENCE = 500  # seconds until a program that has not ended is an error


class ProgramFailed(Exception):
    """A program, or the client that it plays through, is not right; the text is what was printed about it."""


class Workshop:
    """A folder with generated clients and built programs; processes may share it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clients = folder / "clients"
        self.clients.mkdir(parents=True, exist_ok=True)

    def generated(self, *clients: str) -> Path:
        """Returns the folder with the clients that are asked for by name.

        Raises:
            GenerationFailed: a tool failed.
        """
        for name in clients:
            self._once(f"{name}.generated", lambda name=name: generate(named([name]), self.clients) or "")
        return self.clients

    def built(self, program: Program) -> str:
        """Builds a program and returns what is wrong with its types, nothing if all is well.

        What is wrong with one is returned for each that is built together with it, and names its file.
        """
        clients = self.generated(*(one.client for one in PROGRAMS if one.together == program.together))
        return self._once(
            f"{program.together}.types", lambda: "".join(faults(command) for command in program.build(clients))
        )

    def play(self, program: Program, url: str, edition: str, seats: int, games: int, seed: int) -> dict[str, Any]:
        """Plays games and returns what the program says of them; one in Python needs no build for that.

        Raises:
            GenerationFailed: a tool failed.
            ProgramFailed: the program does not build, or fails.
        """
        self.generated(program.client)
        if program.source and (faults := self.built(program)):
            raise ProgramFailed(faults)
        asked = {"url": url, "edition": edition, "seats": seats, "games": games, "seed": seed}
        arguments = [word for name, value in asked.items() for word in (f"--{name}", str(value))]
        done = _run(program.play(self.clients), *arguments)
        if done.returncode:
            raise ProgramFailed(done.stdout + done.stderr)
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    def _once(self, name: str, make: Callable[[], str]) -> str:
        """Returns what was made under a name; the first process that asks for it makes it, the others wait."""
        made = self.folder / name
        with (self.folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                made.write_text(make(), encoding="utf-8")
        return made.read_text(encoding="utf-8")


def faults(command: Command) -> str:
    """Runs a command and returns what it prints if it fails, else nothing."""
    done = _run(command)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def _run(command: Command, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*command.words, *arguments],
        cwd=ROOT,
        env=os.environ | command.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
