"""Clients that hold connections open and say nothing keep nobody else out."""

import resource
import socket
import subprocess
from contextlib import ExitStack

from tests.installation import BILLET, Installation
from tests.waiting import wait_until

IDLE = 2200
"""More than the two processes of the server would take if they were not told otherwise."""


def test_idle_connections_keep_nobody_out(installation):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < IDLE + 1000:
        resource.setrlimit(resource.RLIMIT_NOFILE, (IDLE + 1000, hard))
    with ExitStack() as held:
        for _ in range(IDLE):
            held.enter_context(socket.create_connection(("127.0.0.1", installation.port), timeout=60))
        status, _ = installation.call("POST", "/v1/players", {"name": "Ann"})
        assert status == 201


def test_idle_connections_keep_nobody_out_where_few_files_may_be_open(served):
    own = Installation(served.data_dir)
    redis = (own.data_dir / "redis" / "url").read_text()
    command = ["sh", "-c", 'ulimit -n 300 && exec "$@"', "sh", *BILLET, "api"]
    process = subprocess.Popen(command, env={**own.environment, "REDIS_URL": redis})
    with process, ExitStack() as held:
        held.callback(process.terminate)
        wait_until(lambda: own.call("GET", "/healthz")[0] == 200)
        for _ in range(400):
            one = held.enter_context(socket.create_connection(("127.0.0.1", own.port), timeout=60))
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert one.recv(100).startswith(b"HTTP/1.1 200")
