"""Limits over a real Redis: what refuses whom, and when it lets through again."""

import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from api import create_app
from games.texts.catalogue import LANGUAGES
from service.settings import OFF, Settings
from service.store import keys
from tests.contract.checked import Checked
from tests.contract.tables import CREATOR, OPEN, first_legal, started, table

TABLE = {"edition": "standard", "seats": [CREATOR, OPEN]}
ACTION = {"type": "play_card", "card": "guard", "targets": [1], "guess": "priest"}
WINDOW = 1.1
"""Seconds after which a window of one second is over."""


def in_one_window(calls):
    """Makes calls until they take less than a second, so that all fall into one window of it; returns their answers."""
    while True:
        begun = time.monotonic()
        answers = calls()
        if time.monotonic() - begun < 1:
            return answers
        time.sleep(WINDOW)


@pytest.fixture
def limited(redis_url):
    """Makes the interface with some settings; each time with counts of its own, as in another process."""

    def make(amounts=None, **settings):
        return Checked(create_app(Settings(redis_url=redis_url, **settings), amounts))

    return make


def from_address(address):
    return {"environ_overrides": {"REMOTE_ADDR": address}}


def act(client, token, game, **more):
    return client.post(f"/v1/games/{game}/actions", token, json=ACTION, **more)


def read(client, token, game, **more):
    return client.get(f"/v1/games/{game}", token, **more)


def create(client, token, game, **more):
    return client.post("/v1/games", token, json=TABLE, **more)


def rematch(client, token, game, **more):
    return client.post(f"/v1/games/{game}/rematch", token, **more)


def join(client, token, game, **more):
    return client.post(f"/v1/games/{game}/seats", token, json={}, **more)


def invite(client, token, game, **more):
    return client.post(f"/v1/games/{game}/seats", token, json={"player": "p0123456789abcdef0123"}, **more)


def register(client, token, game, **more):
    return client.post("/v1/players", json={"name": "Dot"}, **more)


FORGED = "p0123456789abcdef0123.secret"
CALLS = {
    "acting": act,
    "reading": read,
    "creating": create,
    "joining": join,
    "inviting": invite,
    "acting_by_address": act,
    "reading_by_address": read,
    "creating_by_address": rematch,
    "joining_by_address": join,
    "inviting_by_address": invite,
    "registering_by_address": register,
}


@pytest.fixture
def game(client, players):
    """The id of a table with an open seat, by the first player."""
    return table(client, players[0])["id"]


def refused_by(limit, client, token, game):
    """Makes calls until a limit of three a second refuses one, and checks what the answers say of the limit."""
    *allowed, refused = in_one_window(lambda: [CALLS[limit](client, token, game) for _ in range(4)])
    assert all(answer.status_code != 429 for answer in allowed)
    told = [answer.headers["RateLimit"] for answer in allowed]
    assert told == [f'"{limit}";r={left};t=1' for left in (2, 1, 0)]
    assert refused.status_code == 429
    assert (refused.json["code"], refused.json["limit"]) == ("rate_limited", limit)
    assert refused.headers["RateLimit-Policy"] == f'"{limit}";q=3;w=1'
    assert refused.headers["RateLimit"] == f'"{limit}";r=0;t=1'
    assert refused.headers["Retry-After"] == str(refused.json["retry_after"]) == "1"


def test_a_call_that_outlasts_its_window_reports_the_next_one(redis_url):
    limits = create_app(Settings(redis_url=redis_url), {"reading_by_address": "3/second"}).extensions["billet.limits"]
    environ = {"REMOTE_ADDR": "192.0.2.7"}
    limits.count("reading", None, environ)
    time.sleep(WINDOW)
    assert dict(limits.quota_headers(environ))["RateLimit"] == '"reading_by_address";r=3;t=1'


