"""Whole logs over HTTP: for those who may watch and only after the end, in every form, and verified wherever from."""

import gzip
import json
import re
import sys
import textwrap
from pathlib import Path

import pytest

from api.routes.logs import SHEET
from engine.editions import EDITIONS
from games.records.portable import as_json, as_ndjson, parsed
from games.records.scoresheets import parse_sheet, print_sheet
from service.verifying.bounds import TooCostly
from service.verifying.verifier import Verifier
from tests.contract.tables import finished, started, view
from tests.games.whole_logs import joined_and_left, whole_log
from tests.service.verifying.hostile_logs import texts

ROOT = Path(__file__).parents[3]
NDJSON = "application/x-ndjson"
ENDS = [(edition.id, seats) for edition in EDITIONS.values() for seats in (edition.seats[0], edition.seats[-1])]
"""The smallest and the greatest table of every edition."""


def verified(client, data, **headers):
    sent = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return client.post("/v1/logs/verify", data=data, headers=sent)


def test_nothing_of_a_log_is_given_away_before_the_end(client, players):
    game = started(client, players)
    for token in (None, *players):
        for accept in ("application/json", NDJSON):
            refused = client.get(f"/v1/games/{game['id']}/log", token, headers={"Accept": accept})
            assert refused.json["code"] == "game_not_finished"
            assert not {"secret", "events"} & set(refused.json)


def test_the_log_of_an_unlisted_game_is_for_those_who_may_watch_it(client, players):
    ann, bob, cleo = players
    game = finished(client, [ann, bob], visibility="unlisted")
    path = f"/v1/games/{game['id']}/log"
    assert [client.get(path, token).status_code for token in (ann, bob, cleo, None)] == [200, 200, 403, 403]
    code = view(client, game, ann)["join_code"]
    log = client.get(f"{path}?join_code={code}")
    assert log.status_code == 200
    assert code not in log.text


