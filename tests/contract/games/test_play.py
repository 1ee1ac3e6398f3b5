"""At the table over HTTP: acting, repeating, following, looking back."""

import random
import time

import pytest

from engine.editions import rulebook
from engine.shuffle import Dealer
from tests.contract.tables import CREATOR, finished, first_legal, started, table, view

KING_IN_HAND = {"rounds": [{"starter": 0, "order": ["spy", "guard", "guard", "priest", "king", "baron", "countess"]}]}
"""Set aside the Spy; face up two Guards and a Priest; seat 0 is dealt the King and draws the Countess."""
DEALT = ["liber_ivonis", "elder_sign", "randolph_carter"]
DRAWN = ["investigators", "investigators", "great_race_of_yith"]
INSANE_AND_OUT = {"rounds": [{"starter": 0, "order": ["silver_key", *DEALT, *DRAWN, "necronomicon"]}]}
"""Three seats of `lovecraft`: the first is dealt Liber Ivonis, and the Necronomicon lies where its next turn begins."""


def actions_path(game):
    return f"/v1/games/{game['id']}/actions"


def test_an_action_answers_with_its_events_and_the_new_view(client, players):
    tokens = players[:2]
    game = started(client, tokens)
    actor, action = first_legal(client, game, tokens)
    answer = client.post(actions_path(game), actor, json=action)
    assert answer.status_code == 201
    done = answer.json
    assert [event["version"] for event in done["events"]] == list(range(game["version"] + 1, done["version"] + 1))
    assert done["events"][0]["type"] == "card_played"
    assert done["game"] == view(client, game, actor)
    assert answer.headers["ETag"] == client.get(f"/v1/games/{game['id']}", actor).headers["ETag"]


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


def test_an_illegal_action_says_why_and_what_is_legal(client, players):
    tokens = players[:2]
    game = started(client, tokens, sandbox=KING_IN_HAND)
    before = client.get(f"/v1/games/{game['id']}/events", tokens[0]).data
    refused = client.post(actions_path(game), tokens[0], json={"type": "play_card", "card": "king", "targets": [1]})
    assert refused.status_code == 409
    assert (refused.json["code"], refused.json["reason"]) == ("illegal_action", "must_play_countess")
    assert refused.json["legal_actions"] == view(client, game, tokens[0])["legal_actions"]
    reasons = {
        "card_not_in_hand": {"type": "play_card", "card": "princess"},
        "target_not_allowed": {"type": "play_card", "card": "countess", "targets": [1]},
        "guess_not_allowed": {"type": "play_card", "card": "countess", "guess": "king"},
        "wrong_action": {"type": "keep_card", "keep": "king", "bottom": []},
    }
    for reason, action in reasons.items():
        assert client.post(actions_path(game), tokens[0], json=action).json["reason"] == reason
    assert client.get(f"/v1/games/{game['id']}/events", tokens[0]).data == before


def test_out_of_turn_unstarted_and_over_are_told_apart(client, players):
    ann, bob, cleo = players
    game = started(client, [ann, bob], starter=0)
    play = {"type": "play_card", "card": "guard"}
    assert client.post(actions_path(game), bob, json=play).json["code"] == "not_your_turn"
    assert client.post(actions_path(game), cleo, json=play).json["code"] == "not_seated"
    unstarted = client.post("/v1/games", ann, json={"edition": "standard", "seats": [CREATOR, {"kind": "open"}]}).json
    assert client.post(actions_path(unstarted), ann, json=play).json["code"] == "game_not_started"
    assert client.post(actions_path(finished(client, [ann, bob])), ann, json=play).json["code"] == "game_over"


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


def test_a_repeated_key_gives_the_first_answer_whatever_happened_since(client, players):
    tokens = players[:2]
    game = started(client, tokens)
    actor, action = first_legal(client, game, tokens)
    keyed = {"headers": {"Idempotency-Key": "once"}}
    first = client.post(actions_path(game), actor, json=action, **keyed)
    assert "Idempotent-Replayed" not in first.headers
    other, move = first_legal(client, game, tokens)
    client.post(actions_path(game), other, json=move)
    again = client.post(actions_path(game), actor, json=action, **keyed)
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"]
    changed = client.post(actions_path(game), actor, json={"type": "redraw_hand", "redraw": True}, **keyed)
    assert (changed.status_code, changed.json["code"]) == (409, "idempotency_key_reused")


