"""Counts calls of Python functions: the same on every machine."""

import sys
from collections.abc import Callable
from typing import Final

PARTS: Final = ("comp>", "genexpr>")


def calls(work: Callable[[], object], within: tuple[str, ...] = ("",)) -> int:
    """Returns how many functions of Python are called, of those in files whose paths begin with one of `within`.

    Comprehensions do not count, for newer versions inline them.
    """
    counted = 0

    def count(frame, happened, _):
        nonlocal counted
        code = frame.f_code
        counted += happened == "call" and code.co_filename.startswith(within) and not code.co_name.endswith(PARTS)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted
