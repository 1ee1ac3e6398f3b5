"""Finds the other Pythons of this machine."""

import os
import re
import subprocess
import sys
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
RUNNING = "{}.{}".format(*sys.version_info[:2])
TRIED = "import sys, venv, ensurepip; print('{}.{}.{}'.format(*sys.version_info[:3]))"


def found(version):
    """Returns the path of a Python of this version that runs and can make environments, or None."""
    return next((path for path in _candidates(version) if full_version(path).startswith(f"{version}.")), None)


def full_version(path):
    """Returns the version that a Python reports; an empty text if it does not run, as a shim with nothing behind it."""
    try:
        done = subprocess.run([path, "-c", TRIED], capture_output=True, text=True, timeout=60, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def line() -> str:
    """Returns the line that says which are found."""
    others = [(version, found(version)) for version in VERSIONS if version != RUNNING]
    there = ", ".join(f"{full_version(path)} ({path})" for _, path in others if path) or "none"
    absent = ", ".join(version for version, path in others if not path) or "none"
    return f"Other Pythons: {there}; not found: {absent}"


def _candidates(version):
    for folder in os.get_exec_path():
        path = Path(folder, f"python{version}")
        if path.is_file():
            yield path
    # What pyenv has installed is on the PATH as shims, which run what it was told to use alone.
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for folder in sorted(root.glob(f"versions/{version}.*"), reverse=True):
        if re.fullmatch(r"[\d.]+", folder.name):
            yield folder / "bin" / "python"
