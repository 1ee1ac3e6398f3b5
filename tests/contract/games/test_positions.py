"""Sandbox positions over HTTP: set up, looked at from every side, played by one person, refused by field."""

import pytest

from api.link import LINK, Link
from api.places import UNBOUND, Bound, Places, waiting_places
from tests.contract.tables import CREATOR, OPEN

ASIDE = {"hands": [["guard", "prince"], ["handmaid"]], "protected": [1], "deck": [], "set_aside": "princess", "turn": 0}
PRINCE = {"type": "play_card", "card": "prince", "targets": [0]}


def opened(client, player, seats, *positions, edition="standard"):
    body = {"edition": edition, "seats": seats, "sandbox": {"positions": list(positions)}}
    return client.post("/v1/games", player, json=body)


def test_empty_deck_prince_on_oneself_and_the_princess_aside_take_one_call(client, players):
    game = opened(client, players[0], [CREATOR, CREATOR], ASIDE).json
    assert game["round"]["deck_size"] == 0
    played = client.post(f"/v1/games/{game['id']}/actions?seat=0", players[0], json=PRINCE)
    assert played.status_code == 201
    drawn = next(event["data"] for event in played.json["events"] if event["type"] == "card_drawn")
    assert drawn == {"seat": 0, "card": "princess", "source": "set_aside"}


def test_the_creator_looks_from_every_seat_and_at_everything_and_others_do_not(client, players):
    game = opened(client, players[0], [CREATOR, CREATOR, OPEN], ASIDE).json
    path = f"/v1/games/{game['id']}"
    client.post(f"{path}/seats", players[1], json={})
    assert client.get(f"{path}?as=all", players[0]).json["round"]["set_aside"] == "princess"
    seen = client.get(f"{path}?seat=1", players[0]).json
    assert (seen["viewer"], seen["seats"][1]["hand"]) == ({"seat": 1}, ["handmaid"])
    assert client.get(f"{path}?as=2", players[0]).json["seats"][2]["hand"] != [None]
    whole = client.get(f"{path}/events?as=all", players[0]).json["events"]
    assert whole[0]["data"]["sandbox_positions"][0]["set_aside"] == "princess"
    for query in ("as=all", "as=0", "seat=0"):
        for what in ("", "/events"):
            refused = client.get(f"{path}{what}?{query}", players[1])
            assert (refused.status_code, refused.json["code"]) == (409, "game_not_finished")
    assert client.get(f"{path}/events", players[1]).json["events"][0]["data"]["sandbox_positions"] == [None]


def test_one_person_acts_for_each_of_their_seats_and_for_no_other(client, players):
    position = {"hands": [["spy", "guard"]], "deck": ["guard", "guard", "guard"]}
    game = opened(client, players[0], [CREATOR, CREATOR, OPEN], position).json
    path = f"/v1/games/{game['id']}"
    client.post(f"{path}/seats", players[1], json={})
    spy = {"type": "play_card", "card": "spy", "targets": []}
    wrong = client.post(f"{path}/actions?seat=1", players[0], json=spy)
    assert (wrong.status_code, wrong.json["code"]) == (409, "not_your_turn")
    other = client.post(f"{path}/actions?seat=2", players[0], json=spy)
    assert (other.status_code, other.json["code"]) == (403, "not_seated")
    assert client.post(f"{path}/actions", players[0], json=spy).json["game"]["viewer"] == {"seat": 0}
    legal = client.get(f"{path}?seat=1", players[0]).json["legal_actions"]
    assert client.post(f"{path}/actions", players[0], json=legal[0]["action"]).json["game"]["viewer"] == {"seat": 1}


def test_the_creator_follows_the_stream_and_the_events_as_every_seat_and_whole_and_others_do_not(client, players):
    game = opened(client, players[0], [CREATOR, CREATOR, OPEN], ASIDE).json
    path = f"/v1/games/{game['id']}"
    client.post(f"{path}/seats", players[1], json={})
    for place in ("events/stream", "events"):
        whole, second, first = [
            client.get(f"{path}/{place}?after=0{query}", players[0]).get_data(as_text=True)
            for query in ("&as=all", "&seat=1", "")
        ]
        assert "princess" in whole
        assert "princess" not in second + first
        assert "handmaid" in second
        assert "handmaid" not in first
        for query in ("as=all", "as=0", "seat=0"):
            refused = client.get(f"{path}/{place}?{query}", players[1])
            assert (refused.status_code, refused.json["code"]) == (409, "game_not_finished")


