"""Whole logs over HTTP: for those who may watch and only after the end, in every form, and verified wherever from."""

import gzip
import sys

import pytest

from games.records.portable import as_json
from tests.contract.tables import finished
from tests.games.whole_logs import joined_and_left, whole_log
from tests.service.verifying.hostile_logs import texts


def verified(client, data, **headers):
    sent = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return client.post("/v1/logs/verify", data=data, headers=sent)


def test_a_log_comes_packed_or_not_and_says_the_same(client, players):
    game = finished(client, players[:2], visibility="unlisted")
    path = f"/v1/games/{game['id']}/log?join_code={game['join_code']}"
    plain = client.get(path)
    assert game["join_code"] not in plain.text
    assert plain.content_type == "application/json"
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"].split(", ")
    packed = client.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    for encoding in ("identity", "gzip;q=0", "br"):
        assert "Content-Encoding" not in client.get(path, headers={"Accept-Encoding": encoding}).headers
    assert client.get(path, headers={"Accept": "application/x-ndjson"}).data == plain.data


def test_a_log_from_elsewhere_is_verified_packed_or_not(client):
    raw = as_json(whole_log("premium", 5, 1))
    assert verified(client, raw).json["valid"] is True
    assert verified(client, gzip.compress(raw), Content_Encoding="gzip").json["valid"] is True


@pytest.mark.parametrize(("language", "word"), [("en", "must be"), ("de", "anders")])
def test_the_first_divergence_is_told_in_the_caller_s_language(client, language, word):
    log = whole_log("classic", 2, 0)
    answer = verified(client, as_json({**log, "secret": "0" * 64}), Accept_Language=language)
    assert answer.headers["Content-Language"] == language
    assert (answer.json["divergence"]["check"], answer.json["divergence"]["version"]) == ("commitment", 1)
    assert word in answer.json["divergence"]["text"]


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
