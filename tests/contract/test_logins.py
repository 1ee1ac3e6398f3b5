"""Logins at an operator's identity provider: its signed tokens stand for players, and only for their own."""

import base64
import hmac
import json
import math
import socketserver
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import jwt
import pytest
import redis
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from api import create_app
from games.errors import Refused, TakesNoWrites
from service import build, logins
from service.settings import Settings, SettingsError
from service.store import keys
from service.store.players.stored_players import hashed
from tests.contract.checked import Checked
from tests.contract.provider import AUDIENCE, ISSUER, Provider, whose
from tools.testbed.waiting import wait_until

OTHER_KEY = rsa.generate_private_key(65537, 2048)
TABLE = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "bot", "bot": "random"}]}


@pytest.fixture
def provider():
    provider = Provider()
    yield provider
    provider.server.shutdown()
    provider.server.server_close()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Lets nothing depend on how fast this machine is."""
    monkeypatch.setattr(logins, "PAUSE_SECONDS", 10**6)
    monkeypatch.setattr(logins, "FETCH_SECONDS", 60)


@pytest.fixture
def settings(redis_url, provider):
    return Settings(redis_url=redis_url, login_jwks=provider.url, login_issuer=ISSUER, login_audience=AUDIENCE)


@pytest.fixture
def app(settings):
    app = create_app(settings)
    yield app
    app.extensions["billet.service"].redis._pool.disconnect()


@pytest.fixture
def me(client):
    return partial(whose, client)


def test_a_login_is_one_player_for_ever_by_the_name_the_provider_says(client, me, provider, players):
    ann = me(provider.token())
    assert (ann.status_code, ann.json["name"], ann.json["kind"]) == (200, "Ann", "human")
    assert me(provider.token(exp=int(time.time()) + 99, name="Anna")).json == ann.json, "the name is the player's own"
    assert me(provider.token("bob", name="Bob")).json["id"] != ann.json["id"]
    renamed = client.call("PATCH", "/v1/players/me", provider.token(), json={"name": "Ann the Second"})
    assert renamed.status_code == 200
    assert me(provider.token()).json == ann.json | {"name": "Ann the Second"}
    assert me(players[1]).json["name"] == "Bob", "own tokens work beside"


def test_every_process_knows_the_same_player(me, provider, settings, service):
    ann = me(token := provider.token()).json
    another = build(settings).logins
    own = until_known(lambda: another.token(token, bool, lambda: None))
    assert service.players.me(own) == ann


def until_known(ask):
    """Asks until the provider's keys have been read."""
    while True:
        try:
            return ask()
        except logins.KeysAway:
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"name": None, "preferred_username": "ann42"}, "ann42"),
        ({"name": "Strong bot", "preferred_username": "You", "nickname": "Annie"}, "Annie"),
        ({"name": "\u202eevil", "nickname": "Annie"}, "Annie"),
        ({"name": "x" * 100}, "x" * 40),
        ({"name": None}, "Player"),
        ({"name": "  "}, "Player"),
        ({"name": "A\ud800nn\0"}, "Ann"),
        ({"name": ["Ann"]}, "Player"),
    ],
)
def test_a_name_that_players_may_not_have_is_not_taken_over(me, provider, claims, name):
    assert me(provider.token(**claims)).json["name"] == name


@pytest.mark.parametrize(("said", "name"), [("Annabel", "Ann"), ("An Abel", "An"), (None, "Player")])
def test_the_name_of_a_login_is_cut_to_the_longest_that_is_accepted(provider, settings, monkeypatch, said, name):
    monkeypatch.setattr(logins, "LONGEST_NAME", 3)
    short = build(settings)
    own = until_known(lambda: short.logins.token(provider.token(name=said), bool, lambda: None))
    assert short.players.me(own)["name"] == name


def test_a_login_plays(client, me, provider):
    me(token := provider.token())
    made = client.post("/v1/games", token, json=TABLE | {"sandbox": {"rounds": [{"starter": 0}]}})
    assert made.status_code == 201
    action = made.json["legal_actions"][0]["action"]
    path = f"/v1/games/{made.json['id']}"
    key = {"Idempotency-Key": "a"}
    assert client.post(f"{path}/actions", token, json=action, headers=key).status_code == 201
    fresh = provider.token(exp=int(time.time()) + 77)
    again = client.post(f"{path}/actions", fresh, json=action, headers=key)
    assert again.headers["Idempotent-Replayed"] == "true", "the key is the player's, whichever token they show"
    assert client.post(f"{path}/tickets", token).status_code == 201


