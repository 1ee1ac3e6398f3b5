"""Every problem, and everything that can be wrong with a call, in every language: nothing missing, nothing English."""

import pytest
from flask import abort

from api.problems.kinds import KINDS
from api.request.arguments import faults
from api.schemas.fields.base import ClosedObject, Flag, Integer, Part, Text
from games.errors import Refused, Unavailable
from games.messages import Message
from games.texts.catalogue import LANGUAGES, catalogue
from tests.api.request.refused import MALFORMED, NO_ACTIONS, NO_QUERIES, NO_TABLES

TABLE = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}
ACT = "/v1/games/g1/actions"
JSON = "application/json"
FAULTY = [
    *(("POST", ACT, {"data": raw, "content_type": JSON}) for raw, _ in MALFORMED),
    *(("POST", ACT, {"data": raw, "content_type": JSON}) for raw in (b'{"a":1,}', b'{"a":"\\x"}', b" " * 70_000)),
    *(("POST", ACT, {"json": action}) for action, _ in NO_ACTIONS),
    *(("POST", "/v1/games", {"json": TABLE | setup}) for setup, _ in NO_TABLES if setup),
    *(("GET", path, {}) for path, _ in NO_QUERIES),
    ("POST", ACT, {"data": b"{}", "content_type": "text/plain"}),
    ("POST", ACT, {"data": b"{}", "content_type": JSON, "headers": {"Content-Encoding": "gzip"}}),
    ("POST", ACT, {"json": {"type": "play_card", "card": "guard", "targets": [1] * 9, "face": "odd", "colour": "red"}}),
    ("POST", ACT, {"json": {"type": "play_card", "card": "guard", "guess": "king", "guess_value": 3}}),
    ("POST", "/v1/players", {"json": {"name": ""}}),
    ("POST", "/v1/players", {"json": {"name": " Ann"}}),
    ("GET", "/v1/games/g1?join_code=" + "x" * 65, {}),
    ("POST", "/v1/games/g1/rematch", {"headers": {"Idempotency-Key": "not a key"}}),
    ("GET", "/v1/players/me", {"headers": {"Authorization": ""}}),
    ("POST", "/v1/games", {"json": TABLE, "headers": {"Authorization": "Basic x"}}),
    ("GET", "/v1/nothing", {}),
    ("PUT", "/v1/games", {}),
]


def problem(http, language, method, path, more):
    headers = {"Authorization": "Bearer pabc.secret", "Accept-Language": language, **more.get("headers", {})}
    answer = http.open(path, method=method, **{**more, "headers": headers})
    assert answer.status_code >= 400
    assert answer.content_type == "application/problem+json"
    assert answer.headers["Content-Language"] == language
    return answer.json


def check_apart(first, second):
    """Checks that two problems say the same with other words: no text of the one is in the other."""
    assert first["code"] == second["code"]
    for one, other in zip([first, *first.get("errors", [])], [second, *second.get("errors", [])], strict=True):
        for member in ("title", "detail"):
            if member in one:
                assert one[member] != other[member], (member, one)


@pytest.mark.parametrize(("method", "path", "more"), FAULTY)
def test_no_problem_is_told_in_the_words_of_another_language(http, method, path, more):
    english, german = (problem(http, language, method, path, more) for language in ("en", "de"))
    check_apart(english, german)
    for fault in (fault for one in (english, german) for fault in one.get("errors", [])):
        assert fault["detail"] not in (catalogue(one).text("fault.not_expected") for one in LANGUAGES), "nothing vague"


@pytest.mark.parametrize("code", KINDS)
def test_every_kind_has_a_title_in_every_language(http, noting, code):
    noting.part.result = Refused(code, Message("detail.no_seat"))
    english, german = (problem(http, language, "GET", "/v1/games/g1", {}) for language in ("en", "de"))
    check_apart(english, german)


@pytest.mark.parametrize("status", [400, 404, 405, 406, 413, 415, 418, 500, 501, 503])
def test_what_flask_refuses_is_told_in_the_language_too(own_app, status):
    own_app.add_url_rule("/abort", view_func=lambda: abort(status))
    check_apart(*(problem(own_app.test_client(), language, "GET", "/abort", {}) for language in ("en", "de")))


