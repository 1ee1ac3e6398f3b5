"""Every moment of `examples/moments.json` over HTTP: what happens, in words, and in the view of everybody."""

import re

import pytest

from games.records.verification import verify
from tests.games.records.moment_stories import MOMENTS, moments_of

EDITIONS = [*dict.fromkeys(moment["edition"] for moment in MOMENTS)]
CARDS = [*dict.fromkeys((moment["edition"], moment["card"]) for moment in MOMENTS)]
NAME = "Tester"


def played(client, token, moment):
    """Plays a moment; yields the path of the game before the first action and after each, and the events so far."""
    game = client.post("/v1/games", token, json=moment["request"])
    assert game.status_code == 201, (moment["name"], game.json)
    path = f"/v1/games/{game.json['id']}"
    yield path, game.json["version"]
    for one in moment["actions"]:
        answer = client.post(f"{path}/actions?seat={one['seat']}", token, json=one["action"])
        assert answer.status_code == 201, (moment["name"], answer.json)
        yield path, game.json["version"]


def seen(client, token, path, after, viewer, language="en"):
    query = f"after={after}&as={viewer}&text=true&limit=1000"
    return client.get(f"{path}/events?{query}", token, headers={"Accept-Language": language}).json["events"]


def by_seat(text):
    """Returns a sentence in which players are called by their seats, as in the file."""
    text = re.sub(rf"{NAME} \((\w+ \d)\)", r"\1", text)
    return text[:1].upper() + text[1:]


@pytest.fixture
def token(client):
    return client.post("/v1/players", json={"name": NAME}).json["token"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_is_told_as_in_the_file_shows_a_stranger_no_hand_and_leaves_a_valid_log(client, token, players, edition):
    ends = 0
    for moment in moments_of(edition):
        public = {**moment, "request": {**moment["request"], "visibility": "public"}}
        course = played(client, token, public)
        path, after = next(course)
        view = client.get(path, players[0]).json
        assert [card for seat in view["seats"] for card in seat["hand"] if card] == [], moment["name"]
        assert list(course), "it has actions"
        for language, texts in moment["texts"].items():
            events = seen(client, token, path, after, "all", language)[: len(texts)]
            assert [{"type": one["type"], "data": one["data"]} for one in events] == moment["events"], moment["name"]
            assert [by_seat(one["text"]) for one in events] == texts, moment["name"]
        if moment["events"][-1]["type"] == "game_finished":
            ends += 1
            assert verify(client.get(f"{path}/log", token).json).valid, moment["name"]
    assert ends