def encoded(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def part(said):
    return encoded(json.dumps(said).encode())


def forged(provider, how):
    """Returns a token that is not one of the provider's for this service."""
    key = provider.keys["first"]
    pem = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    ann = part({"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "exp": int(time.time()) + 99})
    match how:
        case "another key":
            return provider.token(signed_by=OTHER_KEY)
        case "unknown key":
            return provider.token(signed_by=key, header={"kid": "nowhere"})
        case "no algorithm":
            return f"{part({'alg': 'none', 'kid': 'first'})}.{ann}."
        case "the public key as a secret":
            signed = f"{part({'alg': 'HS256', 'kid': 'first'})}.{ann}"
            return f"{signed}.{encoded(hmac.digest(pem, signed.encode(), 'sha256'))}"
        case "a key of another kind":
            return provider.token(signed_by=ec.generate_private_key(ec.SECP256R1()), algorithm="ES256")
        case "changed":
            head, _, signature = provider.token("bob").split(".")
            return f"{head}.{ann}.{signature}"
        case "deep":
            return f"{encoded(b'[' * 2000)}.{ann}.{ann}"
        case "a notice of a logout":
            return provider.token(events={"http://schemas.openid.net/event/backchannel-logout": {}})
        case "a header that must be understood":
            return provider.token(header={"crit": ["exp"], "exp": int(time.time()) + 99})
        case "no type":
            return provider.token(header={"typ": 7})
        case "nonsense":
            return "a.b.c"
    raise AssertionError(how)


@pytest.mark.parametrize(
    "how",
    [
        "another key",
        "unknown key",
        "no algorithm",
        "the public key as a secret",
        "a key of another kind",
        "changed",
        "deep",
        "a notice of a logout",
        "a header that must be understood",
        "no type",
        "nonsense",
    ],
)
def test_what_the_provider_has_not_signed_is_nobodys(client, me, provider, how):
    assert me(provider.token()).status_code == 200
    answer = client.get("/v1/players/me", token=forged(provider, how))
    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"exp": int(time.time()) - 60}, "has expired"),
        ({"nbf": int(time.time()) + 9999}, "not valid yet"),
        ({"iss": "https://elsewhere.example.org/"}, "another provider"),
        ({"aud": "chess"}, "another service"),
        ({"exp": None}, "does not come from"),
        ({"sub": None}, "does not come from"),
        ({"sub": ""}, "does not come from"),
        ({"sub": "x" * 300}, "does not come from"),
        ({"sub": "\ud800"}, "does not come from"),
        ({"aud": None}, "does not come from"),
    ],
)
def test_a_login_that_is_not_good_here_says_why(client, me, provider, claims, said):
    assert me(provider.token()).status_code == 200
    answer = client.get("/v1/players/me", token=provider.token(**claims))
    assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated")
    assert said in answer.json["detail"]


@pytest.mark.parametrize(
    ("typ", "status"),
    [
        ("", 200),
        ("JWT", 200),
        ("jwt", 200),
        ("at+jwt", 200),
        ("application/at+JWT", 200),
        ("logout+jwt", 401),
        ("secevent+jwt", 401),
        ("dpop+jwt", 401),
        ("entity-statement+jwt", 401),
    ],
)
def test_what_the_provider_signs_for_other_ends_brings_nobody_in(me, provider, typ, status):
    assert me(provider.token(header={"typ": typ})).status_code == status


def test_a_first_login_counts_as_registering(provider, settings):
    client = Checked(create_app(replace(settings, limit_registering="2/hour")))
    logged_in = [whose(client, provider.token(subject)).status_code for subject in ("ann", "bob", "ann")]
    assert logged_in == [200, 200, 200]
    refused = whose(client, provider.token("cid"))
    assert (refused.status_code, refused.json["limit"]) == (429, "registering_by_address")
    assert client.post("/v1/players", json={"name": "Cid"}).status_code == 429, "one count for both ways"
    assert whose(client, provider.token("bob", exp=int(time.time()) + 99)).status_code == 200


def test_the_clock_of_the_provider_may_be_off_a_little(me, provider, monkeypatch):
    monkeypatch.setattr(logins, "LEEWAY_SECONDS", 600)
    now = int(time.time())
    for claims in ({"exp": now - 300}, {"nbf": now + 300}):
        assert me(provider.token(**claims)).status_code == 200


