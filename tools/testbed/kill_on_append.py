"""Kills processes at the moment when a log is written: `python kill_on_append.py SOCKET SECONDS PID...`.

It is a process of its own, with nothing imported, so that it is quick: it reads along what Redis carries out (MONITOR)
and kills as soon as a command writes to a log. If none comes in time it kills all the same. It prints how many it has
killed: those that had ended before are not among them.
"""

import contextlib
import os
import random
import signal
import socket
import sys
import time


def wait_for_append(path: str, seconds: float) -> None:
    """Returns when a command writes to a log, or after so many seconds."""
    until = time.monotonic() + seconds
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(b"MONITOR\r\n")
        skip = random.randrange(20)  # not always the first event of an action
        seen = b""
        while (left := until - time.monotonic()) > 0:
            connection.settimeout(left)
            seen = seen[-200:] + connection.recv(65536)
            lowered = seen.lower()
            if b'xadd" "billet:' in lowered or b'evalsha"' in lowered:
                skip -= 1
                if skip < 0:
                    return
                seen = b""


def main(path: str, seconds: str, *pids: str) -> None:
    """Waits and kills."""
    with contextlib.suppress(OSError):  # Redis is away just now, or takes no more connections
        wait_for_append(path, float(seconds))
    killed = 0
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
            killed += 1
    print(killed)


if __name__ == "__main__":
    main(*sys.argv[1:])
