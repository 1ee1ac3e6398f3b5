"""How generated clients are compiled in the languages whose tools not every machine has.

Nothing is fetched: a compiler that is missing, or a library that a client is built on, is a `NotHere` that says what.
Kotlin's and C#'s clients are generated only; their libraries come by nothing but their own build tools.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from tools.sdk.tools import HASTY_JAVA, PYTHON_COMMANDS
from tools.sdk_games.programs import Command

JARS: Final = (Path.home() / ".m2" / "repository", Path("/usr/share/java"))
"""Where Maven and Debian keep the libraries of Java."""


class NotHere(Exception):
    """This machine cannot compile the client; the text says what it lacks."""


def java(client: Path) -> Command:
    """Returns the compilation of the Java client, with the Jackson that openapi-generator itself is built on."""
    jackson = str(resources.files("openapi_generator_cli") / "openapi-generator.jar")
    class_path = os.pathsep.join((jackson, _jar("jakarta.annotation-api")))
    sources = sorted((client / "src" / "main").rglob("*.java"))
    # Nothing runs what it would write.
    words = ("-proc:none", "-XDshould-stop.ifNoError=FLOW", "-d", client / "classes", "-cp", class_path, *sources)
    return Command((_compiler("javac"), *words), HASTY_JAVA)


def go(client: Path) -> Command:
    """Returns the compilation of the Go client, which needs nothing but Go; its tests need more and are left out."""
    return Command((_compiler("go"), "-C", client, "vet", "."), {"GOPROXY": "off", "GOTOOLCHAIN": "local"})


def rust(client: Path) -> Command:
    """Returns the check of the Rust client against the crates that cargo has fetched before."""
    cargo, manifest = _compiler("cargo"), ("--offline", "--manifest-path", str(client / "Cargo.toml"))
    if subprocess.run([cargo, "fetch", *manifest], capture_output=True, check=False).returncode:
        raise NotHere("cargo has not fetched the crates of the Rust client")
    return Command((cargo, "check", "--quiet", *manifest))


COMPILERS: Final[Mapping[str, Callable[[Path], Command]]] = {"java": java, "go": go, "rust": rust}


def _compiler(name: str) -> str:
    found = shutil.which(name, path=f"{PYTHON_COMMANDS}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        raise NotHere(f"{name} is not on the PATH")
    return found


def _jar(name: str) -> str:
    for folder in JARS:
        for path in sorted(folder.rglob(f"{name}*.jar")):
            return str(path)
    raise NotHere(f"{name} is neither in Maven's repository nor among Debian's jars")
