"""Every error is a problem document, on every path."""

import ast
import logging
from functools import cache
from pathlib import Path

import jsonschema_rs
import pytest
from flask import abort

import games
import service
from api.problems.kinds import KINDS
from games.errors import Refused, invalid
from games.texts.catalogue import catalogue

SOURCES = [path for part in (games, service) for path in Path(part.__file__).parent.glob("**/*.py")]
"""All modules in which calls are refused."""


@pytest.mark.parametrize(("code", "kind"), KINDS.items())
def test_every_refusal_has_its_status_and_says_what_it_is(http, bearer, noting, code, kind):
    noting.part.result = Refused(code, "Because.")
    answer = http.get("/v1/games/g1", headers=bearer)
    assert answer.status_code == kind.status
    assert answer.content_type == "application/problem+json"
    assert answer.json == {
        "type": f"/docs/errors#{code}",
        "title": catalogue("en").text(f"problem.{code}.title"),
        "status": kind.status,
        "detail": "Because.",
        "instance": "/v1/games/g1",
        "code": code,
    }


def test_a_refusal_says_more_where_it_can(http, bearer, noting):
    legal = [{"action": {"type": "redraw_hand", "redraw": True}, "text": "Draw another hand"}]
    noting.part.result = Refused("illegal_action", "No.", reason="wrong_action", legal_actions=legal)
    answer = http.post("/v1/games/g1/actions", json={"type": "peek_hand"}, headers=bearer)
    assert answer.json["reason"] == "wrong_action"
    assert answer.json["legal_actions"] == legal
    noting.part.result = Refused("stale_version", "No.", version=12)
    answer = http.post("/v1/games/g1/actions", json={"type": "peek_hand"}, headers=bearer)
    assert answer.json["version"] == 12
    noting.part.result = invalid("seats", "fault.one_creator")
    answer = http.post("/v1/games/g1/actions", json={"type": "peek_hand"}, headers=bearer)
    assert answer.json["errors"] == [
        {"field": "seats", "detail": "Only in a sandbox may the creator take more than one seat."}
    ]


@cache
def calls_in(path):
    """Returns every call that is written in a source."""
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]


def test_every_reason_the_service_gives_is_listed():
    """Reads the service's sources: every `reason="..."` that is written out."""
    given = {
        keyword.value.value
        for path in SOURCES
        for node in calls_in(path)
        for keyword in node.keywords
        if keyword.arg == "reason" and isinstance(keyword.value, ast.Constant)
    }
    assert {"game_begun", "seat_taken"} <= given
    assert given <= {reason for kind in KINDS.values() for reason in kind.reasons}


def test_a_path_that_is_not_there_is_told_so(http):
    assert http.get("/v1/nothing").json["detail"] == "There is nothing here. Check the address."


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/v1", 404, "not_found"),
        ("GET", "/v1/nothing", 404, "not_found"),
        ("POST", "/v1/games/a/b/c", 404, "not_found"),
        ("GET", "/v1/games/", 404, "not_found"),
        ("GET", "//v1/games", 404, "not_found"),
        ("GET", "/v1//games", 404, "not_found"),
        ("GET", "/v1/games/a%20b", 404, "not_found"),
        ("GET", "/v1/games/%7Bx%7D", 404, "not_found"),
        ("GET", "/v1/games/" + "x" * 65, 404, "not_found"),
        ("GET", "/docs/nothing", 404, "not_found"),
        ("GET", "/docs/..%2f..%2fapp.py", 404, "not_found"),
        ("PUT", "/v1/games", 405, "method_not_allowed"),
        ("POST", "/healthz", 405, "method_not_allowed"),
        ("BREW", "/v1/games", 405, "method_not_allowed"),
    ],
)
def test_paths_and_methods_that_are_not_there(http, method, path, status, code):
    answer = http.open(path, method=method)
    assert (answer.status_code, answer.json["code"]) == (status, code)
    assert answer.content_type == "application/problem+json"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_a_method_that_is_not_allowed_says_which_are(http):
    answer = http.put("/v1/games")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}
    assert "POST" in answer.json["detail"]


def test_a_failure_says_nothing_of_its_cause(http, bearer, noting, caplog):
    noting.part.result = RuntimeError("the princess is in seat 2")
    with caplog.at_level(logging.CRITICAL):
        answer = http.get("/v1/games/g1", headers=bearer)
    assert (answer.status_code, answer.json["code"]) == (500, "internal_error")
    assert b"princess" not in answer.data


def test_what_flask_refuses_by_itself_is_a_problem_too(own_app):
    own_app.add_url_rule("/teapot", view_func=lambda: abort(418))
    answer = own_app.test_client().get("/teapot")
    assert answer.status_code == 418
    assert answer.content_type == "application/problem+json"
    assert answer.json["status"] == 418


def test_neither_the_token_nor_the_query_come_back_in_an_error(http, noting):
    noting.part.result = Refused("join_code_wrong", "The join code is wrong.")
    answer = http.get("/v1/games/g1?join_code=SESAME", headers={"Authorization": "Bearer pabc.sEcReT"})
    assert answer.status_code == 403
    text = answer.get_data(as_text=True) + str(answer.headers)
    assert "SESAME" not in text
    assert "sEcReT" not in text


@pytest.mark.parametrize("path", ["/nothing", "/v1/games?limit=x", "/v1/players/me"])
def test_every_problem_is_as_the_document_says(http, path):
    answer = http.get(path)
    document = http.get("/openapi.json").json
    schema = {"$ref": "#/components/schemas/Problem", "components": document["components"]}
    jsonschema_rs.validate(schema, answer.json, validate_formats=True)
    assert answer.json["instance"] == path.partition("?")[0]
