"""Attacks on connections: what comes before anybody looks at the request."""

import contextlib
import socket
import time

from tests.attack.target import ATTACKER, Target

BEGUN = f"X-Forwarded-For: {ATTACKER}\r\n".encode()


def trailers(target: Target) -> None:
    """Sends 20 MB of trailer lines after the body of one request."""
    head = b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    lines = b"X-A: " + b"a" * 1000 + b"\r\n"
    target.raw(head + BEGUN + b'\r\ne\r\n{"name":"Ann"}\r\n0\r\n', *[lines * 100] * 200)


def waiting_paths(target: Target) -> None:
    """Waits on 24 connections for events under a path whose letters are percent-encoded."""
    game = target.table(target.player())
    path = f"/v1/games/{game['id']}/event%73?after={game['version']}&wait=3"
    target.many(24, lambda _: target.call("GET", path), threads=24)


def streams(target: Target) -> None:
    """Opens 1,000 streams from one address, reads nothing of them, and holds them."""
    game = target.table(target.player())["id"]
    request = f"GET /v1/games/{game}/events/stream HTTP/1.1\r\nHost: a\r\n".encode() + BEGUN + b"\r\n"
    held: list[socket.socket] = []
    try:
        for _ in range(1_000):
            held.append(socket.create_connection(("127.0.0.1", target.port), 5))
            held[-1].sendall(request)
        time.sleep(2)
    except OSError:
        pass
    finally:
        for one in held:
            one.close()


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
    request = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n" + BEGUN + b"\r\n"
    held: list[socket.socket] = []
    try:
        for _ in range(40):
            one = socket.socket()
            held.append(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.settimeout(2)
            one.connect(("127.0.0.1", target.port))
            with contextlib.suppress(OSError):  # it takes no more in while nothing of its answers is read
                one.sendall(request * 50)
        time.sleep(3)
    finally:
        for one in held:
            one.close()


def odd_requests(target: Target) -> None:
    """Sends requests without Host, with two lengths, and in codings that nobody takes."""
    for odd in (
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"POST /v1/players HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    ):
        for _ in range(50):
            target.raw(odd, seconds=2)


ATTACKS = (trailers, waiting_paths, streams, parameters, lists, unread, odd_requests)
