"""What operators read about those who follow games, of an installation with one API process."""

import random
import re
import socket
import threading
import time
import urllib.request
from contextlib import ExitStack

import pytest

from api import create_front
from api.front.server import Server
from billet.processes.ports import listening_on
from service import Settings, build
from tests.e2e.calls import scraped
from tests.e2e.sse import Stream, path_of
from tests.service.at_table import EN, Game, guest

SECONDS = 60
FOLLOWING = re.compile(
    r"^billet_(streams_open|calls_waiting|streams_cut_off_total|events_sent_total) (\S+)$", re.MULTILINE
)


@pytest.fixture
def port(redis_url):
    """The port of an API process, which is this one."""
    settings = Settings(redis_url=redis_url, stream_slow_seconds=1, stream_buffer_bytes=16_384)
    with listening_on("127.0.0.1", 0) as listening:
        running = Server(create_front(settings))
        thread = threading.Thread(target=running.run, args=[listening])
        thread.start()
        yield listening.getsockname()[1]
        running.stop()
        thread.join(SECONDS)
        assert not thread.is_alive()


@pytest.fixture
def service(redis_url):
    return build(Settings(redis_url=redis_url))


def following(port):
    """The metrics of those who follow: open streams, calls that wait, streams cut off, events sent."""
    found = {name: float(value) for name, value in FOLLOWING.findall(scraped(port))}
    return [found[name] for name in ("streams_open", "calls_waiting", "streams_cut_off_total", "events_sent_total")]


def wait_until(port, expected):
    until = time.monotonic() + SECONDS
    while following(port) != expected:
        assert time.monotonic() < until, (following(port), expected)
        time.sleep(0.05)


def test_streams_waiting_calls_and_events_are_counted(port, service):
    game = Game.begin(service, 2)
    newest = game.view()["version"]
    assert following(port) == [0, 0, 0, 0]
    with ExitStack() as streams:
        opened = [streams.enter_context(Stream(port, path_of(game.id))) for _ in range(3)]
        late = streams.enter_context(Stream(port, path_of(game.id, after=0)))
        late.take(newest)
        wait_until(port, [4, 0, 0, newest])
        path = f"http://127.0.0.1:{port}/v1/games/{game.id}/events?after={newest}&wait=30"
        waiting = [threading.Thread(target=lambda: urllib.request.urlopen(path).close()) for _ in range(2)]
        for call in waiting:
            call.start()
        wait_until(port, [4, 2, 0, newest])
        game.step(random.Random(1))
        more = game.view()["version"] - newest
        for call in waiting:
            call.join(SECONDS)
        for stream in opened:
            stream.take(1 + more)
        late.take(more)
        wait_until(port, [4, 0, 0, newest + 4 * more])
    wait_until(port, [0, 0, 0, newest + 4 * more])
    counted = 'billet_http_request_seconds_count{method="GET",route="/v1/games/{game_id}/events",status="200"} 2.0'
    until = time.monotonic() + SECONDS
    while counted not in scraped(port):
        assert time.monotonic() < until, "a call that waits is one call"


def test_a_reader_who_does_not_read_is_cut_off_and_counted(port, service, monkeypatch):
    monkeypatch.setattr("games.tables.seats.MOST_BEFORE_START", 10_000)
    monkeypatch.setattr("games.tables.seats.MOST_SITTINGS", 10_000)
    game, restless = Game.open(service, "creator", "open", "open"), guest(service)
    with socket.socket() as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.connect(("127.0.0.1", port))
        stuck.sendall(f"GET {path_of(game.id)} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        wait_until(port, [1, 0, 0, 0])
        for _ in range(350):
            service.tables.take_seat(restless.token, game.id, {}, words=EN)
            service.tables.leave(restless.token, game.id, words=EN)
        until = time.monotonic() + SECONDS
        while following(port)[:3] != [0, 0, 1]:
            assert time.monotonic() < until
            time.sleep(0.05)
