"""Ways to a game in a certain state, over HTTP alone."""

import json
from typing import Any

from service.store import keys
from service.store.log.stored_events import decoded
from tests.service.stored import entry

CREATOR, OPEN = {"kind": "creator"}, {"kind": "open"}


def table(client: Any, token: str, seats: int = 2, **setup: Any) -> dict[str, Any]:
    """Opens a table with the creator on seat 0 and the rest open."""
    body = {"edition": "standard", "seats": [CREATOR] + [OPEN] * (seats - 1), **setup}
    answer = client.post("/v1/games", token, json=body)
    assert answer.status_code == 201, answer.json
    return answer.json


def started(client: Any, tokens: list[str], **setup: Any) -> dict[str, Any]:
    """Opens a table for all tokens in order and fills it; returns the game as the last one to sit down sees it."""
    game = table(client, tokens[0], len(tokens), **setup)
    for token in tokens[1:]:
        claim = {"join_code": game["join_code"]} if game["join_code"] else {}
        answer = client.post(f"/v1/games/{game['id']}/seats", token, json=claim)
        assert answer.status_code == 201, answer.json
    return answer.json


def finished(client: Any, tokens: list[str], **setup: Any) -> dict[str, Any]:
    """A game of which everybody but the first has resigned."""
    game = started(client, tokens, **setup)
    for token in tokens[1:]:
        answer = client.delete(f"/v1/games/{game['id']}/seats/me", token)
        assert answer.status_code == 200, answer.json
    assert answer.json["status"] == "finished"
    return answer.json


def change_deck(app: Any, game: str) -> None:
    """Exchanges the first card of each deck of a stored game, so that the game does not follow from it."""
    redis_client = app.extensions["billet.service"].redis
    (entries,) = redis_client.send(("XRANGE", keys.log(game), "-", "+"))
    redis_client.send(("DEL", keys.log(game)))
    for version, (_, fields) in enumerate(entries, 1):
        event = decoded(json.loads(fields[1]))
        if event["type"] == "round_started":
            deck = event["data"]["deck"]
            other = next(i for i, card in enumerate(deck) if card != deck[0])
            deck[0], deck[other] = deck[other], deck[0]
        parts = [part for pair in entry(game, version, event).items() for part in pair]
        redis_client.send(("XADD", keys.log(game), f"{version}-0", *parts))


def view(client: Any, game: dict[str, Any], token: str | None = None, query: str = "") -> dict[str, Any]:
    answer = client.get(f"/v1/games/{game['id']}{query}", token)
    assert answer.status_code == 200, answer.json
    return answer.json


def first_legal(client: Any, game: dict[str, Any], tokens: list[str]) -> tuple[str, dict[str, Any]]:
    """Returns the token of the one to act and the first legal action."""
    seat = view(client, game)["to_act"]
    return tokens[seat], view(client, game, tokens[seat])["legal_actions"][0]["action"]
