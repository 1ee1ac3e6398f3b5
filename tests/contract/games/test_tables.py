"""Tables over HTTP: opening, sitting down, watching, leaving, playing again."""

from pathlib import Path

import pytest

from tests.contract.tables import CREATOR, OPEN, finished, first_legal, started, table, view

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(("edition", "sizes"), [("standard", range(2, 7)), ("classic", range(2, 5))])
def test_an_edition_says_what_its_tables_are(client, edition, sizes):
    detail = client.get(f"/v1/editions/{edition}").json
    assert [row["seats"] for row in detail["tables"]] == list(sizes)
    assert detail["seats"] == {"min": sizes[0], "max": sizes[-1]}
    copies = sum(card["copies"] for card in detail["cards"])
    assert {row["deck_size"] for row in detail["tables"]} == {copies}
    assert all(card["name"] and card["text"] for card in detail["cards"])


def test_the_list_of_editions_is_the_short_form_of_each(client):
    for short in client.get("/v1/editions").json["items"]:
        detail = client.get(f"/v1/editions/{short['id']}").json
        assert short.items() <= detail.items()


def test_a_new_table_is_open_and_named_by_its_location(client, players):
    body = {"edition": "standard", "seats": [OPEN, CREATOR], "clock": {"seconds": 60, "on_timeout": "forfeit"}}
    answer = client.post("/v1/games", players[0], json=body)
    game = answer.json
    assert game["status"] == "open"
    assert game["viewer"] == {"seat": 1}
    assert game["clock"] == {"kind": "decision", "seconds": 60, "increment": 0, "on_timeout": "forfeit"}
    assert [seat["player"] and seat["player"]["name"] for seat in game["seats"]] == [None, "Ann"]
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    again = client.get(answer.headers["Location"], players[0])
    assert again.json == game
    assert again.headers["ETag"] == answer.headers["ETag"]


def test_an_unlisted_table_opens_to_its_code_alone(client, players):
    ann, bob, cleo = players
    game = table(client, ann, 3, visibility="unlisted")
    code, path = game["join_code"], f"/v1/games/{game['id']}"
    assert code
    assert client.get(path).json["code"] == "join_code_wrong"
    assert client.get(f"{path}?join_code=WRONG").json["code"] == "join_code_wrong"
    assert client.get(f"{path}/events?join_code=WRONG").json["code"] == "join_code_wrong"
    assert view(client, game, None, f"?join_code={code}")["join_code"] is None
    assert client.get(f"{path}/events?join_code={code}").status_code == 200
    refused = client.post(f"{path}/seats", bob, json={"join_code": "WRONG"}).json
    assert (refused["code"], refused["detail"][:33]) == ("join_code_wrong", "This is not the join code of this")
    assert "Ask somebody at the table" in client.post(f"{path}/seats", bob, json={}).json["detail"]
    assert client.post(f"{path}/seats", bob, json={"join_code": code}).json["join_code"] == code
    assert client.get(path, cleo).json["code"] == "join_code_wrong"
    assert client.get("/v1/games").json["items"] == []
    assert [item["id"] for item in client.get("/v1/players/me/games", bob).json["items"]] == [game["id"]]


def test_lists_name_bots_by_their_ids_and_views_in_the_language(client, players):
    ann, bots = players[0], [{"kind": "bot", "bot": "random"}] * 2
    game = client.post("/v1/games", ann, json={"edition": "standard", "seats": [OPEN, CREATOR, *bots]}).json

    def named(game):
        return [seat["player"]["name"] for seat in game["seats"][2:]]

    (listed,) = client.get("/v1/games").json["items"]
    (mine,) = client.get("/v1/players/me/games", ann).json["items"]
    assert named(listed) == named(mine) == ["random", "random"]
    assert named(game) == ["Random bot", "Random bot 2"]


def test_a_rematch_is_one_game_however_often_it_is_asked_for(client, players):
    ann, bob, cleo = players
    old = finished(client, [ann, bob], edition="classic")
    path = f"/v1/games/{old['id']}"
    new = client.post(f"{path}/rematch", ann).json
    assert [seat["invited"] and seat["invited"]["name"] for seat in new["seats"]] == [None, "Bob"]
    accepted = client.post(f"{path}/rematch", bob)
    assert (accepted.status_code, accepted.json["id"], accepted.json["status"]) == (201, new["id"], "active")
    assert accepted.headers["Location"] == f"/v1/games/{new['id']}"
    assert client.post(f"{path}/rematch", cleo).json["code"] == "not_seated"
    assert (new["edition"], new["previous_game"]) == ("classic", old["id"])
    assert view(client, old, ann)["next_game"] == new["id"]


