"""Logs are verified in a process of their own: whatever is in one, the process that was sent it stays as it is."""

import contextlib
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from games.records.portable import TooLong, Unreadable, as_json
from service.verifying import bounds, process
from service.verifying import verifier as verifier_module
from service.verifying.bounds import TooCostly, bounded
from service.verifying.verifier import NoObject, Verifier
from tests.games.whole_logs import whole_log
from tests.service.verifying.hostile_logs import LENGTH, texts
from tools.testbed.processes import alive, all_gone
from tools.testbed.waiting import wait_until

LOG = as_json(whole_log("classic", 2, 0))
LIKE_OTHERS = (
    *("objects in objects", "empty lists", "empty objects", "empty lines", "lines of lists"),
    *("long numbers", "other names"),
)
"""Texts that take long and grow as others do."""
ROOM = 50 * 2**20
"""In bytes: by so much the process that was sent a log may grow at most."""


@pytest.fixture(scope="module")
def kept():
    verifier = Verifier(LENGTH)
    yield verifier
    verifier.stop()


def judged(verifier, raw, **how):
    """Returns the verdict on a log, or what is raised in its place."""
    try:
        return json.loads(verifier.verdict(raw, **{"packed": False, "language": "en"} | how))
    except (TooCostly, TooLong, Unreadable, NoObject) as error:
        return type(error)


def memory(name):
    """Returns how many bytes of memory this process has (VmRSS) or had at most (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def test_a_verdict_comes_back_in_the_language_that_was_asked_for(kept):
    assert judged(kept, LOG)["valid"] is True
    german = judged(kept, gzip.compress(LOG.replace(b"billet-log", b"another")), packed=True, language="de")
    assert (german["valid"], "Spiels" in german["text"]) == (False, True)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured, and bounded, on Linux alone")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak if name in LIKE_OTHERS else []) for name in texts(100_000)]
)
def test_no_text_makes_the_process_grow_that_was_sent_it_and_what_takes_too_much_is_refused(kept, name):
    packed = gzip.compress(texts()[name])
    judged(kept, LOG)
    Path("/proc/self/clear_refs").write_text("5")  # what it had at most is what it has
    before = memory("VmRSS")
    verdict = judged(kept, packed, packed=True)
    # A slow machine refuses others too.
    assert verdict is TooCostly or name != "lists in lists", verdict
    assert memory("VmHWM") - before < ROOM
    assert judged(kept, LOG)["valid"] is True


def test_what_takes_too_much_time_is_interrupted(monkeypatch):
    monkeypatch.setattr(bounds, "LEAST_SECONDS", 0.05)

    monkeypatch.setattr(bounds, "AGAIN_SECONDS", 0.05)

    def work_for_ever():
        while True:
            pass

    def swallow_the_first():
        with contextlib.suppress(TooCostly):
            work_for_ever()
        work_for_ever()

    with pytest.raises(TooCostly), bounded(0):
        swallow_the_first()
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_what_takes_too_much_memory_is_interrupted_and_the_bound_taken_away(monkeypatch):
    with bounded(0):
        assert bytearray(bounds.LEAST_MEMORY // 2)
    with pytest.raises(TooCostly), bounded(0):
        bytearray(2 * bounds.LEAST_MEMORY)
    assert bytearray(2 * bounds.LEAST_MEMORY)


WITHIN = """
import resource
from service.verifying.bounds import bounded
resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 41))
with bounded(1 << 42):
    print(resource.getrlimit(resource.RLIMIT_AS))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_a_bound_that_is_there_already_holds():
    said = subprocess.run([sys.executable, "-c", WITHIN], capture_output=True, text=True, check=True).stdout
    assert said == f"({1 << 40}, {1 << 41})\n"


