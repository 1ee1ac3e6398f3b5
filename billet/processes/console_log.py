"""Prints the lines of all parts on one stream, each with its time and its part's name."""

import contextlib
import json
import sys
import time

from service.log_lines import NONE

LONGEST_LINE = 64 * 1024  # bytes; longer ones are split


class ConsoleLog:
    """Prints the lines of many processes as one readable stream."""

    def __init__(self, *, as_json: bool = False) -> None:
        """Begins the log of all processes of `billet serve`; `as_json` makes each line an object, if it is none yet."""
        self._stream = sys.stdout
        self._as_json = as_json

    def say(self, part: str, line: str) -> None:
        """Prints one line of a process of `billet serve`."""
        # A closed pipe (`billet serve | head`) must not end the games.
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(f"{self._formatted(part, line)}\n")
            self._stream.flush()

    def _formatted(self, part: str, line: str) -> str:
        if not self._as_json:
            return f"{time.strftime('%H:%M:%S')} {part:<9}| {line}"
        if line.startswith("{"):
            return line
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        return json.dumps({"time": now, "level": "INFO", "logger": part, "request": NONE, "message": line})


class LineSplitter:
    """Splits the output of one process into lines for the log."""

    def __init__(self, log: ConsoleLog, part: str) -> None:
        self._log = log
        self._part = part
        self._rest = b""

    def feed(self, chunk: bytes) -> None:
        """Adds output of a process of `billet serve`, and prints its complete lines."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if len(self._rest) > LONGEST_LINE:
            lines, self._rest = [*lines, self._rest], b""
        for line in lines:
            self._print(line)

    def end(self) -> None:
        """Prints an unfinished last line of a process of `billet serve`."""
        if self._rest:
            self._print(self._rest)
            self._rest = b""

    def _print(self, line: bytes) -> None:
        self._log.say(self._part, line.decode(errors="replace").rstrip())
