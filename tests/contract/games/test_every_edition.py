"""Games of every edition over the interface: whatever anybody is answered is as the document says, in any language."""

import random

import pytest

from engine.editions import EDITIONS
from tests.contract.tables import started

STEPS = 25
"""Actions of one game: whole ones are for `test_play`."""


@pytest.mark.parametrize(
    ("edition", "seats"), [(edition.id, min(5, edition.seats[-1])) for edition in EDITIONS.values()]
)
def test_every_answer_of_a_game_is_as_promised(client, edition, seats):
    rng = random.Random(f"{edition}{seats}")
    tokens = [client.post("/v1/players", json={"name": f"P{seat}"}).json["token"] for seat in range(seats)]
    game = started(client, tokens, edition=edition)
    path = f"/v1/games/{game['id']}"
    for _ in range(STEPS):
        language = {"Accept-Language": rng.choice(["en", "de"])}
        view = client.get(path, headers=language).json
        if view["status"] != "active":
            break
        actor = tokens[view["to_act"]]
        offered = client.get(path, actor, headers=language).json["legal_actions"]
        assert all(legal["text"] for legal in offered)
        done = client.post(f"{path}/actions?text=true", actor, json=rng.choice(offered)["action"], headers=language)
        assert done.status_code == 201
        assert done.headers["Content-Language"] == language["Accept-Language"]
    for token in (None, *tokens):
        page = client.get(f"{path}/events?text=true", token, headers={"Accept-Language": "de"}).json
        assert all(event["text"] for event in page["events"])
