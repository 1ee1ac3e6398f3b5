"""The service that is attacked: a real one, started for it, with what it takes up and what another client notices."""

import contextlib
import json
import os
import socket
import statistics
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import redis

from tests.installation import Installation
from tests.processes import words_of

ATTACKER, OTHER = "192.0.2.66", "192.0.2.1"
"""The addresses of the attacker and of everybody else, as a trusted proxy tells them."""
TABLE: dict[str, Any] = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}


@dataclass
class Memory:
    """The megabytes that API, workers and Redis hold, and apart from them the verifier, which ends when it is idle."""

    api: float = 0.0
    workers: float = 0.0
    redis: float = 0.0
    verifier: float = 0.0

    def __str__(self) -> str:
        return f"{self.api:.0f}/{self.workers:.0f}/{self.redis:.0f}"


@dataclass
class Left:
    """What lies in Redis."""

    keys: int
    bytes: int


@dataclass
class Noticed:
    """How long another client's calls took, in milliseconds, and how many were not answered with 200."""

    took: list[float] = field(default_factory=list)
    failed: int = 0

    def median(self) -> float:
        """Returns the median."""
        return statistics.median(self.took) if self.took else 0.0

    def p99(self) -> float:
        """Returns what 99 of 100 calls took at most."""
        return sorted(self.took)[int(len(self.took) * 0.99)] if self.took else 0.0


class Client:
    """Calls of the service, over one connection for each thread."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._here = threading.local()
        self._open: set[HTTPConnection] = set()

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        token: str | None = None,
        address: str = ATTACKER,
        **headers: str,
    ) -> tuple[int, bytes]:
        """Makes a call over this thread's connection and returns status and body; status 0 if there is no answer."""
        given = {"X-Forwarded-For": address, **{name.replace("_", "-"): value for name, value in headers.items()}}
        raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if raw is not None:
            given.setdefault("Content-Type", "application/json")
        if token:
            given["Authorization"] = f"Bearer {token}"
        connection = getattr(self._here, "connection", None) or HTTPConnection("127.0.0.1", self.port, timeout=40)
        self._here.connection = connection
        self._open.add(connection)
        try:
            connection.request(method, path, raw, given)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, HTTPException):
            connection.close()
            return 0, b""

    def close(self) -> None:
        """Closes the connections of all threads; each opens again when it is used."""
        while self._open:
            self._open.pop().close()


class Target:
    """A running service with an attacker's means against it."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.port = installation.port
        self.client = Client(installation.port)
        self.call = self.client.call

    def many(self, count: int, what: Any, threads: int = 16) -> list[Any]:
        """Calls a function with 0, 1, 2 ... from several threads and returns what it returns."""
        with ThreadPoolExecutor(threads) as pool:
            done = list(pool.map(what, range(count)))
        self.client.close()
        return done

    def player(self, address: str = ATTACKER) -> str:
        """Registers a player and returns the token; an address that has used up its share gives an attack up."""
        status, raw = self.call("POST", "/v1/players", {"name": "Ann"}, address=address)
        assert status == 201, f"registering was answered {status}"
        return str(json.loads(raw)["token"])

    def table(self, token: str, *bots: str, address: str = ATTACKER, **more: Any) -> Any:
        """Opens a table and returns it; without bots one with an open seat."""
        seats = [{"kind": "creator"}, *[{"kind": "bot", "bot": bot} for bot in bots]] if bots else TABLE["seats"]
        status, raw = self.call("POST", "/v1/games", {**TABLE, "seats": seats, **more}, token, address)
        assert status == 201, f"opening a table was answered {status}"
        return json.loads(raw)

    def raw(self, *parts: bytes, seconds: float = 5.0) -> bytes:
        """Sends bytes on a connection of its own and returns the beginning of what comes back."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), seconds) as made:
            for part in parts:
                made.sendall(part)
            return made.recv(4096)
        return b""

    # --- what is measured ---

    def memory(self) -> Memory:
        """Returns what the service's processes hold now."""
        found = Memory()
        for pid in (self.installation.process.pid, *[process.pid for process in self.installation.tree()]):
            words, held = words_of(pid), _megabytes(pid)
            if "redis-server" in words or "valkey-server" in words:
                found.redis += held
            elif "service.verifying" in words:
                found.verifier += held
            elif "worker" in words:
                found.workers += held
            else:
                found.api += held
        return found

    def left(self) -> Left:
        """Returns what lies in Redis."""
        with self.redis() as client:
            return Left(client.dbsize(), client.info("memory")["used_memory"])

    @contextlib.contextmanager
    def redis(self) -> Any:
        """Opens the Redis of the service."""
        url = (Path(self.installation.data_dir) / "redis" / "url").read_text()
        with redis.Redis.from_url(url, socket_timeout=5) as client:
            yield client

    def peak(self, stop: threading.Event, peaks: list[float]) -> None:
        """Notes how much memory all processes hold together at most, until it is told to stop."""
        while not stop.wait(0.1):
            held = self.memory()
            peaks.append(held.api + held.workers + held.redis + held.verifier)


def _megabytes(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0.0
    return (int(status[1]) - int(status[2])) * os.sysconf("SC_PAGE_SIZE") / 2**20
