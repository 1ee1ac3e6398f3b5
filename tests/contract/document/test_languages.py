"""One game in two languages: other texts, other tags, the same ids; caches can tell the answers apart."""

import pytest

from engine.editions import EDITIONS
from tests.contract.tables import first_legal, started, table

DE = {"Accept-Language": "de-AT, de;q=0.9, en;q=0.5"}


def both(client, path, token=None):
    """Returns an answer in English and in German, each with the right headers."""
    english, german = client.get(path, token), client.get(path, token, headers=DE)
    assert english.headers["Content-Language"] == "en"
    assert german.headers["Content-Language"] == "de"
    for answer in (english, german):
        assert "Accept-Language" in answer.headers["Vary"]
    return english, german


def apart(one, other, texts, place=""):
    """Yields the places in which two answers differ, after checking that only texts do."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), place
        for name in one:
            yield from apart(one[name], other[name], texts, f"{place}.{name}")
    elif isinstance(one, list):
        assert len(one) == len(other), place
        for inner in zip(one, other, strict=True):
            yield from apart(*inner, texts, place)
    elif one != other:
        assert place.rsplit(".", 1)[1] in texts, place
        yield place


def test_a_view_is_another_one_in_another_language(client, players):
    game = started(client, players[:2], starter=0)
    path = f"/v1/games/{game['id']}"
    english, german = both(client, path, players[0])
    assert set(apart(english.json, german.json, {"text"})) == {".legal_actions.text"}
    assert english.headers["ETag"] != german.headers["ETag"]
    assert "Authorization" in german.headers["Vary"]
    for tag, headers, status in (
        (english.headers["ETag"], {}, 304),
        (english.headers["ETag"], DE, 200),
        (german.headers["ETag"], DE, 304),
    ):
        assert client.get(path, players[0], headers={**headers, "If-None-Match": tag}).status_code == status


@pytest.mark.parametrize("read", [{}, DE])
@pytest.mark.parametrize("sent", [{}, DE])
def test_a_view_read_in_one_language_may_be_acted_on_in_another(client, players, read, sent):
    tokens = players[:2]
    game = started(client, tokens)
    actor, action = first_legal(client, game, tokens)
    path = f"/v1/games/{game['id']}"
    tag = client.get(path, actor, headers=read).headers["ETag"]
    acted = client.post(f"{path}/actions", actor, json=action, headers={**sent, "If-Match": tag})
    assert acted.status_code == 201
    assert acted.headers["Content-Language"] == ("de" if sent else "en")
    assert acted.headers["ETag"] == client.get(path, actor, headers=sent).headers["ETag"]
    stale = client.post(f"{path}/actions", actor, json=action, headers={**sent, "If-Match": tag})
    assert stale.status_code == 412


def test_events_tell_what_happened_in_the_language(client, players):
    game = started(client, players)
    path = f"/v1/games/{game['id']}/events"
    plain = client.get(path, headers=DE)
    assert {event["text"] for event in plain.json["events"]} == {None}
    assert "Content-Language" not in plain.headers
    assert client.get(f"{path}?text=false", headers=DE).json == plain.json
    english, german = both(client, f"{path}?text=true")
    assert set(apart(english.json, german.json, {"text"})) == {".events.text"}
    assert german.json["events"][-1]["text"].endswith("zieht eine Karte")


def test_an_action_is_answered_with_texts_on_request(client, players):
    game = started(client, players[:2])
    for query, spoken in (("?text=true", True), ("", False)):
        actor, action = first_legal(client, game, players[:2])
        done = client.post(f"/v1/games/{game['id']}/actions{query}", actor, json=action, headers=DE).json
        assert {event["text"] is not None for event in done["events"]} == {spoken}


def test_an_illegal_action_says_why_in_the_language(client, players):
    game = started(client, players[:2], starter=0)
    path = f"/v1/games/{game['id']}/actions"
    illegal = {"type": "redraw_hand", "redraw": True}
    english, german = (client.post(path, players[0], json=illegal, headers=headers).json for headers in ({}, DE))
    assert set(apart(english, german, {"title", "detail", "text"})) == {".title", ".detail", ".legal_actions.text"}


def test_what_is_the_same_in_every_language_does_not_depend_on_it(client, players):
    table(client, players[0])
    for path in ("/v1/games", "/healthz", "/openapi.json", "/v1/players/me"):
        answer = client.http.get(path, headers={**DE, "Authorization": f"Bearer {players[0]}"})
        assert answer.status_code == 200
        assert "Content-Language" not in answer.headers, path
        assert "Accept-Language" not in answer.headers.get("Vary", ""), path


@pytest.mark.parametrize("path", ["/v1/editions", "/v1/bots", *(f"/v1/editions/{edition}" for edition in EDITIONS)])
def test_editions_may_be_cached_by_language(client, path):
    english, german = both(client, path)
    texts = {"title", "name", "text", "short_text"}
    assert list(apart(english.json, german.json, texts))
    for answer in (english, german):
        assert answer.headers["Cache-Control"].startswith("public")
        assert "Accept-Language" in answer.headers["Vary"]
