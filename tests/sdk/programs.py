"""The programs that play through generated clients: how each is built and started.

All take the same arguments and print the same line of JSON; `playing` says which, once for each language.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.sdk.projects import TSC, lay_out, project_of

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
    """What checks the types of the program and of the client and, where there is need, compiles; all must succeed."""
    play: Callable[[Path], Command]
    source: str = ""
    """The name of the program, of one in TypeScript."""


def _python(client: Path) -> Mapping[str, str]:
    paths = os.pathsep.join(str(path) for path in (client, ROOT))
    return {"PYTHONPATH": paths, "MYPYPATH": paths}


def _mypy(client: Path, module: str, *words: str) -> Command:
    caching = f"--cache-dir={client.with_name('mypy')}"
    checked = ("--package=billet_api", f"--module=tests.sdk.{module}")
    return Command((sys.executable, "-m", "mypy", "--no-error-summary", caching, *words, *checked), _python(client))


def _python_types(clients: Path) -> tuple[Command, ...]:
    """Checks both programs, one after the other: what they share is checked once."""
    return (
        _mypy(clients / "openapi-python-client", "play_openapi_python_client", "--config-file=", "--strict"),
        _mypy(clients / "python", "play_openapi_generator", f"--config-file={GENERATOR_TYPES}"),
    )


def _python_program(client: str, module: str) -> Callable[[Path], Command]:
    return lambda clients: Command((sys.executable, "-m", f"tests.sdk.{module}"), _python(clients / client))


def _typescript(client: str, program: str) -> Program:
    return Program(
        client,
        _typescript_types,
        lambda clients: Command(("node", project_of(clients, client) / f"{program}.js")),
        program,
    )


def _typescript_types(clients: Path) -> tuple[Command, ...]:
    folder = lay_out(clients, {one.client: one.source for one in PROGRAMS if one.source})
    return (Command((TSC, "--build", folder)),)


PROGRAMS: Final = (
    _typescript("openapi-fetch", "play_openapi_fetch"),
    _typescript("hey-api", "play_hey_api"),
    _typescript("hey-api-zod", "play_hey_api"),
    _typescript("swagger-typescript-api", "play_swagger_typescript_api"),
    _typescript("oazapfts", "play_oazapfts"),
    _typescript("typescript-fetch", "play_typescript_fetch"),
    Program(
        "openapi-python-client",
        _python_types,
        _python_program("openapi-python-client", "play_openapi_python_client"),
    ),
    Program("python", _python_types, _python_program("python", "play_openapi_generator")),
)

TABLES: Final = {"standard": 3, "classic": 3, "premium": 3, "lovecraft": 3}
"""With how many seats each edition is played; all but one are played through the client."""