def test_each_bucket_refuses_after_its_limit_and_recovers(limited, players, game):
    clients = {}
    for limit in CALLS:
        by_token = limit.removesuffix("_by_address")
        clients[limit] = limited({by_token: OFF, limit: "3/second"})
        refused_by(limit, clients[limit], players[0], game)
    time.sleep(WINDOW)  # once for all of them
    for limit, client in clients.items():
        assert CALLS[limit](client, players[0], game).status_code != 429, limit


def test_reviews_are_counted_when_they_begin_and_not_when_they_are_asked_for_again(limited, players):
    client = limited({"reviewing": "1/hour"})
    games = [started(client, players[:2]) for _ in range(2)]
    for game in games:
        actor, action = first_legal(client, game, players)
        client.post(f"/v1/games/{game['id']}/actions", actor, json=action)
        client.delete(f"/v1/games/{game['id']}/seats/me", players[1])
    one, other = (f"/v1/games/{game['id']}/review" for game in games)
    assert [client.get(one, players[0]).status_code for _ in range(3)] == [202] * 3
    refused = client.get(other, players[0])
    assert (refused.status_code, refused.json["limit"]) == (429, "reviewing")
    assert client.get(other, players[1]).status_code == 202, "each token has its own"


def test_buckets_do_not_use_each_other_up(limited, players, game):
    client = limited(dict.fromkeys(CALLS, "2/hour"))
    for call in (act, read, create, join, register):
        assert [call(client, players[0], game).status_code == 429 for _ in range(3)] == [False, False, True]


def test_each_player_who_is_invited_counts(limited, players):
    client = limited({"inviting": "3/hour"})
    friends = [client.post("/v1/players", json={"name": "Dot"}).json["player"]["id"] for _ in range(2)]
    setup = {"edition": "standard", "seats": [CREATOR, *({"kind": "invited", "player": friend} for friend in friends)]}
    assert client.post("/v1/games", players[0], json=setup).status_code == 201
    refused = client.post("/v1/games", players[0], json=setup)
    assert (refused.status_code, refused.json["limit"]) == (429, "inviting")
    assert (
        client.post("/v1/games", players[0], json={"edition": "standard", "seats": [CREATOR, OPEN]}).status_code == 201
    )
    assert client.post("/v1/games", players[1], json=setup).status_code == 201


def test_nobody_uses_up_what_a_player_has_by_naming_the_player(limited, players, game):
    client = limited(limit_reading="2/hour")
    for number in range(5):
        forged = f"{players[0].partition('.')[0]}.guessed-{number}"
        assert read(client, forged, game).status_code == 401
    assert read(client, players[0], game).status_code == 200


def test_two_addresses_do_not_disturb_each_other(limited, game):
    client = limited({"reading_by_address": "2/hour"})
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8:0:1::1", "2001:db8:0:2::1"):
        statuses = [read(client, None, game, **from_address(address)).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]


def test_addresses_of_one_network_count_together_as_one_of_them_is_easily_left(limited, game):
    client = limited({"reading_by_address": "2/hour"})
    addresses = ("2001:db8::1", "2001:db8::2", "2001:db8:0:0:f::1")
    statuses = [read(client, None, game, **from_address(address)).status_code for address in addresses]
    assert statuses == [200, 200, 429]
    mapped = ("::ffff:192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1")
    assert [read(client, None, game, **from_address(address)).status_code for address in mapped] == [200, 200, 429]
    ported = ("198.51.100.7:1024", "198.51.100.7", "198.51.100.7:65535")
    assert [read(client, None, game, **from_address(address)).status_code for address in ported] == [200, 200, 429]
    ported = ("[2001:db8:7::1]:443", "2001:db8:7::9%eth0", "[2001:db8:7::2]")
    assert [read(client, None, game, **from_address(address)).status_code for address in ported] == [200, 200, 429]
    ported = ("[::ffff:203.0.113.9]:80", "::ffff:203.0.113.9", "203.0.113.9:9")
    assert [read(client, None, game, **from_address(address)).status_code for address in ported] == [200, 200, 429]
    made_up = ("", "unknown", "x" * 500)
    assert [read(client, None, game, **from_address(address)).status_code for address in made_up] == [200, 200, 429]


