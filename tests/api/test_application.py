"""What the application leaves out of Flask's work, and what it must not leave out."""

import pytest
from flask import request_finished, request_started, request_tearing_down

from api import application

EDITION = "/v1/editions/standard"


def test_the_paths_that_are_kept_are_few_and_short(app, http):
    for number in range(application.MOST_PATHS + 9):
        http.get(f"/v1/none/{number}")
    kept = app._known_path.cache_info()
    assert kept.currsize == kept.maxsize == application.MOST_PATHS
    http.get("/web/none/" + "x" * application.LONGEST_PATH)
    assert app._known_path.cache_info().misses == kept.misses, "a client chooses these"


def test_a_path_that_is_kept_takes_no_other_methods_and_means_the_same_under_each_host(http):
    for host in ("cards.example", "other.example"):
        there = {"base_url": f"http://{host}"}
        assert http.get(EDITION, **there).json["id"] == "standard"
        assert "GET" in http.options(EDITION, **there).headers["Allow"]
        answer = http.post(EDITION, **there)
        assert (answer.status_code, "GET" in answer.headers["Allow"]) == (405, True)
        assert http.get("/v1/none", **there).status_code == 404


@pytest.mark.parametrize("signal", [request_started, request_finished, request_tearing_down])
def test_who_listens_to_requests_hears_of_each(app, http, signal):
    heard = []

    def hear(sender, **more):
        heard.append(sender)

    with signal.connected_to(hear):
        http.get(EDITION)
        http.get(EDITION)
    assert heard == [app, app]


def test_hooks_around_requests_are_called(own_app):
    seen = []
    own_app.before_request(lambda: seen.append("before"))
    own_app.after_request(lambda response: seen.append("after") or response)
    own_app.teardown_request(lambda error: seen.append("torn down"))
    own_app.teardown_appcontext(lambda error: seen.append("all torn down"))
    own_app.test_client().get(EDITION)
    assert seen == ["before", "after", "torn down", "all torn down"]


def test_no_request_is_looked_through_for_a_cookie(http):
    answer = http.get(EDITION, headers={"Cookie": "session=x"})
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers
    assert "Cookie" not in answer.headers["Vary"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_a_hook_changes_of_a_complete_answer_is_sent_once(http, own_app, method):
    def change(response):
        response.status_code = 203
        response.headers["Vary"] = "Accept"
        return response

    before = http.open(EDITION, method=method)
    own_app.after_request(change)
    answer = own_app.test_client().open(EDITION, method=method)
    assert answer.status_code == 203
    assert answer.headers.getlist("Vary") == ["Accept"]
    assert answer.data == before.data
    assert sorted(answer.headers.keys()) == sorted(before.headers.keys())


def test_who_listens_to_responses_may_read_them(app, http):
    read = []

    def hear(sender, response):
        read.append((response.status_code, response.json["id"]))

    with request_finished.connected_to(hear):
        answer = http.get(EDITION)
    assert read == [(200, "standard")]
    assert answer.json["id"] == "standard"
