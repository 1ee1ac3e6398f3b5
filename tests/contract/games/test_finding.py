"""Finding each other: a table by its join code alone, and a player under a new name."""

import time
from types import SimpleNamespace

import pytest
import redis

from api import create_app
from service.players import NAMES_SECONDS
from service.settings import Settings
from tests.contract.checked import Checked
from tests.contract.tables import CREATOR, OPEN

UNLISTED = {"edition": "standard", "seats": [CREATOR, OPEN], "visibility": "unlisted"}


def registered(client, name):
    return client.post("/v1/players", json={"name": name}).json["token"]


@pytest.fixture
def table(client):
    ann = registered(client, "Ann")
    return ann, client.post("/v1/games", ann, json=UNLISTED).json


def join(client, token, code, **more):
    return client.post("/v1/join", token, json={"code": code, **more.pop("claim", {})}, **more)


def test_a_join_code_alone_gives_a_seat(client, table):
    _, game = table
    bob = registered(client, "Bob")
    joined = join(client, bob, f" {game['join_code'].lower()} ", claim={"nonce": "salt"})
    assert (joined.status_code, joined.json["id"], joined.json["status"]) == (201, game["id"], "active")
    assert joined.json["viewer"] == {"seat": 1}


def test_the_same_call_again_gives_the_same_answer_whatever_happens_in_between(client, table):
    ann, game = table
    bob = registered(client, "Bob")
    keyed = {"headers": {"Idempotency-Key": "the-key-of-one-call"}}
    first = join(client, bob, game["join_code"], **keyed)
    client.delete(f"/v1/games/{game['id']}/seats/me", ann)
    again = join(client, bob, game["join_code"], **keyed)
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert join(client, bob, game["join_code"]).json["status"] == "finished", "they sit there"


def test_only_unlisted_tables_are_found_by_a_code(client, table, redis_url):
    ann, game = table
    client.post("/v1/games", ann, json={**UNLISTED, "visibility": "public"})
    with redis.Redis.from_url(redis_url) as plain:
        assert plain.keys("billet:joining:*") == [f"billet:joining:{game['join_code']}".encode()]


def test_guesses_are_limited_also_for_one_who_has_a_code(redis_url):
    client = Checked(create_app(Settings(redis_url=redis_url), {"wrong_codes_by_address": "2/hour"}))
    ann, bob = registered(client, "Ann"), registered(client, "Bob")
    code = client.post("/v1/games", ann, json=UNLISTED).json["join_code"]
    assert join(client, bob, code).status_code == 201
    assert [join(client, bob, "A" * 8).status_code for _ in range(3)] == [404, 404, 429]
    assert join(client, bob, code).json["limit"] == "wrong_codes_by_address"


def test_another_process_soon_calls_a_player_by_the_new_name(client, table, redis_url, monkeypatch):
    ann, game = table
    other = Checked(create_app(Settings(redis_url=redis_url)))

    def seen(asked=other):
        return asked.get(f"/v1/games/{game['id']}", ann).json["seats"][0]["player"]["name"]

    assert seen(client) == seen() == "Ann"
    client.call("PATCH", "/v1/players/me", ann, json={"name": "Anna"})
    assert seen(client) == "Anna"
    now = time.monotonic()
    monkeypatch.setattr("service.players.time", SimpleNamespace(monotonic=lambda: now + NAMES_SECONDS + 1))
    assert seen() == "Anna"
