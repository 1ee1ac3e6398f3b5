"""Installs the Python package of clients as users do, once for the sources as they are."""

import fcntl
import hashlib
import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "clients"
SOURCES = ROOT / "clients" / "python"


def python_client() -> Path:
    """Returns the folder that `billet_client` and all that it needs are installed in."""
    return environment() / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"


def python_with_client() -> Path:
    """Returns the Python that has nothing but `billet_client` and what it needs."""
    return environment() / "bin" / "python"


def environment() -> Path:
    """Returns a virtual environment into which a wheel is installed that is built from the source distribution."""
    BUILT.mkdir(parents=True, exist_ok=True)
    folder = BUILT / f"python-{fingerprint()}"
    # The processes of one run, and runs at the same time, share it.
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            run("-m", "venv", "--clear", "--without-pip", folder)
            install("--python", folder / "bin" / "python", source_distribution(SOURCES, folder))
            (folder / "complete").touch()
    return folder


def source_distribution(sources: Path, folder: Path) -> Path:
    """Builds the source distribution into a folder and returns its path."""
    run("-m", "hatchling", "build", "--target", "sdist", "--directory", folder, cwd=sources)
    return next(folder.glob("*.tar.gz"))


def fingerprint() -> str:
    """Returns what changes with the sources of the package and with the document."""
    files = [path for path in SOURCES.rglob("*") if path.is_file() and path.suffix in (".md", ".py", ".toml")]
    sources = [path for path in files if "core" not in path.parts]  # an editable installation puts the core there
    digest = hashlib.sha256()
    for path in sorted([*sources, ROOT / "openapi" / "openapi.json"]):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{digest.hexdigest()[:16]}-{sys.version_info.major}.{sys.version_info.minor}"


def install(*words: str | Path) -> None:
    """Installs packages with uv, which gets what is needed to build and to run from the package registry."""
    uv = Path(sys.executable).with_name("uv")
    done = subprocess.run([uv, "pip", "install", "--quiet", *words], capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def run(*words: str | Path, **more: Any) -> None:
    """Runs Python."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=500, check=False, **more)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def imported() -> ModuleType:
    """Returns `billet_client`, imported beside everything else that this process has."""
    folder = str(python_client())
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module("billet_client")
