"""Behind nginx and Caddy, set up by the files of the documentation, everything is live, and bounded."""

import json
import socket
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import httpx
import pytest

from tests.e2e.sse import Stream
from tests.games.whole_logs import whole_log
from tools.players.person import NO_TLS, Person
from tools.players.tables import CREATOR, OPEN
from tools.testbed import proxies

AT_ONCE = 20
"""Seconds within which what happens is heard of; a proxy that keeps it until there is more would keep it for ever."""
WAIT = 30


@pytest.fixture(scope="module", params=proxies.PACKAGES)
def proxy(request, served, tmp_path_factory):
    if proxies.program(request.param) is None:
        pytest.skip(proxies.missing(request.param))
    with proxies.running(request.param, tmp_path_factory.mktemp(request.param), served.port) as made:
        yield made


@pytest.fixture
def outside(proxy):
    """A client that trusts the proxy."""
    with httpx.Client(base_url=f"https://127.0.0.1:{proxy.port}", verify=proxy.trusting, timeout=60) as client:
        yield client


@pytest.fixture
def arrive(proxy, closed):
    """Registers players who come by the proxy."""
    return lambda name: closed(Person.register(f"https://127.0.0.1:{proxy.port}", name, proxy.trusting))


def test_a_client_that_does_not_trust_the_proxy_hears_nothing(proxy):
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"https://127.0.0.1:{proxy.port}/healthz", verify=ssl.create_default_context())


def test_the_file_of_caddy_is_valid():
    if proxies.program("caddy") is None:
        pytest.skip(proxies.missing("caddy"))
    command = ["validate", "--adapter", "caddyfile", "--config", proxies.DOCS / "Caddyfile"]
    done = subprocess.run([proxies.program("caddy"), *command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_game_is_played_and_followed(proxy, arrive):
    ann, ben = arrive("Ann"), arrive("Ben")
    game = ann.create("standard", [CREATOR, OPEN])["id"]
    with Stream(proxy.port, f"/v1/games/{game}/frames/stream", tls=proxy.trusting) as stream:
        assert stream.status == 200
        ben.join(game)
        other = threading.Thread(target=ben.play, args=(game, 1))
        other.start()
        view = ann.play(game, 2)
        other.join()
        assert view["status"] == "finished"
        assert [frame.id for frame in stream][-1] == view["version"], "the stream ends with the game"


def test_a_stream_sends_each_event_as_it_happens_and_comments_between_them(proxy, arrive):
    ann, ben = arrive("Ann"), arrive("Ben")
    game = ann.create("standard", [CREATOR, OPEN, OPEN])["id"]
    with Stream(proxy.port, f"/v1/games/{game}/events/stream", token=ann.token, tls=proxy.trusting) as stream:
        (first,) = stream.take(1)
        for number in range(4):
            begun = time.monotonic()
            ben.join(game) if number % 2 == 0 else ben.delete(f"/games/{game}/seats/me")
            assert [one.id for one in stream.take(1)] == [first.id + number + 1]
            assert time.monotonic() - begun < AT_ONCE
        stream.wait_for_comment()


def test_a_long_poll_is_answered_when_something_happens(arrive):
    ann, ben = arrive("Ann"), arrive("Ben")
    made = ann.create("standard", [CREATOR, OPEN, OPEN])
    with ThreadPoolExecutor() as waiting, closing(ann.twin()) as device:
        poll = waiting.submit(device.get, f"/games/{made['id']}/events?after={made['version']}&wait={WAIT}")
        time.sleep(0.5)  # nothing tells when it waits; if it comes late, it is answered at once
        ben.join(made["id"])
        begun = time.monotonic()
        assert [event["type"] for event in poll.result().json()["events"]] == ["seat_taken"]
        assert time.monotonic() - begun < AT_ONCE


def test_a_tag_comes_back_as_it_was_sent(arrive):
    ann = arrive("Ann")
    answer = ann.get(f"/games/{ann.create('standard', [CREATOR, OPEN])['id']}")
    assert answer.headers["ETag"].startswith('"')
    again = ann.get(answer.path.removeprefix("/v1"), headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_calls_count_for_the_address_that_the_proxy_sees(served, proxy, arrive):
    view = arrive("Ann").create("standard", [CREATOR, OPEN], visibility="unlisted")
    path = f"/v1/games/{view['id']}?join_code=WRONG"
    inside = httpx.HTTPTransport(verify=proxy.trusting, local_address="127.0.0.19")
    with httpx.Client(base_url=f"https://127.0.0.1:{proxy.port}", transport=inside, timeout=60) as guessing:
        # What a client says of itself is not believed.
        said = [{"X-Forwarded-For": f"198.51.100.{number}"} for number in range(62)]
        assert [guessing.get(path, headers=one).status_code for one in said] == [403] * 60 + [429] * 2
    with httpx.Client(base_url=served.base, verify=NO_TLS, timeout=60) as elsewhere:
        assert elsewhere.get(path, headers={"X-Forwarded-For": "192.0.2.9"}).status_code == 403


def test_the_world_reads_no_metrics(outside):
    assert outside.get("/healthz").status_code == 200
    assert outside.get("/metrics").status_code == 404


def test_a_body_is_bounded_and_a_log_may_be_longer(outside):
    name = {"name": "Ann", "more": " " * 70_000}
    assert outside.post("/v1/players", json=name).status_code == 413
    log = whole_log("standard", 4, 0)
    assert len(json.dumps(log)) > 64 * 1024
    assert outside.post("/v1/logs/verify", json=log).json()["valid"] is True


def test_a_head_is_bounded(proxy, outside):
    assert outside.get("/healthz", headers={"X-Long": "x" * 10_000}).status_code == 200
    opened = socket.create_connection(("127.0.0.1", proxy.port))
    with proxy.trusting.wrap_socket(opened, server_hostname="127.0.0.1") as made:
        with suppress(OSError):  # it may be cut off in the middle
            made.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 200_000 + b"\r\n\r\n")
        received = b""
        with suppress(OSError):
            received = made.recv(1000)
    assert not received.startswith(b"HTTP/1.1 200")
