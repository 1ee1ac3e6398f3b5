"""Following a game by server-sent events: everything once and in order, whatever breaks in between."""

import json
import random
import socket
import time

import pytest

from api import asgi
from service.live.game_feeds import PAGE
from tests.e2e.faults.reconnecting import Reconnecting
from tests.e2e.sse import Stream, path_of
from tools.players.person import Person
from tools.players.tables import CREATOR, OPEN


def table(ann, ben, **more):
    view = ann.create("standard", [CREATOR, OPEN], **more)
    code = {"join_code": view["join_code"]} if view["join_code"] else {}
    ben.join(view["id"], **code)
    return view["id"]


def act(players, game, count=1):
    """Lets whoever is to act take an action, so many times."""
    for _ in range(count):
        view = players[0].view(game)
        if view["status"] != "active":
            return
        actor = players[view["to_act"]]
        action = random.Random(view["version"]).choice(actor.view(game)["legal_actions"])["action"]
        assert actor.act(game, action).status_code == 201


def play_out(players, game):
    act(players, game, 5)
    if players[0].view(game)["status"] == "active":  # somebody may have won so soon
        assert players[1].delete(f"/games/{game}/seats/me").status_code == 200


def log_of(person, game, **query):
    return person.events(game, **query)["events"]


def check_follows(sent, events, after):
    """What came is the log after a version: each once and in order."""
    assert [one.data for one in sent] == [event for event in events if event["version"] > after]
    for one in sent:
        assert (one.id, one.name) == (one.data["version"], one.data["type"])


def test_a_stream_begins_with_the_view_and_ends_with_the_game(served, ann, ben):
    game = table(ann, ben)
    with Stream(served.port, path_of(game), token=ann.token) as stream:
        headers = stream.answer.headers
        assert headers["Content-Type"] == "text/event-stream"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Access-Control-Allow-Origin"] == "*"
        (first,) = stream.take(1)
        assert (first.name, first.data) == ("game", ann.view(game))
        assert first.id == first.data["version"]
        play_out([ann, ben], game)
        check_follows(list(stream), log_of(ann, game), first.id)


def opened(port, path, **options):
    """A stream that is open, for which others of the player may have to be noticed to be closed first."""
    until = time.monotonic() + 60
    while (stream := Stream(port, path, **options)).status == 429:
        stream.close()
        assert time.monotonic() < until, "closed streams make room"
        time.sleep(0.05)
    return stream


def test_a_stream_is_taken_up_again_from_every_version(served, ann, ben):
    game = table(ann, ben)
    act([ann, ben], game, 3)
    version = ann.view(game)["version"]
    for way in ("header", "query"):
        for after in range(version + 1):
            query, last = ({"after": after}, None) if way == "query" else ({"after": 0}, after)
            with opened(served.port, path_of(game, **query), token=ben.token, last=last) as stream:
                if after < version:
                    check_follows(stream.take(version - after), log_of(ben, game), after)
    streams = [Stream(served.port, path_of(game), last=after) for after in range(version + 1)]
    play_out([ann, ben], game)
    events = closed_log(ann, game)
    for after, stream in enumerate(streams):
        with stream:
            assert [one.id for one in stream] == list(range(after + 1, len(events) + 1))
    for after in range(len(events)):
        with Stream(served.port, path_of(game), last=after) as stream:
            assert [one.id for one in stream] == list(range(after + 1, len(events) + 1))
    with Stream(served.port, path_of(game), last=len(events)) as stream:
        assert (stream.status, stream.answer.headers["Cache-Control"]) == (204, "no-store")


def closed_log(person, game):
    page = person.events(game)
    assert page["finished"]
    return page["events"]


def test_who_hangs_up_at_once_is_no_failure(served, ann, ben):
    game = table(ann, ben)
    before = len(errors_of_api(served))
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", served.port), 40) as made:
            made.sendall(f"GET {path_of(game)} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    with Stream(served.port, path_of(game)) as stream:
        assert stream.take(1)
    assert errors_of_api(served)[before:] == []


def errors_of_api(served):
    """What the API has said of errors; workers may still say some of a Redis that another test has killed."""
    return [line for line in served.said().splitlines() if " api " in line and "ERROR" in line]


def test_a_stream_over_http_1_0_is_refused(served, ann, ben):
    game = table(ann, ben)
    with socket.create_connection(("127.0.0.1", served.port), timeout=40) as made:
        made.sendall(f"GET {path_of(game)} HTTP/1.0\r\n\r\n".encode())
        raw = read_all(made)
    assert b" 422 " in raw.partition(b"\r\n")[0]
    assert b"HTTP/1.1" in raw


def test_one_player_has_several_streams_up_to_the_limit(served, ann, ben):
    game = table(ann, ben)
    streams = []
    try:
        while len(streams) < 41:
            stream = Stream(served.port, path_of(game), token=ann.token)
            streams.append(stream)
            if stream.status != 200:
                break
        assert 21 <= len(streams) <= 41, "20 in each of two processes"
        assert streams[-1].problem() == (429, "rate_limited")
        assert streams[-1].answer.headers["Retry-After"]
        seen = [stream.take(1)[0].id for stream in streams[:-1]]
        act([ann, ben], game)
        newest = ann.view(game)["version"]
        for before, stream in zip(seen, streams[:-1], strict=True):
            assert [one.id for one in stream.take(newest - before)] == list(range(before + 1, newest + 1))
    finally:
        for stream in streams:
            stream.close()
    opened(served.port, path_of(game), token=ann.token).close()


def test_frames_longer_than_the_buffer_of_a_stream_reach_a_client_that_reads(port, closed):
    ann, ben = (closed(Person.register(f"http://127.0.0.1:{port}", name)) for name in ("Ann", "Ben"))
    game = table(ann, ben)
    play_out([ann, ben], game)
    with Stream(port, f"/v1/games/{game}/frames/stream?after=0&text=true") as stream:
        frames = [one.data for one in stream]
    sent = [event["version"] for frame in frames for event in frame["events"]]
    assert sent == list(range(1, ann.view(game)["version"] + 1))
    page = [frame for frame in frames if frame["version"] <= PAGE]
    assert len(json.dumps(page, separators=(",", ":"))) > asgi.BUFFER_BYTES


def read_all(made):
    received = b""
    while part := made.recv(65536):
        received += part
    return received


@pytest.mark.parametrize("part", ["api-process", "redis"])
def test_whatever_is_killed_every_event_comes_once_and_in_order(installation, ann, ben, part):
    game = table(ann, ben)
    followers = [Reconnecting(installation.port, game, token) for token in (ann.token, ben.token, None)]
    for _ in range(2):
        installation.kill_parts(part)
        installation.wait_until_ready()
        for _ in range(2):
            act([ann, ben], game)
    play_out([ann, ben], game)
    newest = ann.view(game)["version"]
    for follower in followers:
        follower.join(240)
        assert follower.seen == list(range(newest + 1))


def test_many_streams_of_many_games_hear_everything_once(served, ann, ben):
    games = [table(ann, ben) for _ in range(10)]
    watched, *rest = games
    streams = [(watched, Stream(served.port, path_of(watched, after=0))) for _ in range(60)]
    streams += [(game, Stream(served.port, path_of(game, after=0))) for game in rest for _ in range(2)]
    for game in games:
        play_out([ann, ben], game)
    newest = {game: ann.view(game)["version"] for game in games}
    for game, stream in streams:
        with stream:
            assert [one.id for one in stream] == list(range(1, newest[game] + 1))
