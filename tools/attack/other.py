"""Another client, and what it notices."""

import json
import multiprocessing
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from tools.attack.target import OTHER, TABLE, Client, Door, Noticed

PAUSE_SECONDS = 0.02
_PROCESSES = multiprocessing.get_context("spawn")


@contextmanager
def noticing(door: Door, apart: bool = True) -> Iterator[Noticed]:
    """Has another client look at its game again and again meanwhile; what it noticed is there afterwards.

    How long it waits is the service's doing, and not this tool's, if it is in a process of its own: `apart`.
    """
    here, there = _PROCESSES.Pipe()
    kind: Any = _PROCESSES.Process if apart else threading.Thread
    process = kind(target=_notice, args=(door, there), daemon=True)
    process.start()
    noticed = Noticed()
    here.recv()
    try:
        yield noticed
    finally:
        here.send("stop")
        noticed.took, noticed.failed = here.recv()
        process.join(30)


def _notice(door: Door, told: "Connection[Any, Any]") -> None:
    client, took, failed = Client(door), [], 0
    token = json.loads(client.call("POST", "/v1/players", {"name": "Ann"}, address=OTHER)[1])["token"]
    game = json.loads(client.call("POST", "/v1/games", TABLE, token, OTHER)[1])["id"]
    told.send("ready")
    while not told.poll(PAUSE_SECONDS):
        begun = time.perf_counter()
        status, _ = client.call("GET", f"/v1/games/{game}", None, token, OTHER)
        took.append((time.perf_counter() - begun) * 1000)
        failed += status != 200
    client.close()
    told.send((took, failed))
