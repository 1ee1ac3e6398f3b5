"""How the service's answers become responses: statuses and headers."""

import gzip

from service.metrics.health import Ready
from service.metrics.latest import Dated
from service.store.log.stored_answers import Answer


def test_an_answer_is_passed_on_with_its_headers(http, bearer, noting):
    noting.part.result = Answer(b'{"id":"g1"}', "3", replayed=True)
    answer = http.post("/v1/games/g0/rematch", headers=bearer)
    assert (answer.status_code, answer.data, answer.content_type) == (201, b'{"id":"g1"}', "application/json")
    assert answer.headers["ETag"] == '"3"'
    assert answer.headers["Location"] == "/v1/games/g1"
    assert answer.headers["Idempotent-Replayed"] == "true"


def test_what_an_answer_does_not_have_is_not_there(http, bearer, noting):
    noting.part.result = Answer(b"{}")
    answer = http.get("/v1/games/g1", headers=bearer)
    assert not {"ETag", "Location", "Idempotent-Replayed"} & set(answer.headers.keys())


def test_a_view_is_kept_by_nobody_else_and_asked_for_each_time(http, bearer):
    answer = http.get("/v1/games/g1", headers=bearer)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in answer.headers["Vary"]


def test_an_unchanged_view_has_no_body_and_keeps_its_tag(http, noting):
    noting.part.result = Answer(tag="3", unchanged=True)
    answer = http.get("/v1/games/g1", headers={"If-None-Match": '"3"'})
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.headers["ETag"] == '"3"'


def test_a_token_is_never_kept(http, noting):
    noting.part.result = {"player": {}, "token": "t"}
    assert http.post("/v1/players", json={"name": "Ann"}).headers["Cache-Control"] == "no-store"


def test_a_head_request_has_no_body(http):
    answer = http.head("/v1/games/g1")
    assert (answer.status_code, answer.data) == (200, b"")


def test_the_application_answers_in_json_where_nothing_is_said(own_app):
    own_app.add_url_rule("/plain", view_func=lambda: {"a": [1]})
    answer = own_app.test_client().get("/plain")
    assert (answer.json, answer.content_type) == ({"a": [1]}, "application/json")


def test_readiness_says_which_part_is_away(http, noting):
    noting.part.result = Dated(Ready(redis=True, worker=True, writes=False), 1.9)
    assert http.get("/readyz").json == {"redis": True, "worker": True, "writes": False, "age_seconds": 1}
    noting.part.result = Dated(Ready(redis=True, worker=False, writes=True), 0.0)
    answer = http.get("/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert "worker" in answer.json["detail"]
    noting.part.result = Dated(Ready(redis=True, worker=False, writes=False, read_only=True), 0.0)
    answer = http.get("/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert "cannot save anything" in answer.json["detail"]


def test_a_long_answer_comes_compressed_to_whoever_takes_that(http):
    whole = http.get("/v1/editions/standard")
    assert "Content-Encoding" not in whole.headers
    packed = http.get("/v1/editions/standard", headers={"Accept-Encoding": "br, gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(whole.data) / 3
    assert gzip.decompress(packed.data) == whole.data
    for answer in (whole, packed):
        assert {"Accept-Language", "Accept-Encoding"} <= set(answer.headers["Vary"].split(", "))
    refused = http.get("/v1/editions/standard", headers={"Accept-Encoding": "gzip;q=0"})
    assert refused.data == whole.data


def test_a_short_answer_is_not_worth_it(http):
    assert "Content-Encoding" not in http.get("/v1/games/g1", headers={"Accept-Encoding": "gzip"}).headers
