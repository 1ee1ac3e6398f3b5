"""Which bodies the interface takes, and how it refuses the others."""

import io

import marshmallow as ma
import pytest
from flask import Request

from api.request import arguments
from api.request.arguments import LONGEST_REMEMBERED, Body
from api.request.bodies import LATE
from api.schemas.actions import GameAction
from api.schemas.fields.base import Integer, Items
from engine.actions import PeekHand, PlayCard
from engine.logs.codec import read_action
from games.player import Player
from games.texts.catalogue import catalogue
from service.players import Access
from service.store.log.stored_answers import Answer
from tests.api.request.refused import MALFORMED, NO_ACTIONS, NO_TABLES

EN = catalogue("en")
MADE = Access(Player("p1", "Ann", "human"), "p1.secret")


def post(http, bearer, raw, content_type="application/json", path="/v1/games/g1/actions"):
    return http.post(path, data=raw, headers={**bearer, "Content-Type": content_type})


@pytest.mark.parametrize(("raw", "words"), MALFORMED)
def test_what_is_no_unambiguous_json_is_malformed(http, bearer, raw, words):
    answer = post(http, bearer, raw)
    assert answer.status_code == 400
    assert answer.content_type == "application/problem+json"
    assert answer.json["code"] == "malformed_request"
    assert words in answer.json["detail"]


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
def test_another_media_type_is_refused(http, bearer, noting, content_type):
    answer = post(http, bearer, b'{"type":"redraw_hand","redraw":true}', content_type)
    assert (answer.status_code, answer.json["code"]) == (415, "unsupported_media_type")
    assert noting.part.calls == []


def test_a_charset_may_be_named(http, bearer):
    answer = post(http, bearer, b'{"type":"redraw_hand","redraw":true}', "application/json; charset=utf-8")
    assert answer.status_code == 201


def test_a_long_body_is_refused(http, bearer):
    answer = post(http, bearer, b" " * 70_000)
    assert (answer.status_code, answer.json["code"]) == (413, "content_too_large")
    assert "65536 bytes" in answer.json["detail"]


@pytest.mark.parametrize(("encoding", "status"), [("gzip", 415), ("br", 415), ("identity", 201), ("Identity", 201)])
def test_an_encoded_body_is_refused(http, bearer, encoding, status):
    raw = b'{"type":"redraw_hand","redraw":true}'
    headers = {**bearer, "Content-Type": "application/json", "Content-Encoding": encoding}
    answer = http.post("/v1/games/g1/actions", data=raw, headers=headers)
    assert answer.status_code == status
    if status == 415:
        assert "Send it plain" in answer.json["detail"]


@pytest.mark.parametrize(("length", "status"), [(50_000, 201), (70_000, 413)])
def test_a_body_in_chunks_is_read_and_measured_too(http, bearer, length, status):
    raw = b'{"type":"redraw_hand","redraw":true}'.ljust(length)
    answer = http.post(
        "/v1/games/g1/actions",
        input_stream=io.BytesIO(raw),
        headers={**bearer, "Content-Type": "application/json"},
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )
    assert answer.status_code == status


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800", "\\udc00\\ud800"])
def test_a_text_with_what_is_no_character_is_refused(http, noting, escape):
    raw = '{"name":"a' + escape + 'b"}'
    answer = http.post("/v1/players", data=raw, content_type="application/json")
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert [fault["field"] for fault in answer.json["errors"]] == ["name"]
    assert noting.part.calls == []


def test_a_surrogate_pair_is_one_character(http, noting):
    noting.part.result = MADE
    answer = http.post("/v1/players", data='{"name":"\\ud83c\\udccf"}', content_type="application/json")
    assert answer.status_code == 201
    assert noting.part.calls == [("register", ("\U0001f0cf", "human", None, None), {})]


ACTIONS = [
    {"type": "play_card", "card": "guard", "targets": [1], "guess": "priest"},
    {"type": "play_card", "card": "guard", "targets": [1], "guess_value": 4, "face": "sane"},
    {"type": "play_card", "card": "handmaid"},
    {"type": "keep_card", "keep": "king", "bottom": ["guard", "spy"]},
    {"type": "redraw_hand", "redraw": False},
    {"type": "peek_hand"},
    {"type": "peek_hand", "seat": 2},
    {"type": "give_hands", "hands": [{"seat": 0, "card": "king"}, {"seat": 2, "card": "guard"}]},
]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: "-".join(action))
def test_every_kind_of_action_reaches_the_service_as_it_was_sent(http, bearer, noting, action):
    noting.part.result = Answer(b"{}")
    headers = {**bearer, "If-Match": '"7"', "Idempotency-Key": "k-1"}
    answer = http.post("/v1/games/g1/actions", json=action, headers=headers)
    assert answer.status_code == 201
    named = {"as_seat": None, "words": EN, "texts": False}
    (name, (token, game, submitted, seen, key), options), *others = noting.part.calls
    assert (name, token, game, submitted, key) == ("act", "pabc.secret", "g1", read_action(action), "k-1")
    assert (options, others) == (named, [])
    assert (seen("7"), seen("8")) == (True, False)


