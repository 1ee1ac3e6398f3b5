"""An API process that is the process of the tests, and what it measures of those who follow."""

import re
import threading
from contextlib import contextmanager

from api import create_asgi
from api.serve import Server
from billet.processes.ports import listening_on
from service import Settings
from tools.players.calls import scraped
from tools.testbed.waiting import wait_until

SECONDS = 60
FOLLOWING = re.compile(
    r"^billet_(streams_open|calls_waiting|streams_cut_off_total|events_sent_total) (\S+)$", re.MULTILINE
)


@contextmanager
def running(redis_url, **settings):
    """The port of the API process."""
    with listening_on("127.0.0.1", 0) as listening:
        server = Server(create_asgi(Settings(redis_url=redis_url, **settings)))
        thread = threading.Thread(target=server.run, args=[[listening]])
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.stop()
            thread.join(SECONDS)
        assert not thread.is_alive()


def following(port):
    """The metrics of those who follow: open streams, calls that wait, streams cut off, events sent."""
    found = {name: float(value) for name, value in FOLLOWING.findall(scraped(port))}
    return [found[name] for name in ("streams_open", "calls_waiting", "streams_cut_off_total", "events_sent_total")]


def wait_until_following(port, *expected):
    """Waits until the first of these metrics are as expected."""
    wait_until(lambda: following(port)[: len(expected)] == [*expected], lambda: (following(port), expected))
