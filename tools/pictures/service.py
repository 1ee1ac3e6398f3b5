"""Starts a service, and calls it as a program does."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

SECONDS = 120
"""How long a busy machine may take for an answer."""


class Api:
    """The service as a program asks it, beside the browser."""

    def __init__(self, base):
        self.base = base

    def call(self, method, path, body=None, token=None):
        """Returns the JSON of an answer.

        Raises:
            HTTPError: the call was refused.
        """
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.loads(answer.read() or "null")

    def player(self, name):
        """Registers a player; returns them as the browser keeps them."""
        made = self.call("POST", "/players", {"name": name})
        return {"id": made["player"]["id"], "name": name, "token": made["token"]}


@contextlib.contextmanager
def running(folder, **settings):
    """Runs `billet serve` on data in a new folder for the length of a `with` block; yields its URL once it answers."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = str(one.getsockname()[1])
    environment = {"PATH": os.environ["PATH"], "PORT": port, "DATA_DIR": str(folder), "WORKERS": "1", **settings}
    with subprocess.Popen([sys.executable, "-P", "-m", "billet", "serve"], env=environment) as process:
        try:
            wait_until_ready(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def wait_until_ready(url, process):
    """Waits until a service answers that it is ready."""
    while process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/readyz", timeout=SECONDS):
            return
        time.sleep(0.1)
    raise AssertionError("the service has ended")
