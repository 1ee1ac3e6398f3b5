"""Attacks that leave something behind in Redis."""

import json

from tests.attack.target import Target


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
    target.call("DELETE", f"/v1/games/{game['id']}", token=token)
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


def bots_alone(target: Target) -> None:
    """Opens 30 tables at which bots play alone."""
    token = target.player()
    seats = [{"kind": "bot", "bot": "random"}] * 2
    body = json.dumps({"edition": "standard", "seats": seats}).encode()
    target.many(30, lambda _: target.call("POST", "/v1/games", body, token))


ATTACKS = (coming_and_going, forks, numbers, players, tables, repeats, bots_alone)
