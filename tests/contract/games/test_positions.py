"""Sandbox positions over HTTP: set up, looked at from every side, played by one person, refused by field."""

from api.link import LINK, Link
from api.places import UNBOUND, Bound, Places, waiting_places
from tests.contract.tables import CREATOR, OPEN

ASIDE = {"hands": [["guard", "prince"], ["handmaid"]], "protected": [1], "deck": [], "set_aside": "princess", "turn": 0}


def opened(client, player, seats, *positions, edition="standard"):
    body = {"edition": edition, "seats": seats, "sandbox": {"positions": list(positions)}}
    return client.post("/v1/games", player, json=body)


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
