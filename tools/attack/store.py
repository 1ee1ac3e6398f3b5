"""Attacks that leave something behind in Redis."""

import json
import secrets
from typing import Any

from tools.attack.target import OTHER, Target


def coming_and_going(target: Target) -> None:
    """Sits down at an open table and gets up again 300 times."""
    game = target.table(target.player())["id"]
    token = target.player()
    for _ in range(300):
        target.call("POST", f"/v1/games/{game}/seats", {}, token)
        target.call("DELETE", f"/v1/games/{game}/seats/me", token=token)
    target.many(50, lambda _: target.call("GET", f"/v1/games/{game}/rounds"))


def forks(target: Target) -> None:
    """Forks a game that has ended 200 times from its last version."""
    token = target.player()
    game = target.table(token, "cautious")
    target.call("DELETE", f"/v1/games/{game['id']}/seats/me", token=token)
    body = {"version": game["version"]}
    target.many(200, lambda _: target.call("POST", f"/v1/games/{game['id']}/fork", body, token))


def numbers(target: Target) -> None:
    """Forks from version 1e300 with an idempotency key, and says numbers like it elsewhere."""
    token = target.player()
    game = target.table(token)["id"]
    target.call("DELETE", f"/v1/games/{game}", token=token)
    for number in ("1e300", "-0.0", "1e400", "18446744073709551616"):
        raw = b'{"version":' + number.encode() + b"}"
        status, _ = target.call("POST", f"/v1/games/{game}/fork", raw, token, Idempotency_Key=f"k{number}")
        assert 400 <= status < 500, (number, status)


def players(target: Target) -> None:
    """Registers 1,000 players who never do anything."""
    target.many(1_000, lambda _: target.player())


def tables(target: Target) -> None:
    """Opens 500 tables of which nobody ever sits down at one."""
    token = target.player()
    target.many(500, lambda _: target.table(token))


def repeats(target: Target) -> None:
    """Makes 500 calls that change nothing, each with a key of its own."""
    token = target.player()
    game = target.table(token)["id"]
    path = f"/v1/games/{game}/seats"
    target.many(500, lambda i: target.call("POST", path, {}, token, Idempotency_Key=f"nothing-{i}"))


def one_key(target: Target) -> None:
    """Uses one key for tables, a fork, a rematch, an action and a new token: it serves one of them alone."""
    token, key = target.player(), "one-key-for-everything"
    game = target.table(token, "random")
    path = f"/v1/games/{game['id']}"
    body = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}
    first, _ = target.call("POST", "/v1/games", body, token, Idempotency_Key=key)
    assert first == 201, f"the first call was answered {first}"
    target.call("DELETE", path, token=token)
    others: list[tuple[str, dict[str, Any] | None]]
    others = [("/v1/games", {**body, "edition": "classic"}), (f"{path}/fork", {"version": game["version"]})]
    others += [(f"{path}/rematch", None), ("/v1/players/me/token", None)]
    others += [(f"{path}/actions", {"type": "play_card", "card": "guard", "targets": []})]
    for at, given in others:
        status, raw = target.call("POST", at, given, token, Idempotency_Key=key)
        assert 400 <= status < 500, f"{at} was answered {status}: {raw[:200]!r}"


def registered_again(target: Target) -> None:
    """Registers 100 times with one key each, replaces the token, and registers again: no dead token comes back."""
    body = {"name": "Ann"}

    def register(key: str) -> tuple[int, bytes]:
        return target.call("POST", "/v1/players", body, Idempotency_Key=key)

    for _ in range(100):
        key = secrets.token_hex(20)
        given, raw = register(key)
        assert given == 201, f"registering was answered {given}"
        token = json.loads(raw)["token"]
        replaced, _ = target.call("POST", "/v1/players/me/token", token=token)
        assert replaced == 200, f"replacing it was answered {replaced}"
        status, raw = register(key)
        assert status == 409, f"registering again was answered {status}: {raw[:200]!r}"


def full_redis(target: Target) -> None:
    """Has Redis take nothing in for a while: whatever only reads is answered all the same."""
    token = target.player(OTHER)
    game = target.table(token, address=OTHER)["id"]
    paths = ("/v1/games", f"/v1/games/{game}", f"/v1/games/{game}/events", f"/v1/games/{game}/rounds", "/v1/players/me")
    with target.redis() as client:
        most = client.config_get("maxmemory")["maxmemory"]
        client.config_set("maxmemory", 1)
        try:
            read = target.many(
                100, lambda i: target.call("GET", paths[i % 5], token=token, address=OTHER)[0], threads=4
            )
            written, _ = target.call("POST", "/v1/players", {"name": "Ann"})
        finally:
            client.config_set("maxmemory", most)
    assert {*read} == {200}, f"reads were answered {sorted({*read})}"
    assert written == 503, f"what writes was answered {written}"


def bots_alone(target: Target) -> None:
    """Opens 30 tables at which bots play alone."""
    token = target.player()
    seats = [{"kind": "bot", "bot": "random"}] * 2
    body = json.dumps({"edition": "standard", "seats": seats}).encode()
    target.many(30, lambda _: target.call("POST", "/v1/games", body, token))


ATTACKS = (
    *(coming_and_going, forks, numbers, players, tables, repeats),
    *(one_key, registered_again, full_redis, bots_alone),
)