@pytest.mark.parametrize(("lives", "trusted"), [(3600, logins.TRUSTED_SECONDS), (100, 100)], ids=["long", "short"])
def test_a_token_is_checked_again_after_a_while(client, me, provider, monkeypatch, lives, trusted):
    def expired(*_, **__):
        raise jwt.ExpiredSignatureError

    began = int(time.time())
    assert me(token := provider.token(exp=began + lives)).status_code == 200
    monkeypatch.setattr(logins.jwt, "decode", expired)
    assert client.get("/v1/players/me", token).status_code == 200
    later = SimpleNamespace(time=lambda: time.time() + trusted, monotonic=time.monotonic)
    monkeypatch.setattr(logins, "time", later)
    assert "has expired" in client.get("/v1/players/me", token).json["detail"]


def test_a_login_that_names_no_key_means_the_only_one(client, me, provider, monkeypatch):
    monkeypatch.setattr(logins, "PAUSE_SECONDS", 0)
    assert me(provider.token(header={"kid": None})).status_code == 200
    provider.add("second", OTHER_KEY)
    assert me(provider.token("bob", key="second")).status_code == 200
    monkeypatch.setattr(logins, "PAUSE_SECONDS", 10**6)
    assert me(provider.token("cleo", header={"kid": None})).status_code == 401


def test_a_key_for_encryption_signs_nothing(me, provider):
    provider.add("sealing", OTHER_KEY)
    provider.uses["sealing"] = {"use": "enc"}
    assert me(provider.token()).status_code == 200
    assert me(provider.token("bob", key="sealing")).status_code == 401


def test_keys_may_change_and_many_kinds_are_taken(me, provider, monkeypatch):
    monkeypatch.setattr(logins, "PAUSE_SECONDS", 0)
    assert me(provider.token()).status_code == 200
    provider.add("second", ec.generate_private_key(ec.SECP256R1()))
    del provider.keys["first"]
    assert me(provider.token(key="second", algorithm="ES256")).status_code == 200


def test_tokens_that_name_unknown_keys_are_not_asked_about_one_by_one(client, me, provider):
    assert me(provider.token()).status_code == 200
    for number in range(50):
        answer = client.get("/v1/players/me", token=provider.token(header={"kid": f"k{number}"}))
        assert answer.status_code == 401
    assert provider.fetched == 1


def test_without_the_provider_what_is_known_works_and_the_rest_is_tried_again(client, me, provider, monkeypatch):
    monkeypatch.setattr(logins, "PAUSE_SECONDS", 0)
    provider.status = 500
    answer = client.get("/v1/players/me", token=provider.token())
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert "identity provider" in answer.json["detail"]
    provider.status = 200
    assert me(provider.token()).status_code == 200
    provider.server.shutdown()
    assert me(provider.token("bob")).status_code == 200


def test_who_was_erased_or_banned_stays_so(client, me, provider, app):
    _, bob = (me(provider.token(name)).json["id"] for name in ("ann", "bob"))
    administration = app.extensions["billet.service"].administration
    administration.ban(bob)
    assert client.delete("/v1/players/me", token=provider.token("ann")).status_code == 204
    for seconds in (100, 200):
        fresh = {name: provider.token(name, exp=int(time.time()) + seconds) for name in ("ann", "bob")}
        assert client.get("/v1/players/me", token=fresh["ann"]).json["code"] == "unauthenticated"
        assert client.get("/v1/players/me", token=fresh["bob"]).json["code"] == "banned"


@pytest.mark.parametrize("what", ["banned", "erased"])
def test_who_was_erased_or_banned_stays_so_when_idle_players_are_removed(client, me, provider, service, what):
    ann = me(provider.token()).json["id"]
    service.administration.ban(ann) if what == "banned" else service.administration.erase(ann)
    service.expiry._idle_ms = 1
    for _ in range(3):
        assert service.expiry.player((ann, 0)) == "kept"
        service.redis.send(("HSET", keys.player(ann), "retired_at", 0))  # as if it were long ago
    answer = client.get("/v1/players/me", token=provider.token(exp=int(time.time()) + 99))
    assert answer.json["code"] == ("banned" if what == "banned" else "unauthenticated")


