"""The results over HTTP, of one API process: a stream that resumes, and a call that waits."""

import threading

import httpx

from tests.api_process import wait_until_following
from tests.e2e.sse import Stream
from tests.service.at_table import Game

PATH = "/v1/results"


def recorded(service):
    game = Game.begin(service).cut_short()
    service.recording.record(game.id)
    return game


def test_a_site_follows_the_results_and_goes_on_where_it_was(port, service):
    first = recorded(service)
    with Stream(port, f"{PATH}/stream?after=0") as stream:
        assert stream.answer.headers["Content-Type"] == "text/event-stream"
        (sent,) = stream.take(1)
        assert (sent.name, sent.data) == (None, service.results.page(None)["results"][0])
        assert (sent.id, sent.data["game"]) == (sent.data["cursor"], first.id)
        second = recorded(service)
        (sent,) = stream.take(1)
        assert sent.data["game"] == second.id
    third = recorded(service)
    with Stream(port, f"{PATH}/stream", last=sent.id) as stream:
        assert stream.take(1)[0].data["game"] == third.id


def test_a_call_waits_for_the_next_result(port, service):
    url = f"http://127.0.0.1:{port}{PATH}"
    cursor = httpx.get(url, timeout=60).json()["cursor"]
    answers = []
    asking = threading.Thread(
        target=lambda: answers.append(httpx.get(url, params={"after": cursor, "wait": 30}, timeout=60).json())
    )
    asking.start()
    wait_until_following(port, 0, 1)
    game = recorded(service)
    asking.join(60)
    assert [result["game"] for result in answers[0]["results"]] == [game.id]
    assert answers[0]["cursor"] == answers[0]["results"][0]["cursor"]