def test_failures_and_missing_parts_are_told_in_the_language(http, noting, caplog):
    caplog.set_level("CRITICAL")
    for result in (RuntimeError("broken"), Unavailable("away")):
        noting.part.result = result
        check_apart(*(problem(http, language, "GET", "/v1/games/g1", {}) for language in ("en", "de")))
    noting.part.result = {"redis": False, "worker": False}
    check_apart(*(problem(http, language, "GET", "/readyz", {}) for language in ("en", "de")))


class Whatever(ClosedObject):
    text = Text("Of ours.")
    number = Integer("Of ours.")
    flag = Flag("Of ours.")
    inner = Part(ClosedObject(), "Of ours.")


def test_words_of_marshmallows_own_never_come_through():
    for value in (None, [], {}, "x", 1.5, True):
        for name in ("text", "number", "flag", "inner"):
            messages = Whatever().validate({name: value})
            for fault in faults(messages, ""):
                assert fault.detail.key != "fault.not_expected", (name, value)
    assert [fault.detail.key for fault in faults({"field": ["Not a valid thing."]}, "")] == ["fault.not_expected"]


@pytest.mark.parametrize("seats", [0, 1, 9, 1000])
def test_too_many_seats_for_any_edition_are_too_many_for_the_wanted_one(http, seats):
    refused = problem(http, "en", "POST", "/v1/games", {"json": {**TABLE, "seats": [{"kind": "open"}] * seats}})
    assert refused["errors"] == [{"field": "seats", "detail": "This edition is for 2 to 6 seats."}]


@pytest.mark.parametrize("setup", [[], {"edition": 1}, {"edition": "chess", "seats": []}])
def test_seats_of_no_edition_have_the_bounds_of_all(http, setup):
    refused = problem(http, "en", "POST", "/v1/games", {"json": setup})
    assert refused["code"] == "invalid_request"
    assert "This edition is for" not in str(refused)


def test_of_a_member_that_several_checks_refuse_the_first_is_told(http):
    refused = problem(http, "en", "POST", "/v1/players", {"json": {"name": ""}})
    (error,) = refused["errors"]
    assert refused["detail"] == f'"name" is not valid. {error["detail"]}'
    assert "1 to 40 characters" in error["detail"]


FEW = "play_card, keep_card, redraw_hand, peek_hand, give_hands"


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ({"type": "play_card", "card": "gard"}, ["Did you mean guard?", "Ist guard gemeint?"]),
        (
            {"type": "play_card", "card": "joker"},
            [
                "Is none of the values that the OpenAPI document lists.",
                "Ist keiner der Werte, die das OpenAPI-Dokument nennt.",
            ],
        ),
        (
            {"type": "play", "card": "guard"},
            [
                f"Did you mean play_card? Must be one of: {FEW}.",
                f"Ist play_card gemeint? Muss eines von diesen sein: {FEW}.",
            ],
        ),
        ({"type": "look", "card": "guard"}, [f"Must be one of: {FEW}.", f"Muss eines von diesen sein: {FEW}."]),
    ],
)
def test_an_unknown_word_is_answered_with_the_one_it_may_mean_and_a_short_list(http, action, says):
    for language, said in zip(("en", "de"), says, strict=True):
        (fault,) = problem(http, language, "POST", ACT, {"json": action})["errors"]
        assert fault["detail"] == said


def test_a_word_like_no_other_is_refused_however_long_it_is(http):
    (fault,) = problem(http, "en", "POST", ACT, {"json": {"type": "play_card", "card": "guard" * 50}})["errors"]
    assert fault["detail"] == catalogue("en").text("fault.unlisted")


def test_several_places_are_counted_in_whole_sentences(http):
    said = [problem(http, language, "POST", "/v1/games", {"json": {}})["detail"] for language in ("en", "de")]
    assert said[0] == '2 values are not valid. The first is "edition". Is required.'
    assert said[1] == "2 Angaben sind nicht gültig. Die erste ist „edition“. Wird gebraucht."