def test_a_login_puts_off_nothing_that_is_due_after_a_ban(client, me, provider, service):
    ann = me(provider.token()).json["id"]
    service.players._idle_ms = 10**12
    service.administration.ban(ann)
    due = service.redis.send(("ZSCORE", keys.IDLE, ann))[0]
    assert client.get("/v1/players/me", token=provider.token(exp=int(time.time()) + 99)).json["code"] == "banned"
    assert service.redis.send(("ZSCORE", keys.IDLE, ann))[0] == due is not None


@pytest.mark.parametrize("spoil", ["maxmemory", "min-replicas-to-write"])
def test_a_known_login_can_read_although_redis_takes_no_writes(client, me, provider, settings, redis_url, spoil):
    ann = me(provider.token()).json
    fresh = provider.token(exp=int(time.time()) + 99)
    another = logins.Logins(build(settings).players, settings)  # which has not read the installation's secret yet
    until_known(lambda: another._keys.get("first"))
    with redis.Redis.from_url(redis_url) as own:
        own.config_set(spoil, 1)
        try:
            answer = client.get("/v1/players/me", fresh)
            assert (answer.status_code, answer.json) == (200, ann)
            assert another.token(fresh, bool, lambda: None).startswith(f"{ann['id']}.")
            with pytest.raises(TakesNoWrites):
                another.token(provider.token("cleo"), bool, lambda: None)
        finally:
            own.config_set(spoil, 0)
    assert another.token(provider.token("cleo"), bool, lambda: None)


def test_many_calls_at_once_read_the_keys_once(provider):
    found = logins.Keys(provider.url)

    def ask(_):
        return until_known(lambda: found.get("first"))

    with ThreadPoolExecutor(8) as pool:
        assert len(set(map(id, pool.map(ask, range(64))))) == 1
    assert provider.fetched == 1


def test_after_a_quiet_time_a_key_that_was_withdrawn_is_not_taken(provider):
    found = Keys(provider.url)
    known = until_known(lambda: found.get("first"))
    provider.add("second", provider.keys.pop("first"))
    assert found.get("first") is known
    found.age(logins.QUIET_SECONDS)
    with pytest.raises(Refused):
        until_known(lambda: found.get("first"))
    assert until_known(lambda: found.get("second")).key_id == "second"
    provider.status = 500
    found.age(logins.QUIET_SECONDS)
    assert until_known(lambda: found.get("second")).key_id == "second", "the provider is away"


def test_a_provider_that_is_away_keeps_no_key_valid_for_ever(provider):
    found = Keys(provider.url)
    known = until_known(lambda: found.get("first"))
    provider.status = 500
    found.age(logins.LONGEST_SECONDS - 100)
    assert until_known(lambda: found.get("first")) is known
    found.age(logins.LONGEST_SECONDS)
    wait_until(lambda: found._reading is None)
    with pytest.raises(logins.KeysAway):
        found.get("first")
    provider.status = 200
    found.age(logins.LONGEST_SECONDS)
    assert until_known(lambda: found.get("first")).key_id == "first"


@pytest.mark.parametrize("sends", ["nothing", "drops of the head", "drops of the keys"])
def test_a_provider_that_drips_holds_no_login_up_and_keeps_no_key(provider, monkeypatch, sends):
    monkeypatch.setattr(logins, "PAUSE_SECONDS", 0)
    found = Keys(provider.url)
    known = until_known(lambda: found.get("first"))
    with dripping(sends) as found._url:
        found.age(logins.TRUSTED_SECONDS)
        assert found.get("first") is known
        assert found._reading is not None, "the others go on with what is known"
        with pytest.raises(logins.KeysAway):
            found.get("second")
    with dripping(sends) as found._url:
        found.age(logins.TRUSTED_SECONDS)
        monkeypatch.setattr(logins, "FETCH_SECONDS", 1)
        assert found.get("first") is known
        wait_until(lambda: found._reading is None)  # within its time, and not when the provider likes
        found.age(logins.LONGEST_SECONDS)
        with pytest.raises(logins.KeysAway):
            until(lambda: found.get("first"), found)
        found._url = provider.url
        provider.add("second", provider.keys.pop("first"))
        assert until_known(lambda: found.get("second")).key_id == "second"
        monkeypatch.setattr(logins, "PAUSE_SECONDS", 10**6)  # else each answer would begin another reading
        with pytest.raises(Refused):
            found.get("first")


def until(ask, found):
    """Asks once the reading that is under way is over."""
    wait_until(lambda: found._reading is None)
    return ask()


