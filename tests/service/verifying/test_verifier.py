"""Logs are verified in a process of their own: whatever is in one, the process that was sent it stays as it is."""

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from games.records.portable import TooLong, Unreadable, as_json
from service.verifying import bounds
from service.verifying.bounds import TooCostly, bounded
from service.verifying.verifier import NoObject, Verifier
from tests.games.whole_logs import whole_log
from tests.processes import alive, all_gone
from tests.service.verifying.hostile_logs import LENGTH, texts
from tests.waiting import wait_until

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

    def work_for_ever():
        while True:
            pass

    with pytest.raises(TooCostly), bounded(0):
        work_for_ever()
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_what_takes_too_much_memory_is_interrupted_and_the_bound_taken_away(monkeypatch):
    with pytest.raises(TooCostly), bounded(0):
        bytearray(2 * bounds.LEAST_MEMORY)
    assert bytearray(2 * bounds.LEAST_MEMORY)


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
    # After an answer it looks for a moment at how much memory it has.
    wait_until(lambda: sorted(file.name for file in (held / "fd").iterdir()) == ["0", "1", "2"])


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