@pytest.mark.parametrize(("action", "fields"), NO_ACTIONS)
def test_what_is_no_action_is_refused_with_the_place(http, bearer, noting, action, fields):
    answer = http.post("/v1/games/g1/actions", json=action, headers=bearer)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert [fault["field"] for fault in answer.json["errors"]] == fields
    assert noting.part.calls == []


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ([], "The body of the call is not valid as a whole. Must be an object."),
        ({"action": {"type": "peek_hand"}, "text": "Look"}, "post its `action` member, not the whole item."),
    ],
)
def test_a_body_that_is_wrong_as_a_whole_is_told_so_in_a_sentence(http, bearer, action, says):
    answer = http.post("/v1/games/g1/actions", json=action, headers=bearer)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert says in answer.json["detail"]


FAULTS = [
    ({}, {"edition": "Is required.", "seats": "Is required."}),
    ({"edition": None}, {"edition": "Must not be null."}),
    ({"edition": 1}, {"edition": "Must be a string."}),
    ({"starter": None}, {"starter": "Must be left out instead of null."}),
    ({"starter": "0"}, {"starter": "Must be a whole number."}),
    ({"starter": 8}, {"starter": "Must be 0 to 7."}),
    ({"seats": {}}, {"seats": "Must be an array."}),
    ({"seats": []}, {"seats": "This edition is for 2 to 6 seats."}),
    ({"seats": [1] * 20_000}, {"seats": "This edition is for 2 to 6 seats."}),
    ({"nonce": "x" * 201}, {"nonce": "Must have at most 200 characters."}),
    ({"clock": 1}, {"clock": "Must be an object."}),
    (
        {"clock": {"seconds": 60, "minutes": 1}},
        {"clock.minutes": "Is not known here. Known are: seconds, on_timeout, kind, increment, break_days."},
    ),
]


@pytest.mark.parametrize(("setup", "faults"), FAULTS)
def test_what_is_wrong_is_said_in_our_words(http, bearer, setup, faults):
    whole = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}], **setup} if setup else {}
    answer = http.post("/v1/games", json=whole, headers=bearer)
    assert {fault["field"]: fault["detail"] for fault in answer.json["errors"]} == faults


def test_a_body_that_repeats_reads_the_same_each_time(http, bearer, noting):
    raw = b'{"type":"play_card","card":"guard","targets":[1.0]}'
    for _ in range(3):
        assert post(http, bearer, raw).status_code == 201
    assert {repr(args[2]) for _, args, _ in noting.part.calls} == {repr(PlayCard("guard", (1,)))}
    for _ in range(2):
        assert post(http, bearer, b'{"type":"play_card"}').status_code == 422


@pytest.mark.parametrize(("language", "where"), [("en", "1500 values"), ("de", "1500 Angaben")])
def test_of_many_things_that_are_wrong_the_first_are_listed_and_all_counted(http, bearer, language, where):
    made_up = {f"x{number}": 0 for number in range(1500)}
    headers = bearer | {"Accept-Language": language}
    answer = http.post(
        "/v1/games", json=made_up | {"edition": "standard", "seats": [{"kind": "open"}] * 2}, headers=headers
    )
    assert answer.status_code == 422
    listed = {fault["field"] for fault in answer.json["errors"]}
    assert len(listed) == len(answer.json["errors"]) == 50
    assert listed < made_up.keys()
    assert where in answer.json["detail"]
    assert len(answer.data) < 10_000


def test_a_list_is_read_until_as_much_is_wrong_as_is_listed():
    """A body of 64 KiB has room for thousands of wrong cards, and reading them all held everybody up."""
    read = []

    class Noting(Integer):
        def deserialize(self, value, *arguments, **more):
            read.append(value)
            return super().deserialize(value, *arguments, **more)

    numbers = Items(Items(Noting("A number."), "Numbers.", most=100), "Lists of them.", most=100)
    with pytest.raises(ma.ValidationError):
        numbers.deserialize([[0] * 10, ["x"] * 20, *[["x"] * 100] * 98])
    assert read == [0] * 10 + ["x"] * (20 + 50)


