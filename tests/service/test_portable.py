"""The portable log as a format: the same bytes for the same game, read back as written, bounded, as its schema says."""

import gzip
import json
import random
from pathlib import Path

import jsonschema_rs
import pytest

from games.records.portable import (
    TooLong,
    Unreadable,
    as_json,
    as_ndjson,
    digest_of,
    packed,
    parsed,
    unpacked,
)
from games.records.schema import event_fault, schema
from games.records.verification import verify
from tests.games.whole_logs import whole_log
from tests.service.at_table import Game

MOST = 1 << 20


def test_json_and_lines_hold_the_same_and_the_same_log_is_the_same_bytes():
    log = whole_log("standard", 3, 1)
    assert as_json(log) == as_json(whole_log("standard", 3, 1))
    assert parsed(as_json(log)) == parsed(as_ndjson(log)) == json.loads(as_json(log))
    assert parsed(json.dumps(json.loads(as_json(log)), indent=2).encode()) == parsed(as_json(log))
    lines = as_ndjson(log).splitlines()
    assert "events" not in json.loads(lines[0])
    assert [json.loads(line)["version"] for line in lines[1:]] == list(range(1, len(log["events"]) + 1))


def test_the_digest_is_that_of_the_canonical_lines():
    log = parsed(as_json(whole_log("classic", 2, 0)))
    assert digest_of(log) == log["digest"] == digest_of({**log, "digest": "another"})
    assert digest_of({**log, "secret": "00"}) != log["digest"]


def test_packed_logs_are_the_same_bytes_and_no_more_is_unpacked_than_is_accepted():
    raw = as_ndjson(whole_log("classic", 2, 0))
    assert packed(raw) == packed(raw)
    assert unpacked(packed(raw), len(raw)) == raw
    assert unpacked(packed(raw[:99]) + packed(raw[99:]), len(raw)) == raw
    with pytest.raises(TooLong):
        unpacked(packed(raw), len(raw) - 1)
    with pytest.raises(TooLong):
        unpacked(gzip.compress(b" " * 50_000_000), MOST)


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        (b"no gzip", "log.no_gzip"),
        (b"", "log.gzip_cut_off"),
        (packed(b"abc")[:-4], "log.gzip_cut_off"),
        (packed(b"abc") + b"more", "log.no_gzip"),
        (packed(b"abc") + bytes(9), "log.no_gzip"),
        (packed(b"abc") + packed(b"def")[:-4], "log.gzip_cut_off"),
    ],
)
def test_what_is_no_gzip_is_not_read(raw, key):
    with pytest.raises(Unreadable) as unreadable:
        unpacked(raw, MOST)
    assert unreadable.value.why.key == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        (b"\xff", "log.not_utf_8"),
        (b"", "log.not_json"),
        (b"{", "log.not_json"),
        (b'{"a": 1}\nno line\n', "log.line_not_json"),
        (b'\xef\xbb\xbf\xef\xbb\xbf{"a": 1}', "log.not_json"),
        (b'{"a": 1}\n\xc2\xa0\n{}\n', "log.line_not_json"),
        (b"\n\n", "log.not_json"),
        (b'{"events": []}\n{}', "log.line_not_json"),
        (b'{"a": 1, "a": 1}', "log.member_twice"),
        (b'{"a": 1.0}', "log.no_whole_number"),
        (b'{"a": NaN}', "log.no_whole_number"),
        (b'{"a": 12345678901234567}', "log.no_whole_number"),
        (b'{"a": 9007199254740992}', "log.no_whole_number"),
        (b'{"a": -9007199254740992}', "log.no_whole_number"),
        (b'{"a": "\\ud800"}', "log.no_character"),
        (b"[" * 100_000, "log.too_deep"),
        (b'{"format": ' + b"[" * 300 + b"]" * 300 + b"}", "log.too_deep"),
        (b'{"a": ' * 33 + b"1" + b"}" * 33, "log.too_deep"),
    ],
)
def test_what_is_no_log_or_could_be_read_in_two_ways_is_not_read(raw, key):
    with pytest.raises(Unreadable) as unreadable:
        parsed(raw)
    assert unreadable.value.why.key == key


def test_blank_lines_count_for_nothing_but_in_the_number_of_a_line():
    log = whole_log("classic", 2, 0)
    for raw in (as_json(log), as_ndjson(log)):
        assert parsed(b"\n" + raw.replace(b"\n", b"\n \t\r\n") + b"\n\n") == parsed(raw)
    with pytest.raises(Unreadable) as unreadable:
        parsed(b'\n{"a": 1}\n\nno line\n')
    assert unreadable.value.why.values == {"line": 4}


def test_many_small_gzips_in_a_row_are_unpacked_as_fast_as_they_are_long():
    assert unpacked(packed(b"a") * 50_000, MOST) == b"a" * 50_000


@pytest.mark.parametrize("edition", ["standard", "classic", "premium", "lovecraft"])
def test_logs_are_as_the_published_schema_says(edition):
    published = json.loads((Path(__file__).parents[2] / "docs" / "log.schema.json").read_text())
    assert published == schema()
    jsonschema_rs.meta.validate(published)
    log = parsed(as_json(whole_log(edition, 3, 2)))
    some = {event["type"]: event for event in log["events"]}.values()
    jsonschema_rs.validate(published, {**log, "events": [*some]})


def test_a_game_that_was_played_is_given_away_once_it_has_ended_and_is_valid(service, log):
    game = Game.begin(service, 3)
    with pytest.raises(ValueError, match="before it has ended"):
        log.stored(log.read(game.id).snapshot)
    game.play(random.Random(1))
    given = parsed(as_json(service.games.log(None, game.id)))
    assert verify(given).valid
    assert given["game"] == game.id
    assert "Ann" not in as_json(given).decode()


def test_a_game_that_bots_have_played_is_valid_too(service):
    game = Game.open(service, "creator", "cautious").play(random.Random(1))
    given = parsed(as_json(service.games.log(None, game.id)))
    assert any("thought" in (event["cause"] or {}) for event in given["events"])
    assert verify(given).valid


@pytest.mark.parametrize(
    "action",
    [
        7,
        None,
        {"type": "pass"},
        {"type": "peek_hand", "seat": 9},
        {"type": "play_card", "card": "spy"},
        {"type": "play_card", "card": None, "targets": []},
        {"type": "redraw_hand", "redraw": True, "seat": 1},
    ],
)
def test_an_action_that_the_schema_does_not_know_is_a_fault_of_its_event(action):
    event = next(one for one in whole_log("standard", 2, 0)["events"] if (one["cause"] or {}).get("type") == "act")
    assert event_fault(event) is None

    assert event_fault({**event, "cause": {**event["cause"], "action": action}}) == "cause.action"


@pytest.mark.parametrize(("member", "value"), [("guess", 7), ("guess_value", "7"), ("face", []), ("card", None)])
def test_a_member_that_may_be_null_may_not_be_anything(member, value):
    event = next(one for one in whole_log("standard", 2, 0)["events"] if one["type"] == "card_played")

    assert event_fault({**event, "data": {**event["data"], member: None}}) == (
        "data.card" if member == "card" else None
    )
    assert event_fault({**event, "data": {**event["data"], member: value}}) == f"data.{member}"
