"""Clients that hold connections open and say nothing keep nobody else out."""

import resource
import socket
from contextlib import ExitStack

IDLE = 1500
"""More than the server would take if it were not told otherwise."""


def test_idle_connections_keep_nobody_out(installation):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < 2 * IDLE:
        resource.setrlimit(resource.RLIMIT_NOFILE, (2 * IDLE, hard))
    with ExitStack() as held:
        for _ in range(IDLE):
            held.enter_context(socket.create_connection(("127.0.0.1", installation.port), timeout=60))
        status, _ = installation.call("POST", "/v1/players", {"name": "Ann"})
        assert status == 201
