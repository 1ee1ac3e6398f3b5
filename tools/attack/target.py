"""The service that is attacked: a real one, started for it, with what it takes up and what another client notices."""

import contextlib
import json
import os
import socket
import ssl
import statistics
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, NamedTuple

import redis

from tools.testbed.installation import Installation
from tools.testbed.processes import descendants, words_of

ATTACKER, OTHER = "127.0.0.66", "127.0.0.1"
"""The addresses that the attacker and everybody else call from."""
WITHIN_MS = 250.0
TABLE: dict[str, Any] = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}


@dataclass
class Memory:
    """The megabytes that API, workers and Redis hold, and apart from them the verifier, which ends when it is idle,
    and the proxy.
    """

    api: float = 0.0
    workers: float = 0.0
    redis: float = 0.0
    verifier: float = 0.0
    proxy: float = 0.0

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

    def share(self) -> float:
        """Returns which part of the calls was answered with 200 within a quarter of a second."""
        quick = sum(one <= WITHIN_MS for one in self.took) - self.failed
        return quick / len(self.took) if self.took else 1.0


class Door(NamedTuple):
    """Where clients connect: a port of this machine, over TLS if it names the authority to trust."""

    port: int
    authority: str | None = None

    def dial(self, address: str = ATTACKER, seconds: float = 40.0, receive: int | None = None) -> socket.socket:
        """Opens a connection, without a word of TLS; its kernel takes in so many bytes that nobody reads."""
        made = socket.socket()
        made.settimeout(seconds)
        try:
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if receive is not None:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
            made.bind((address, 0))
            made.connect(("127.0.0.1", self.port))
        except BaseException:
            made.close()
            raise
        return made

    def connect(self, address: str = ATTACKER, seconds: float = 40.0, receive: int | None = None) -> socket.socket:
        """Opens a connection on which HTTP may be spoken."""
        made = self.dial(address, seconds, receive)
        if self.authority is None:
            return made
        return _trusting(self.authority).wrap_socket(made, server_hostname="127.0.0.1")


@cache
def _trusting(authority: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=authority)


class _Connection(HTTPConnection):
    def __init__(self, door: Door, address: str) -> None:
        super().__init__("127.0.0.1", door.port)
        self._door, self._address = door, address

    def connect(self) -> None:
        self.sock = self._door.connect(self._address)


class Client:
    """Calls of the service, over one connection for each thread and address."""

    def __init__(self, door: Door) -> None:
        self._door = door
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
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if raw is not None:
            given.setdefault("Content-Type", "application/json")
        if token:
            given["Authorization"] = f"Bearer {token}"
        mine = self._here.__dict__
        connection = mine[address] = mine.get(address) or _Connection(self._door, address)
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

    def __init__(self, installation: Installation, door: Door | None = None, proxy: int | None = None) -> None:
        """Attacks an installation directly, or by the door of a proxy, whose process id is given."""
        self.installation, self._proxy = installation, proxy
        self.door = door or Door(installation.port)
        self.client = Client(self.door)
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
        with contextlib.suppress(OSError), self.door.connect(seconds=seconds) as made:
            for part in parts:
                made.sendall(part)
            return made.recv(4096)
        return b""

    # --- what is measured ---

    def memory(self) -> Memory:
        """Returns what the service's processes hold now."""
        found, process = Memory(), self.installation.process
        assert process is not None, "it runs"
        for pid in (process.pid, *[process.pid for process in self.installation.tree()]):
            words, held = words_of(pid), _megabytes(pid)
            if "redis-server" in words or "valkey-server" in words:
                found.redis += held
            elif "service.verifying" in words:
                found.verifier += held
            elif "worker" in words:
                found.workers += held
            else:
                found.api += held
        if self._proxy is not None:
            found.proxy = sum(_megabytes(pid) for pid in (self._proxy, *[one.pid for one in descendants(self._proxy)]))
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

    def peak(self, stop: threading.Event, peaks: list[Memory]) -> None:
        """Notes again and again how much memory is held, until it is told to stop."""
        while not stop.wait(0.1):
            peaks.append(self.memory())


def _megabytes(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0.0
    return (int(status[1]) - int(status[2])) * os.sysconf("SC_PAGE_SIZE") / 2**20
