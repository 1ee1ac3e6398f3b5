"""Nonces: committed to whenever a seat is taken, revealed as soon as it shows that every seat is, and never before."""

import hashlib
import json
import threading

import pytest

from tests.clients.python.scripted.server import Scripted, answer, lose, problem, stream
from tests.clients.python.scripted.shapes import EVENTS, VIEW

WAITING = VIEW | {
    "status": "open",
    "viewer": {"seat": 0},
    "reveal": {"until": "2030-01-01T00:00:15.000Z", "seats": [0, 1]},
}
OPEN = WAITING | {"reveal": None}


def bodies(server):
    return [json.loads(asked.body) if asked.body else None for asked in server.asked]


def test_the_nonce_behind_the_hash_is_sent_when_every_seat_is_taken(impatient):
    with Scripted(answer(201, OPEN), answer(200, OPEN), answer(200, WAITING), answer(200, VIEW)) as server:
        client = impatient(server.url, commit=True)
        client.create("standard", ["creator", "open"])
        client.view(VIEW["id"])
        assert client.view(VIEW["id"]).status == VIEW["status"]
    opened, *looks, revealed = bodies(server)
    assert looks == [None, None]
    assert server.asked[-1].path == f"/v1/games/{VIEW['id']}/nonce"
    assert hashlib.sha256(revealed["nonce"].encode()).hexdigest() == opened["nonce_hash"]
    assert len(revealed["nonce"]) == 64


def test_a_call_that_is_repeated_commits_to_the_same_nonce(impatient):
    with Scripted(lose, answer(201, OPEN), answer(201, OPEN), answer(201, OPEN)) as server:
        client = impatient(server.url, commit=True)
        client.create("standard", ["creator", "open"], key="KEY")
        client.create("standard", ["creator", "open"], key="KEY")
        client.create("standard", ["creator", "open"], key="ANOTHER")
    hashes = [body["nonce_hash"] for body in bodies(server)]
    assert hashes[0] == hashes[1] == hashes[2] != hashes[3]


def test_taking_ones_seat_again_keeps_the_nonce(impatient):
    with Scripted(answer(201, OPEN), answer(201, WAITING), answer(200, VIEW)) as server:
        client = impatient(server.url, commit=True)
        client.join(VIEW["id"])
        client.join(VIEW["id"])
    first, again, revealed = bodies(server)
    assert first["nonce_hash"] == again["nonce_hash"] == hashlib.sha256(revealed["nonce"].encode()).hexdigest()


def test_a_seat_taken_by_code_commits_too_and_keeps_the_nonce_of_the_seat(impatient):
    with Scripted(lose, answer(201, OPEN), answer(201, WAITING), answer(200, VIEW)) as server:
        client = impatient(server.url, commit=True)
        client.join_by_code("CODE")
        client.join(VIEW["id"])
    lost, first, again, revealed = bodies(server)
    assert lost == first
    assert first["nonce_hash"] == again["nonce_hash"] == hashlib.sha256(revealed["nonce"].encode()).hexdigest()


def test_a_rematch_commits_too_and_keeps_the_nonce_of_a_seat_that_is_taken(impatient):
    with Scripted(*[answer(201, OPEN)] * 3, answer(201, WAITING), answer(200, VIEW)) as server:
        client = impatient(server.url, commit=True)
        client.rematch("old")
        client.rematch("old")
        impatient(server.url).rematch("old")
        client.rematch("another way to the same table")
    first, again, without, other, revealed = bodies(server)
    assert first == again != other
    assert without is None
    assert first["nonce_hash"] == hashlib.sha256(revealed["nonce"].encode()).hexdigest()


def test_a_reveal_that_is_lost_is_repeated(impatient):
    with Scripted(answer(201, WAITING), lose, answer(200, VIEW)) as server:
        assert impatient(server.url, commit=True).join(VIEW["id"]).status == VIEW["status"]
    lost, repeated = server.asked[1:]
    assert (lost.path, lost.body) == (repeated.path, repeated.body)
    assert lost.key == repeated.key is not None


def test_the_stream_is_closed_at_once_if_the_view_cannot_be_read_when_nonces_are_revealed(impatient, billet_client):
    """The garbage collector would close it while its thread holds the lock of the pool, and wait for that forever."""
    closed = threading.Event()

    def wait_for_close(handler):
        if not handler.connection.recv(1):
            closed.set()

    event = EVENTS[0] | {"type": "reveal_started", "data": {"seats": [0, 1]}}
    begins = stream(f"id: 1\nevent: reveal_started\ndata: {json.dumps(event)}\n\n".encode(), end=wait_for_close)
    with Scripted(answer(201, OPEN), begins, problem(404, "not_found")) as server:
        client = impatient(server.url, commit=True)
        client.create("standard", ["creator", "open"])
        with pytest.raises(billet_client.NotFound) as error:  # which keeps the frames, and what they hold
            next(client.events(VIEW["id"]))
        assert closed.wait(30)
    assert error.value.status == 404


def test_a_nonce_that_comes_too_late_is_nobodys_error(impatient):
    late = problem(409, "illegal_action", reason="reveal_over")
    with Scripted(answer(201, WAITING), late, answer(200, VIEW)) as server:
        view = impatient(server.url, commit=True).join(VIEW["id"])
    assert view.status == VIEW["status"]


def test_without_commit_with_a_nonce_or_for_others_nothing_is_committed_to(impatient):
    with Scripted(*[answer(201, OPEN)] * 5) as server:
        impatient(server.url).join("g")
        client = impatient(server.url, commit=True)
        client.join("g", nonce="mine")
        client.add_bot("g", "random")
        client.create("standard", ["open", "open"])
        client.create("standard", ["creator", "open"], nonce="mine")
    assert not any("nonce_hash" in body for body in bodies(server))
