"""Attacks on connections: what comes before anybody looks at the request."""

import contextlib
import socket
import time
from collections.abc import Iterator

from tools.attack.target import Target

HOLD_SECONDS = 5.0
HEAD_SECONDS = 25.0
"""Within which a head that does not end is cut off."""


@contextlib.contextmanager
def _held() -> Iterator[list[socket.socket]]:
    """Yields a list whose connections are closed afterwards; that one breaks before is no fault."""
    held: list[socket.socket] = []
    try:
        with contextlib.suppress(OSError):
            yield held
    finally:
        for one in held:
            one.close()


def idle(target: Target) -> None:
    """Opens 4,000 connections, and sends nothing."""
    with _held() as held:
        for _ in range(4_000):
            held.append(target.door.dial())
        time.sleep(HOLD_SECONDS)


def slow_heads(target: Target) -> None:
    """Begins 1,500 heads, and goes on with each by a letter a second; they must be cut off."""
    with _held() as held:
        for _ in range(1_500):
            held.append(target.door.connect())
            held[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        last, until = held[-1], time.monotonic() + HEAD_SECONDS
        while held and time.monotonic() < until:
            time.sleep(1.0)
            for one in held[:]:
                try:
                    one.sendall(b"a")
                except OSError:
                    held.remove(one)
                    one.close()
        assert last not in held, f"a head is not cut off within {HEAD_SECONDS:.0f} s"


def long_head(target: Target) -> None:
    """Sends a head of 60 MB."""
    target.raw(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ", *[b"a" * 100_000] * 600)


def slow_bodies(target: Target) -> None:
    """Begins 1,000 bodies of 60 kB, sends all but the end of each, and holds them."""
    head = b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
    with _held() as held:
        for _ in range(1_000):
            held.append(target.door.connect())
            with contextlib.suppress(OSError):  # it is refused before its body has come
                held[-1].sendall(head + b"a" * 59_000)
        time.sleep(HOLD_SECONDS)


def pipelining(target: Target) -> None:
    """Sends requests on 20 connections as fast as they are taken, and reads no response."""
    requests = b"GET /v1/editions HTTP/1.1\r\nHost: a\r\n\r\n" * 1_000
    with _held() as held:
        for _ in range(20):
            held.append(target.door.connect(seconds=0.1, receive=4096))
        until = time.monotonic() + HOLD_SECONDS
        while time.monotonic() < until:
            for one in held:
                with contextlib.suppress(OSError):
                    one.sendall(requests)
            time.sleep(0.01)


def unread_streams(target: Target) -> None:
    """Opens 200 streams of a game in which much happens, and reads nothing of them."""
    game, token = target.table(target.player())["id"], target.player()
    request = f"GET /v1/games/{game}/frames/stream HTTP/1.1\r\nHost: a\r\n\r\n".encode()
    with _held() as held:
        for _ in range(200):
            held.append(target.door.connect(receive=4096))
            held[-1].sendall(request)
        for _ in range(100):
            target.call("POST", f"/v1/games/{game}/seats", {}, token)
            target.call("DELETE", f"/v1/games/{game}/seats/me", token=token)
        time.sleep(HOLD_SECONDS)


def trailers(target: Target) -> None:
    """Sends 20 MB of trailer lines after the body of one request."""
    head = b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    lines = b"X-A: " + b"a" * 1000 + b"\r\n"
    target.raw(head + b'\r\ne\r\n{"name":"Ann"}\r\n0\r\n', *[lines * 100] * 200)


def waiting_paths(target: Target) -> None:
    """Waits on 24 connections for events under a path whose letters are percent-encoded."""
    game = target.table(target.player())
    path = f"/v1/games/{game['id']}/event%73?after={game['version']}&wait=3"
    target.many(24, lambda _: target.call("GET", path), threads=24)


def streams(target: Target) -> None:
    """Opens 1,000 streams from one address, reads nothing of them, and holds them."""
    game = target.table(target.player())["id"]
    request = f"GET /v1/games/{game}/events/stream HTTP/1.1\r\nHost: a\r\n\r\n".encode()
    with _held() as held:
        for _ in range(1_000):
            held.append(target.door.connect(seconds=5))
            held[-1].sendall(request)
        time.sleep(2)


def parameters(target: Target) -> None:
    """Sends 200 times 8,000 query parameters, then 200 times a header Accept of 60 kB."""
    query = "/v1/games?" + "&".join(f"a{i}=" for i in range(8_000))
    target.many(200, lambda _: target.call("GET", query))
    target.many(200, lambda _: target.call("GET", "/v1/games", Accept="text/html;q=0.1," * 3_700))


def lists(target: Target) -> None:
    """Asks for lists of games, metrics and the document on 16 connections for some seconds."""
    paths = ("/v1/games?edition=premium", "/v1/games?limit=100", "/metrics", "/openapi.json", "/docs")
    target.many(1_000, lambda i: target.call("GET", paths[i % len(paths)]))


def unread(target: Target) -> None:
    """Asks for the document 50 times on each of 40 connections, reads nothing, and holds them for some seconds."""
    request = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
    with _held() as held:
        for _ in range(40):
            held.append(target.door.connect(seconds=2, receive=4096))
            with contextlib.suppress(OSError):  # it takes no more in while nothing of its answers is read
                held[-1].sendall(request * 50)
        time.sleep(3)


def odd_requests(target: Target) -> None:
    """Sends requests without Host, with two lengths, and in codings that nobody takes."""
    for odd in (
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"POST /v1/players HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    ):
        for _ in range(50):
            target.raw(odd, seconds=2)


ATTACKS = (
    *(idle, slow_heads, long_head, trailers, slow_bodies, pipelining, waiting_paths, streams, unread_streams),
    *(parameters, lists, unread, odd_requests),
)
