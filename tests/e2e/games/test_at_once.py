"""Many clients do the same thing at once, over HTTP and on several API processes: it happens once."""

import random
import uuid
from functools import partial

import pytest

from tools.players.tables import CREATOR, OPEN, at_once, bot, together

CLIENTS = 8


@pytest.fixture
def table(register):
    """A started game of three people without bots, with its players in seat order."""
    people = [register(f"Player {i}") for i in range(3)]
    view = people[0].create("standard", [CREATOR, OPEN, OPEN])
    for person in people[1:]:
        person.join(view["id"])
    return view["id"], people


@pytest.fixture
def devices(closed):
    """Gives so many connections of one player, already open."""

    def devices(person, count=CLIENTS):
        twins = [closed(person.twin()) for _ in range(count)]
        together([partial(twin.get, "/players/me") for twin in twins])
        return twins

    return devices


def end(game, people):
    """Lets all but one resign."""
    for person in people[1:]:
        assert person.delete(f"/games/{game}/seats/me").status_code == 200


def play_out(game, people):
    """Plays to the end, from where all may ask for a rematch."""
    while (seat := people[0].view(game)["to_act"]) is not None:
        action = people[seat].view(game)["legal_actions"][0]["action"]
        assert people[seat].act(game, action).status_code == 201


def log_of(person, game):
    events = person.events(game)["events"]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    return events


def body_of(answer):
    """What an answer says, without what tells a replay from the first one."""
    return answer.status_code, answer.content, answer.headers.get("ETag"), answer.headers.get("Location")


def check_one_answer(answers):
    """Checks that all answers are the same and that all but one say that they are repeats."""
    assert {body_of(answer) for answer in answers} == {body_of(answers[0])}
    assert answers[0].status_code == 201
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert {answer.headers.get("Idempotent-Replayed", "true") for answer in answers} == {"true"}


def test_of_eight_actions_at_one_version_one_is_taken(table, devices):
    game, people = table
    twins = [devices(person) for person in people]
    generator = random.Random(8)
    for _ in range(8):
        seat = people[0].view(game)["to_act"]
        if seat is None:
            break
        answer = people[seat].get(f"/games/{game}")
        before, tag = answer.json(), answer.headers["ETag"]
        choices = [generator.choice(before["legal_actions"])["action"] for _ in range(CLIENTS)]
        answers = at_once(
            [partial(twin.act, game, action, match=tag) for twin, action in zip(twins[seat], choices, strict=True)]
        )
        assert sorted({answer.status_code for answer in answers} | {201}) in ([201, 412], [201, 409], [201, 409, 412])
        (taken,) = [answer.json() for answer in answers if answer.status_code == 201]
        assert taken["events"] == people[seat].events(game, before["version"])["events"], (
            "nothing but the taken action is in the log"
        )
        assert taken["version"] == before["version"] + len(taken["events"])
    log_of(people[0], game)


def test_of_eight_actions_without_a_tag_one_is_taken(register, devices):
    people = [register(f"Player {i}") for i in range(3)]
    # The last one is for whoever is next: a second Handmaid there could be played too.
    order = ["guard", "handmaid", "guard", "guard", "priest", "guard"]
    chosen = {"rounds": [{"starter": 0, "order": order}]}
    view = people[0].create("standard", [CREATOR, OPEN, OPEN], sandbox=chosen)
    for person in people[1:]:
        person.join(view["id"])
    game = view["id"]
    before = people[0].view(game)["version"]
    handmaid = {"type": "play_card", "card": "handmaid", "targets": []}
    # Half of the clients sit at the seat that may act, the others do not.
    clients = devices(people[0], 4) + devices(people[1], 2) + devices(people[2], 2)
    answers = at_once([partial(client.act, game, handmaid) for client in clients])
    (taken,) = [answer.json() for answer in answers if answer.status_code == 201]
    refused = [answer.json() for answer in answers if answer.status_code != 201]
    assert {problem["status"] for problem in refused} <= {409, 412}
    assert {problem["code"] for problem in refused} <= {"not_your_turn", "illegal_action", "stale_version"}
    assert [event["version"] for event in taken["events"]] == list(range(before + 1, taken["version"] + 1))
    log = log_of(people[0], game)
    assert [event["data"]["card"] for event in log if event["type"] == "card_played"] == ["handmaid"]


def test_eight_calls_with_one_key_are_one_action(table, devices):
    game, people = table
    twins = [devices(person) for person in people]
    for _ in range(4):
        seat = people[0].view(game)["to_act"]
        if seat is None:
            break
        before = people[seat].view(game)
        action = before["legal_actions"][-1]["action"]
        key = str(uuid.uuid4())
        answers = at_once([partial(twin.act, game, action, key=key) for twin in twins[seat]])
        check_one_answer(answers)
        assert people[seat].events(game, before["version"])["events"] == answers[0].json()["events"]
        # Another request under the same key is refused; the same one is answered as before, whatever has happened.
        if len(before["legal_actions"]) > 1:
            other = people[seat].act(game, before["legal_actions"][0]["action"], key=key)
            assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
        again = people[seat].act(game, action, key=key)
        assert body_of(again) == body_of(answers[0])
        assert again.headers["Idempotent-Replayed"] == "true"


def test_a_key_answers_the_same_after_the_end_of_the_game(table):
    game, people = table
    seat = people[0].view(game)["to_act"]
    action = people[seat].view(game)["legal_actions"][0]["action"]
    first = people[seat].act(game, action, key="the first")
    end(game, people)
    assert body_of(people[seat].act(game, action, key="the first")) == body_of(first)


