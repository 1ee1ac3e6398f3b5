"""The threads that serve calls."""

import threading
import weakref

from api.front.bridge import Threads
from tests.waiting import wait_until

SECONDS = 60


def test_they_do_all_that_is_queued_and_end_when_nobody_holds_them():
    threads = Threads("short-lived", 2)
    running = [thread for thread in threading.enumerate() if thread.name.startswith("short-lived")]
    assert len(running) == 2
    done = [threading.Event() for _ in range(10)]
    for one in done:
        threads.put(one.set)
    del threads
    assert all(one.wait(SECONDS) for one in done)
    for thread in running:
        thread.join(SECONDS)
        assert not thread.is_alive()


def test_they_let_a_job_go_that_is_done():
    class Job:
        def __call__(self):
            pass

    threads, job = Threads("short-lived", 1), Job()
    kept = weakref.ref(job)
    threads.put(job)
    del job
    wait_until(lambda: kept() is None)