def test_busy_callers_are_counted_together_within_a_part_of_the_limit(limited, players, game, monkeypatch):
    monkeypatch.setattr("service.store.limits.counting.LONGEST_GATHERED", 3600)  # a slow machine takes over a minute
    apps = [limited(limit_reading="640/hour") for _ in range(3)]
    statuses = [read(app, players[0], game).status_code for _ in range(250) for app in apps]
    assert 640 <= statuses.count(200) <= 640 + 3 * 15


def test_the_counters_hold_no_token_and_pass(limited, players, game, redis_url):
    client = limited(limit_reading="5/minute")
    read(client, players[0], game)
    with redis.Redis.from_url(redis_url) as plain:
        names = [name.decode() for name in plain.keys("billet:calls:*")]
        assert len(names) == 2
        assert all(0 < plain.ttl(name) <= 60 for name in names)
    assert not any(part in name for name in names for part in players[0].split("."))


def test_a_limit_that_is_off_is_neither_kept_nor_told_of(limited, players, game):
    client = limited(dict.fromkeys((*CALLS, "wrong_codes_by_address"), OFF))
    for call in CALLS.values():
        answers = [call(client, players[0], game) for _ in range(10)]
        assert all(answer.status_code != 429 and "RateLimit" not in answer.headers for answer in answers)


def test_calls_without_their_token_or_to_no_operation_do_not_count(limited):
    client = limited({"reading_by_address": "1/hour"})
    for method, path in (("GET", "/v1/players/me"), ("GET", "/v1/nothing"), ("PUT", "/v1/games")):
        assert "RateLimit" not in client.call(method, path).headers
    assert [client.get("/v1/games").status_code for _ in range(2)] == [200, 429]


def test_the_defaults_let_a_fast_program_play(client, players):
    for _ in range(2):
        game = started(client, players[:2])
        while game["status"] == "active":
            actor, action = first_legal(client, game, players[:2])
            answer = client.post(f"/v1/games/{game['id']}/actions", actor, json=action)
            assert answer.status_code == 201
            game = answer.json["game"]


def test_a_flood_of_polling_leaves_acting_unrefused(limited, client, players):
    flooded = limited({"reading": "50/hour", "reading_by_address": "80/hour"})
    game = started(client, players[:2])
    refused = 0
    for _ in range(6):  # no game is over by then
        refused += sum(read(flooded, players[0], game["id"]).status_code == 429 for _ in range(20))
        actor, action = first_legal(client, game, players[:2])
        answer = flooded.post(f"/v1/games/{game['id']}/actions", actor, json=action)
        assert answer.status_code == 201
        game = answer.json["game"]
    assert refused == 6 * 20 - 50


# --- join codes ---


def watch(client, token, game, code, address):
    return client.get(f"/v1/games/{game}?join_code={code}", token, **from_address(address))


def follow(client, token, game, code, address):
    return client.get(f"/v1/games/{game}/events?join_code={code}", token, **from_address(address))


def sit(client, token, game, code, address):
    return client.post(f"/v1/games/{game}/seats", token, json={"join_code": code}, **from_address(address))


WAYS = (watch, follow, sit)


def test_hundreds_of_wrong_join_codes_get_nowhere(client, players):
    """With the settings as they come, by every way a code can be tried, from several tokens and at once."""
    game = table(client, players[0], visibility="unlisted")
    guesses = [(WAYS[i % 3], players[1 + i % 2], secrets.token_hex(4)) for i in range(300)]

    def guessed(guess):
        way, token, code = guess
        return way(client, token, game["id"], code, "192.0.2.1")

    with ThreadPoolExecutor(4) as several:
        answers = list(several.map(guessed, guesses))
    looked_at = [answer for answer in answers if answer.status_code == 403]
    assert len(looked_at) <= 60 + 3, "those that were under way when the limit was reached"
    refused = {answer.json["limit"] for answer in answers if answer not in looked_at}
    assert "wrong_codes_by_address" in refused
    assert refused <= {"wrong_codes_by_address", "reading"}, "so fast that looking is refused too"
    right = sit(client, players[1], game["id"], game["join_code"], "192.0.2.1")
    assert (right.status_code, right.json["limit"]) == (429, "wrong_codes_by_address")
    assert sit(client, players[1], game["id"], game["join_code"], "192.0.2.2").status_code == 201
    assert act(client, players[0], game["id"]).status_code in (201, 409), "the rest goes on"


