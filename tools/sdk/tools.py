"""Runs the tools that generate clients.

Everything runs on what `make` has installed from PyPI and npm: the Java that openapi-generator needs comes in a wheel.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.document.derive import DERIVED, PUBLISHED, written
from tools.sdk.clients import Client, Tool

NODE_COMMANDS: Final = Path(__file__).with_name("node_modules") / ".bin"
PYTHON_COMMANDS: Final = Path(sys.executable).parent
HASTY_JAVA: Final = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
"""A run of seconds is over sooner when Java optimises less."""
PYTHON_PACKAGE: Final = "billet_api"
"""What generated clients are imported as in Python."""


class GenerationFailed(Exception):
    """A tool failed; the text is its output."""


def generate(clients: Sequence[Client], out: Path) -> None:
    """Generates clients, each anew into the folder of its name.

    Raises:
        GenerationFailed: a tool failed.
    """
    for client in clients:
        shutil.rmtree(out / client.name, ignore_errors=True)
        (out / client.name).mkdir(parents=True)
    for tool, run in TOOLS.items():
        mine = [client for client in clients if client.tool is tool]
        if mine:
            run(mine, out.resolve())


def _openapi_typescript(clients: Sequence[Client], out: Path) -> None:
    for client in clients:
        types = out / client.name / "schema.ts"
        _run(NODE_COMMANDS / "openapi-typescript", document_of(client), "--output", types)


def _hey_api(clients: Sequence[Client], out: Path) -> None:
    """Generates all at once, for starting takes as long as generating."""
    asked = [
        {"input": str(document_of(client)), "output": str(out / client.name), **client.options} for client in clients
    ]
    with tempfile.TemporaryDirectory() as folder:
        _run(NODE_COMMANDS / "openapi-ts", "--file", _written(Path(folder) / "config.json", asked))


def _swagger_typescript_api(clients: Sequence[Client], out: Path) -> None:
    for client in clients:
        _run(
            NODE_COMMANDS / "swagger-typescript-api",
            "generate",
            *("--path", document_of(client)),
            *("--output", out / client.name),
            *("--name", "api.ts"),
            *(f"--{name}" for name in client.options),
        )


def _oazapfts(clients: Sequence[Client], out: Path) -> None:
    for client in clients:
        _run(NODE_COMMANDS / "oazapfts", document_of(client), out / client.name / "api.ts")


def _openapi_python_client(clients: Sequence[Client], out: Path) -> None:
    for client in clients:
        with tempfile.TemporaryDirectory() as folder:
            config = _written(Path(folder) / "config.json", client.options)
            _run(
                PYTHON_COMMANDS / "openapi-python-client",
                "generate",
                *("--path", document_of(client)),
                *("--output-path", out / client.name / PYTHON_PACKAGE),
                *("--config", config),
                *("--meta", "none"),
                "--fail-on-warning",
            )


def _openapi_generator(clients: Sequence[Client], out: Path) -> None:
    """Generates all at once, for starting Java takes longer than generating."""
    with tempfile.TemporaryDirectory() as folder:
        configs = [
            _written(
                Path(folder) / f"{client.name}.json",
                {
                    "generatorName": client.generator,
                    "inputSpec": str(document_of(client)),
                    "outputDir": str(out / client.name),
                    "additionalProperties": {**_PACKAGE.get(client.language, {}), **client.options},
                },
            )
            for client in clients
        ]
        _run(PYTHON_COMMANDS / "openapi-generator-cli", "batch", "--fail-fast", *configs, environment=HASTY_JAVA)


_PACKAGE: Final[Mapping[str, Mapping[str, str]]] = {"Python": {"packageName": PYTHON_PACKAGE}}

TOOLS: Final[Mapping[Tool, Callable[[Sequence[Client], Path], None]]] = {
    Tool.OPENAPI_TYPESCRIPT: _openapi_typescript,
    Tool.HEY_API: _hey_api,
    Tool.SWAGGER_TYPESCRIPT_API: _swagger_typescript_api,
    Tool.OAZAPFTS: _oazapfts,
    Tool.OPENAPI_PYTHON_CLIENT: _openapi_python_client,
    Tool.OPENAPI_GENERATOR: _openapi_generator,
}


def document_of(client: Client) -> Path:
    """Returns the document that a client is generated from, written anew if it is a derived one."""
    return written(client.document) if client.document in DERIVED else PUBLISHED.with_name(client.document)


def _written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def _run(command: Path, *arguments: str | Path, environment: Mapping[str, str] | None = None) -> None:
    # A tool may call others that came with it, as openapi-python-client calls ruff.
    paths = {"PATH": f"{PYTHON_COMMANDS}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [command, *arguments],
        env={**(environment or {}), **os.environ, **paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise GenerationFailed(f"{command.name} failed:\n{done.stdout}")
