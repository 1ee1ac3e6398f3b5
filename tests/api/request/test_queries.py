"""Which queries and headers the interface takes, and what reaches the service of them."""

import pytest

from games.texts.catalogue import catalogue
from tests.api.request.refused import NO_QUERIES


@pytest.mark.parametrize(("path", "fields"), NO_QUERIES)
def test_a_query_that_cannot_be_is_refused_with_the_place(http, noting, path, fields):
    answer = http.get(path)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert [fault["field"] for fault in answer.json["errors"]] == fields
    assert noting.part.calls == []


@pytest.mark.parametrize(
    "path",
    ["/v1/games/g1/seats?join_code=K7", "/v1/games/g1/tickets?join_code=K7", "/v1/players?name=", "/v1/games?a=1"],
)
def test_a_call_that_takes_all_in_its_body_refuses_a_query(http, bearer, noting, path):
    answer = http.post(path, json={}, headers=bearer)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    name = path.partition("?")[2].partition("=")[0]
    detail = "Does not belong in the address. Send what the call needs in its body."
    assert answer.json["errors"] == [{"field": name, "detail": detail}]
    assert noting.part.calls == []


def test_a_view_is_asked_for_with_everything_the_query_and_headers_say(http, bearer, noting):
    http.get(
        "/v1/games/g1?at=7&as=all&join_code=K7", headers={**bearer, "If-None-Match": '"7-0"', "Accept-Language": "de"}
    )
    (name, arguments, named), *others = noting.part.calls
    known = named.pop("known")
    assert (name, arguments, others) == ("view", ("pabc.secret", "g1"), [])
    assert named == {"at": 7, "as_": "all", "join_code": "K7", "words": catalogue("de")}
    assert (known("7-0"), known("7-1")) == (True, False)


def test_a_watcher_has_no_token(http, noting):
    http.get("/v1/games/g1/events?after=3&wait=30&limit=9")
    asked = {
        "after": 3,
        "limit": 9,
        "wait": 30,
        "until_turn": False,
        "waiter": None,  # there is no server to wait
        "join_code": None,
        "words": None,
        "at": None,
        "as_": None,
    }
    assert noting.part.calls == [("events", (None, "g1"), asked)]


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic abc",
        "abc",
        "Bearer a b",
        "Bearer ä",
        "Bearer a,Bearer b",
        "Bearer " + "x" * 5000,
    ],
)
@pytest.mark.parametrize("path", ["/v1/players/me", "/v1/games/g1"])
def test_a_malformed_token_is_no_token(http, noting, header, path):
    answer = http.get(path, headers={"Authorization": header})
    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert noting.part.calls == []


def test_a_missing_token_is_said_before_the_body_is_looked_at(http, noting):
    answer = http.post("/v1/games", data=b"{", content_type="application/json")
    assert answer.status_code == 401
    assert noting.part.calls == []


def test_the_scheme_is_read_in_any_case(http, noting):
    http.get("/v1/players/me", headers={"Authorization": "bEARER pabc.secret"})
    assert noting.part.calls == [("me", ("pabc.secret",), {})]


def test_a_cache_buster_is_ignored_at_every_call_and_the_rest_is_not(http, bearer, noting):
    noting.part.result = {"items": [], "next_cursor": None}
    for path in ("/v1/games?_=17", "/v1/editions?_=", "/v1/players/me/games?_=1&_=2", "/openapi.json?_=1"):
        assert http.get(path, headers=bearer).status_code == 200, path
    for path in ("/v1/games?r=17", "/v1/games/g1/events?lastEventId=1", "/v1/games/g1?padding=true"):
        assert http.get(path).status_code == 422, path
