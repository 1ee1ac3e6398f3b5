"""A page of any origin may use the interface."""

import re

import pytest


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/g1/actions", "/healthz", "/openapi.json", "/no/such/path"])
def test_every_path_answers_a_preflight(http, path):
    headers = {"Origin": "https://cards.example", "Access-Control-Request-Method": "POST"}
    answer = http.options(path, headers=headers)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert {"POST", "DELETE", "GET"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))
    allowed = {name.lower() for name in answer.headers["Access-Control-Allow-Headers"].split(", ")}
    assert {
        "*",
        "accept-language",
        "authorization",
        "content-encoding",
        "content-type",
        "idempotency-key",
        "if-match",
        "if-none-match",
        "last-event-id",
    } <= allowed
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("path", ["/v1/games/g1", "/nothing", "/healthz", "/v1/players/me", "/docs", "/metrics"])
def test_every_answer_can_be_read_from_any_origin(http, path):
    answer = http.get(path, headers={"Origin": "https://cards.example"})
    assert answer.headers.getlist("Access-Control-Allow-Origin") == ["*"]
    exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert {"ETag", "Location", "Retry-After", "Idempotent-Replayed"} <= exposed


def test_a_plain_options_request_says_the_methods_and_is_no_page(http):
    http.get("/v1/games")
    answer = http.options("/v1/games")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}
    assert "html" not in answer.content_type


def test_no_path_redirects(app, http):
    for rule in app.url_map.iter_rules():
        if rule.rule == "/":
            continue
        path = re.sub(r"<.*?>", "1", rule.rule)
        assert http.get(path + "/").status_code == 404, path
