"""The HTTP server by itself, before a small application: slow, broken and odd requests, and how it stops."""

import asyncio
import http.client
import json
import re
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from types import SimpleNamespace

import pytest

from api.front import connection, front, head, places, server
from api.front.front import Front
from api.front.gates import MOST as MOST_VERIFYING
from api.front.scheduler import AT_ONCE, CallKind
from api.front.server import Server
from billet.processes.ports import listening_on
from service.settings import Settings
from tests.waiting import wait_until

GET = b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /sum HTTP/1.1\r\nHost: x\r\n"
SECONDS = 60
"""Longer than anything takes here."""
SOON = 0.3


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
BODILESS = {"/nothing": "204 NO CONTENT", "/unchanged": "304 NOT MODIFIED"}
BODIES = {}
"""What makes the answer to a path."""


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
    if environ["PATH_INFO"] in BODILESS:
        start_response(BODILESS[environ["PATH_INFO"]], [])
        return []
    if environ["PATH_INFO"] in BODIES:
        start_response("200 OK", [])
        return [BODIES[environ["PATH_INFO"]]()]
    answer = {name: value for name, value in environ.items() if name.isupper()}
    answer |= {"length": len(data), "late": "billet.late" in environ}
    text = json.dumps(answer).encode()
    status = "429 TOO MANY REQUESTS" if environ["PATH_INFO"] == "/limited" else "200 OK"
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(text)))])
    return [text]


