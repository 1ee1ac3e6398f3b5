"""Tables over HTTP: opening, sitting down, watching, leaving, playing again."""

from tests.contract.tables import CREATOR, OPEN, finished


def test_the_list_of_editions_is_the_short_form_of_each(client):
    for short in client.get("/v1/editions").json["items"]:
        detail = client.get(f"/v1/editions/{short['id']}").json
        assert short.items() <= detail.items()


def test_lists_name_bots_by_their_ids_and_views_by_first_names(client, players):
    ann, bots = players[0], [{"kind": "bot", "bot": "random"}] * 2
    game = client.post("/v1/games", ann, json={"edition": "standard", "seats": [OPEN, CREATOR, *bots]}).json

    def named(game):
        return [seat["player"]["name"] for seat in game["seats"][2:]]

    (listed,) = client.get("/v1/games").json["items"]
    (mine,) = client.get("/v1/players/me/games", ann).json["items"]
    assert named(listed) == named(mine) == ["random", "random"]
    assert named(game) == ["Nils", "Paula"]


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