def test_only_so_many_bodies_are_remembered(app, monkeypatch):
    monkeypatch.setattr(arguments, "MOST_REMEMBERED", 50)
    body = Body(GameAction(), {}, repeats=True)
    for spaces in range(300):
        raw = b'{"type":"peek_hand","seat":0%s}' % (b" " * spaces)
        request = Request.from_values(method="POST", data=raw, content_type="application/json")
        with app.app_context():
            assert body.read(request) == PeekHand(0)
    remembered = body._remembered.cache_info()
    assert remembered.currsize == 50
    assert remembered.misses == 1 + LONGEST_REMEMBERED - len(b'{"type":"peek_hand","seat":0}'), "no longer ones"


def test_a_whole_number_may_be_written_as_a_fraction(http, bearer, noting):
    raw = b'{"type":"play_card","card":"guard","targets":[1.0]}'
    assert post(http, bearer, raw).status_code == 201
    assert noting.part.calls[0][1][2] == PlayCard("guard", (1,))


@pytest.mark.parametrize(("setup", "fields"), NO_TABLES)
def test_what_is_no_table_is_refused_with_the_places(http, bearer, noting, setup, fields):
    whole = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}], **setup} if setup else {}
    answer = http.post("/v1/games", json=whole, headers=bearer)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert {fault["field"] for fault in answer.json["errors"]} == fields
    assert noting.part.calls == []


@pytest.mark.parametrize("name", ["", " ", " Ann", "Ann ", "Ann\n", "A\tnn", "x" * 41, 7, None, ["Ann"]])
def test_what_is_no_name_is_refused(http, noting, name):
    answer = http.post("/v1/players", json={"name": name})
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert noting.part.calls == []


def test_a_seat_may_be_claimed_without_a_body(http, bearer, noting):
    assert http.post("/v1/games/g1/seats", headers=bearer).status_code == 201
    assert noting.part.calls == [("take_seat", ("pabc.secret", "g1", {}, None), {"words": EN})]


@pytest.mark.parametrize(("path", "body"), [("/v1/players", {"json": {"name": "Ann"}}), ("/v1/players/me/token", {})])
def test_a_key_by_which_a_token_is_given_again_must_be_a_long_one(http, bearer, noting, path, body):
    noting.part.result = MADE._replace(replayed=True)
    short, long = (http.post(path, headers={**bearer, "Idempotency-Key": "x" * n}, **body) for n in (21, 22))
    assert (short.status_code, short.json["code"]) == (422, "invalid_request")
    assert "22 to 200" in short.json["errors"][0]["detail"]
    assert long.json == {"player": {"id": "p1", "name": "Ann", "kind": "human"}, "token": "p1.secret"}
    assert (long.headers["Idempotent-Replayed"], long.headers["Cache-Control"]) == ("true", "no-store")
    ((_, arguments, _),) = noting.part.calls
    assert arguments[-1] == "x" * 22


@pytest.mark.parametrize("key", ["", " ", "a b", "ä", "x" * 201])
def test_what_is_no_idempotency_key_is_refused(http, bearer, noting, key):
    headers = {**bearer, "Idempotency-Key": key}
    answer = http.post("/v1/games/g1/rematch", headers=headers)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert [fault["field"] for fault in answer.json["errors"]] == ["Idempotency-Key"]
    assert noting.part.calls == []


@pytest.mark.parametrize("name", ["\u202eeve", "a\u2066b", "\u200b", "ann\u200d", "\u3000", "a\u0085b", "\ufeffann"])
def test_a_name_that_shows_otherwise_than_it_is_written_is_refused(http, name):
    refused = http.post("/v1/players", json={"name": name})
    assert refused.status_code == 422
    assert refused.json["errors"][0]["field"] == "name"


@pytest.mark.parametrize(("name", "what"), [("", "1 to 40"), ("\u200b" * 41, "1 to 40"), (" ", "invisible")])
def test_a_name_that_is_refused_for_several_reasons_is_refused_for_one(http, name, what):
    (fault,) = http.post("/v1/players", json={"name": name}).json["errors"]
    assert fault["field"] == "name"
    assert what in fault["detail"]


@pytest.mark.parametrize("name", ["Zoë", "李", "\U0001f469\u200d\U0001f680", "نور", "O'Neil-Łuk"])
def test_names_of_every_script_are_taken(http, noting, name):
    noting.part.result = MADE
    assert http.post("/v1/players", json={"name": name}).status_code == 201


def test_a_body_that_has_not_arrived_in_time_is_refused(http, bearer, noting):
    answer = http.post("/v1/games/g1/actions", json={}, headers=bearer, environ_overrides={LATE: True})
    assert (answer.status_code, answer.json["code"]) == (408, "request_timeout")
    assert noting.part.calls == []