def test_a_log_comes_in_json_or_in_lines_packed_or_not_and_says_the_same(client, players):
    path = f"/v1/games/{finished(client, players[:2])['id']}/log"
    plain = client.get(path)
    assert plain.content_type == "application/json"
    assert "Content-Encoding" not in plain.headers
    assert set(plain.headers["Vary"].split(", ")) >= {"Accept", "Accept-Encoding"}
    lines = client.get(path, headers={"Accept": NDJSON})
    assert lines.content_type == NDJSON
    head, *events = map(json.loads, lines.data.splitlines())
    assert {**head, "events": events} == plain.json
    packed = client.get(path, headers={"Accept": NDJSON, "Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == lines.data
    for encoding in ("identity", "gzip;q=0", "br"):
        assert "Content-Encoding" not in client.get(path, headers={"Accept-Encoding": encoding}).headers
    assert client.get(path, headers={"Accept": "text/html, */*"}).data == plain.data


def test_a_log_from_elsewhere_is_verified_in_every_form(client):
    log = whole_log("premium", 5, 1)
    assert verified(client, as_json(log)).json["valid"] is True
    assert verified(client, as_ndjson(log), Content_Type=NDJSON).json["valid"] is True
    packed = gzip.compress(as_ndjson(log))
    assert verified(client, packed, Content_Type=NDJSON, Content_Encoding="gzip").json["valid"] is True


@pytest.mark.parametrize(("language", "word"), [("en", "must be"), ("de", "anders")])
def test_the_first_divergence_is_told_in_the_caller_s_language(client, language, word):
    log = whole_log("classic", 2, 0)
    answer = verified(client, as_json({**log, "secret": "0" * 64}), Accept_Language=language)
    assert answer.headers["Content-Language"] == language
    assert (answer.json["divergence"]["check"], answer.json["divergence"]["version"]) == ("commitment", 1)
    assert word in answer.json["divergence"]["text"]


def test_a_log_that_unpacks_to_more_than_is_accepted_is_refused(client):
    bomb = gzip.compress(b" " * 10_000_000)
    assert len(bomb) < 20_000
    assert verified(client, bomb, Content_Encoding="gzip").json["code"] == "content_too_large"


@pytest.mark.parametrize("times", [1000, pytest.param(5000, marks=pytest.mark.soak)])
def test_a_log_of_any_length_is_verified_as_far_as_its_bytes_are_accepted(client, times):
    log = joined_and_left(times)
    assert len(log["events"]) > 2 * times
    assert verified(client, as_json(log)).json["valid"] is True


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_a_log_that_takes_too_much_is_refused_with_a_reason(client):
    packed = gzip.compress(texts()["lists in lists"])
    refused = verified(client, packed, Content_Encoding="gzip", Accept_Language="de")
    assert (refused.status_code, refused.json["code"]) == (413, "content_too_large")
    assert refused.json["reason"] == "log_too_costly"
    assert "Speicher" in refused.json["detail"]


def test_of_a_scoresheet_it_says_what_to_send(client):
    refused = verified(client, print_sheet(parsed(as_json(whole_log("classic", 2, 0)))).encode())
    assert refused.json["code"] == "malformed_request"
    assert (
        refused.json["detail"] == "This is a scoresheet, not a log. Have the log made from it first, and verify that."
    )


def read_off(client, sheet, language="en"):
    return client.post("/v1/logs/read", json={"sheet": sheet}, headers={"Accept-Language": language})


@pytest.mark.parametrize(("edition", "seats"), ENDS)
def test_the_log_of_a_scoresheet_is_the_one_it_was_written_from_and_verifies(client, edition, seats):
    log = parsed(as_json(whole_log(edition, seats, seats)))
    made = read_off(client, "# A game\n\n" + print_sheet(log))
    assert made.data == as_json(log)
    assert verified(client, made.data).json["valid"] is True


def test_the_sheet_of_the_page_and_of_the_document_are_read(client):
    page = (ROOT / "docs/scoresheets.md").read_text()
    example = textwrap.dedent(re.search(r"(?s)    billet scoresheet 1.*?(?=\n\n\S)", page)[0])
    for sheet in (example, SHEET):
        assert read_off(client, sheet).json == parse_sheet(sheet)


@pytest.mark.parametrize(("language", "word"), [("en", "What line"), ("de", "Was in Zeile")])
def test_a_sheet_that_does_not_fit_is_refused_with_the_line_and_why(client, language, word):
    lines = print_sheet(parsed(as_json(whole_log("classic", 2, 0)))).splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("deck")) + 1
    lines[at] = "  1.    +0.100  0 comes back"
    refused = read_off(client, "\n".join(lines), language)
    assert (refused.status_code, refused.json["code"]) == (422, "invalid_request")
    assert refused.json["detail"].startswith(f"{word} {at + 1} ")
    assert refused.json["errors"] == [{"field": "sheet", "detail": refused.json["detail"]}]


def test_a_sheet_that_takes_too_much_is_refused_with_a_reason(client, monkeypatch):
    def costly(self, sheet):
        raise TooCostly

    monkeypatch.setattr(Verifier, "log_of", costly)
    refused = read_off(client, SHEET)
    assert (refused.status_code, refused.json["reason"]) == (413, "log_too_costly")
    assert "memory" in refused.json["detail"]


@pytest.mark.parametrize(
    ("data", "headers", "code"),
    [
        (b"{}", {"Content_Encoding": "gzip"}, "malformed_request"),
        (gzip.compress(b"{}", mtime=0)[:-3], {"Content_Encoding": "gzip"}, "malformed_request"),
        (gzip.compress(b"", mtime=0) * 20_000, {"Content_Encoding": "gzip"}, "malformed_request"),
        (b"{}", {"Content_Encoding": "br"}, "unsupported_media_type"),
        (b"{}", {"Content_Type": "text/plain"}, "unsupported_media_type"),
        (b"[" * 50_000, {}, "malformed_request"),
        (b'{"format": ' + b"[" * 300 + b"]" * 300 + b"}", {}, "malformed_request"),
        (b'{"format": "a", "format": "b"}', {}, "malformed_request"),
        (b"7", {}, "invalid_request"),
    ],
)
def test_what_cannot_be_read_is_refused(client, data, headers, code):
    assert verified(client, data, **headers).json["code"] == code
