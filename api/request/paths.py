"""Reads the path of a request: what it names, and what somebody meant who pasted it with more behind it."""

import re
from collections.abc import Mapping
from string import ascii_letters, digits
from typing import Any, Final

VERSIONED: Final = "/v1"
"""The beginning of the paths that programs call; all others people may open."""

_ENDS: Final = frozenset(f"{ascii_letters}{digits}_-")
"""What the paths of ours end with."""
_CLEAN: Final = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")


def written(environ: Mapping[str, Any]) -> str:
    """Returns the path as the client wrote it, without decoding it."""
    target: str = environ.get("REQUEST_URI") or environ["PATH_INFO"]
    if not target.startswith("/"):  # the absolute form, as for a proxy
        target = "/" + target.partition("://")[2].partition("/")[2]
    return target.partition("?")[0]


def is_plain(environ: Mapping[str, Any]) -> bool:
    """Returns whether the path is written in the only way that leads anywhere.

    `//metrics` and `/%6detrics` lead nowhere: a proxy that keeps the world from `/metrics` may not know that they mean
    the same. No path of ours needs an escape.
    """
    path: str = environ["PATH_INFO"]
    return "//" not in path and written(environ) == environ.get("SCRIPT_NAME", "") + path


def is_for_people(path: str) -> bool:
    """Returns whether people may open the path, and not programs alone."""
    return path != VERSIONED and not path.startswith(f"{VERSIONED}/")


def without_ending(path: str) -> str | None:
    """Returns the path without what a chat or a mail has put behind it; None if it is clean."""
    end = len(path)
    while end and path[end - 1] not in _ENDS:
        end -= 1
    clean = path[:end]
    return (clean or "/") if end < len(path) and path != "/" and _CLEAN.fullmatch(clean) else None


def root(environ: Mapping[str, Any]) -> str:
    """Returns the relative path to the root, which works behind a proxy's prefix."""
    return "../" * (written(environ).count("/") - 1) or "./"
