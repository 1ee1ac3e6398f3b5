"""Ways in which Redis and the way to it fail: a proxy that cuts connections, and a server that only refuses."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from service.store.scripts import APPEND


class Proxy:
    """Passes bytes on to a Redis on a unix socket, until it is told to lose some."""

    def __init__(self, target: str) -> None:
        self._target = unquote(urlsplit(target).path)
        self._when = ""
        self._where = b""
        self._times = 0
        self._for_good = False
        self.late = threading.Event()
        self.lost = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def lose(self, when: str, where: str = APPEND.digest, times: int = 1, for_good: bool = False) -> None:
        """Cuts the connections of the next requests that hold `where`, by default appends.

        `before` Redis gets the request, `after` Redis has answered it; or passes it on `late`, once the event is set.
        With `for_good` nothing comes through from then on.
        """
        self._when, self._where, self._times, self._for_good = when, where.encode(), times, for_good
        self.lost = 0

    def lead(self, target: str) -> None:
        """Leads new connections to another Redis on a unix socket; those that are open stay."""
        self._target = unquote(urlsplit(target).path)

    def heal(self) -> None:
        """Loses nothing any more."""
        self.lose("", times=0)

    def close(self) -> None:
        """Cuts everything and ends."""
        self.late.set()
        self._shut(self._listener, *self._open)
        for thread in self._threads:
            thread.join(5)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            redis = socket.socket(socket.AF_UNIX)
            redis.connect(self._target)
            self._open |= {client, redis}
            cut = threading.Event()
            for pump in (self._requests, self._answers):
                self._threads.append(threading.Thread(target=pump, args=(client, redis, cut), daemon=True))
                self._threads[-1].start()

    def _requests(self, client: socket.socket, redis: socket.socket, cut: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                when = self._fate(data)
                if when == "before":
                    break
                if when:
                    cut.set()
                if when == "late":
                    self.late.wait(60)
                redis.sendall(data)
        self._shut(client, redis)

    def _fate(self, data: bytes) -> str:
        if self._for_good and self.lost:
            return "before"
        if not self._times or self._where not in data:
            return ""
        self._times -= 1
        self.lost += 1
        return self._when

    def _answers(self, client: socket.socket, redis: socket.socket, cut: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := redis.recv(65536):
                if cut.is_set():
                    break
                client.sendall(data)
        self._shut(client, redis)

    @staticmethod
    def _shut(*sockets: socket.socket) -> None:
        for one in sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextlib.contextmanager
def refusing(error: str) -> Iterator[str]:
    """Yields the address of a server that answers everything but the greeting of clients with an error."""
    listener = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def answer(client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            while data := client.recv(65536):
                replies = [
                    b"+OK\r\n" if b"SETINFO" in request or b"SELECT" in request else f"-{error}\r\n".encode()
                    for request in data.split(b"\r\n*")
                ]
                client.sendall(b"".join(replies))

    def accept() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            client.settimeout(5)
            threads.append(threading.Thread(target=answer, args=(client,), daemon=True))
            threads[-1].start()

    threads.append(threading.Thread(target=accept, daemon=True))
    threads[0].start()
    try:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
