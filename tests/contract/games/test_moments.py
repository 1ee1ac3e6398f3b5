"""Every moment of `examples/moments.json` over HTTP: what happens, in words, and in the view of everybody."""

import json
import re

import pytest

from engine.events import EVENTS
from games.records.verification import verify
from tests.contract.tables import OPEN
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


@pytest.mark.parametrize(
    ("edition", "card"),
    [pytest.param(*card, marks=[] if number % 6 == 0 else pytest.mark.soak) for number, card in enumerate(CARDS)],
)
def test_shows_nobody_a_card_that_is_not_theirs(client, token, edition, card):
    for moment in [one for one in moments_of(edition) if one["card"] == card]:
        for path, after in played(client, token, moment):
            truth = client.get(f"{path}?as=all", token).json
            every = seen(client, token, path, 0, "all")
            for viewer in range(len(truth["seats"])):
                view = client.get(f"{path}?as={viewer}", token).json
                events = seen(client, token, path, 0, viewer)
                named = cards_named(events)
                for event, whole in zip(events, every, strict=True):
                    assert_redacted(event, whole, viewer)
                for seat, (one, whole) in enumerate(zip(view["seats"], truth["seats"], strict=True)):
                    assert len(one["hand"]) == len(whole["hand"])
                    if seat == viewer:
                        assert one["hand"] == whole["hand"]
                    known = {card for card in one["hand"] if card is not None}
                    assert known <= {*whole["hand"]}
                    assert seat == viewer or known <= named, (moment["name"], viewer, seat)
                    if every[-1]["version"] == after and "mi_go_braincase" not in whole["hand"]:
                        assert seat == viewer or not known, "nothing is played yet, so nobody was shown anything"
                if view["round"] is not None and view["status"] == "active":
                    assert view["round"]["set_aside"] is None, moment["name"]


def assert_redacted(event, whole, viewer):
    """Checks each field that is for some seats alone: the viewer is one of them, or sees null."""
    for name, audience in EVENTS[event["type"]].secrets:
        if viewer in [event["data"][seat] for seat in audience.seats_in]:
            assert event["data"][name] == whole["data"][name]
        elif isinstance(whole["data"][name], list):
            own = {viewer} if audience.own_item else set()
            assert {i for i, item in enumerate(event["data"][name]) if item is not None} <= own, event
            assert len(event["data"][name]) == len(whole["data"][name])
        else:
            assert event["data"][name] is None, event


def cards_named(events):
    """Returns every card that is named anywhere in the events that a viewer reads of a game."""
    return {*re.findall(r'"([a-z_]+)"', json.dumps([event["data"] for event in events]))}


def test_plays_with_somebody_else_on_a_seat_too(client, token, players):
    moment = MOMENTS[0]
    seats = [*moment["request"]["seats"][:-1], OPEN]
    game = client.post("/v1/games", token, json={**moment["request"], "seats": seats}).json
    path = f"/v1/games/{game['id']}"
    client.post(f"{path}/seats", players[0], json={"join_code": game["join_code"]} if game["join_code"] else {})
    hands = [seat["hand"] for seat in client.get(path, players[0]).json["seats"]]
    assert hands[0] == [None, None]
    answer = client.post(f"{path}/actions", token, json=moment["actions"][0]["action"])
    assert answer.status_code == 201