class Running:
    """A server in a thread of its own."""

    def __init__(self, threads=4, connections=100, **settings):
        self.socket = listening_on("127.0.0.1", 0)
        self.port = self.socket.getsockname()[1]
        self.server = Server(
            Front(application, Settings(max_body_bytes=1000, **settings), threads=threads), connections
        )
        self.thread = threading.Thread(target=self.server.run, args=[self.socket])
        self.thread.start()
        self.call("GET", "/")

    def call(self, method, path, data=None, **headers):
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)) as client:
            client.request(method, path, data, headers)
            answer = client.getresponse()
            return answer, json.loads(answer.read())

    def raw(self, *parts):
        """What comes back, to the end of the connection, when parts of bytes are sent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as made:
            for part in parts:
                made.sendall(part)
            return read_all(made)

    def close(self):
        self.server.stop()
        self.thread.join(SECONDS)
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


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """No time is up, however slow the machine, but where a test lets one be short."""
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "LEAVE_SECONDS"):
        monkeypatch.setattr(connection, name, SECONDS)
    monkeypatch.setattr(server, "STOP_SECONDS", SECONDS)
    monkeypatch.setattr(server, "TICK_SECONDS", 0.05)


@pytest.fixture
def running():
    made = Running()
    yield made
    made.close()


def test_a_request_arrives_as_it_was_sent(running):
    answer, said = running.call("POST", "/a%20b/%C3%A4?x=%20y", b"abc", **{"X-Y": "z", "X_Y": "other"})
    assert answer.status == 200
    assert said["PATH_INFO"].encode("latin-1").decode() == "/a b/ä"
    assert (said["QUERY_STRING"], said["REQUEST_METHOD"], said["length"]) == ("x=%20y", "POST", 3)
    assert (said["HTTP_X_Y"], said["CONTENT_LENGTH"], said["REMOTE_ADDR"]) == ("z", "3", "127.0.0.1")
    twice = running.raw(b"GET / HTTP/1.1\r\nHost: here\r\nX-Y: a\r\nX-Y: b\r\nConnection: close\r\n\r\n")
    assert b'"HTTP_X_Y": "a,b"' in twice


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
    offered = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
    raw = running.raw(offered * 500 + b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert raw.count(b"HTTP/1.1 200 OK") == 501


@pytest.mark.parametrize("last", [b"Content-Length: %d\r\n", b"X-Last: %d\r\n"])
def test_an_offer_among_too_many_fields_is_refused_and_its_body_is_no_request(running, last):
    body = GET % b"/smuggled"
    offer = b"Connection: Upgrade\r\nUpgrade: x\r\n"
    fields = b"".join(b"X-%d: y\r\n" % number for number in range(head.MOST_FIELDS))
    raw = running.raw(POST + offer + fields + last % len(body) + b"\r\n" + body)
    assert problem(raw) == (400, "malformed_request")
    assert raw.count(b"HTTP/1.1 ") == 1


def test_slow_bodies_hold_no_thread_and_are_given_up(running, monkeypatch):
    monkeypatch.setattr(connection, "BODY_SECONDS", SOON)
    slow = [socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) for _ in range(20)]
    for made in slow:
        made.sendall(POST + b"Content-Length: 10\r\n\r\nabc")
    assert running.call("GET", "/")[0].status == 200
    for made in slow:
        with made:
            head, _, text = read_all(made).partition(b"\r\n\r\n")
            assert (json.loads(text)["late"], json.loads(text)["length"]) == (True, 0)
            assert b"connection: close" in head.lower()


def test_a_refusal_for_a_limit_is_held_back_without_a_thread_while_others_are_answered(running, monkeypatch):
    held, over = [], threading.Event()

    async def sleep(seconds):
        held.append(seconds)
        while not over.is_set():
            await asyncio.sleep(0.01)

    monkeypatch.setattr(front, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": sleep}))
    with ThreadPoolExecutor(20) as pool:
        refused = [pool.submit(running.call, "GET", "/limited") for _ in range(20)]
        wait_until(lambda: len(held) == 20)
        assert running.call("GET", "/")[0].status == 200
        assert held == [front.LIMITED_SECONDS] * 20
        assert not any(call.done() for call in refused)
        over.set()
        assert [call.result()[0].status for call in refused] == [429] * 20


@pytest.mark.parametrize(
    ("length", "seen", "closes"),
    [(1000, 1000, False), (5000, 1001, False), (200_000, 1001, False), (3_000_000, 0, True)],
)
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
        b"get / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\nBREW / HTTP/1.1\r\n\r\n",
        b"BREW / HTTP/1.1\r\n\r\nBREW / HTTP/1.1\r\n\r\n",
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


@pytest.mark.parametrize("method", ["BREW", "GETS", "M-GET"])
def test_a_method_that_the_parser_does_not_know_reaches_the_application(running, method):
    answer, said = running.call(method, "/pot", b"ab")
    assert (answer.status, said["REQUEST_METHOD"], said["PATH_INFO"], said["length"]) == (200, method, "/pot", 2)
    assert answer.getheader("connection") is None


def test_a_method_that_the_parser_does_not_know_is_refused_behind_another_request(running):
    first, _, second = running.raw(GET % b"/" + b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n").partition(b"}HTTP/1.1 ")
    assert first.startswith(b"HTTP/1.1 200 OK")
    assert problem(b"HTTP/1.1 " + second) == (400, "malformed_request")


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
def test_what_is_no_request_is_refused_when_the_one_before_has_been_answered(running, slow, broken):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(GET % b"/slow")
        slow.wait_for(1)
        made.sendall(broken)
        slow.opened.set()
        first, _, second = read_all(made).partition(b"}HTTP/1.1 ")
    assert first.startswith(b"HTTP/1.1 200 OK")
    assert problem(b"HTTP/1.1 " + second) == (400, "malformed_request")


def test_a_head_that_does_not_end_is_given_up(running, monkeypatch):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(GET % b"/")
        answered = b""
        while not answered.endswith(b"}"):
            answered += made.recv(65536)
        monkeypatch.setattr(connection, "HEAD_SECONDS", SOON)  # from the next head on
        made.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        assert problem(read_all(made)) == (408, "request_timeout")


TRAILER = b"X-Forwarded-For: 192.0.2.1\r\nIdempotency-Key: " + b"k" * 4000 + b"\r\n"


def test_trailers_are_dropped(running):
    raw = running.raw(CHUNKED + b"Connection: close\r\n\r\n3\r\nabc\r\n0\r\n" + TRAILER + b"\r\n")
    said = json.loads(raw.partition(b"\r\n\r\n")[2])
    assert said["length"] == 3
    assert not {"HTTP_X_FORWARDED_FOR", "HTTP_IDEMPOTENCY_KEY"} & set(said)


def endless(running, head, part, most):
    """What comes back when a request never ends, and how much of it was taken before."""
    sent = 0
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(head)
        with suppress(ConnectionError):
            while sent < most:
                made.sendall(part)
                sent += len(part)
        made.settimeout(SECONDS)
        with suppress(ConnectionError):
            return read_all(made), sent
    return b"", sent


@pytest.mark.parametrize(
    "part",
    [TRAILER, b"X: y\r\n" * 500, b"X-Long: " + b"x" * 4000],
    ids=["trailers", "short trailers", "one trailer without end"],
)
def test_trailers_without_end_are_refused(running, part):
    raw = running.raw(CHUNKED + b"\r\n3\r\nabc\r\n0\r\n", *[part] * 20)
    assert problem(raw) == (400, "malformed_request")
    raw, sent = endless(running, CHUNKED + b"\r\n3\r\nabc\r\n0\r\n", part * 16, 60_000_000)
    assert sent < 30_000_000, "the connection is closed long before; what was sent the kernel holds"


def test_bodies_that_are_all_chunk_and_no_body_are_refused(running):
    extended = b"1;" + b"x" * 30_000 + b"\r\na\r\n"
    assert problem(running.raw(CHUNKED + b"\r\n" + extended)) == (400, "malformed_request")
    tiny = b"1;xxxxxxxx\r\na\r\n" * 10_000
    assert problem(running.raw(CHUNKED + b"\r\n" + tiny)) == (400, "malformed_request")


PARAMETERS = b"&".join(b"p%d=1" % number for number in range(head.MOST_PARAMETERS + 1))


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: gzip\r\n\r\n",
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /?" + PARAMETERS + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nAccept: " + b"a/b," * 300 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: " + b"gzip," * 300 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * head.MOST_FIELDS + b"\r\n",
        b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=[
        *("no host", "two hosts", "gzip, chunked", "chunked twice", "gzip", "chunked in 1.0", "parameters", "Accept"),
        *("Accept-Encoding", "fields", "CONNECT"),
    ],
)
def test_what_breaks_a_bound_of_the_head_is_refused_as_a_problem(running, raw):
    assert problem(running.raw(raw)) == (400, "malformed_request")


def test_heads_within_the_bounds_are_taken(running):
    fields = b"".join(b"X-%d: y\r\n" % number for number in range(head.MOST_FIELDS - 3))
    accept = b"Accept: " + b"a/b," * 250 + b"\r\nConnection: close\r\n"
    query = PARAMETERS.rpartition(b"&")[0]
    raw = running.raw(b"GET /?" + query + b" HTTP/1.1\r\nHost: x\r\n" + accept + fields + b"\r\n")
    assert raw.startswith(b"HTTP/1.1 200 OK")
    assert json.loads(raw.partition(b"\r\n\r\n")[2])[f"HTTP_X_{head.MOST_FIELDS - 4}"] == "y"


def test_a_proxy_is_believed_where_there_is_one_and_a_trailer_never():
    running = Running(trusted_proxies=1)
    try:
        said = running.call("GET", "/", **{"X-Forwarded-For": "192.0.2.1, 192.0.2.2"})[1]
        assert said["REMOTE_ADDR"] == "192.0.2.2"
    finally:
        running.close()


def test_life_is_said_by_the_loop_whatever_the_threads_are_at(slow):
    running = Running(threads=1)
    try:
        with ThreadPoolExecutor(4) as pool:
            held = [pool.submit(running.call, method, "/slow") for method in ("GET", "POST") * 2]
            slow.wait_for(2)
            for path in ("/healthz", "/health%7a", "//healthz"):
                answer, said = running.call("GET", path)
                assert (answer.status, said) == (200, {"status": "ok"})
                assert answer.getheader("access-control-allow-origin") == "*"
            assert running.raw(b"HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").endswith(b"\r\n\r\n")
            slow.opened.set()
            assert all(call.result()[0].status == 200 for call in held)
    finally:
        running.close()


def test_requests_sent_at_once_before_the_client_closes_its_side_are_all_answered(running):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(GET % b"/1" * 300 + POST + b"Content-Length: 3\r\n\r\nabc")
        made.shutdown(socket.SHUT_WR)
        raw = read_all(made)
    assert raw.count(b"HTTP/1.1 200 OK") == 301


def test_who_closes_in_the_middle_of_a_body_is_let_go(running):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(POST + b"Content-Length: 3\r\n\r\na")
        made.shutdown(socket.SHUT_WR)
        assert read_all(made) == b""


def test_bodies_on_their_way_are_few_for_each_address(running, monkeypatch):
    few = places.Places(
        {bound: places.PlaceLimit(3, bound, "detail.too_many_bodies") for bound in ("process", "address")}
    )
    monkeypatch.setattr(running.server._front, "_arriving", few)
    with ExitStack() as held:
        for resets in (0, 1, 0):
            made = held.enter_context(socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS))
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", resets, 0))
            made.sendall(POST + b"Content-Length: 10\r\n\r\nabc")
        wait_until(lambda: few.count == 3)
        assert problem(running.raw(POST + b"Content-Length: 10\r\n\r\nabc")) == (429, "rate_limited")
        whole = running.raw(POST + b"Connection: close\r\nContent-Length: 3\r\n\r\nabc")
        assert whole.startswith(b"HTTP/1.1 200 "), "what comes whole needs no place"
    wait_until(lambda: not few.count)


def test_a_body_may_be_as_long_as_its_path_allows(running, monkeypatch):
    monkeypatch.setattr(running.server._front, "_most_body", 2_000_000)
    _, said = running.call("POST", "/", b"x" * 1_500_000)
    assert said["length"] == 1_500_000


def test_a_body_that_does_not_end_is_read_only_so_far(running):
    endless = b"%x\r\n" % 3_000_000 + b"x" * 1_200_000
    answered = running.raw(POST + b"Transfer-Encoding: chunked\r\n\r\n" + endless)
    said = json.loads(answered.partition(b"\r\n\r\n")[2])
    assert (said["length"], said["late"]) == (1001, False)


BIG = 300_000


def test_who_does_not_read_their_answers_gets_no_more_and_is_cut_off(running, monkeypatch):
    monkeypatch.setattr(connection, "WRITE_SECONDS", 0.5)
    monkeypatch.setattr(connection, "SLOWEST", 1 << 30)
    served = []
    monkeypatch.setitem(BODIES, "/big", lambda: served.append(1) or b"x" * BIG)
    with socket.socket() as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.settimeout(SECONDS)
        made.connect(("127.0.0.1", running.port))
        made.sendall(GET % b"/big" * 400)
        wait_until(lambda: not running.server.connections)
        assert len(served) < 10, "the others were never begun"


def test_who_sends_on_and_on_while_answered_is_not_read(running, slow):
    with socket.create_connection(("127.0.0.1", running.port), timeout=1) as made:
        made.sendall(GET % b"/slow")
        slow.wait_for(1)
        sent = 0
        with suppress(TimeoutError):
            while sent < 60_000_000:
                sent += made.send(b"GET / HTTP/1.1\r\n" * 4000)
        assert sent < 30_000_000, "the rest is what the kernel holds"
        (one,) = running.server.connections
        assert len(one._unread) < 1_000_000


def test_who_holds_the_most_memory_is_cut_off_when_all_hold_too_much(running, monkeypatch):
    monkeypatch.setattr(connection, "WRITE_SECONDS", 10 * SECONDS)
    monkeypatch.setattr(server, "MOST_HELD", 500_000)
    served = []
    monkeypatch.setitem(BODIES, "/big", lambda: served.append(1) or b"x" * BIG)
    with ExitStack() as held:
        modest = held.enter_context(socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS))
        modest.sendall(GET % b"/")
        assert modest.recv(1)
        crowd = [held.enter_context(socket.socket()) for _ in range(6)]
        for made in crowd:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            made.bind(("127.0.0.2", 0))
            made.connect(("127.0.0.1", running.port))
            made.sendall(GET % b"/big")

        def left():
            return sum(one.client == "127.0.0.2" for one in list(running.server.connections))

        wait_until(lambda: len(served) == len(crowd) and left() <= 3)
        assert left()
        modest.sendall((GET % b"/").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert b"connection: close" in read_all(modest)


def test_requests_that_wait_count_as_memory_that_their_connection_holds(running, slow):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(GET % b"/slow" + GET % b"/1" * 50)
        slow.wait_for(1)
        (held,) = [one.held for one in [*running.server.connections] if not one.is_idle]
        assert held >= 50 * connection.REQUEST_BYTES
        slow.opened.set()


def test_a_lost_connection_keeps_nothing_that_it_was_sent(running, slow):
    wait_until(lambda: not running.server.connections)
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(GET % b"/slow" + GET % b"/" * 300)
        slow.wait_for(1)
        (one,) = running.server.connections
        wait_until(lambda: len(one._queue) > 1 and one._unread)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wait_until(lambda: not running.server.connections)
    assert (len(one._queue), len(one._unread)) == (1, 0), "only the one that is handled"


def test_too_many_connections_cost_those_that_say_nothing(monkeypatch):
    taken, made = [], connection.Connection.connection_made
    monkeypatch.setattr(connection.Connection, "connection_made", lambda *given: (made(*given), taken.append(1)))
    running = Running(connections=20)
    try:
        with ExitStack() as held:
            for n in range(60):
                held.enter_context(socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS))
                wait_until(lambda n=n: len(taken) == n + 2)  # the first has made sure that the server runs
                assert len(running.server.connections) <= 20
            assert running.call("GET", "/")[0].status == 200
    finally:
        running.close()


def test_connections_that_only_wait_for_their_end_make_no_room():
    running = Running(connections=3)
    try:
        wait_until(lambda: not running.server.connections)
        with ExitStack() as held:
            answered = 0
            for _ in range(10):
                made = held.enter_context(socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS))
                with suppress(OSError):
                    made.sendall(POST + b"Content-Length: 3000000\r\n\r\n")  # too long: answered, and read for a while
                    answered += len(made.recv(1))
                assert len(running.server.connections) <= 3
            assert answered == 3
        wait_until(lambda: not running.server.connections)
        assert running.call("GET", "/")[0].status == 200
    finally:
        running.close()


def test_a_whole_request_behind_an_answer_that_is_read_slowly_is_not_late(running, monkeypatch):
    monkeypatch.setitem(BODIES, "/big", lambda: b"x" * 3_000_000)
    wait_until(lambda: not running.server.connections)
    with socket.socket() as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.settimeout(SECONDS)
        made.connect(("127.0.0.1", running.port))
        made.sendall(GET % b"/big" + POST + b"Content-Length: 5\r\nConnection: close\r\n\r\nwhole")
        wait_until(lambda: any(one._full and one._task is None for one in list(running.server.connections)))
        (one,) = running.server.connections
        looked = threading.Event()

        def look():
            one.enforce_timeouts(one._loop.time() + connection.IDLE_SECONDS + 1)
            looked.set()

        one._loop.call_soon_threadsafe(look)
        assert looked.wait(SECONDS)
        said = json.loads(read_all(made).rpartition(b"\r\n\r\n")[2])
    assert (said["length"], said["late"]) == (5, False)


def test_a_connection_that_says_nothing_is_closed(running, monkeypatch):
    monkeypatch.setattr(connection, "HEAD_SECONDS", SOON)
    assert running.raw() == b""


def test_a_connection_that_is_refused_and_stays_is_ended(running, monkeypatch):
    monkeypatch.setattr(connection, "LEAVE_SECONDS", 0.2)
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(b"nonsense\r\n\r\n")
        assert problem(read_all(made)) == (400, "malformed_request")
        wait_until(lambda: not running.server.connections)


def test_a_body_that_broke_off_behind_another_request_is_let_go(running, slow):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(GET % b"/slow" + POST + b"Content-Length: 3\r\n\r\na")
        slow.wait_for(1)
        made.shutdown(socket.SHUT_WR)
        slow.opened.set()
        assert read_all(made).count(b"HTTP/1.1 ") == 1


def test_a_connection_of_http_1_0_ends_with_its_answer(running):
    answered = running.raw(b"GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    assert answered.startswith(b"HTTP/1.1 200 ")
    assert b"connection: close" in answered.lower()


@pytest.mark.parametrize("path", BODILESS)
def test_an_answer_without_a_body_names_no_length(running, path):
    head, _, body = running.raw(b"GET %b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % path.encode()).partition(
        b"\r\n\r\n"
    )
    assert b"content-length" not in head.lower()
    assert body == b""


def test_a_failure_outside_of_the_application_is_a_problem(running):
    assert running.call("GET", "/fail")[1]["code"] == "internal_error"


def test_one_connection_serves_many_requests_even_sent_at_once(running):
    raw = running.raw(
        b"GET /1 HTTP/1.1\r\nHost: x\r\n\r\n" * 3 + b"GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    assert raw.count(b"HTTP/1.1 200 OK") == 4


def test_an_action_does_not_wait_for_those_who_read(running, slow):
    with ThreadPoolExecutor(12) as pool:
        reading = [pool.submit(running.call, "GET", "/slow") for _ in range(12)]
        slow.wait_for(AT_ONCE[CallKind.PAGE])
        assert running.call("POST", "/", b"x")[0].status == 200
        assert not any(call.done() for call in reading)
        slow.opened.set()
        assert all(call.result()[0].status == 200 for call in reading)


VERIFY = b"POST %b HTTP/1.1\r\nHost: x\r\nAccept-Language: %b\r\nContent-Length: %d\r\n\r\n"
LONG = 1 << 30


@pytest.mark.parametrize("path", [b"/v1/logs/verify", b"/v1/logs/verif%79", b"//v1/logs/verify", b"/%2Fv1/logs/verify"])
def test_one_log_of_an_address_is_let_in_at_a_time_and_of_the_others_nothing_is_read(running, monkeypatch, path):
    gate = Gate()
    monkeypatch.setitem(GATES, "/v1/logs/verify", gate)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(running.call, "POST", "/v1/logs/verify", b"{}")
        gate.wait_for(1)
        details = set()
        for language in (b"en", b"de"):
            refused = running.raw(VERIFY % (path, language, LONG))  # of which nothing more comes
            assert problem(refused) == (429, "rate_limited")
            assert b"retry-after: 1\r\n" in refused
            said = json.loads(refused.partition(b"\r\n\r\n")[2])
            assert (said["limit"], said["instance"]) == ("verifying_at_once", "/v1/logs/verify")
            details.add(said["detail"])
        assert len(details) == 2
        assert running.call("POST", "/v1/logs", b"{}")[0].status == 200
        gate.opened.set()
        assert first.result()[0].status == 200
    assert running.call("POST", "/v1/logs/verify", b"{}")[0].status == 200


def test_a_log_that_never_comes_keeps_out_none_of_another_address():
    running = Running(trusted_proxies=1)
    try:
        with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
            slow = VERIFY.replace(b"Host: x", b"Host: x\r\nX-Forwarded-For: 192.0.2.66\r\nExpect: 100-continue")
            made.sendall(slow % (b"/v1/logs/verify", b"en", 1000))
            assert made.recv(1000).startswith(b"HTTP/1.1 100 ")  # it has been let in
            said = [
                running.call("POST", "/v1/logs/verify", b"{}", **{"X-Forwarded-For": f"192.0.2.{n}"}) for n in (1, 66)
            ]
        assert [answer.status for answer, _ in said] == [200, 429]
    finally:
        running.close()


def test_logs_are_let_in_up_to_a_bound_from_however_many_addresses(monkeypatch):
    gate, most = Gate(), MOST_VERIFYING
    monkeypatch.setitem(GATES, "/v1/logs/verify", gate)
    running = Running(trusted_proxies=1)
    try:
        with ThreadPoolExecutor(most) as pool, ExitStack() as stack:
            first = pool.submit(running.call, "POST", "/v1/logs/verify", b"{}", **{"X-Forwarded-For": "192.0.2.1"})
            gate.wait_for(1)
            for number in range(2, most + 1):
                made = stack.enter_context(socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS))
                slow = VERIFY.replace(
                    b"Host: x", b"Host: x\r\nX-Forwarded-For: 192.0.2.%d\r\nExpect: 100-continue" % number
                )
                made.sendall(slow % (b"/v1/logs/verify", b"en", 1000))
                assert made.recv(1000).startswith(b"HTTP/1.1 100 ")
            one_more = running.call("POST", "/v1/logs/verify", b"{}", **{"X-Forwarded-For": "192.0.2.99"})
            assert one_more[0].status == 429
            gate.opened.set()
            assert first.result()[0].status == 200
    finally:
        gate.opened.set()
        running.close()


def test_a_log_that_never_comes_gives_its_place_back(running):
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(VERIFY % (b"/v1/logs/verify", b"en", 1000))
    wait_until(lambda: running.call("POST", "/v1/logs/verify", b"{}")[0].status == 200)


def test_a_stopping_server_answers_what_it_has_begun(slow):
    running = Running()
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        slow.wait_for(1)
        stopping = threading.Thread(target=running.close)
        stopping.start()
        wait_until(lambda: not takes_connections(running.port))
        slow.opened.set()
        stopping.join(SECONDS)
        answered = read_all(made)
        assert answered.startswith(b"HTTP/1.1 200 OK")
        assert b"connection: close" in answered.lower()


def test_a_stopping_server_answers_503_to_calls_that_take_too_long(slow, monkeypatch):
    monkeypatch.setattr(server, "STOP_SECONDS", 0.1)
    monkeypatch.setattr(server, "CANCEL_SECONDS", SECONDS)
    running = Running()
    with socket.create_connection(("127.0.0.1", running.port), timeout=SECONDS) as made:
        made.sendall(GET % b"/slow")
        slow.wait_for(1)
        running.server.stop()
        assert problem(read_all(made)) == (503, "unavailable")
    slow.opened.set()
    running.close()


class Held:
    """A connection of a client, which notes that it is ended."""

    can_make_room = True

    def __init__(self, client):
        self.client, self.ended = client, False

    def stop(self):
        self.ended = True

    cut = stop


def test_room_is_made_by_the_client_with_the_most_connections():
    many, one = [Held("many"), Held("many")], Held("one")
    for order in ([one, *many], [*many, one]):
        made = Server(None)
        made.connections = order
        assert made._make_room()
        assert not one.ended
    assert any(held.ended for held in many)


def test_memory_is_got_back_from_the_client_whose_connections_hold_the_most_together(monkeypatch):
    monkeypatch.setattr(server, "MOST_HELD", 30)
    most, other = [Held("most"), Held("most")], Held("other")
    assert Server(None)._shed({other: 15, most[0]: 11, most[1]: 10}) == 25
    assert (most[0].ended, most[1].ended, other.ended) == (True, False, False)


def takes_connections(port):
    """Whether somebody listens on a port still."""
    with suppress(ConnectionResetError):  # it was being made when the listener closed: the next one is refused
        try:
            socket.create_connection(("127.0.0.1", port), timeout=SECONDS).close()
        except ConnectionRefusedError:
            return False
    return True
