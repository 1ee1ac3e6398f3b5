"""Steps through a game with the keys of a terminal."""

import curses
import locale
import os
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from billet.replay.course import ReplayCourse
from billet.replay.show import ReplayPages

if TYPE_CHECKING:
    from curses import window as Window

NEXT: Final = frozenset({curses.KEY_RIGHT, ord(" "), ord("n")})
BEFORE: Final = frozenset({curses.KEY_LEFT, curses.KEY_BACKSPACE, ord("p")})
NEXT_ROUND: Final = frozenset({curses.KEY_DOWN, curses.KEY_NPAGE})
ROUND_BEFORE: Final = frozenset({curses.KEY_UP, curses.KEY_PPAGE})
FIRST: Final = frozenset({curses.KEY_HOME, ord("g")})
LAST: Final = frozenset({curses.KEY_END, ord("G")})
ESCAPE: Final = 27
LEAVE: Final = frozenset({ord("q"), ESCAPE})
NO_KEY: Final = -1
NAMED: Final = {
    ord("A"): curses.KEY_UP,
    ord("B"): curses.KEY_DOWN,
    ord("C"): curses.KEY_RIGHT,
    ord("D"): curses.KEY_LEFT,
    ord("H"): curses.KEY_HOME,
    ord("F"): curses.KEY_END,
}
"""The keys that terminals send as an escape, `[` or `O`, and a letter."""
SEQUENCE_MS: Final = 100
"""How long the rest of an escape sequence may take, as a network delivers it in pieces."""


def run(course: ReplayCourse, begin: int) -> None:
    """Shows a game on the replay screen from a step on, until the reader quits."""
    locale.setlocale(locale.LC_CTYPE, "")
    os.environ.setdefault("ESCDELAY", "25")
    curses.wrapper(lambda window: _step_through_replay(window, course, begin))


def _step_through_replay(window: "Window", course: ReplayCourse, step: int) -> None:
    pages = ReplayPages(course)
    _hide_cursor()
    while True:
        _draw_replay_screen(window, [*pages.page(step), *pages.doubt()], course.words.text("replay.keys"))
        key = _pressed_key(window)
        if key in LEAVE:
            return
        step = max(0, min(moved(key, step, course), len(course) - 1))


def _pressed_key(window: "Window") -> int:
    """Returns the key pressed on the replay screen, even if curses does not recognise it.

    Before a terminal is in application mode, it sends other sequences for its keys, and some always do.
    """
    key = window.getch()
    if key != ESCAPE:
        return key
    window.timeout(SEQUENCE_MS)
    try:
        return after_escape(window.getch)
    finally:
        window.timeout(-1)


def after_escape(read: Callable[[], int]) -> int:
    """Returns the replay screen's key for a terminal's escape sequence; the escape itself if nothing follows."""
    begun = read()
    if begun in (NO_KEY, ESCAPE):
        return ESCAPE
    if begun not in (ord("["), ord("O")):
        return NO_KEY
    last = read()
    if last in NAMED:
        return NAMED[last]
    while ord(" ") <= last < ord("@"):
        last = read()
    return NO_KEY


def moved(key: int, step: int, course: ReplayCourse) -> int:
    """Returns the step of the replay that a key leads to; any other key stays at the step."""
    moves: list[tuple[frozenset[int], Callable[[], int]]] = [
        (NEXT, lambda: step + 1),
        (BEFORE, lambda: step - 1),
        (NEXT_ROUND, lambda: course.round_from(step, 1)),
        (ROUND_BEFORE, lambda: course.round_from(step, -1)),
        (FIRST, lambda: 0),
        (LAST, lambda: len(course) - 1),
    ]
    return next((to() for keys, to in moves if key in keys), step)


def _draw_replay_screen(window: "Window", lines: list[str], keys: str) -> None:
    height, width = window.getmaxyx()
    window.erase()
    fitting = [part for line in lines for part in _fitted_to_screen(line, width - 1)]
    if len(fitting) > height - 1:
        fitting = [*fitting[: max(0, height - 2)], "..."]
    for row, line in enumerate(fitting):
        _write_on_screen(window, row, line, width, curses.A_BOLD if row == 0 else curses.A_NORMAL)
    _write_on_screen(window, height - 1, keys, width, curses.A_REVERSE)
    # Redraw each page in full, to clear output that another program wrote over it.
    window.redrawwin()
    window.refresh()


def _fitted_to_screen(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, max(20, width), subsequent_indent="    ") or [""]


def _write_on_screen(window: "Window", row: int, line: str, width: int, style: int) -> None:
    encoding = window.encoding
    shown = line.encode(encoding, "replace").decode(encoding)
    try:
        window.addnstr(row, 0, shown, max(0, width - 1), style)
    except curses.error:
        return  # the terminal has hardly any rows


def _hide_cursor() -> None:
    try:
        curses.curs_set(0)
    except curses.error:
        return  # the terminal does not support it
