"""Streams for clients that are no browser's own `EventSource`: where they say what they have, and what they add."""

import http.client
import json
from contextlib import closing

import pytest

from tests.e2e.sse import Stream
from tests.service.at_table import EN, Game
from tools.players.person import Person

STREAMS = ("events", "frames", "lobby", "notices")


@pytest.fixture
def streams(service):
    """By name: the path of a stream with a token, and an id after which there are at least two more messages."""
    game = Game.open(service, "creator", "open")
    token = game.token(0)
    lobby, notices = service.lobby_changes.begin(None), service.notices.begin(token)
    game.fill()
    service.tables.leave(token, game.id, words=EN)  # which ends the game
    return {
        "events": (f"/v1/games/{game.id}/events/stream", token, 3),
        "frames": (f"/v1/games/{game.id}/frames/stream", token, 3),
        "lobby": ("/v1/lobby/stream", None, lobby.version),
        "notices": ("/v1/players/me/events/stream", token, notices.version),
    }


def ids_of(port, path, token, **how):
    with Stream(port, path, token=token, **how) as stream:
        assert stream.status == 200, stream.problem()
        return [sent.id for sent in stream.take(2)]


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_goes_on_where_a_polyfill_says(port, streams, name):
    path, token, last = streams[name]
    expected = ids_of(port, path, token, last=last)
    assert min(expected) > last
    for query in (
        f"lastEventId={last}",
        f"lastEventId={last}&r=8726123",
        f"lastEventId={last}&padding=true",
        f"lastEventId=0&lastEventId={last}",
        f"after=0&lastEventId={last}",
        f"evs_last_event_id={last}&evs_buffer_size_limit=262144&evs_preamble=2056",
        f"Last-Event-ID={last}",
        f"Last-Event-Id={last}",
        f"lastEventID={last}&_=1700000000000",
        f"after={last}&_=1&lastEventId=",
    ):
        assert ids_of(port, f"{path}?{query}", token) == expected, query
    stale = f"{path}?lastEventId=0"
    assert ids_of(port, stale, token, last=last) == expected, "a browser's header is newer than its address"


@pytest.mark.parametrize("name", STREAMS)
def test_an_idle_stream_says_that_it_is_alive_as_an_event_to_those_who_ask(port, name):
    ann = Person.register(f"http://127.0.0.1:{port}", "Ann")
    with closing(ann):
        game = ann.create("classic", [{"kind": "creator"}, {"kind": "open"}])["id"]
        paths = {"lobby": "/v1/lobby/stream", "notices": "/v1/players/me/events/stream"}
        path = paths.get(name, f"/v1/games/{game}/{name}/stream")
        with Stream(port, f"{path}?alive=true", token=ann.token) as stream:
            alive = next(sent for sent in stream if sent.name == "alive")
            assert (alive, stream.comments) == ((None, "alive", {}), 0)
        with Stream(port, path, token=ann.token) as stream:
            while not stream.comments:
                line = stream.answer.readline()
                assert line != b"event: alive\n"
                stream.comments += line == b":\n"


@pytest.mark.parametrize("name", STREAMS)
def test_what_no_polyfill_sends_is_refused_as_ever(port, streams, name):
    path, token, _ = streams[name]
    for query, field in (("eventId=1", "eventId"), ("lastEventId=x", "lastEventId"), ("__=1", "__")):
        with Stream(port, f"{path}?{query}", token=token) as stream:
            refused = json.loads(stream.answer.read())
        assert (refused["code"], [fault["field"] for fault in refused["errors"]]) == ("invalid_request", [field])


@pytest.mark.parametrize("name", STREAMS)
def test_the_head_of_a_stream_does_not_say_how_long_it_is(port, streams, name):
    path, token, _ = streams[name]
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=40)) as connection:
        connection.request("HEAD", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        with connection.getresponse() as answer:
            assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream")
            assert "Content-Length" not in answer.headers
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b'{"status":"ok"}', "nothing follows the head"
