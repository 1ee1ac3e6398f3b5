"""Ids from outside become parts of keys: no text that is none leads to a key of another kind."""

from base64 import urlsafe_b64encode

import orjson
import pytest
import redis

from api.published import document
from billet import administration
from tests.contract.tables import CREATOR, OPEN

SUFFIXES = (":playing", ":played", "}:notices", "*", ":", "{x}", "\n", "\0", " ", "é", "\u200b", "x" * 64)
TABLE = {"edition": "standard", "seats": [CREATOR, OPEN]}


@pytest.fixture
def ids(client, players):
    """A player who has keys of many kinds, and a game."""
    ann = client.get("/v1/players/me", token=players[0]).json["id"]
    bob = client.get("/v1/players/me", token=players[1]).json["id"]
    game = client.post("/v1/games", players[0], json=TABLE).json["id"]
    client.post(f"/v1/games/{game}/seats", players[1], json={})
    client.call("PUT", f"/v1/players/me/blocks/{ann}", players[1])
    return {"player": ann, "other": bob, "game": game}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_in_a_call_names_another_key(client, players, ids, suffix):
    ann, bob, cleo = players
    other, game = ids["other"] + suffix, ids["game"] + suffix
    open_table = client.post("/v1/games", ann, json=TABLE).json["id"]
    invited = TABLE | {"seats": [CREATOR, {"kind": "invited", "player": other}]}
    cursors = [urlsafe_b64encode(orjson.dumps([0, 1, part])).decode() for part in (other, game)]
    answers = [
        client.post("/v1/games", ann, json=invited),
        client.post(f"/v1/games/{open_table}/seats", ann, json={"seat": 1, "player": other}),
        client.call("DELETE", "/v1/players/me/invitations", ann, query_string={"from": other}),
        client.post("/v1/join", cleo, json={"code": f"ABC{suffix}"}),
        *([client.get("/v1/players/me", token=f"{other}.x")] if suffix.isprintable() else []),
        *[client.get("/v1/games", query_string={"cursor": cursor}) for cursor in cursors],
        *[client.get("/v1/players/me/games", token=bob, query_string={"cursor": cursor}) for cursor in cursors],
        *[client.get("/v1/players/me/blocks", token=bob, query_string={"cursor": cursor}) for cursor in cursors],
    ]
    assert {answer.status_code for answer in answers} <= {401, 404, 422}


def test_every_id_in_a_request_has_its_form():
    """Reads the document: members and parameters that are ids say so, so that clients and tests know."""
    components = document()["components"]["schemas"]
    named = {"player", "from", "game", "id", "creator"}
    found = []

    def look(schema, place, seen):
        if (name := schema.get("$ref", "").rpartition("/")[2]) and name not in seen:
            look(components[name], name, {*seen, name})
        for member, about in schema.get("properties", {}).items():
            if member in named and about.get("type") == "string":
                found.append((place, member, about.get("pattern"), about.get("maxLength")))
            look(about, f"{place}.{member}", seen)
        for part in [*schema.get("oneOf", []), *schema.get("anyOf", []), *schema.get("allOf", [])]:
            look(part, place, seen)
        if "items" in schema:
            look(schema["items"], place, seen)

    for item in document()["paths"].values():
        for operation in item.values():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            for parameter in operation.get("parameters", []):
                if parameter.get("in") == "query" and parameter["name"] in named:
                    about = parameter["schema"]
                    found.append(
                        (operation["operationId"], parameter["name"], about.get("pattern"), about["maxLength"])
                    )
            look(body, operation["operationId"], set())
    of_log = {"Log"}
    assert {member for _, member, _, _ in found} >= {"player", "from"}
    assert [one for one in found if one[2] != "^[A-Za-z0-9_-]+$" and one[0] not in of_log] == []


@pytest.mark.parametrize("what", ["ban", "unban", "erase", "abort", "delete"])
def test_the_command_of_operators_names_no_other_key(service, ids, redis_url, what, capsys):
    service.notifier.settle()
    with redis.Redis.from_url(redis_url) as store:
        mine = [key for held in ids.values() for key in store.keys(f"*{held}*")]
        before = [store.dump(key) for key in mine]
        for given in (f"{ids['player']}:playing", f"{ids['game']}}}:meta{{", "*", ""):
            assert administration.run(service, what, given, "WARNING", "text") == 1
        assert "There is no such" in capsys.readouterr().err
        assert before == [store.dump(key) for key in mine] != []
