"""What a client may send, and for how long: bounds of the application, and those of the guard around uvicorn."""

import json
import socket
import time
from contextlib import ExitStack, suppress

import pytest

from api import asgi, guard
from api.places import Bound, Places
from tests.api_process import SECONDS, running
from tools.testbed.waiting import wait_until

POST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
VERIFY = b"POST /v1/logs/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
SLOW = b"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
PATIENT = 600
"""Seconds after which a body is given up in tests in which none is to be, however slow the machine is."""


@pytest.fixture
def port(redis_url):
    with running(redis_url) as number:
        yield number


def sent(port, *parts, source="127.0.0.1"):
    """A connection on which something was sent."""
    made = socket.create_connection(("127.0.0.1", port), timeout=SECONDS, source_address=(source, 0))
    with suppress(ConnectionError):  # it may be closed in the middle
        for part in parts:
            made.sendall(part)
    return made


def read_out(made):
    """All that comes until the server closes the connection."""
    received = b""
    with made, suppress(ConnectionError):
        while part := made.recv(65536):
            received += part
    return received


def answer_of(made):
    """The status, the headers and the content of one answer."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += made.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split()[0])
    while len(body) < length:
        body += made.recv(65536)
    return int(head.split()[1]), head.lower(), json.loads(body)


# --- the application, under any server ---


def test_a_slow_body_is_given_up(port, monkeypatch):
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.2)
    received = read_out(sent(port, POST, b"Content-Length: 10\r\n\r\nabc"))
    assert received.startswith(b"HTTP/1.1 408 ")
    assert b"\r\nconnection: close\r\n" in received


def test_few_bodies_of_an_address_are_on_their_way(redis_url, monkeypatch):
    places = Places(Bound(3, "bodies_at_once", "detail.too_many_bodies"), Bound(2, "few", "detail.too_many_bodies"))
    monkeypatch.setattr(asgi, "arriving_places", lambda: places)
    monkeypatch.setattr(asgi, "BODY_SECONDS", PATIENT)
    with running(redis_url) as port, ExitStack() as held:
        for source in ("127.0.0.1", "127.0.0.1", "127.0.0.2"):
            made = held.enter_context(sent(port, POST, SLOW, source=source))
            assert made.recv(1000).startswith(b"HTTP/1.1 100 ")
        for source, limit in (("127.0.0.1", "few"), ("127.0.0.3", "bodies_at_once")):
            status, head, problem = answer_of(held.enter_context(sent(port, POST, SLOW, source=source)))
            assert (status, problem["limit"]) == (429, limit)
            assert b"\r\nconnection: close" in head
        assert answer_of(held.enter_context(sent(port, GET)))[0] == 200


@pytest.mark.parametrize(("length", "closes"), [(100_000, False), (3_000_000, True)])
def test_a_body_that_is_too_long_is_refused_and_only_so_much_of_it_is_read(port, length, closes):
    with sent(port, POST, b"Content-Length: %d\r\n\r\n" % length, b" " * min(length, 1_100_000)) as made:
        status, head, problem = answer_of(made)
    assert (status, problem["code"]) == (413, "content_too_large")
    assert (b"\r\nconnection: close" in head) is closes


def test_a_refusal_for_a_limit_is_held_back(redis_url, monkeypatch):
    monkeypatch.setattr("api.request.limits.OF_ONE_ADDRESS", 1)
    with running(redis_url, limit_reading="1/hour") as port, sent(port) as made:
        for status in (200, 429):
            begun = time.monotonic()
            made.sendall(GET.replace(b"/healthz", b"/v1/editions"))
            assert answer_of(made)[0] == status
        assert time.monotonic() - begun >= asgi.LIMITED_SECONDS


def test_one_log_of_an_address_is_let_in_at_a_time_and_of_the_others_nothing_is_read(port, monkeypatch):
    monkeypatch.setattr(asgi, "BODY_SECONDS", PATIENT)
    with sent(port, VERIFY, SLOW) as slow:
        assert slow.recv(1000).startswith(b"HTTP/1.1 100 ")
        with sent(port, VERIFY, SLOW) as refused:
            status, head, problem = answer_of(refused)
            assert (status, problem["limit"]) == (429, "verifying_at_once")
            assert b"\r\nconnection: close" in head
        with sent(port, VERIFY, b"Content-Length: 2\r\n\r\n{}", source="127.0.0.2") as other:
            assert answer_of(other)[0] == 200
    wait_until(lambda: answered_to_verify(port) == 200)


def answered_to_verify(port):
    with sent(port, VERIFY, b"Content-Length: 2\r\n\r\n{}") as made:
        return answer_of(made)[0]


# --- uvicorn, as `billet api` runs it ---


def test_a_head_that_does_not_end_is_cut_off(redis_url, monkeypatch):
    monkeypatch.setattr(guard, "HEAD_SECONDS", 0.2)
    with running(redis_url) as port:
        assert read_out(sent(port, GET[:-2])) == b""
        assert read_out(sent(port, b"")) == b"", "nor is one that does not begin"


@pytest.mark.parametrize(
    "parts",
    [
        (GET[:-2], b"X-Long: " + b"x" * guard.MOST_HEAD_BYTES),
        (GET[:-2], b"X: y\r\n" * guard.MOST_HEADERS + b"\r\n"),
        (b"GET /" + b"x" * guard.MOST_HEAD_BYTES,),
        (CHUNKED, b"X-Long: " + b"x" * 8 * guard.MOST_HEAD_BYTES),
    ],
    ids=["a long header", "many headers", "a long path", "a long trailer"],
)
def test_a_head_that_is_too_long_is_cut_off(port, parts):
    assert read_out(sent(port, *parts)) == b""
    with sent(port, GET[:-2], b"X-Long: " + b"x" * 50_000 + b"\r\n\r\n") as made:
        assert answer_of(made)[0] == 200


def test_a_flood_of_requests_before_their_answers_is_cut_off(port):
    with sent(port, GET * 5) as made:
        received = b""
        while received.count(b"HTTP/1.1 200 ") < 5:
            received += made.recv(65536)
    flood = read_out(sent(port, GET * (guard.MOST_QUEUED * 3)))
    assert flood.count(b"HTTP/1.1 200 ") < guard.MOST_QUEUED * 3
