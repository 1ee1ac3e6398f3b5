"""Whole installations, started as a user starts them, for the tests that need everything real."""

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from tests.processes import descendants

PORTS = range(12_000, 22_000)
"""Below those that systems give to connections, one of which might take a port before who was told of it does."""
TOLD = set()
"""The ports that this process was told of: some are not taken until much later."""


def free_port():
    """A port that nobody listens on, by chance another one each time; other processes of the tests get others."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    mine = PORTS[number :: int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))]
    while True:
        port = secrets.choice(mine)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            if port not in TOLD:
                TOLD.add(port)
                return port


@contextlib.contextmanager
def deaf_port():
    """A port that nobody listens on, and nobody can for the length of a `with` block."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


class Installation:
    """A running `billet serve`."""

    def __init__(self, data_dir, log, port=None, **environment):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data_dir = data_dir
        self.environment = {
            "PATH": os.environ["PATH"],
            "PORT": str(self.port),
            "DATA_DIR": str(data_dir),
            "WORKERS": "1",
            **environment,
        }
        self.log = log
        with log.open("ab") as stream:
            self.process = subprocess.Popen(self.command("serve"), env=self.environment, stdout=stream, stderr=stream)

    @classmethod
    def of(cls, served):
        """The installation that all tests share, looked at in this way."""
        made = cls.__new__(cls)
        made.port, made.url, made.data_dir, made.log = served.port, served.base, served.data_dir, served.output
        made.environment = {"PATH": os.environ["PATH"], "PORT": str(made.port), "DATA_DIR": str(made.data_dir)}
        made.process = served.process
        return made

    @staticmethod
    def command(*words):
        return [sys.executable, "-P", "-m", "billet", *words]

    def run(self, *words, **more):
        """Run another command on the same settings."""
        return subprocess.run(
            self.command(*words), env=self.environment, capture_output=True, text=True, timeout=240, **more
        )

    def call(self, method, path, body=None, token=None):
        """The status and the body of an answer; status 0 when there is none."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())
        except (OSError, ValueError):
            return 0, None

    def wait_until_ready(self, seconds=150):
        """Wait for /readyz, and return how long it took."""
        began = time.monotonic()
        while self.call("GET", "/readyz")[0] != 200:
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() - began < seconds, self.log.read_text()
            time.sleep(0.05)
        return time.monotonic() - began

    def wait_until_said(self, text, seconds=150):
        """Wait for a text in the log, and return the log."""
        began = time.monotonic()
        while text not in self.log.read_text():
            assert time.monotonic() - began < seconds, self.log.read_text()
            time.sleep(0.05)
        return self.log.read_text()

    def tree(self):
        """The process ids of everything this installation runs."""
        return [self.process.pid, *[process.pid for process in descendants(self.process.pid)]]

    def part(self, *words):
        """The id of the child whose command line holds all `words`, waiting for one that starts again."""
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline:
            for process in descendants(self.process.pid):
                if all(word in process.command for word in words):
                    return process.pid
            time.sleep(0.02)
        raise AssertionError(f"no {words}: {self.log.read_text()}")

    def end(self):
        """Make sure that it has ended."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(100)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def stop(self):
        """Stop it as Ctrl-C does, and return its exit status."""
        self.process.terminate()
        return self.process.wait(100)


@contextlib.contextmanager
def installed(data_dir, log, **environment):
    """An installation that answers, for the length of a `with` block."""
    one = Installation(data_dir, log, **environment)
    try:
        one.wait_until_ready()
        yield one
    finally:
        one.end()
