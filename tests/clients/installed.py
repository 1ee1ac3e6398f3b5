"""Installs the packages in openapi/clients as users do, once for the sources as they are."""

import fcntl
import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "clients"
PYTHON = ROOT / "openapi" / "clients" / "python"


def python_client():
    """Returns the folder that `billet_client` and all that it needs are installed in."""
    BUILT.mkdir(parents=True, exist_ok=True)
    folder = BUILT / f"python-{fingerprint()}"
    # The processes of one run, and runs at the same time, share it.
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            pip("install", "--target", str(folder), str(PYTHON))
            (folder / "complete").touch()
    return folder


def fingerprint():
    """Returns what changes with the sources of the package and with the document."""
    tracked = [path for path in PYTHON.rglob("*") if path.is_file() and not {"core", "__pycache__"} & set(path.parts)]
    digest = hashlib.sha256()
    for path in sorted([*tracked, ROOT / "openapi" / "openapi.json"]):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{digest.hexdigest()[:16]}-{sys.version_info.major}.{sys.version_info.minor}"


def pip(*words):
    """Runs pip, which gets what it needs from the package registry alone."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
