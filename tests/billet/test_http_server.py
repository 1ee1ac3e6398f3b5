"""The HTTP server by itself, before a small application: slow, broken and odd requests, and how it stops."""

import http.client
import json
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from api import body
from api.asgi import LIMITED_SECONDS, Front
from api.turns import READERS
from billet import connection
from billet.http_server import server
from billet.ports import listening_on
from service.settings import Settings

POST = b"POST /sum HTTP/1.1\r\nHost: x\r\n"
SECONDS = 10


class Gate:
    """Holds the calls that come to it until it is opened."""

    def __init__(self):
        self.held = threading.Semaphore(0)
        self.opened = threading.Event()

    def hold(self):
        self.held.release()
        assert self.opened.wait(SECONDS)

    def wait_for(self, count):
        """Waits until so many calls more are held."""
        for _ in range(count):
            assert self.held.acquire(timeout=SECONDS)


GATES = {}


@pytest.fixture
def slow(monkeypatch):
    """The gate that calls of `/slow` come to."""
    gate = Gate()
    monkeypatch.setitem(GATES, "/slow", gate)
    yield gate
    gate.opened.set()


def application(environ, start_response):
    """Says how the request reached it."""
    data = environ["wsgi.input"].read()
    if environ["PATH_INFO"] == "/fail":
        raise RuntimeError("broken")
    if environ["PATH_INFO"] in GATES:
        GATES[environ["PATH_INFO"]].hold()
    answer = {name: value for name, value in environ.items() if name.isupper()}
    answer |= {"length": len(data), "late": "billet.late" in environ}
    text = json.dumps(answer).encode()
    status = "429 TOO MANY REQUESTS" if environ["PATH_INFO"] == "/limited" else "200 OK"
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(text)))])
    return [text]


