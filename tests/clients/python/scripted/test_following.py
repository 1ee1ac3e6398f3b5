"""Following a game: every event once and in order, whatever happens to the connection."""

import json
import threading

import pytest

from tests.clients.python.scripted.server import Scripted, answer, finish, hang_up, lose, problem, reset, stream
from tests.clients.python.scripted.shapes import ACTED, EVENTS, VIEW, page

OVER = answer(204, b"")
VERSIONS = [event["version"] for event in EVENTS]
TAG = '"7-seat0-en"'


def frame(event):
    return f"id: {event['version']}\nevent: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


FRAMES = [frame(event) for event in EVENTS]


def followed(client, **options):
    return [event.version for event in client.events("game-1", **options)]


def afters(server):
    return [int(asked.query["after"]) for asked in server.asked]


def kinds(server):
    return [asked.path.rpartition("/")[2] for asked in server.asked]


def test_events_come_by_stream_until_the_game_is_over(impatient):
    with Scripted(stream(*FRAMES), OVER) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert kinds(server) == ["stream", "stream"]
    assert afters(server) == [0, VERSIONS[-1]]


@pytest.mark.parametrize("end", [reset, hang_up, finish], ids=["cut", "hung up", "ended"])
def test_a_stream_that_breaks_is_taken_up_where_it_was(impatient, end):
    with Scripted(stream(*FRAMES[:2], end=end), stream(*FRAMES[2:], end=end), OVER) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert afters(server) == [0, 2, VERSIONS[-1]]