def test_a_key_makes_opening_joining_and_playing_again_happen_once(client, players):
    ann, bob, _ = players
    body = {"edition": "standard", "seats": [CREATOR, {"kind": "open"}]}
    keyed = {"headers": {"Idempotency-Key": "table-1"}}
    first, again = (client.post("/v1/games", ann, json=body, **keyed) for _ in range(2))
    assert first.data == again.data
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert len(client.get("/v1/games").json["items"]) == 1
    seats = f"{first.headers['Location']}/seats"
    first, again = (client.post(seats, bob, json={}, **keyed) for _ in range(2))
    assert first.data == again.data
    assert again.headers["Idempotent-Replayed"] == "true"
    over = finished(client, [ann, bob])
    keyed = {"headers": {"Idempotency-Key": "table-2"}}
    first, again = (client.post(f"/v1/games/{over['id']}/rematch", ann, **keyed) for _ in range(2))
    assert first.data == again.data
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_key_makes_getting_up_and_calling_off_happen_once(client, players):
    ann, bob, _ = players
    for path, token in (("/seats/me", bob), ("", ann)):
        game = table(client, ann, 3)["id"]
        client.post(f"/v1/games/{game}/seats", bob, json={})
        keyed = {"headers": {"Idempotency-Key": "once"}}
        first, again = (client.delete(f"/v1/games/{game}{path}", token, **keyed) for _ in range(2))
        assert (again.status_code, again.data) == (first.status_code, first.data) == (200, first.data)
        assert again.headers["Idempotent-Replayed"] == "true"


def test_a_key_makes_registering_and_a_new_token_happen_once(client):
    keyed = {"headers": {"Idempotency-Key": "a-key-that-nobody-else-would-think-of"}}
    first, again = (client.post("/v1/players", json={"name": "Ann"}, **keyed) for _ in range(2))
    assert (again.status_code, again.data) == (first.status_code, first.data) == (201, first.data)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    keyed = {"headers": {"Idempotency-Key": "another-one-that-nobody-would-think-of"}}
    old = first.json["token"]
    first, again = (client.post("/v1/players/me/token", old, **keyed) for _ in range(2))
    assert (again.status_code, again.data) == (first.status_code, first.data) == (200, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert client.get("/v1/players/me", old).status_code == 401
    assert client.get("/v1/players/me", first.json["token"]).status_code == 200


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


def test_hidden_cards_are_null_for_others_and_for_watchers(client, players):
    tokens = players[:2]
    game = started(client, tokens)
    for viewer, token in enumerate((*tokens, None)):
        seen = view(client, game, token)
        for seat in seen["seats"]:
            known = [card is not None for card in seat["hand"]]
            assert all(known) if seat["seat"] == viewer else not any(known)
        assert seen["round"]["set_aside"] is None
        assert bool(seen["legal_actions"]) == (seen["to_act"] == viewer)


def test_the_past_is_as_it_was(client, players):
    tokens = players[:2]
    game = started(client, tokens)
    remembered = {}
    for _ in range(6):
        actor, action = first_legal(client, game, tokens)
        now = view(client, game, tokens[0])
        remembered[now["version"]] = now
        if client.post(actions_path(game), actor, json=action).json["game"]["status"] != "active":
            break
    for version, then in remembered.items():
        assert view(client, game, tokens[0], f"?at={version}") == then
    for wrong in (0, 10_000):
        refused = client.get(f"/v1/games/{game['id']}?at={wrong}", tokens[0])
        assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "at")


def test_a_game_that_has_ended_is_open_to_all(client, players):
    tokens = players[:2]
    game = started(client, tokens)
    assert client.get(f"/v1/games/{game['id']}?as=1", tokens[0]).json["code"] == "game_not_finished"
    over = finished(client, tokens)
    assert view(client, over, None, "?as=1")["viewer"] == {"seat": 1}
    everything = view(client, over, None, f"?as=all&at={game['version']}")
    assert all(None not in seat["hand"] for seat in everything["seats"])
    assert client.get(f"/v1/games/{over['id']}?as=7").json["errors"][0]["field"] == "as"


def test_a_replay_is_what_was_served_live_to_the_last_byte(client, players):
    tokens = players[:2]
    game = started(client, tokens)
    path, german = f"/v1/games/{game['id']}", {"headers": {"Accept-Language": "de"}}
    served = []
    for _ in range(5):
        actor, action = first_legal(client, game, tokens)
        for seat, token in enumerate(tokens):
            now, page = client.get(path, token, **german), client.get(f"{path}/events?text=true", token, **german)
            served.append((seat, now, page))
        if client.post(actions_path(game), actor, json=action).json["game"]["status"] != "active":
            break
    for token in tokens:
        client.delete(f"{path}/seats/me", token)
    client.post(f"{path}/rematch", tokens[0])
    for seat, now, page in served:
        at = now.json["version"]
        for token, query in ((tokens[seat], f"at={at}"), (players[2], f"at={at}&as={seat}")):
            again = client.get(f"{path}?{query}", token, **german)
            assert (again.data, again.headers["ETag"]) == (now.data, now.headers["ETag"])
            assert client.get(f"{path}/events?text=true&{query}", token, **german).data == page.data


