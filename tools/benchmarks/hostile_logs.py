"""What the worst logs cost: the process that is sent one, the process that verifies it, and `billet verify`.

    python -m tools.benchmarks.hostile_logs

Each text is 4 MiB long and is sent packed. The pause is the longest time for which a thread of the process that was
sent the log did not get to run, as a player's call would not.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from games.records.portable import Unreadable, as_json, packed
from service.verifying.bounds import TooCostly
from service.verifying.verifier import Verifier
from tests.games.whole_logs import joined_and_left, whole_log
from tests.service.verifying.hostile_logs import LENGTH, texts

TRUE = {
    "true: players come and go 9,000 times": lambda: as_json(joined_and_left(9_000)),
    "true: a game of six": lambda: as_json(whole_log("standard", 6, 0)),
}


def text(name):
    """Returns a text by its name."""
    return TRUE[name]() if name in TRUE else texts()[name]


class Pauses:
    """Notes the longest time for which a thread that wants to run does not."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        last = time.monotonic()
        while not self._ends.wait(0.001):
            now = time.monotonic()
            self.longest, last = max(self.longest, now - last), now


def kib(name):
    """Returns a figure of the memory of this process."""
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if name in line)


def sent(path) -> None:
    """Prints what it costs to have a log verified, as a server does."""
    raw, verifier = Path(path).read_bytes(), Verifier(LENGTH)
    verifier.verdict(packed(as_json(whole_log("classic", 2, 0))), packed=True, language="en")
    Path("/proc/self/clear_refs").write_text("5")
    before, begun = kib("VmRSS"), time.monotonic()
    with Pauses() as pauses:
        try:
            said = json.loads(verifier.verdict(raw, packed=True, language="en"))["valid"]
        except (TooCostly, Unreadable) as error:
            said = type(error).__name__
    seconds, grown = time.monotonic() - begun, kib("VmHWM") - before
    verifier.stop()
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps([str(said), seconds, pauses.longest * 1000, grown / 1024, most / 1024]))


def of_command(path):
    """Returns the seconds and the MiB that `billet verify` takes for a log."""
    child = subprocess.Popen([sys.executable, "-m", "billet", "verify", "--jobs", "1", path], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Prints a table of what each text costs."""
    columns = ["text", "packed, kB", "verdict", "seconds", "pause, ms", "server + MiB", "process, MiB"]
    columns += ["`billet verify`, s", "MiB"]
    print("|", " | ".join(columns), "|")
    print("|", " | ".join("---" for _ in columns), "|")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/log"
        for name in [*texts(), *TRUE]:
            Path(path).write_bytes(packed(text(name)))
            told = subprocess.run([sys.executable, "-m", __spec__.name, path], check=True, capture_output=True).stdout
            said, *figures = json.loads(told)
            figures = [f"{figure:.1f}" for figure in (*figures, *of_command(path))]
            print("|", " | ".join([name, f"{Path(path).stat().st_size / 1000:.0f}", said, *figures]), "|", flush=True)


if __name__ == "__main__":
    sent(sys.argv[1]) if sys.argv[1:] else main()