def test_an_event_that_is_cut_in_the_middle_comes_whole(impatient):
    half = FRAMES[1][: len(FRAMES[1]) // 2]
    with Scripted(stream(FRAMES[0], half, end=reset), stream(*FRAMES[1:]), OVER) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert afters(server) == [0, 1, VERSIONS[-1]]


def test_events_that_come_again_are_not_given_again(impatient):
    with Scripted(stream(*FRAMES[:2], *FRAMES[:2]), stream(*FRAMES), OVER) as server:
        assert followed(impatient(server.url)) == VERSIONS


def test_no_event_is_left_out(impatient):
    with Scripted(stream(FRAMES[0], FRAMES[2]), stream(*FRAMES[1:]), OVER) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert afters(server) == [0, 1, VERSIONS[-1]]


def test_comments_and_the_view_are_no_events(impatient):
    view = b"id: 1\nevent: game\ndata: %b\n\n" % json.dumps(VIEW).encode()
    with Scripted(stream(view, b":\n\n", FRAMES[0], b":\n\n", *FRAMES[1:]), OVER) as server:
        assert followed(impatient(server.url)) == VERSIONS


def test_one_may_begin_anywhere(impatient):
    with Scripted(stream(*FRAMES[2:]), OVER) as server:
        assert followed(impatient(server.url), after=2, text=True, join_code="CODE") == VERSIONS[2:]
    assert server.asked[0].query == {"after": "2", "text": "true", "join_code": "CODE"}


def test_the_service_may_be_away_for_a_while(impatient):
    away = [lose, problem(503, "unavailable"), answer(502, b"", "text/html"), problem(429, "rate_limited")]
    with Scripted(stream(FRAMES[0], end=reset), *away, stream(*FRAMES[1:]), OVER) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert afters(server) == [0, 1, 1, 1, 1, 1, VERSIONS[-1]]


def test_a_stream_that_has_fallen_silent_is_opened_again(impatient):
    over = threading.Event()

    def serve(handler):
        """Falls silent after the first event, however often it is asked for; then it gives what is asked for."""
        after = int(handler.asked.query["after"])
        rest = {0: stream(FRAMES[0], end=lambda _: over.wait(60)), VERSIONS[-1]: OVER}
        rest.get(after, stream(*FRAMES[after:]))(handler)

    with Scripted(serve) as server:
        assert followed(impatient(server.url, silence=0.3)) == VERSIONS
        over.set()
    assert {0, 1, VERSIONS[-1]} <= {*afters(server)}


def test_what_brings_no_event_is_no_flood(billet_client, impatient, monkeypatch):
    pauses = []
    monkeypatch.setattr(billet_client.following, "pause", pauses.append)
    with Scripted(stream(), stream(FRAMES[0]), stream(), stream(*FRAMES[1:]), OVER) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert len(pauses) == 2
    with Scripted(
        answer(200, page([])), answer(200, page(EVENTS[:1])), answer(200, page(EVENTS, finished=True))
    ) as server:
        assert followed(impatient(server.url), by="poll") == VERSIONS
    assert len(pauses) == 3


def test_events_are_asked_for_where_streams_do_not_get_through(impatient):
    barren = stream(opening=b"", end=reset)
    pages = [answer(200, page(EVENTS[:2])), answer(200, page([])), answer(200, page(EVENTS[2:], finished=True))]
    with Scripted(barren, barren, *pages) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert kinds(server) == ["stream", "stream", "events", "events", "events"]
    assert afters(server) == [0, 0, 0, 2, 2]


@pytest.mark.parametrize(
    "barrier",
    [
        problem(429, "rate_limited", retry_after=1, limit="streams"),
        problem(429, "rate_limited", retry_after=1, limit="streams_per_player"),
        problem(422, "invalid_request"),
        answer(200, b"<h1>Hello</h1>", "text/html"),
        answer(405, b"", "text/html"),
    ],
    ids=["streams", "streams_per_player", "http_1_0", "page", "method"],
)
def test_events_are_asked_for_at_once_where_there_are_no_streams(impatient, barrier):
    with Scripted(barrier, answer(200, page(EVENTS, finished=True))) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert kinds(server) == ["stream", "events"]


def test_a_frame_that_does_not_go_on_is_asked_for_again(impatient):
    cut = [(1, 2), (3, 3), (4, len(EVENTS))]
    steps = [{"version": last, "tag": TAG, "events": EVENTS[first - 1 : last], "game": VIEW} for first, last in cut]
    sent = [b"id: %d\ndata: %b\n\n" % (step["version"], json.dumps(step).encode()) for step in steps]
    with Scripted(stream(sent[0], sent[2]), stream(sent[0], *sent[1:]), OVER) as server:
        assert [frame.version for frame in impatient(server.url).frames("game-1")] == [2, 3, len(EVENTS)]
    assert afters(server) == [0, 2, len(EVENTS)]
    pages = [answer(200, {"frames": part, "version": 3, "finished": part is steps}) for part in (steps[:1], steps)]
    with Scripted(*pages) as server:
        frames = list(impatient(server.url).frames("game-1", by="poll", text=True))
    assert [frame.game.id for frame in frames] == [VIEW["id"]] * 3
    assert [asked.query["text"] for asked in server.asked] == ["true", "true"]


@pytest.mark.parametrize("by", ["stream", "poll"])
def test_an_action_on_the_view_of_a_frame_says_which_view_that_was(impatient, by):
    step = {"version": 1, "tag": TAG, "events": EVENTS[:1], "game": VIEW}
    sent = {
        "stream": stream(b"id: 1\ndata: %b\n\n" % json.dumps(step).encode()),
        "poll": answer(200, {"frames": [step], "version": 1, "finished": True}),
    }
    with Scripted(sent[by], answer(201, ACTED)) as server:
        player = impatient(server.url)
        frame = next(player.frames("game-1", by=by))
        player.act(frame.game, frame.game.legal_actions[0])
    assert server.asked[1].headers["if-match"] == TAG


def test_events_are_asked_for_from_where_the_streams_were(impatient):
    barren = stream(opening=b"", end=reset)
    with Scripted(
        stream(*FRAMES[:2], end=reset), barren, barren, answer(200, page(EVENTS[2:], finished=True))
    ) as server:
        assert followed(impatient(server.url)) == VERSIONS
    assert afters(server) == [0, 2, 2, 2]


def test_pages_are_read_over_losses_without_doubles(impatient):
    pages = [
        answer(200, page(EVENTS[:2])),
        lose,
        answer(200, page(EVENTS[:3])),
        answer(200, page(EVENTS, finished=True)),
    ]
    with Scripted(*pages) as server:
        assert followed(impatient(server.url), by="poll") == VERSIONS
    assert afters(server) == [0, 2, 2, 3]


def test_a_page_that_leaves_something_out_is_not_taken(billet_client, impatient):
    with Scripted(answer(200, page(EVENTS[1:]))) as server, pytest.raises(billet_client.NotUnderstood):
        followed(impatient(server.url), by="poll")


def test_an_event_of_an_unknown_type_is_not_passed_over(billet_client, impatient):
    unknown = frame(EVENTS[1] | {"type": "earthquake"})
    with Scripted(stream(FRAMES[0], unknown)) as server, pytest.raises(billet_client.NotUnderstood, match="earthquake"):
        followed(impatient(server.url))


def test_who_stops_following_lets_the_stream_go(impatient):
    gone = threading.Event()

    def until_gone(handler):
        if handler.rfile.read(1) == b"":
            gone.set()

    with Scripted(stream(FRAMES[0], end=until_gone)) as server:
        events = impatient(server.url).events("game-1")
        next(events)
        assert not gone.is_set()
        events.close()
        assert gone.wait(60)


@pytest.mark.parametrize(
    ("status", "code", "kind"), [(404, "not_found", "NotFound"), (403, "join_code_wrong", "JoinCodeWrong")]
)
def test_who_may_not_follow_is_told_why(billet_client, impatient, status, code, kind):
    with Scripted(problem(status, code)) as server, pytest.raises(getattr(billet_client, kind)):
        followed(impatient(server.url))
    assert kinds(server) == ["stream", "events"]


def test_it_ends_when_nothing_is_heard_for_too_long(billet_client, impatient):
    with Scripted(stream(*FRAMES[:2], end=reset), lose) as server:
        events = impatient(server.url, patience=0.5).events("game-1")
        assert [next(events).version, next(events).version] == VERSIONS[:2]
        with pytest.raises(billet_client.NoAnswer) as lost:
            next(events)
    assert not lost.value.maybe_done


def test_a_way_there_is_none_of_is_refused(impatient):
    with pytest.raises(ValueError, match="pigeon"):
        impatient("http://127.0.0.1:1").events("game-1", by="pigeon")
