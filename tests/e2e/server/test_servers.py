"""Any ASGI server runs the application: it plays, waits, streams, and stops."""

import os
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from tests.e2e.sse import Stream
from tools.players.person import Person
from tools.players.tables import CREATOR, OPEN
from tools.testbed.installation import free_port
from tools.testbed.waiting import wait_until

PATIENT = """
import sys
from api import serve
from billet import cli
from billet.processes import api_server

serve.STOP_SECONDS = api_server.STOP_SECONDS = 20
sys.exit(cli.main(["api"]))
"""
"""Runs `billet api`, which gives calls longer when it stops than usual, but not as long as they wait."""
SERVERS = {
    "billet": ("python", "-P", "-c", PATIENT),
    "uvicorn": ("uvicorn", "api.asgi:app", "--port", "{port}"),
    "granian": ("granian", "--interface", "asgi", "--port", "{port}", "api.asgi:app"),
    "hypercorn": ("hypercorn", "--bind", "127.0.0.1:{port}", "api.asgi:app"),
}
STOPPED = {0, -15}
"""The exit statuses of a server that was asked to stop: some end by the signal, as the shell expects."""
FOLLOWERS = 10
WAIT = 30


@pytest.fixture(params=SERVERS)
def server(request, redis_url):
    """A running server: its name, its port and its process."""
    port = free_port()
    program, *words = (word.format(port=port) for word in SERVERS[request.param])
    process = subprocess.Popen(
        [Path(sys.executable).with_name(program), *words],
        env=os.environ | {"REDIS_URL": redis_url, "UNSAFE_REDIS": "1", "PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: alive(port))
        yield request.param, port, process
    finally:
        process.terminate()
        process.wait(100)


def alive(port):
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30) as answer:
        return answer.status == 200
    return False


def metrics(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        return answer.read()


def test_a_game_is_played_followed_and_ended_by_a_stop(server):
    name, port, process = server
    with ExitStack() as held:
        ann, ben = (held.enter_context(closing(Person.register(f"http://127.0.0.1:{port}", who))) for who in "AB")
        game = ann.create("standard", [CREATOR, OPEN])["id"]
        ben.join(game)
        stream = held.enter_context(Stream(port, f"/v1/games/{game}/frames/stream"))
        assert stream.status == 200
        other = threading.Thread(target=ben.play, args=(game, 1))
        other.start()
        view = ann.play(game, 2)
        other.join()
        assert view["status"] == "finished"
        assert [frame.id for frame in stream][-1] == view["version"], "the stream ends with the game"

        quiet = ann.create("standard", [CREATOR, OPEN])
        path = f"/v1/games/{quiet['id']}"
        streams = [held.enter_context(Stream(port, f"{path}/frames/stream")) for _ in range(FOLLOWERS)]
        for each in streams:
            each.take(1)
        devices = [held.enter_context(closing(ann.twin())) for _ in range(3)]
        with ThreadPoolExecutor() as polling:
            path = f"{path}/events?after={quiet['version']}&wait={WAIT}".removeprefix("/v1")
            begun = time.monotonic()
            polls = [polling.submit(device.get, path) for device in devices]
            wait_until(lambda: b"billet_calls_waiting 3.0" in metrics(port))
            process.terminate()
            assert [list(each) for each in streams] == [[]] * FOLLOWERS
            # hypercorn tells its workers only when it cuts them short: then clients are asked to come again. So are
            # those of `billet` who have not been told that it stops, however long a busy machine takes.
            assert {poll.result().status_code for poll in polls} == {503 if name == "hypercorn" else 200}
        assert process.wait(100) in (STOPPED if name != "billet" else {0})
        assert name == "billet" or time.monotonic() - begun < WAIT, "it has waited as long as those who wait"
