"""A bot that does not come to an answer is ended, whatever it catches, and even if it lets no signal through."""

import contextlib
import signal
import subprocess
import sys
import time

import pytest

from games.bots.turns import TookTooLong
from workers.limit import limited


def brood():
    while True:
        time.sleep(0.001)


@pytest.fixture(autouse=True)
def alarm():
    """What was to be done at an alarm before, and is again afterwards; whether it went off."""
    gone_off = []
    handler = signal.signal(signal.SIGALRM, lambda *_: gone_off.append(time.monotonic()))
    before = signal.setitimer(signal.ITIMER_REAL, 0)
    yield gone_off
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, *before)


def test_what_ends_in_time_is_left_alone(alarm):
    handler = signal.getsignal(signal.SIGALRM)
    with limited(60):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert alarm == []
    assert signal.getsignal(signal.SIGALRM) is handler


def test_what_does_not_end_is_ended():
    began = time.monotonic()
    with pytest.raises(TookTooLong), limited(0.05):
        brood()
    assert 0.05 <= time.monotonic() - began < 20
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_what_catches_everything_is_told_again():
    def deaf():
        with contextlib.suppress(BaseException):
            brood()
        brood()

    began = time.monotonic()
    with pytest.raises(TookTooLong), limited(0.05):
        deaf()
    assert time.monotonic() - began < 20


def test_an_alarm_that_was_set_before_goes_off_when_it_is_due(alarm):
    signal.setitimer(signal.ITIMER_REAL, 60)
    with limited(120):
        time.sleep(0.05)
    left, again = signal.getitimer(signal.ITIMER_REAL)
    assert 30 < left <= 59.95
    assert again == 0
    signal.raise_signal(signal.SIGALRM)
    assert len(alarm) == 1


def test_an_alarm_that_came_due_meanwhile_goes_off_at_once(alarm):
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    with pytest.raises(TookTooLong), limited(0.1):
        brood()
    time.sleep(0.05)
    assert len(alarm) == 1


KEEPS_THE_INTERPRETER = """
import itertools
from workers import limit
limit.say_where_it_ended()
limit.STUCK_SECONDS = 0.2
with limit.limited(0.1):
    sum(itertools.repeat(0))
"""


def test_a_process_whose_interpreter_is_kept_ends_and_says_where():
    done = subprocess.run([sys.executable, "-c", KEEPS_THE_INTERPRETER], capture_output=True, text=True, timeout=120)
    assert done.returncode == -signal.SIGVTALRM
    assert "line 7" in done.stderr


def test_a_process_is_not_ended_for_what_is_over():
    with limited(5):
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 5
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
