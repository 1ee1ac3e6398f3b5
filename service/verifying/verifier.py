"""Has logs verified in a separate process, which protects the server from hostile ones.

`process` is what runs there; docs/decisions/002-verification-apart.md explains why it is separate.
"""

import contextlib
import os
import subprocess
import sys
import threading
import weakref
from typing import IO, Any, Final

import orjson

from games.messages import Message
from games.records.portable import TooLong, Unreadable
from service.verifying import process
from service.verifying.bounds import TooCostly, seconds_for

MOST_LOG_BYTES: Final = 4 * 1024 * 1024
"""The largest log to verify, also unpacked."""
PATIENCE: Final = 5.0
"""How many seconds to wait per second of allowed processor time before the process is given up."""
START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 5.0
NICE: Final = 10
"""How far the process's priority is below that of the processes that answer players."""


class NoObject(ValueError):
    """A text is JSON, but not an object."""


class _Ended(Exception):  # expected, so not called an error
    """The process ended without an answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Verifier:
    """Verifies logs, one at a time; the process starts with the first and ends when idle."""

    def __init__(self, most: int = MOST_LOG_BYTES) -> None:
        """`most` is the largest size in bytes of a log to verify, packed or unpacked."""
        self._most = most
        self._one_at_a_time = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._stop: weakref.finalize[..., Verifier] | None = None

    def verdict(self, raw: bytes, *, packed: bool, language: str) -> bytes:
        """Has the verifying process check a log; returns the verdict as JSON, with its texts in a language.

        Raises:
            TooLong: the log is larger than allowed.
            Unreadable: it is not a log, or could be read in two ways.
            NoObject: it is JSON, but not an object.
            TooCostly: it takes more memory or time than any valid log of its length.
        """
        message = process.request(raw, packed=packed, most=self._most, language=language)
        with self._one_at_a_time:
            answer = self._ask_twice(message)
        kind, content = answer[:1], answer[1:]
        if kind == process.DONE:
            return content
        if kind == process.UNREADABLE:
            raise Unreadable(_message_from_process(orjson.loads(content)))
        if kind == process.FAILED:
            raise RuntimeError("a log could not be verified; the lines above say why")
        if kind == process.TOO_LONG:
            raise TooLong(Message("log.too_long", {"most": self._most}))
        raise NoObject if kind == process.NO_OBJECT else TooCostly

    def stop(self) -> None:
        """Ends the verifying process, if there is one."""
        if self._stop is not None:
            self._stop()
        self._running = self._stop = None

    def _ask_twice(self, message: bytes) -> bytes:
        try:
            return self._ask(message)
        except _Ended as ended:
            if ended.status != 0:
                raise TooCostly from None
        try:  # it may have just ended by itself, idle or grown
            return self._ask(message)
        except _Ended:
            raise TooCostly from None

    def _ask(self, message: bytes) -> bytes:
        """Returns the verifying process's answer. Raises _Ended if there is none."""
        running = self._running if self._running is not None and self._running.poll() is None else self._start_process()
        sent, answers = _pipe_to_process(running.stdin), _pipe_to_process(running.stdout)
        patience = threading.Timer(START_SECONDS + PATIENCE * seconds_for(self._most), running.kill)
        patience.daemon = True
        patience.start()
        try:
            sent.write(process.LENGTH.pack(len(message)) + message)
            sent.flush()
            return _read_from_process(
                answers, process.LENGTH.unpack(_read_from_process(answers, process.LENGTH.size))[0]
            )
        except (EOFError, OSError):
            self.stop()
            raise _Ended(running.wait()) from None
        finally:
            patience.cancel()

    def _start_process(self) -> "subprocess.Popen[bytes]":
        self.stop()
        # Pass nothing of the environment, which holds the secrets of the installation.
        places = os.pathsep.join(place or os.getcwd() for place in sys.path)
        self._running = subprocess.Popen(
            [sys.executable, "-c", f"import os; os.nice({NICE}); from service.verifying.process import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": places},
        )
        self._stop = weakref.finalize(self, _stop_process, self._running)
        return self._running


def _message_from_process(sent: dict[str, Any]) -> Message:
    values = sent["values"].items()
    return Message(
        sent["key"], {name: _message_from_process(one) if isinstance(one, dict) else one for name, one in values}
    )


def _pipe_to_process(file: IO[bytes] | None) -> IO[bytes]:
    assert file is not None, "both ends are pipes"
    return file


def _read_from_process(file: IO[bytes], length: int) -> bytes:
    content = file.read(length)
    if len(content) < length:
        raise EOFError
    return content


def _stop_process(running: "subprocess.Popen[bytes]") -> None:
    """Ends a verifying process by closing its input, and waits for it."""
    with contextlib.suppress(OSError):  # unsent input does not matter
        _pipe_to_process(running.stdin).close()
    _pipe_to_process(running.stdout).close()
    try:
        running.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
