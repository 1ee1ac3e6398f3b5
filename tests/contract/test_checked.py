"""The client that checks answers does notice what the document does not promise."""

import pytest
from flask import Flask, jsonify

from tests.contract.checked import Checked, validate

EVENT = {"$ref": "#/components/schemas/GameEvent"}
DRAWN = {
    "version": 3,
    "type": "card_drawn",
    "at": "2030-01-01T00:00:00.000Z",
    "data": {"seat": 0, "card": None, "source": "deck"},
    "text": None,
}


def test_an_event_as_it_should_be_passes():
    validate(DRAWN, EVENT)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 0},
        {"text": 1},
        {"version": "3"},
        {"type": "card_stolen"},
        {"type": "card_played"},
        {"at": "yesterday"},
        {"data": {"seat": 0, "card": None}},
        {"data": {"seat": None, "card": None, "source": "deck"}},
        {"data": {"seat": 0, "card": "joker", "source": "deck"}},
    ],
)
def test_an_event_as_it_should_not_be_fails(change):
    with pytest.raises(AssertionError):
        validate({**DRAWN, **change}, EVENT)


def answer_health(body, status=200, headers=()):
    """Has the client check an answer of `GET /healthz`."""
    app = Flask("answering")

    @app.get("/healthz")
    def health():
        return jsonify(body), status, {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store", **dict(headers)}

    Checked(app).get("/healthz")


def test_an_answer_that_is_promised_passes():
    answer_health({"status": "ok"})


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (202, {"status": "ok"}, {}),
        (200, {"status": 1}, {}),
        (200, {}, {}),
        (200, {"status": "ok"}, {"Content-Type": "text/html"}),
        (200, {"status": "ok"}, {"ETag": '"1"'}),
        (200, {"status": "ok"}, {"Idempotent-Replayed": "true"}),
    ],
)
def test_an_answer_that_is_not_promised_fails(status, body, headers):
    with pytest.raises(AssertionError):
        answer_health(body, status, headers)