def test_strangers_lock_no_game_for_others(client, players):
    """With the settings as they come: 320 wrong codes from a hundred addresses, without a token that limits them."""
    game = table(client, players[0], visibility="unlisted")
    for i in range(320):
        refused = watch(client, None, game["id"], f"WRONG{i}", f"198.51.100.{i % 100}")
        assert refused.status_code == 403
    assert sit(client, players[2], game["id"], game["join_code"], "192.0.2.9").status_code == 201


def test_wrong_codes_for_one_game_lock_an_address_out_of_no_other(limited, players):
    client = limited({"wrong_codes_by_address": "3/hour"})
    game, other = (table(client, players[0], visibility="unlisted") for _ in range(2))
    statuses = [sit(client, players[1], game["id"], "WRONG", "192.0.2.1").status_code for _ in range(4)]
    assert statuses == [403, 403, 403, 429]
    assert sit(client, players[1], game["id"], game["join_code"], "192.0.2.1").status_code == 429
    assert sit(client, players[1], other["id"], other["join_code"], "192.0.2.1").status_code == 201


def test_an_address_that_has_shown_the_right_code_is_not_locked_out_by_others_there(limited, players):
    client = limited({"wrong_codes_by_address": "3/hour"})
    game, other = (table(client, players[0], visibility="unlisted") for _ in range(2))
    assert watch(client, None, game["id"], game["join_code"], "192.0.2.1").status_code == 200
    for process in (client, limited({"wrong_codes_by_address": "3/hour"})):
        statuses = [sit(process, players[1], game["id"], "WRONG", "192.0.2.1").status_code for _ in range(5)]
        assert statuses == [403] * 5
        assert watch(process, None, game["id"], game["join_code"], "192.0.2.1").status_code == 200
    statuses = [sit(client, players[1], other["id"], "WRONG", "192.0.2.1").status_code for _ in range(4)]
    assert statuses == [403, 403, 403, 429], "the right code of another game counts for nothing"


def test_looking_at_a_right_code_again_and_again_writes_once(limited, players, redis_url):
    client = limited()
    game = table(client, players[0], visibility="unlisted")
    assert watch(client, None, game["id"], game["join_code"], "192.0.2.1").status_code == 200
    with redis.Redis.from_url(redis_url) as plain:
        (name,) = plain.keys("billet:*:code-shown:*")
        assert 0 < plain.ttl(name) <= 24 * 60 * 60
        plain.delete(name)
        assert watch(client, None, game["id"], game["join_code"], "192.0.2.1").status_code == 200
        assert plain.keys("billet:*:code-shown:*") == []


def test_right_codes_and_missing_ones_do_not_count_as_guesses(limited, players):
    client = limited({"wrong_codes_by_address": "2/hour"})
    game, public = (table(client, players[0], visibility=visibility) for visibility in ("unlisted", "public"))
    for _ in range(5):
        assert watch(client, None, game["id"], game["join_code"], "192.0.2.1").status_code == 200
        assert client.get(f"/v1/games/{game['id']}").status_code == 403
        assert watch(client, players[0], game["id"], "WRONG", "192.0.2.1").status_code == 200, "its creator needs none"
        assert watch(client, None, public["id"], "WRONG", "192.0.2.1").status_code == 200
    assert watch(client, None, game["id"], "WRONG", "192.0.2.1").status_code == 403


def read_events(client, token, game, code, address):
    return client.get(f"/v1/games/{game}/events?join_code={code}", token, **from_address(address))


