"""At the table over HTTP: acting, repeating, following, looking back."""

import pytest

from engine.editions import rulebook
from engine.shuffle import Dealer
from tests.contract.tables import finished, first_legal, started, table, view


def actions_path(game):
    return f"/v1/games/{game['id']}/actions"


def test_a_deal_can_be_checked_as_the_page_about_the_shuffle_says(client, players):
    tokens = players[:2]
    game = finished(client, tokens)
    path = f"/v1/games/{game['id']}"
    events = client.get(f"{path}/events").json["events"]
    dealt = next(event for event in events if event["type"] == "round_started")
    assert dealt["data"]["set_aside"] is None
    assert dealt["data"]["hands"] == [None, None]
    drawn = next(event for event in events if event["type"] == "card_drawn")
    secret = bytes.fromhex(events[-1]["data"]["secret"])
    order = Dealer(secret, game["id"], ["", ""]).order(rulebook("standard", 2, {}).deck, 1)

    table = client.get(f"{path}?as=all&at={dealt['version']}").json
    assert [table["round"]["set_aside"], *table["round"]["shown_aside"]] == order[:4]
    assert [seat["hand"] for seat in table["seats"]] == [order[4:5], order[5:6]]
    table = client.get(f"{path}?as=all&at={drawn['version']}").json
    assert table["seats"][drawn["data"]["seat"]]["hand"][-1] == order[6]


def test_if_match_takes_the_tag_of_the_present_view_only(client, players):
    tokens = players[:2]
    game = started(client, tokens)
    actor, action = first_legal(client, game, tokens)
    tag = client.get(f"/v1/games/{game['id']}", actor).headers["ETag"]
    for wrong in ('"nonsense"', "0", "", f"W/{tag}"):
        refused = client.post(actions_path(game), actor, json=action, headers={"If-Match": wrong})
        assert (refused.status_code, refused.json["code"]) == (412, "stale_version")
        assert refused.json["version"] == game["version"]
    assert client.post(actions_path(game), actor, json=action, headers={"If-Match": tag}).status_code == 201
    actor, action = first_legal(client, game, tokens)
    assert client.post(actions_path(game), actor, json=action, headers={"If-Match": tag}).status_code == 412
    assert client.post(actions_path(game), actor, json=action, headers={"If-Match": "*"}).status_code == 201


def test_a_view_is_not_sent_twice_and_another_viewer_has_another(client, players):
    tokens = players[:2]
    game = started(client, tokens)
    path = f"/v1/games/{game['id']}"
    tags = [client.get(path, token).headers["ETag"] for token in (*tokens, None)]
    assert len(set(tags)) == 3
    for token, tag in zip((*tokens, None), tags, strict=True):
        for sent in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            assert client.get(path, token, headers={"If-None-Match": sent}).status_code == 304
    assert client.get(path, tokens[0], headers={"If-None-Match": tags[1]}).status_code == 200
    actor, action = first_legal(client, game, tokens)
    client.post(actions_path(game), actor, json=action)
    assert client.get(path, tokens[0], headers={"If-None-Match": tags[0]}).status_code == 200


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_a_frame_has_the_tag_of_its_view_with_which_one_can_act_on_it(client, players, visibility):
    tokens = players[:2]
    game = started(client, tokens, visibility=visibility)
    path = f"/v1/games/{game['id']}"
    seat = view(client, game, tokens[0])["to_act"]
    for language in ("en", "de"):
        for token in tokens:
            headers = {"Accept-Language": language}
            last = client.get(f"{path}/frames", token, headers=headers).json["frames"][-1]
            assert last["tag"] == client.get(path, token, headers=headers).headers["ETag"]
    drawn = client.get(f"{path}/frames", tokens[seat]).json["frames"][-1]
    chosen = drawn["game"]["legal_actions"][0]["action"]
    stale = {"If-Match": client.get(f"{path}/frames", tokens[seat]).json["frames"][0]["tag"]}
    assert client.post(actions_path(game), tokens[seat], json=chosen, headers=stale).status_code == 412
    done = client.post(actions_path(game), tokens[seat], json=chosen, headers={"If-Match": drawn["tag"]})
    assert (done.status_code, done.json["tag"]) == (201, done.headers["ETag"])
    assert done.json == client.get(f"{path}/frames", tokens[seat]).json["frames"][-1]


def test_a_wait_until_ones_turn_takes_that_word_alone(client, players):
    game = started(client, players[:2])
    for what in ("events", "frames"):
        path = f"/v1/games/{game['id']}/{what}"
        assert client.get(f"{path}?until=turn", players[0]).status_code == 200
        refused = client.get(f"{path}?until=end&wait=20", players[0])
        assert (refused.status_code, [error["field"] for error in refused.json["errors"]]) == (422, ["until"])


def test_a_list_of_games_says_who_has_won_and_their_tokens(client, players):
    positions = {"positions": [{"hands": [["princess", "guard"], ["priest"]], "tokens": [3, 5], "turn": 0}]}
    game = started(client, players[:2], sandbox=positions)
    short = lambda: client.get("/v1/players/me/games", players[0]).json["items"][0]  # noqa: E731
    assert (short()["winners"], [seat["tokens"] for seat in short()["seats"]]) == (None, [3, 5])
    throw_away = {"type": "play_card", "card": "princess", "targets": []}
    assert client.post(actions_path(game), players[0], json=throw_away).json["game"]["status"] == "finished"
    assert (short()["winners"], [seat["tokens"] for seat in short()["seats"]]) == ([1], [3, 6])
    assert client.get("/v1/games?status=finished").json["items"][0]["winners"] == [1]
    called_off = table(client, players[2])
    client.delete(f"/v1/games/{called_off['id']}", players[2])
    (aborted,) = client.get("/v1/games?status=aborted").json["items"]
    assert aborted["winners"] == []
