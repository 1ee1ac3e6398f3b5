"""Clients that hold connections open and say nothing keep nobody else out."""

import resource
import socket
from contextlib import ExitStack

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