def get_ticket(client, token, game, code, address):
    return client.post(f"/v1/games/{game}/tickets", token, json={"join_code": code}, **from_address(address))


EVERY_WAY = (*WAYS, read_events, get_ticket)


def test_at_the_limit_who_needs_no_code_goes_on_even_with_one(limited, players):
    client = limited({"wrong_codes_by_address": "2/hour"})
    ann, ben, eve = players[:3]
    keyed = {"headers": {"Idempotency-Key": "one"}}
    game = table(client, ann, seats=3, visibility="unlisted")
    seats, code = f"/v1/games/{game['id']}/seats", {"join_code": game["join_code"]}
    seated = client.post(seats, ben, json=code, **keyed)
    assert seated.status_code == 201
    statuses = [watch(client, eve, game["id"], "WRONG", "192.0.2.1").status_code for _ in range(3)]
    assert statuses == [403, 403, 429]
    public = table(client, ann)
    for shown in (game["join_code"], "WRONG"):
        for way in EVERY_WAY:
            refused = way(client, eve, game["id"], shown, "192.0.2.1")
            assert (refused.status_code, refused.json["code"]) == (429, "rate_limited")
            assert way(client, ben, game["id"], shown, "192.0.2.1").status_code < 300
            assert way(client, eve, public["id"], shown, "192.0.2.1").status_code < 300
        for way in set(EVERY_WAY) - {sit}:
            assert way(client, ann, game["id"], shown, "192.0.2.1").status_code < 300
    again = client.post(seats, ben, json=code, **keyed, **from_address("192.0.2.1"))
    assert (again.status_code, again.json) == (201, seated.json), "the answer is given again"
    assert sit(client, ann, game["id"], "WRONG", "192.0.2.1").status_code == 201


# --- bounds ---


def test_so_many_games_may_be_open_and_no_more_until_one_ends(limited, players):
    client = limited(open_games=3)
    keyed = {"headers": {"Idempotency-Key": "one"}}
    games = [client.post("/v1/games", players[0], json=TABLE, **keyed).json]
    games += [table(client, players[0]) for _ in range(2)]
    refused = client.post("/v1/games", players[0], json=TABLE)
    assert (refused.status_code, refused.json["limit"], refused.headers["Retry-After"]) == (429, "open_games", "60")
    assert client.post("/v1/games", players[0], json=TABLE, **keyed).json == games[0], "a repeat is no further game"
    assert client.post("/v1/games", players[1], json=TABLE).status_code == 201
    assert client.delete(f"/v1/games/{games[0]['id']}", players[0]).status_code == 200
    assert client.post("/v1/games", players[0], json=TABLE).status_code == 201
    assert client.post("/v1/games", players[0], json=TABLE).status_code == 429


def test_so_many_games_of_one_address_may_be_open_whoever_opens_them(limited, players, monkeypatch):
    monkeypatch.setattr("service.tables.OF_ONE_ADDRESS", 1)
    client = limited(open_games=2)
    here, there = from_address("192.0.2.1"), from_address("192.0.2.7")
    first = client.post("/v1/games", players[0], json=TABLE, **here).json
    assert client.post("/v1/games", players[1], json=TABLE, **here).status_code == 201
    refused = client.post("/v1/games", players[2], json=TABLE, **here)
    assert (refused.status_code, refused.json["limit"]) == (429, "open_games_by_address")
    assert client.post("/v1/games", players[2], json=TABLE, **there).status_code == 201
    assert client.delete(f"/v1/games/{first['id']}", players[0], **there).status_code == 200, "ended from anywhere"
    for path, body in ((f"/v1/games/{first['id']}/rematch", None), ("/v1/games", TABLE)):
        more = {"json": body} if body else {}
        assert client.post(path, players[0], **more, **here).status_code == (201 if body is None else 429)


