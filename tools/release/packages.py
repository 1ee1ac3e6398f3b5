"""Builds the packages of a release into build/release, and checks them as a registry would."""

from pathlib import Path
from typing import Final

from tools.release.repository import run

TWINE: Final = "twine>=7,<8"


def check_packages(root: Path) -> None:
    """Builds the packages for Python and checks them with twine; has npm list what it would pack."""
    place = root / "build" / "release"
    build_server(root, place)
    build_client(root, place)
    run(
        root, "-m", "uv", "tool", "run", "--from", TWINE, "twine", "check", "--strict", *map(str, place.glob("billet*"))
    )
    check_npm(root / "clients" / "typescript")


def build_server(root: Path, place: Path) -> None:
    """Builds the source distribution of the server, and its wheel from that, with the joined files of the pages."""
    run(root / "web", "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    run(root / "web", "npm", "run", "join")
    run(root, "-m", "uv", "build", "--quiet", "--clear", "--out-dir", str(place))


def build_client(root: Path, place: Path) -> None:
    """Builds the client package for Python."""
    run(root / "clients" / "python", "-m", "hatchling", "build", "--directory", str(place))


def check_npm(folder: Path) -> None:
    """Builds the client package for TypeScript, and lists what it holds."""
    run(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    run(folder, "npm", "run", "build")
    run(folder, "npm", "pack", "--dry-run", "--ignore-scripts")