@pytest.mark.parametrize(
    ("raw", "packed", "raised"),
    [
        (b"7", False, NoObject),
        (b"{", False, Unreadable),
        (gzip.compress(b"{}")[:-3], True, Unreadable),
        (gzip.compress(b" " * LENGTH + b"{}"), True, TooLong),
        (gzip.compress(b"") * 20, True, Unreadable),
    ],
    ids=["no object", "no JSON", "cut off", "too long", "many files"],  # what is packed holds the time
)
def test_what_cannot_be_read_is_told_apart(kept, raw, packed, raised):
    assert judged(kept, raw, packed=packed) is raised


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a process holds")
def test_another_process_takes_the_place_of_one_that_was_killed_and_holds_nothing_but_its_pipes(kept, monkeypatch):
    assert judged(kept, LOG)["valid"] is True
    first = kept._running
    first.kill()
    first.wait()
    monkeypatch.setenv("REGISTRATION_KEY", "a secret that nobody is to know")
    assert judged(kept, LOG)["valid"] is True
    assert kept._running.pid != first.pid
    held = Path(f"/proc/{kept._running.pid}")
    assert b"a secret" not in (held / "environ").read_bytes()
    assert re.search(r"Max core file size +0 +0 ", (held / "limits").read_text()), "what it held stays nowhere"
    ignored = re.search(r"SigIgn:\t(\w+)", (held / "status").read_text())[1]
    assert int(ignored, 16) & 1 << signal.SIGINT - 1, "Ctrl-C is for the server, which ends it"
    priority = min(19, os.getpriority(os.PRIO_PROCESS, 0) + verifier_module.NICE)
    assert os.getpriority(os.PRIO_PROCESS, kept._running.pid) == priority
    # After an answer it looks for a moment at how much memory it has.
    wait_until(lambda: sorted(file.name for file in (held / "fd").iterdir()) == ["0", "1", "2"])


def test_a_process_that_does_not_answer_is_given_up_at_once_and_one_that_has_answered_is_not(kept, monkeypatch):
    timers = []

    class Patience:
        runs = over = False

        def __init__(self, seconds, give_up):
            timers.append(self)
            self.give_up = give_up

        def start(self):
            self.runs = True
            if self.over:
                self.give_up()

        def cancel(self):
            self.runs = False

    monkeypatch.setattr(threading, "Timer", Patience)
    assert judged(kept, LOG)["valid"] is True
    monkeypatch.setattr(Patience, "over", True)
    assert judged(kept, LOG) is TooCostly
    assert [one.runs for one in timers] == [False, False]


def test_a_log_that_meets_a_process_that_is_just_ending_is_sent_to_another():
    verifier = Verifier(LENGTH)
    ending = [sys.executable, "-c", "import sys; sys.stdin.buffer.read(1)"]
    with subprocess.Popen(ending, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as verifier._running:
        assert judged(verifier, b"7") is NoObject
    verifier.stop()


def test_a_process_that_does_not_end_with_its_input_is_killed(monkeypatch):
    monkeypatch.setattr(verifier_module, "STOP_SECONDS", 0.05)
    deaf = [sys.executable, "-c", "import time; time.sleep(10_000)"]
    with subprocess.Popen(deaf, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        verifier_module._stop_process(running)
        assert running.returncode == -signal.SIGKILL


def test_threads_that_ask_at_once_get_each_its_own_answer(kept):
    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(lambda raw: judged(kept, raw), [LOG, b"7", b"{"] * 4))
    assert [one if isinstance(one, type) else one["valid"] for one in verdicts] == [True, NoObject, Unreadable] * 4


RUNS_ONE = """
import itertools
from service.verifying import process
process.IDLE_SECONDS = 10_000
{bound}
process.main()
"""
ENDS = {
    "after so many logs": ("process.MOST_LOGS = 2", 2, 0),
    "when it has grown": ("process.MOST_GROWTH = -(1 << 60)", 1, 0),
    "after what took too much": ("process.answered = lambda job: (process.TOO_COSTLY, b'')", 1, 0),
    "when it is idle": ("process.IDLE_SECONDS = 0", 0, 0),
    "when nothing interrupts it": (
        "process.seconds_for = lambda length: 0; process.parsed = lambda text: sum(itertools.repeat(0))",
        1,
        -signal.SIGXCPU,
    ),
}
"""What ends the process, how many logs it is sent, and its status."""


@pytest.mark.parametrize("when", ENDS)
def test_the_process_ends_by_itself(when):
    bound, logs, status = ENDS[when]
    message = process.request(LOG, packed=False, most=LENGTH, language="en")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", RUNS_ONE.format(bound=bound)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as running:
        for _ in range(logs):
            running.stdin.write(process.LENGTH.pack(len(message)) + message)
            running.stdin.flush()
            said = running.stdout.read(process.LENGTH.size)
            assert len(running.stdout.read(process.LENGTH.unpack(said)[0] if said else 0)) > 0 or status
        assert running.wait(240) == status


STARTS_ONE = """
import sys
from service.verifying import verifier as verifier_module
from service.verifying.verifier import Verifier
verifier_module.START_SECONDS = 240.0
verifier = Verifier(4096)
try:
    verifier.verdict(b"7", packed=False, language="en")
except ValueError:
    print(verifier._running.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows other processes as files")
def test_the_process_ends_with_the_one_that_started_it():
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", STARTS_ONE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as parent:
        child = int(parent.stdout.readline())
        assert alive(child)
        parent.kill()
    assert all_gone([child])