def test_rounds_are_listed_with_their_turns(client, players):
    game = started(client, players[:2])
    path = f"/v1/games/{game['id']}/rounds"
    running = client.get(path)
    assert running.json["rounds"][0]["winners"] is None
    assert client.get(path, players[0], headers={"If-None-Match": running.headers["ETag"]}).status_code == 304
    client.delete(f"/v1/games/{game['id']}/seats/me", players[1])
    ended = client.get(path).json
    assert (ended["finished"], ended["version"]) == (True, view(client, game)["version"])
    for turn in ended["rounds"][0]["turns"]:
        assert view(client, game, None, f"?at={turn['version']}")["round"]["turn"] == turn["seat"]
    (only,) = ended["rounds"][0]["turns"]
    assert only["act_version"] == running.json["rounds"][0]["turns"][0]["act_version"] == running.json["version"]
    then = view(client, game, players[2], f"?at={only['act_version']}&as={only['seat']}")
    assert then["to_act"] == only["seat"]
    assert then["legal_actions"]


def test_a_turn_that_comes_to_nothing_has_no_version_to_act_at(client, players):
    """Seat 0 goes insane, turns up the Necronomicon as its second turn begins, and is out."""
    game = started(client, players, edition="lovecraft", sandbox=INSANE_AND_OUT)
    for seat, card in enumerate(("liber_ivonis", "elder_sign", "great_race_of_yith")):
        legal = [one["action"] for one in view(client, game, players[seat])["legal_actions"]]
        done = client.post(
            actions_path(game), players[seat], json=next(action for action in legal if action["card"] == card)
        ).json
    turns = client.get(f"/v1/games/{game['id']}/rounds").json["rounds"][0]["turns"]
    assert [turn["seat"] for turn in turns] == [0, 1, 2, 0, 1]
    assert [turn["act_version"] is None for turn in turns] == [False, False, False, True, False]
    assert (turns[-1]["act_version"], done["game"]["to_act"]) == (done["version"], 1)


def test_events_come_in_pages_without_gap_or_repeat(client, players):
    game = finished(client, players)
    path = f"/v1/games/{game['id']}/events"
    whole = client.get(path).json
    assert [event["version"] for event in whole["events"]] == list(range(1, game["version"] + 1))
    assert (whole["version"], whole["finished"]) == (game["version"], True)
    pages, after = [], 0
    while True:
        page = client.get(f"{path}?after={after}&limit=2").json
        pages += page["events"]
        after = page["version"]
        if page["finished"]:
            break
        assert len(page["events"]) == 2
    assert pages == whole["events"]
    assert client.get(f"{path}?after={after}").json == {"events": [], "version": after, "finished": True}


def test_without_a_front_nothing_is_waited_for(client, players):
    game = started(client, players[:2])
    begun = time.monotonic()
    answer = client.get(f"/v1/games/{game['id']}/events?after={game['version']}&wait=30").json
    assert time.monotonic() - begun < 25
    assert answer == {"events": [], "version": game["version"], "finished": False}


def test_a_clock_that_runs_out_acts_for_the_seat(client, players):
    tokens = players[:2]
    game = started(client, tokens, clock={"seconds": 1, "on_timeout": "bot_plays"})
    assert game["deadline"] is not None
    time.sleep(1.2)
    answer = client.get(f"/v1/games/{game['id']}/events?after={game['version']}").json
    assert answer["events"][0]["type"] == "seat_timed_out"
    assert answer["events"][1]["type"] == "card_played"


@pytest.mark.parametrize(("edition", "seats"), [("standard", 2), ("classic", 3)])
def test_a_client_that_knows_only_legal_actions_plays_to_the_end(client, edition, seats):
    """Every answer on the way is held against the document, and the followed events are the whole log."""
    tokens = [client.post("/v1/players", json={"name": f"Player {i}"}).json["token"] for i in range(seats)]
    game = started(client, tokens, edition=edition)
    rng = random.Random(f"{edition} {seats}")
    followed, after = [], 0
    for _ in range(2000):
        page = client.get(f"/v1/games/{game['id']}/events?after={after}").json
        followed += page["events"]
        after = page["version"]
        if page["finished"]:
            break
        seat = view(client, game)["to_act"]
        legal = view(client, game, tokens[seat])["legal_actions"]
        answer = client.post(actions_path(game), tokens[seat], json=rng.choice(legal)["action"])
        assert answer.status_code == 201, answer.json
    end = view(client, game)
    assert end["status"] == "finished"
    assert end["winners"]
    assert end["legal_actions"] == []
    whole = []
    while len(whole) < end["version"]:
        whole += client.get(f"/v1/games/{game['id']}/events?after={len(whole)}").json["events"]
    assert followed == whole
    assert followed[-1]["type"] == "secret_revealed"


def test_bots_play_on_when_no_human_is_left(client, service, players):
    seats = [CREATOR, {"kind": "bot", "bot": "cautious"}, {"kind": "bot", "bot": "random"}]
    game = client.post("/v1/games", players[0], json={"edition": "standard", "seats": seats}).json
    client.delete(f"/v1/games/{game['id']}/seats/me", players[0])
    # What a worker does when it is asked to.
    service.play.bot_turns(game["id"], 200)
    end = view(client, game)
    assert end["status"] == "finished"
    client.get(f"/v1/games/{game['id']}/events")


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