def test_games_that_have_ended_do_not_stand_in_the_way_if_the_list_still_has_them(limited, players, redis_url):
    client = limited(open_games=1)
    game = table(client, players[0])
    assert client.delete(f"/v1/games/{game['id']}", players[0]).status_code == 200
    with redis.Redis.from_url(redis_url) as plain:
        plain.zadd(keys.opened(game["seats"][0]["player"]["id"]), {game["id"]: 1})
    assert client.post("/v1/games", players[0], json=TABLE).status_code == 201


def test_an_address_may_do_a_multiple_of_what_a_token_may(limited, players, game):
    client = limited(limit_reading="2/hour")
    for token in players[:2]:
        assert [read(client, token, game).status_code for _ in range(3)] == [200, 200, 429]
    answer = read(client, None, game)
    assert answer.headers["RateLimit-Policy"] == '"reading_by_address";q=10;w=3600'
    assert [read(client, None, game).status_code for _ in range(4)] == [200, 200, 200, 429]


KEY = "only-for-those-I-know"


@pytest.mark.parametrize("shown", [None, "", "only-for-those", KEY + "s", "únly-for-those-I-know", "\udcff" * 20])
def test_registering_needs_the_operators_key_where_there_is_one(limited, caplog, shown):
    client = limited(registration_key=KEY)
    headers = {} if shown is None else {"Registration-Key": shown.encode("utf-8", "surrogateescape").decode("latin-1")}
    with caplog.at_level("DEBUG"):
        refused = client.post("/v1/players", json={"name": "Ann"}, headers=headers)
        assert (refused.status_code, refused.json["code"]) == (403, "registration_closed")
        allowed = client.post("/v1/players", json={"name": "Ann"}, headers={"Registration-Key": KEY})
        assert allowed.status_code == 201
    assert client.get("/v1/players/me", allowed.json["token"]).status_code == 200
    said = caplog.text + refused.get_data(as_text=True) + allowed.get_data(as_text=True)
    assert KEY not in said + str(refused.headers) + str(allowed.headers) + repr(Settings(registration_key=KEY))


# --- around it ---


def test_without_redis_calls_are_unavailable_and_what_needs_none_is_answered():
    client = Checked(create_app(Settings(redis_url="redis://127.0.0.1:1/0"), {"reading_by_address": "60/hour"}))
    begun = time.monotonic()
    for call in CALLS.values():
        assert call(client, FORGED, "game").status_code == 503
    assert client.get("/v1/games/game?join_code=x").status_code == 503
    assert client.get("/v1/editions").status_code == 200
    assert time.monotonic() - begun < 24, "no call waits for it"


def test_limits_are_told_of_in_every_language(limited, players, game):
    client = limited({"reading": "1/hour", "wrong_codes_by_address": "1/hour"}, open_games=1)
    secret = table(client, players[1], visibility="unlisted")["id"]
    read(client, players[0], game)
    sit(client, players[2], secret, "WRONG", "192.0.2.1")
    details = set()
    for language in LANGUAGES:
        spoken = {"headers": {"Accept-Language": language}}
        guess = {"json": {"join_code": "X"}, **spoken, **from_address("192.0.2.1")}
        for refused in (
            read(client, players[0], game, **spoken),
            client.post(f"/v1/games/{secret}/seats", players[2], **guess),
            create(client, players[0], game, **spoken),
        ):
            assert refused.status_code == 429
            details.add(refused.json["detail"])
    assert len(details) == 3 * len(LANGUAGES)


@pytest.mark.parametrize(("limit", "asks_every"), [("10/minute", 1), ("64/minute", 4)])
def test_what_needs_no_redis_is_limited_or_refused_while_it_is_away(verifier, limit, asks_every):
    verifier.verdict(b"{}", packed=False, language="en")  # to start it may take longer than a window has
    client = Checked(create_app(Settings(redis_url="redis://127.0.0.1:1/0"), {"creating_by_address": limit}))
    allowed = int(limit.partition("/")[0])
    calls = [client.post("/v1/logs/verify", json={"format": "another"}).status_code for _ in range(allowed + 6)]
    first = [200] * (asks_every - 1) + [503]
    assert calls == (first * allowed)[:allowed] + [429] * 6
