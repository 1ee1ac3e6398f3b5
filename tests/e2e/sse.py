"""A client of event streams: reads server-sent events as a browser does, and says what came."""

import http.client
import json
import socket
import threading
import time
from functools import partial
from typing import NamedTuple

SILENCE_SECONDS = 60
"""For so long, at most, there may be nothing but comments, which keep a connection alive for ever."""


class Sent(NamedTuple):
    """One server-sent event."""

    id: int | None
    name: str | None
    data: dict


class Stream:
    """One open stream."""

    def __init__(self, port, path, *, token=None, last=None, seconds=40, tls=None, **headers):
        """`tls` is the context of a client that trusts the server."""
        kind = http.client.HTTPConnection if tls is None else partial(http.client.HTTPSConnection, context=tls)
        self.connection = kind("127.0.0.1", port, timeout=seconds)
        sent = dict(headers)
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if last is not None:
            sent["Last-Event-ID"] = str(last)
        try:
            self.connection.request("GET", path, headers=sent)
            self.answer = self.connection.getresponse()
        except BaseException:
            self.connection.close()
            raise
        self.status = self.answer.status
        self.comments = 0

    def __iter__(self):
        """Yields what comes, until the stream ends; raises OSError or HTTPException where it breaks or is silent."""
        return self.until(threading.Event())

    def until(self, over):
        """The same until something is over; a comment may come after that."""
        fields, until = {}, time.monotonic() + SILENCE_SECONDS
        while not over.is_set() and (line := self.answer.readline()):
            text = line.decode().rstrip("\n")
            if not text:
                if "data" in fields:
                    number = int(fields["id"]) if "id" in fields else None
                    yield Sent(number, fields.get("event"), json.loads(fields["data"]))
                    until = time.monotonic() + SILENCE_SECONDS
                fields = {}
            elif text.startswith(":"):
                self.comments += 1
                if time.monotonic() > until:
                    raise TimeoutError(f"nothing but comments for {SILENCE_SECONDS} s")
            else:
                name, _, value = text.partition(": ")
                fields[name] = value

    def take(self, count):
        """The next so many events."""
        found = []
        for sent in self:
            found.append(sent)
            if len(found) == count:
                return found
        raise AssertionError(f"the stream ended after {len(found)} of {count}")

    def wait_for_comment(self):
        """Reads up to the next comment, before which no event may come."""
        assert self.answer.readline() == b":\n"
        assert self.answer.readline() == b"\n"

    def problem(self):
        return self.status, json.loads(self.answer.read())["code"]

    def close(self):
        sock = self.connection.sock
        if sock is not None:
            with_shut(sock)
        self.answer.close()
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def with_shut(sock):
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def path_of(game, **query):
    """The path of a game's stream."""
    more = "&".join(f"{name}={value}" for name, value in query.items())
    return f"/v1/games/{game}/events/stream" + (f"?{more}" if more else "")
