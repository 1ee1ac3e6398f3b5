"""The process that verifies logs for a server. It gets one, answers, and ends with its server.

It holds no secret, no connection and no port. `verifier` starts it.
"""

import gc
import os
import queue
import resource
import signal
import struct
import sys
import threading
import traceback
from typing import Any, Final, NoReturn

import orjson

from games.records.portable import TooLong, Unreadable, parsed, unpacked
from games.records.schema import checks
from games.records.verdicts import as_data
from games.records.verification import verify
from games.texts.catalogue import LANGUAGES, catalogue
from service.verifying.bounds import MIB, TooCostly, bounded, seconds_for

DONE: Final = b"d"
UNREADABLE: Final = b"u"
TOO_LONG: Final = b"l"
TOO_COSTLY: Final = b"c"
NO_OBJECT: Final = b"n"
FAILED: Final = b"f"

LENGTH: Final = struct.Struct("!I")
"""Precedes each message: its length in bytes."""
IDLE_SECONDS: Final = 60.0
"""The process ends after this long without a log, so that an idle server holds no memory for it."""
MOST_LOGS: Final = 1000
MOST_GROWTH: Final = 32 * MIB
"""Memory growth after which the process ends and is replaced."""


def main() -> NoReturn:
    """Runs the verifying process: verifies the logs that the server sends, one after the other."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    checks()
    for language in LANGUAGES:
        catalogue(language)
    gc.freeze()  # what the process begins with stays, and no collection need look at it
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive_logs, args=(jobs,), daemon=True).start()
    begun_with = resident()
    for _ in range(MOST_LOGS):
        try:
            job = jobs.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            break
        kind, content = answered(job)
        _send_verdict(kind + content)
        if kind == TOO_COSTLY or resident() > begun_with + MOST_GROWTH:
            break
    os._exit(0)  # at once: the reading thread never returns


def answered(job: bytes) -> tuple[bytes, bytes]:
    """Returns the verifying process's answer to a message from `request`, as a kind and a content."""
    length, rest = LENGTH.unpack_from(job)[0], memoryview(job)[LENGTH.size :]
    how, raw = orjson.loads(rest[:length]), bytes(rest[length:])
    try:
        # Packed logs are bounded by their largest unpacked size.
        with bounded(how["most"] if how["packed"] else len(raw)):
            text = unpacked(raw, how["most"]) if how["packed"] else raw
        _bound_for_good(len(text))
        with bounded(len(text)):
            return _verdict_on(text, how["language"])
    except TooLong:
        return TOO_LONG, b""
    except Unreadable as error:
        return UNREADABLE, orjson.dumps(error.why)
    except TooCostly:
        return TOO_COSTLY, b""
    except Exception:
        traceback.print_exc()
        return FAILED, b""


def request(raw: bytes, *, packed: bool, most: int, language: str) -> bytes:
    """Returns the message to the verifying process that asks for a verdict on a log."""
    how = orjson.dumps({"packed": packed, "most": most, "language": language})
    return LENGTH.pack(len(how)) + how + raw


def _verdict_on(text: bytes, language: str) -> tuple[bytes, bytes]:
    log: Any = parsed(text)
    if not isinstance(log, dict):
        return NO_OBJECT, b""
    return DONE, orjson.dumps(as_data(verify(log), catalogue(language)))


def _bound_for_good(length: int) -> None:
    """Has the system kill this verifying process if a log blocks it where no interruption works."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + 2 * seconds_for(length)) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def resident() -> int:
    """Returns how many bytes of memory this verifying process holds; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _receive_logs(jobs: "queue.SimpleQueue[bytes]") -> None:
    """Passes on the logs that the server sends to verify, and ends the process with the server, whatever it does."""
    while True:
        jobs.put(_read_message(LENGTH.unpack(_read_message(LENGTH.size))[0]))


def _read_message(length: int) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        part = os.read(0, length - len(parts))
        if not part:
            os._exit(0)
        parts += part
    return bytes(parts)


def _send_verdict(message: bytes) -> None:
    left = memoryview(LENGTH.pack(len(message)) + message)
    while left:
        left = left[os.write(1, left) :]
