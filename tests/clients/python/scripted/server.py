"""A small HTTP server that does to each request what a script says, and notes what was asked."""

import contextlib
import io
import json
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

import httpx

from tools.players.person import NO_TLS

PROBLEM = "application/problem+json"


class Asked(NamedTuple):
    """A request that has arrived."""

    method: str
    path: str
    query: dict
    headers: dict
    body: bytes
    at: float

    @property
    def key(self):
        return self.headers.get("idempotency-key")


class Scripted:
    """Takes one step of the script for each request; the last one is taken again and again."""

    def __init__(self, *steps):
        self.steps = list(steps)
        self.asked = []
        self._lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # what was written has been sent when a step breaks the connection
            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = lambda handler: self._take(handler)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _take(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        parts = urlsplit(handler.path)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        handler.asked = asked = Asked(
            handler.command, parts.path, dict(parse_qsl(parts.query)), headers, body, time.monotonic()
        )
        with self._lock:
            self.asked.append(asked)
            step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        with contextlib.suppress(ConnectionError):
            step(handler)


def answer(status, body, media_type="application/json", **headers):
    """Answers."""

    def step(handler):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"Content-Type": media_type, "Content-Length": str(len(data)), **named}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return step


def problem(status, code, **more):
    """Answers with a problem."""
    headers = {"Retry_After": str(more["retry_after"])} if "retry_after" in more else {}
    body = {"type": f"/docs/errors#{code}", "title": code, "status": status, "detail": f"{code}!", "instance": "/"}
    return answer(status, body | more | {"code": code}, PROBLEM, **headers)


def lose(handler):
    """Takes the request and breaks the connection without an answer."""
    reset(handler)


def hang_up(handler):
    """Takes the request and closes the connection in good order, without an answer."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def cut(handler):
    """Closes the connection in the middle of the answer."""
    handler.wfile.write(b'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"ver')
    reset(handler)


def passed_on(url, *, times=1, then=None):
    """Passes the request on to a service, and its answer back unless something else is done then."""

    def step(handler):
        request = handler.asked
        headers = {name: value for name, value in request.headers.items() if name not in ("host", "content-length")}
        for _ in range(times):
            passed = httpx.request(
                request.method, url + handler.path, content=request.body, headers=headers, timeout=40, verify=NO_TLS
            )
        if then is not None:
            then(handler)
        else:
            kept = {name: passed.headers[name] for name in ("ETag", "Location") if name in passed.headers}
            answer(passed.status_code, passed.content, passed.headers["Content-Type"], **kept)(handler)

    return step


def late(seconds, then):
    """Says nothing for so long."""

    def step(handler):
        time.sleep(seconds)
        then(handler)

    return step


def silent(seconds):
    """Says nothing for so long, and nothing then."""
    return late(seconds, reset)


def finish(handler):
    """Ends a stream as it should."""
    handler.wfile.write(b"0\r\n\r\n")


def stream(*frames, end=finish, opening=b"retry: 10\n\n"):
    """Answers with a stream of server-sent events, which is whole unless `end` cuts it."""

    def step(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for frame in (opening, *frames):
            if frame:
                handler.wfile.write(b"%x\r\n%b\r\n" % (len(frame), frame))
        end(handler)

    return step


def reset(handler):
    """Breaks the connection."""
    handler.close_connection = True
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.rfile.close()
    # What the connection's own end would still write has nowhere to go.
    handler.wfile = handler.rfile = io.BytesIO()