class Running:
    """A server in a thread of its own."""

    def __init__(self, threads=4):
        self.socket = listening_on("127.0.0.1", 0)
        self.port = self.socket.getsockname()[1]
        self.server = server(Front(application, Settings(api_threads=threads, max_body_bytes=1000)), "critical")
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]})
        self.thread.start()
        self.call("GET", "/")

    def call(self, method, path, data=None, **headers):
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as client:
            client.request(method, path, data, headers)
            answer = client.getresponse()
            return answer, json.loads(answer.read())

    def raw(self, *parts):
        """What comes back, to the end of the connection, when parts of bytes are sent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as made:
            for part in parts:
                made.sendall(part)
            return read_all(made)

    def close(self):
        self.server.should_exit = True
        self.thread.join(10)
        assert not self.thread.is_alive()


def read_all(made):
    received = b""
    while chunk := made.recv(65536):
        received += chunk
    return received


def problem(raw):
    head, _, text = raw.partition(b"\r\n\r\n")
    lines = head.decode().lower().split("\r\n")
    assert "content-type: application/problem+json" in lines
    assert "access-control-allow-origin: *" in lines
    assert "connection: close" in lines
    said = json.loads(text)
    assert int(lines[0].split()[1]) == said["status"]
    return said["status"], said["code"]


@pytest.fixture
def running(monkeypatch):
    monkeypatch.setattr(body, "SECONDS", 0.3)
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.3)
    made = Running()
    yield made
    made.close()


def test_a_request_arrives_as_it_was_sent(running):
    answer, said = running.call("POST", "/a%20b/%C3%A4?x=%20y", b"abc", **{"X-Y": "z", "X_Y": "other"})
    assert answer.status == 200
    assert said["PATH_INFO"].encode("latin-1").decode() == "/a b/ä"
    assert (said["QUERY_STRING"], said["REQUEST_METHOD"], said["length"]) == ("x=%20y", "POST", 3)
    assert (said["HTTP_X_Y"], said["CONTENT_LENGTH"], said["REMOTE_ADDR"]) == ("z", "3", "127.0.0.1")


def test_a_body_in_chunks_arrives_whole(running):
    raw = running.raw(
        POST + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n", b"2\r\nde\r\n0\r\n\r\n"
    )
    assert json.loads(raw.partition(b"\r\n\r\n")[2])["length"] == 5


@pytest.mark.parametrize(
    "offer",
    [
        b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n",
        b"Connection: Upgrade\r\nConnection: keep-alive\r\nUpgrade: websocket\r\n",
    ],
)
@pytest.mark.parametrize("cut", [0, 1, 30, 70, -11, -3, -1])
def test_an_offer_of_another_protocol_is_declined_and_costs_no_body(running, offer, cut):
    first = POST + offer + b"Content-Length: 10\r\n\r\n0123456789"
    last = POST + b"Connection: close\r\nContent-Length: 2\r\n\r\nab"
    raw = running.raw(first[:cut], first[cut:] + last)
    assert raw.count(b"HTTP/1.1 200 OK") == 2
    assert [json.loads(part)["length"] for part in re.findall(rb"{.*?}", raw)] == [10, 2]


def test_any_number_of_offers_are_declined_at_once(running):
    offered = b"GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
    raw = running.raw(offered * 500 + b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert raw.count(b"HTTP/1.1 200 OK") == 501


def test_slow_bodies_hold_no_thread_and_are_given_up(running):
    slow = [socket.create_connection(("127.0.0.1", running.port), timeout=10) for _ in range(20)]
    for made in slow:
        made.sendall(POST + b"Content-Length: 10\r\n\r\nabc")
    assert running.call("GET", "/")[0].status == 200
    for made in slow:
        with made:
            head, _, text = read_all(made).partition(b"\r\n\r\n")
            assert json.loads(text)["late"] is True
            assert b"connection: close" in head.lower()


def test_a_refusal_for_a_limit_is_held_back_without_a_thread_while_others_are_answered(running):
    begun = time.monotonic()
    refused = []
    asking = [threading.Thread(target=lambda: refused.append(running.call("GET", "/limited"))) for _ in range(20)]
    for thread in asking:
        thread.start()
    assert running.call("GET", "/")[0].status == 200
    for thread in asking:
        thread.join()
    assert [answer.status for answer, _ in refused] == [429] * 20
    assert LIMITED_SECONDS <= time.monotonic() - begun < 20 / 4 * LIMITED_SECONDS


@pytest.mark.parametrize(("length", "seen", "closes"), [(1000, 1000, False), (5000, 1001, False), (3_000_000, 0, True)])
def test_of_a_long_body_no_more_than_one_byte_too_many_is_kept(running, length, seen, closes):
    answer, said = running.call("POST", "/", b"x" * (length if not closes else 0), **{"Content-Length": str(length)})
    assert said["length"] == seen
    assert (answer.getheader("connection") == "close") is closes


@pytest.mark.parametrize(
    "raw",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"BREW / HTTP/1.1\r\n\r\n",
        b"GET \xff HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nBad Header: x\r\n\r\n",
        POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        POST + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Content-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X-Long: " + b"x" * 65_600,
        b"GET /" + b"x" * 65_600,
    ],
)
def test_what_is_no_request_is_refused_as_a_problem(running, raw):
    assert problem(running.raw(raw)) == (400, "malformed_request")


CHUNKED = POST + b"Transfer-Encoding: chunked\r\n"


@pytest.mark.parametrize("more", [b"", b"Expect: 100-continue\r\n"], ids=["plain", "expecting"])
@pytest.mark.parametrize("chunks", [b"zz\r\n", b"3\r\nabc\r\n-1\r\n", b"3\r\nabcdef\r\n"])
@pytest.mark.parametrize("before", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"], ids=["first", "second"])
@pytest.mark.parametrize("pause", [0, 0.1])
def test_a_body_that_breaks_off_is_refused_as_a_problem(running, chunks, more, before, pause):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        if before:
            made.sendall(before)
            answer = b""
            while not answer.endswith(b"}"):
                answer += made.recv(65536)
        head = CHUNKED + more + b"\r\n"
        made.sendall(head if pause else head + chunks)
        time.sleep(pause)
        if pause:
            made.sendall(chunks)
        raw = read_all(made)
    assert problem(raw.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")) == (400, "malformed_request")
    assert raw.count(b"HTTP/1.1 400") == 1
    assert running.call("GET", "/")[0].status == 200


@pytest.mark.parametrize("broken", [b"nonsense\r\n\r\n", CHUNKED + b"\r\nzz\r\n"], ids=["head", "body"])
def test_what_is_no_request_is_no_answer_to_the_one_before(running, slow, broken):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        slow.wait_for(1)
        made.sendall(broken)
        assert read_all(made) == b""


def test_a_head_that_does_not_end_is_given_up(running):
    assert problem(running.raw(b"GET / HTTP/1.1\r\nX-Slow: ")) == (408, "request_timeout")


def test_a_connection_that_says_nothing_is_closed(running):
    assert running.raw() == b""


def test_a_failure_outside_of_the_application_is_a_problem(running):
    assert running.call("GET", "/fail")[1]["code"] == "internal_error"


def test_one_connection_serves_many_requests_even_sent_at_once(running):
    raw = running.raw(b"GET /1 HTTP/1.1\r\nHost: x\r\n\r\n" * 3 + b"GET /2 HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert raw.count(b"HTTP/1.1 200 OK") == 4


def test_an_action_does_not_wait_for_those_who_read(running, slow):
    with ThreadPoolExecutor(12) as pool:
        reading = [pool.submit(running.call, "GET", "/slow") for _ in range(12)]
        slow.wait_for(READERS)
        assert running.call("POST", "/", b"x")[0].status == 200
        assert not any(call.done() for call in reading)
        slow.opened.set()
        assert all(call.result()[0].status == 200 for call in reading)


def test_a_stopping_server_answers_what_it_has_begun(slow):
    running = Running()
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as made:
        made.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        slow.wait_for(1)
        stopping = threading.Thread(target=running.close)
        stopping.start()
        while takes_connections(running.port):
            time.sleep(0.02)
        slow.opened.set()
        stopping.join(SECONDS)
        assert read_all(made).startswith(b"HTTP/1.1 200 OK")


def takes_connections(port):
    """Whether somebody listens on a port still."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=SECONDS).close()
    except ConnectionRefusedError:
        return False
    return True
