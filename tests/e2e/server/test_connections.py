"""A connection outlives a refusal: the server must not break it under a client that has done nothing wrong with it."""

import http.client
from contextlib import closing

import pytest

JSON = {"Content-Type": "application/json"}
CALLS = {
    "no token": ("POST", "/v1/games/abc/actions", b'{"type": "play_card", "card": "guard"}', JSON, 401),
    "no such path": ("POST", "/v1/nothing", b"{}", JSON, 404),
    "another method": ("PUT", "/v1/games", b"{}", JSON, 405),
    "not JSON": ("POST", "/v1/players", b"name=Ann", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
    "too long": ("POST", "/v1/players", b" " * 100_000, JSON, 413),
    "a body where none is taken": ("GET", "/healthz", b"{}", JSON, 200),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_refused_call_leaves_its_connection_usable(call, served):
    method, path, body, headers, status = CALLS[call]
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=40)) as connection:
        connection.connect()
        once = connection.sock
        for _ in range(50):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status
            assert connection.sock is once, "the server has closed the connection"