def test_what_a_reading_finds_that_took_too_long_is_not_used(provider, monkeypatch):
    monkeypatch.setattr(logins, "PAUSE_SECONDS", 0)
    found = Keys(provider.url)
    until_known(lambda: found.get("first"))
    late, released = threading.Event(), threading.Event()
    read = logins.elsewhere.read

    def held_up(*arguments):
        raw = read(*arguments)
        late.set()
        assert released.wait(60)
        return raw

    with monkeypatch.context() as patch:
        patch.setattr(logins.elsewhere, "read", held_up)
        found.age(logins.TRUSTED_SECONDS)
        found.get("first")
        assert late.wait(60)
    first = found._reading
    found._tried -= logins.FETCH_SECONDS  # it has taken its time
    provider.add("second", provider.keys.pop("first"))
    assert until_known(lambda: found.get("second")).key_id == "second"
    released.set()
    wait_until(lambda: not [one for one in threading.enumerate() if one.name == "login keys"])
    assert first is not None
    assert found.get("second").key_id == "second"


class Keys(logins.Keys):
    """A provider's keys, which can be made to look old."""

    def age(self, seconds):
        """Lets the latest reading be over, and lie so long ago."""
        wait_until(lambda: self._reading is None)
        self._tried, self._read_at = -math.inf, time.monotonic() - seconds


@contextmanager
def dripping(what):
    """Runs a host that sends a byte now and then, for ever, and yields its address."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    sends = {"nothing": b"", "drops of the head": head[:8], "drops of the keys": head + b'\r\n{"keys": ['}[what]
    ended = threading.Event()

    class Drops(socketserver.BaseRequestHandler):
        def handle(self):
            with suppress(OSError):
                self.request.sendall(sends)
                while not ended.wait(0.05):
                    if sends:
                        self.request.sendall(b" ")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Drops) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/keys"
        finally:
            ended.set()
            server.shutdown()


def test_a_player_of_a_login_has_no_token_that_could_be_sent(client, me, provider, service, settings):
    """Whoever reads Redis or a backup knows all from which it follows."""
    ann = me(provider.token()).json
    another = build(settings).logins
    own = until_known(lambda: another.token(provider.token(), bool, lambda: None))
    player, secret = own.split(".")
    assert service.players.me(own) == ann, "inside"
    assert service.redis.send(("HGET", keys.player(player), "token"))[0].decode() == hashed(secret)
    for sent in (own, own.replace("login:", ""), own.replace(":", "%3A"), f"{player}.{hashed(secret)}"):
        answer = client.get("/v1/players/me", token=sent)
        assert (answer.status_code, answer.json["code"]) == (401, "unauthenticated"), sent


def test_a_login_has_no_token_of_its_own_to_replace(client, me, provider):
    me(token := provider.token())
    answer = client.post("/v1/players/me/token", token)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert client.get("/v1/players/me", token=token).status_code == 200


def test_what_is_known_of_tokens_is_bounded(me, provider, monkeypatch, app):
    monkeypatch.setattr(logins, "MOST_KNOWN", 3)
    for number in range(10):
        assert me(provider.token(f"p{number}")).status_code == 200
    assert len(app.extensions["billet.service"].logins._known) <= 3


def test_nothing_is_asked_of_a_provider_that_is_not_set(redis_url, provider):
    client = Checked(create_app(Settings(redis_url=redis_url)))
    assert client.get("/v1/players/me", token=provider.token()).status_code == 401
    assert provider.fetched == 0


@pytest.mark.parametrize(
    "url",
    ["http://id.example.org/keys", "http://127.0.0.1.example.org/keys", "http://localhost@10.0.0.1/", "ftp://x/y"],
)
def test_the_keys_come_over_https_unless_from_this_machine(url):
    logins_of = {"LOGIN_ISSUER": ISSUER, "LOGIN_AUDIENCE": AUDIENCE}
    with pytest.raises(SettingsError, match="LOGIN_JWKS must be"):
        Settings.from_env(logins_of | {"LOGIN_JWKS": url})
    assert Settings.from_env(logins_of | {"LOGIN_JWKS": "https://id.example.org/keys"})
    assert Settings.from_env(logins_of | {"LOGIN_JWKS": "http://[::1]:8080/keys"})


@pytest.mark.parametrize(
    "given", [{"login_jwks": "https://x.example.org/"}, {"login_issuer": ISSUER}, {"login_audience": AUDIENCE}]
)
def test_settings_need_each_other(given):
    with pytest.raises(SettingsError):
        Settings(**given)
