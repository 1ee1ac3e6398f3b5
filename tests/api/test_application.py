"""What the application leaves out of Flask's work, and what it must not leave out."""

from io import BytesIO

import pytest
from flask import request, request_finished, request_started, request_tearing_down
from werkzeug.test import EnvironBuilder

from api import application
from api.answers import plain

EDITION = "/v1/editions/standard"


def test_the_paths_that_are_remembered_are_few_and_short(app, http, monkeypatch):
    monkeypatch.setattr(application, "MOST_PATHS", 5)
    for number in range(20):
        assert http.get(f"/v1/games/g{number}").status_code == 200
        assert http.get(EDITION).status_code == 200
    assert 0 < len(app._known) <= 5
    http.get("/web/none/" + "x" * application.LONGEST_PATH)
    http.options(EDITION)
    assert all(len(path) <= application.LONGEST_PATH and method == "GET" for method, path in app._known)


def test_a_path_that_is_forgotten_while_it_is_matched_leads_nowhere_else(app):
    """As when another thread remembers so many paths at this moment that all are forgotten."""
    there = "http://cards.example"
    http = app.test_client()
    assert http.get(EDITION, base_url=there).status_code == 200
    assert http.delete("/v1/games/other/seats/me", base_url=there).status_code == 401  # the latest from this host
    context = app.request_context(EnvironBuilder(EDITION, base_url=there).get_environ())
    app._known.clear()
    with context:
        assert context.request.url_rule.endpoint == "Editions.detail"
        assert context.request.view_args == {"edition_id": "standard"}
    answer = http.get(EDITION, base_url=there)
    assert (answer.status_code, answer.json["id"]) == (200, "standard")


def test_a_new_path_of_a_known_host_is_answered_as_that_of_a_new_host(http):
    there = "http://cards.example"
    assert http.get(EDITION, base_url=there).status_code == 200
    assert http.get("/v1/editions/classic", base_url=there).json["id"] == "classic"
    assert http.get("/v1/none", base_url=there).status_code == 404
    answer = http.post("/v1/editions/premium", base_url=there)
    assert (answer.status_code, "GET" in answer.headers["Allow"]) == (405, True)
    assert "GET" in http.options("/v1/editions/lovecraft", base_url=there).headers["Allow"]


def test_a_path_that_is_remembered_takes_no_other_methods(http):
    assert http.get(EDITION).status_code == 200
    answer = http.post(EDITION)
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


def test_each_host_is_looked_at_also_where_the_path_is_known(http):
    assert http.get(EDITION).status_code == 200
    for _ in range(2):
        assert http.get(EDITION, headers={"Host": "x" * 70 + ".example"}).status_code == 400
        assert http.get(EDITION, headers={"Host": "cards.example"}).status_code == 200


def test_the_hosts_that_are_remembered_are_few(app, http, monkeypatch):
    monkeypatch.setattr(application, "MOST_HOSTS", 3)
    for number in range(9):
        assert http.get(EDITION, headers={"Host": f"cards{number}.example"}).status_code == 200
    assert len(app._hosts) <= 3


def test_files_that_came_with_a_request_are_closed_after_it(own_app):
    came = []

    def look():
        came.append(request.files["picture"])
        assert not came[0].closed
        return plain({})

    own_app.add_url_rule("/upload", view_func=look, methods=["POST"])
    answer = own_app.test_client().post("/upload", data={"picture": (BytesIO(b"x"), "a.png")})
    assert answer.status_code == 200
    assert came[0].closed


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
def test_what_a_hook_changes_of_a_complete_answer_is_sent_once(own_app, method):
    def change(response):
        response.status_code = 203
        response.headers["Vary"] = "Accept"
        return response

    before = own_app.test_client().open(EDITION, method=method)
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
