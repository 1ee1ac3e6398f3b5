"""Prism as a proxy that holds every call and answer against the document; what breaks it gets a 422 or a 500."""

import socket
import subprocess
import time
from pathlib import Path

from tests.installation import free_port
from tools.sdk.tools import NODE_COMMANDS

START_SECONDS = 200  # two noisy cores
STOP_SECONDS = 100


class Proxy:
    """A running Prism between clients and a service."""

    def __init__(self, document: Path, upstream: str, folder: Path) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.output = folder / "prism.txt"
        words = ("proxy", document, upstream, "--errors", "--port", str(self.port))
        with self.output.open("wb") as output:
            self.process = subprocess.Popen([NODE_COMMANDS / "prism", *words], stdout=output, stderr=output)
        try:
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + START_SECONDS
        while not self._listens():
            assert self.process.poll() is None, f"Prism has ended:\n{self.said()}"
            assert time.monotonic() < until, f"Prism does not listen after {START_SECONDS} s:\n{self.said()}"
            time.sleep(0.1)

    def _listens(self) -> bool:
        with socket.socket() as connection:
            connection.settimeout(2)
            return connection.connect_ex(("127.0.0.1", self.port)) == 0

    def said(self) -> str:
        """Everything that Prism has printed."""
        return self.output.read_text(errors="replace")

    def close(self) -> None:
        """Ends Prism."""
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(STOP_SECONDS)
