"""One API process: what waits, who waits, and whom it keeps waiting."""

import gc
import http.client
import json
import socket
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, closing

import pytest

from api.link import Link
from api.places import UNBOUND, Bound, Places
from service import Settings, build
from tests.api_process import SECONDS, running
from tests.e2e.sse import Stream, path_of
from tests.service.at_table import Game
from tools.players.calls import scraped
from tools.testbed.waiting import wait_until

WAIT = 30
"""As long as a call may wait; for those that are to be there until the test has looked."""


@pytest.fixture
def collector():
    """The collector of what is in cycles; what a test disables works again after it."""
    yield gc
    gc.enable()


@pytest.fixture
def game(redis_url):
    return Game.begin(build(Settings(redis_url=redis_url)), 2)


def get(port, path, token=None):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers), timeout=SECONDS
        ) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def asked(port, path, source="127.0.0.1"):
    """A connection on which a call has been sent."""
    made = socket.create_connection(("127.0.0.1", port), timeout=SECONDS, source_address=(source, 0))
    made.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    return made


def answer_of(made):
    received = b""
    while chunk := made.recv(65536):
        received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def one_of_each_address(limit):
    """Places of which each address may take one."""
    return Places(UNBOUND, Bound(1, limit, "detail.too_many_wait"))


def until_waiting(port, count):
    """Returns once so many calls wait: until then another one might take the place of one of them."""
    wait_until(lambda: f"\nbillet_calls_waiting {count}.0\n" in scraped(port))


@pytest.mark.parametrize("name", ["events", "event%73", "%65vents"])
def test_calls_that_wait_hold_no_thread_however_their_path_is_written(redis_url, game, name):
    newest = game.view()["version"]
    with running(redis_url) as port, ExitStack() as held:
        for _ in range(8):
            held.enter_context(asked(port, f"/v1/games/{game.id}/{name}?after={newest}&wait={WAIT}"))
        begun = time.monotonic()
        for path in ("/v1/bots", f"/v1/games/{game.id}", "/healthz", "/v1/games"):
            assert get(port, path)[0] == 200
        assert time.monotonic() - begun < WAIT / 2


def test_so_many_calls_of_an_address_may_wait(redis_url, game, monkeypatch):
    monkeypatch.setattr("api.asgi.waiting_places", lambda: one_of_each_address("waiting_by_address"))
    newest = game.view()["version"]
    path = f"/v1/games/{game.id}/events?after={newest}"
    with running(redis_url) as port:
        with asked(port, f"{path}&wait={WAIT}"):
            until_waiting(port, 1)
            status, problem = get(port, f"{path}&wait=1")
            assert (status, problem["limit"]) == (429, "waiting_by_address")
            assert get(port, path)[0] == 200, "who does not wait is answered"
            with asked(port, f"{path}&wait=1", "127.0.0.2") as elsewhere:
                assert answer_of(elsewhere)[0] == 200
        wait_until(lambda: get(port, f"{path}&wait=1")[0] == 200)


def test_so_many_streams_of_an_address_are_open(redis_url, game, monkeypatch):
    monkeypatch.setattr("api.asgi.stream_places", lambda: one_of_each_address("streams_by_address"))
    with running(redis_url) as port, Stream(port, path_of(game.id)) as stream:
        stream.take(1)
        with asked(port, path_of(game.id)) as refused:
            status, problem = answer_of(refused)
            assert (status, problem["limit"]) == (429, "streams_by_address")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/players", b'{"name": "Ann"}', 201),
        ("/v1/players", b'{"name": ""}', 422),
        ("/v1/players", b"{", 400),
    ],
)
def test_a_body_is_freed_with_its_answer_and_does_not_wait_for_the_collector(redis_url, collector, path, body, status):
    with running(redis_url) as port:

        def post():
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as client:
                client.request("POST", path, body, {"Content-Type": "application/json"})
                assert client.getresponse().status == status

        def calls():
            return [one for one in collector.get_objects() if isinstance(one, Link)]

        post()  # the first call loads scripts into Redis, after an error
        wait_until(lambda: collector.collect() >= 0 and not calls())  # the server may still be ending that call
        collector.disable()
        post()
        wait_until(lambda: not calls())