def test_a_refused_stream_leaves_its_ticket_as_it_was(client, players):
    path = f"/v1/games/{opened(client, players[0], [CREATOR, CREATOR, OPEN], ASIDE).json['id']}"
    places = Places(Bound(1, "streams", "detail.too_many_streams"), UNBOUND)
    places.take("a", None)
    full = {LINK: Link("a", "", streams=places, waiting=waiting_places(), turns=None, wait=None)}
    mine = "/v1/players/me"
    for at, place in ((path, "events"), (path, "frames"), (mine, "events")):
        ticket = client.post(f"{at}/tickets", players[1]).json["ticket"]
        stream = f"{at}/{place}/stream?ticket={ticket}"
        refusals = [
            client.get(f"{stream}&after=999"),
            client.get(stream, headers={"Last-Event-ID": "x"}),
            client.get(stream, environ_overrides={"SERVER_PROTOCOL": "HTTP/1.0"}),
            client.get(stream, environ_overrides=full),
            client.get(f"{stream}&as=all"),
        ]
        assert {answer.status_code // 100 for answer in refusals} == {4}
        assert [client.get(stream).status_code for _ in range(2)] == [200, 401]


def test_one_person_says_which_of_several_seats_they_leave(client, players):
    game = opened(client, players[0], [CREATOR, CREATOR, CREATOR, OPEN], {}).json
    path = f"/v1/games/{game['id']}/seats/me"
    other = client.delete(f"{path}?seat=3", players[0])
    assert (other.status_code, other.json["code"]) == (403, "not_seated")
    which = client.delete(path, players[0], headers={"Accept-Language": "de"})
    assert (which.status_code, which.json["code"]) == (422, "invalid_request")
    assert which.json["errors"][0]["field"] == "seat"
    assert "(`0, 1, 2`): Sag, welchen" in which.json["errors"][0]["detail"]

    def sitting(answer):
        assert answer.status_code == 200
        return [seat["seat"] for seat in answer.json["seats"] if seat["player"] is not None]

    assert sitting(client.delete(f"{path}?seat=1", players[0])) == [0, 2]
    assert sitting(client.delete(f"{path}?seat=0", players[0])) == [2]
    assert sitting(client.delete(path, players[0])) == []


def test_one_person_resigns_the_last_of_several_seats_without_naming_it(client, players):
    game = opened(client, players[0], [CREATOR, CREATOR, {"kind": "bot", "bot": "random"}], {}).json
    path = f"/v1/games/{game['id']}/seats/me"
    assert client.delete(path, players[0]).status_code == 422
    assert client.delete(f"{path}?seat=0", players[0]).status_code == 200
    left = client.delete(path, players[0])
    assert (left.status_code, [seat["left"] for seat in left.json["seats"]][:2]) == (200, [True, True])


def test_whole_numbers_of_a_position_are_read_as_everywhere_and_seats_are_listed_once(client, players):
    position = {"turn": 1.0, "tokens": [1.0, 2], "protected": [0.0]}
    made = opened(client, players[0], [CREATOR, CREATOR], position).json
    assert made["round"]["turn"] == 1
    assert [(seat["tokens"], seat["protected"]) for seat in made["seats"]] == [(1, True), (2, False)]
    for wrong in (1.5, "1", True):
        assert opened(client, players[0], [CREATOR, CREATOR], {"turn": wrong}).status_code == 422
    twice = opened(client, players[0], [CREATOR] * 3, {"out": [2, 2]})
    assert twice.status_code == 422
    (fault,) = twice.json["errors"]
    assert fault == {"field": "sandbox.positions.0.out.1", "detail": "Seat 3 is listed twice."}


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ({"deck": ["princess", "princess"]}, "sandbox.positions.0"),
        ({"out": [0, 1]}, "sandbox.positions.0.out"),
        ({"discards": [[], ["princess"]]}, "sandbox.positions.0.discards.1"),
        ({"protected": [0], "turn": 0}, "sandbox.positions.0.protected"),
        ({"hands": [["guard"]], "deck": []}, "sandbox.positions.0.deck"),
        ({"turn": 8}, "sandbox.positions.0.turn"),
        ({"hands": [["dragon"]]}, "sandbox.positions.0.hands.0.0"),
        ({"cards": []}, "sandbox.positions.0.cards"),
        ({"tokens": [-1]}, "sandbox.positions.0.tokens.0"),
    ],
)
def test_what_cannot_be_is_refused_by_field(client, players, position, field):
    refused = opened(client, players[0], [CREATOR, OPEN], position)
    assert (refused.status_code, refused.json["code"]) == (422, "invalid_request")
    assert [error["field"] for error in refused.json["errors"]] == [field]


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"sandbox": {}}, "sandbox"),
        ({"sandbox": {"rounds": []}}, "sandbox.rounds"),
        ({"sandbox": {"positions": []}}, "sandbox.positions"),
        ({"sandbox": {"rounds": [{"starter": 1}]}, "starter": 0}, "starter"),
        ({"sandbox": {"rounds": [{"starter": 5}]}}, "sandbox.rounds.0.starter"),
    ],
)
def test_a_sandbox_that_says_nothing_or_contradicts_itself_is_refused(client, players, more, field):
    refused = client.post("/v1/games", players[0], json={"edition": "standard", "seats": [CREATOR, OPEN], **more})
    assert (refused.status_code, refused.json["code"]) == (422, "invalid_request")
    assert [error["field"] for error in refused.json["errors"]] == [field]
