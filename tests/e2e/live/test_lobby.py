"""The lobby over HTTP, of one API process: what is sent, resuming, and a client that does not read."""

import socket

from tests.api_process import wait_until_following
from tests.e2e.sse import Stream
from tests.service.at_table import EN, Game, guest

PATH = "/v1/lobby/stream"


def test_a_browser_follows_the_lobby_and_goes_on_where_it_was(port, service):
    present = Game.open(service, "creator", "open")
    with Stream(port, PATH) as stream:
        assert stream.answer.headers["Content-Type"] == "text/event-stream"
        (first,) = stream.take(1)
        assert (first.id, first.name, first.data["type"]) == (None, None, "opened")
        assert first.data["game"] == service.lobby.public(None)["items"][0]
        Game.open(service, "creator", "open", visibility="unlisted")
        present.fill()
        started = stream.take(1)[0]
        assert (started.data["type"], started.data["game"]["status"]) == ("changed", "active")
    service.tables.leave(present.token(0), present.id, words=EN)
    later = Game.open(service, "creator", "open")
    with Stream(port, PATH, last=started.id) as stream:
        assert [(sent.id, sent.data["type"], sent.data["game"]["id"]) for sent in stream.take(2)] == [
            (started.id + 1, "gone", present.id),
            (started.id + 2, "opened", later.id),
        ]


def test_a_client_that_does_not_read_is_cut_off_and_holds_up_nobody(port, service, monkeypatch):
    monkeypatch.setattr("games.tables.seats.MOST_BEFORE_START", 10_000)
    monkeypatch.setattr("games.tables.seats.MOST_SITTINGS", 10_000)
    game, restless = Game.open(service, "creator", "open", "open"), guest(service)
    with socket.socket() as stuck, Stream(port, PATH) as stream:
        stream.take(1)
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.connect(("127.0.0.1", port))
        stuck.sendall(f"GET {PATH} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        wait_until_following(port, 2, 0, 0, 0)
        numbers = []
        for _ in range(200):
            service.tables.take_seat(restless.token, game.id, {}, words=EN)
            service.tables.leave(restless.token, game.id, words=EN)
            numbers += [sent.id for sent in stream.take(2)]
        assert numbers == list(range(numbers[0], numbers[0] + 400))
        wait_until_following(port, 1, 0, 1)