def test_one_key_of_two_players_is_two_keys(register):
    ann, ben = register("Ann"), register("Ben")
    body = {"edition": "classic", "seats": [CREATOR, OPEN]}
    answers = [person.post("/games", body, headers={"Idempotency-Key": "1"}) for person in (ann, ben)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json()["id"] != answers[1].json()["id"]


def test_of_eight_players_one_gets_the_last_seat(register):
    for _ in range(2):
        people = [register(f"Player {i}") for i in range(CLIENTS)]
        together([partial(person.get, "/players/me") for person in people])
        host = register("Host")
        view = host.create("classic", [CREATOR, OPEN])
        answers = at_once([partial(person.post, f"/games/{view['id']}/seats", {}) for person in people])
        assert sorted(answer.status_code for answer in answers) == [201] + [409] * (CLIENTS - 1)
        refused = [answer.json()["code"] for answer in answers if answer.status_code == 409]
        assert refused == ["game_full"] * (CLIENTS - 1)
        winner = next(i for i, answer in enumerate(answers) if answer.status_code == 201)
        types = [event["type"] for event in log_of(host, view["id"])]
        assert types.count("game_started") == 1
        assert types.count("seat_taken") == 2
        assert host.view(view["id"])["seats"][1]["player"]["id"] == people[winner].id


def test_a_player_who_joins_eight_times_at_once_has_one_seat(register, devices):
    host, guest = register("Host"), register("Guest")
    view = host.create("standard", [CREATOR, *[OPEN] * 5])
    answers = at_once([partial(twin.post, f"/games/{view['id']}/seats", {}) for twin in devices(guest)])
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    taken = [seat["player"]["id"] for seat in host.view(view["id"])["seats"] if seat["player"]]
    assert sorted(taken) == sorted([host.id, guest.id])


def test_eight_players_and_bots_fill_a_table_without_a_seat_too_many(register, devices):
    people = [register(f"Player {i}") for i in range(6)]
    view = people[0].create("standard", [CREATOR, *[OPEN] * 5])
    path = f"/games/{view['id']}/seats"
    calls = [partial(person.post, path, {}) for person in people[1:]]
    calls += [partial(twin.post, path, {"bot": "cautious"}) for twin in devices(people[0], 3)]
    answers = at_once(calls)
    assert sorted(answer.status_code for answer in answers) == [201] * 5 + [409] * 3
    assert [event["type"] for event in log_of(people[0], view["id"])].count("seat_taken") == 6


def test_eight_tables_opened_with_one_key_are_one(register, devices):
    host = register("Host")
    body = {"edition": "standard", "seats": [CREATOR, bot("random"), OPEN]}
    twins = devices(host)
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    answers = at_once([partial(twin.post, "/games", body, headers=headers) for twin in twins])
    check_one_answer(answers)
    mine = host.get("/players/me/games").json()["items"]
    assert [game["id"] for game in mine] == [answers[0].json()["id"]]
    reused = host.post("/games", body | {"nonce": "other"}, headers=headers)
    assert (reused.status_code, reused.json()["code"]) == (409, "idempotency_key_reused")


def test_eight_rematches_at_once_are_one_game(table, devices):
    game, people = table
    play_out(game, people)
    twins = [twin for person in people for twin in devices(person, 3)][:CLIENTS]
    calls = [
        partial(twin.post, f"/games/{game}/rematch", headers={"Idempotency-Key": str(uuid.uuid4())} if i % 2 else {})
        for i, twin in enumerate(twins)
    ]
    answers = at_once(calls)
    assert {answer.status_code for answer in answers} == {201}
    (again,) = {answer.json()["id"] for answer in answers}
    assert {answer.headers["Location"] for answer in answers} == {f"/v1/games/{again}"}
    assert people[0].view(game)["next_game"] == again
    types = [event["type"] for event in log_of(people[0], again)]
    assert types.count("game_created") == types.count("game_started") == 1
    for person in people:
        listed = [item["id"] for item in person.get("/players/me/games").json()["items"]]
        assert sorted(listed) == sorted([game, again])


def test_eight_rematches_with_one_key_are_answered_alike(table, devices):
    game, people = table
    play_out(game, people)
    headers = {"Idempotency-Key": "again"}
    answers = at_once([partial(twin.post, f"/games/{game}/rematch", headers=headers) for twin in devices(people[1])])
    assert {body_of(answer) for answer in answers} == {body_of(answers[0])}
    assert answers[0].status_code == 201


@pytest.mark.parametrize("attempt", range(3))
def test_acting_leaving_and_calling_off_at_once_leaves_one_course_of_events(attempt, table, devices):
    game, people = table
    twins = [devices(person, 2) for person in people]
    seat = people[0].view(game)["to_act"]
    legal = people[seat].view(game)["legal_actions"]
    action = legal[attempt % len(legal)]["action"]
    calls = [partial(twins[seat][0].act, game, action)]
    calls += [partial(twins[0][1].delete, f"/games/{game}")]
    calls += [partial(twins[i][0].delete, f"/games/{game}/seats/me") for i in range(3) if i != seat]
    answers = at_once(calls)
    assert all(answer.status_code in (200, 201, 409, 412) for answer in answers)
    types = [event["type"] for event in log_of(people[0], game)]
    aborted, acted = types.count("game_aborted"), types.count("card_played")
    assert aborted == (answers[1].status_code == 200)
    assert acted == (answers[0].status_code == 201)
    assert types.count("seat_left") == sum(answer.status_code == 200 for answer in answers[2:])
    assert not (aborted and (acted or types.count("seat_left")))
    if people[0].view(game)["status"] == "active":
        left = [seat["left"] for seat in people[0].view(game)["seats"]]
        end(game, [person for person, gone in zip(people, left, strict=True) if not gone])
    assert people[0].view(game)["status"] in ("finished", "aborted")