def test_a_fork_goes_on_from_where_its_caller_wants(client, players):
    ann, bob, cleo = players
    old = started(client, [ann, bob, cleo], edition="classic", clock={"seconds": 500})
    actor, action = first_legal(client, old, players)
    acted = client.post(f"/v1/games/{old['id']}/actions", actor, json=action).json["version"]
    for token in (bob, cleo):
        client.delete(f"/v1/games/{old['id']}/seats/me", token)
    path = f"/v1/games/{old['id']}/fork"
    body = {"version": acted, "seat": 1, "bots": [{"seat": 2, "bot": "random"}]}
    keyed = {"headers": {"Idempotency-Key": "fork-1"}}
    first, again = (client.post(path, ann, json=body, **keyed) for _ in range(2))
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    fork = first.json
    assert first.headers["Location"] == f"/v1/games/{fork['id']}"
    assert (fork["status"], fork["sandbox"], fork["visibility"], fork["clock"]) == ("active", True, "unlisted", None)
    assert fork["forked_from"] == {"game": old["id"], "version": acted}
    assert (fork["viewer"], fork["previous_game"]) == ({"seat": 1}, None)
    assert [seat["player"]["name"] for seat in fork["seats"]] == ["Cautious bot", "Ann", "Random bot"]
    turns = client.get(f"/v1/games/{old['id']}/rounds").json["rounds"][0]["turns"]
    assert [turn["seat"] for turn in turns if turn["act_version"] == acted] == [fork["to_act"]]
    then = view(client, old, bob, f"?at={acted}&as=1")
    assert fork["seats"][1]["hand"] == then["seats"][1]["hand"]
    assert fork["round"] == then["round"]
    assert fork["commitment"] != then["commitment"]
    assert then["forked_from"] is None
    code = {"join_code": fork["join_code"]}
    assert client.post(f"/v1/games/{fork['id']}/seats", bob, json=code).json["code"] == "game_full"
    assert client.get(f"/v1/games/{fork['id']}", bob).status_code == 403
    assert fork["id"] not in [one["id"] for one in client.get("/v1/games").json["items"]]


def test_a_fork_that_cannot_be_says_what_can(client, players):
    ann, bob, cleo = players
    over = finished(client, [ann, bob])
    path = f"/v1/games/{over['id']}/fork"
    first, last = 7, over["version"] - 1
    for body, token, field, said in (
        ({"version": over["version"]}, ann, "version", f"versions {first} to {last}: "),
        ({"version": first - 1}, ann, "version", f"versions {first} to {last}: "),
        ({"version": last}, cleo, "seat", "You had no seat"),
        ({"version": last, "seat": 2}, ann, "seat", "the last one is `1`"),
        ({"version": last, "bots": [{"seat": 0, "bot": "random"}]}, ann, "bots.0.seat", "already"),
        ({"version": last, "bots": [{"seat": 1, "bot": "random"}] * 2}, ann, "bots.1.seat", "already"),
        ({"version": last, "bots": [{"seat": 5, "bot": "random"}]}, ann, "bots.0.seat", "the last one is `1`"),
        ({"version": last, "bots": [{"seat": 1, "bot": "deep"}]}, ann, "bots.0.bot", "one of"),
        ({"version": 0}, ann, "version", "Must be 1 to "),
        ({}, ann, "version", "required"),
    ):
        answer = client.post(path, token, json=body)
        assert (answer.status_code, answer.json["errors"][0]["field"]) == (422, field), (body, answer.json)
        assert said in answer.json["errors"][0]["detail"], answer.json
    log = client.get(f"/v1/games/{over['id']}/log", ann).json
    assert len(log["events"]) == over["version"], "a refused call leaves no trace"


def test_an_unlisted_game_is_forked_by_those_who_know_its_code(client, players):
    ann, bob, cleo = players
    over = finished(client, [ann, bob], visibility="unlisted")
    path, body = f"/v1/games/{over['id']}/fork", {"version": over["version"] - 1, "seat": 0}
    refused = client.post(path, cleo, json=body)
    assert (refused.status_code, refused.json["code"]) == (403, "join_code_wrong")
    assert client.post(path, cleo, json={**body, "join_code": "WRONG"}).status_code == 403
    fork = client.post(path, cleo, json={**body, "join_code": over["join_code"]}).json
    assert fork["viewer"] == {"seat": 0}
    assert fork["join_code"] != over["join_code"]
    assert client.get(f"/v1/games/{fork['id']}", ann).status_code == 403
    assert client.post(path, bob, json=body).status_code == 201
