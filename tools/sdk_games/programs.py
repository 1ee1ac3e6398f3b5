"""The programs that play through generated clients: how each is built and started.

All take the same arguments and print the same line of JSON; `playing` says which, once for each language.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.sdk_games.projects import TSC, lay_out

ROOT: Final = Path(__file__).parents[2]
GENERATOR_TYPES: Final = Path(__file__).with_name("mypy.ini")
"""How strictly mypy takes the client of openapi-generator, which has untyped functions."""


@dataclass(frozen=True)
class Command:
    """A command and what it finds in its environment beside what is there anyway."""

    words: tuple[str | Path, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """A program that plays through one client; both of its members are told the folder that the clients are in."""

    client: str
    build: Callable[[Path], tuple[Command, ...]]
    """What checks the types of the program and of the client and compiles those in TypeScript; all must succeed."""
    play: Callable[[Path], Command]
    source: str = ""
    """The name of the program, of one in TypeScript."""
    soak: bool = False
    """Whether `make sdk-games` alone plays through the client."""

    @property
    def together(self) -> str:
        """The name of the programs that are built in one go, this one among them: what they share is checked once."""
        return f"typescript{'-soak' * self.soak}" if self.source else "python"


def _python(client: Path) -> Mapping[str, str]:
    paths = os.pathsep.join(str(path) for path in (client, ROOT))
    return {"PYTHONPATH": paths, "MYPYPATH": paths}


def _mypy(client: Path, module: str, *words: str) -> Command:
    caching = f"--cache-dir={client.with_name('mypy')}"
    checked = ("--package=billet_api", f"--module=tools.sdk_games.{module}")
    return Command((sys.executable, "-m", "mypy", "--no-error-summary", caching, *words, *checked), _python(client))


def _python_types(clients: Path) -> tuple[Command, ...]:
    """Checks both programs, one after the other: what they share is checked once."""
    return (
        _mypy(clients / "openapi-python-client", "play_openapi_python_client", "--config-file=", "--strict"),
        _mypy(clients / "python", "play_openapi_generator", f"--config-file={GENERATOR_TYPES}"),
    )


def _python_program(client: str, module: str) -> Callable[[Path], Command]:
    return lambda clients: Command((sys.executable, "-m", f"tools.sdk_games.{module}"), _python(clients / client))


def _typescript(client: str, source: str, *, soak: bool = False) -> Program:
    projects = Path("projects-soak" if soak else "projects")

    def build(clients: Path) -> tuple[Command, ...]:
        programs = {one.client: one.source for one in PROGRAMS if one.source and one.soak is soak}
        folder = lay_out(clients, clients / projects, programs)
        # A client of those does not hold under the rules for programs; the others need no step of their own.
        return (Command((TSC, *(("--build", folder / "tsconfig.apart.json") if soak else ("--project", folder)))),)

    return Program(
        client, build, lambda clients: Command(("node", clients / projects / client / f"{source}.js")), source, soak
    )


PROGRAMS: Final = (
    _typescript("openapi-fetch", "play_openapi_fetch", soak=True),
    _typescript("hey-api", "play_hey_api"),
    _typescript("hey-api-zod", "play_hey_api", soak=True),
    _typescript("swagger-typescript-api", "play_swagger_typescript_api", soak=True),
    _typescript("oazapfts", "play_oazapfts", soak=True),
    _typescript("typescript-fetch", "play_typescript_fetch", soak=True),
    Program("python", _python_types, _python_program("python", "play_openapi_generator")),
    Program(
        "openapi-python-client",
        _python_types,
        _python_program("openapi-python-client", "play_openapi_python_client"),
        soak=True,
    ),
)

TABLES: Final = {"standard": 3, "classic": 3, "premium": 3, "lovecraft": 3}
"""With how many seats each edition is played; all but one are played through the client."""
