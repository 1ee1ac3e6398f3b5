"""What a player hides is in no answer to anybody else, whichever call might say it."""

import json

import pytest

from api import create_app
from games.player import HIDEABLE
from games.ratings.pools import POOLS
from service import Settings, build
from tests.contract.checked import Checked, document
from tests.service.at_table import guest
from tests.service.matches.playing import here, made, program
from tests.service.ratings.rated_games import POOL, rated, recorded, steady
from tests.service.still_clock import still_clock

OF_RATINGS = {"rating", "deviation", "rank", "ratings"}
OF_HISTORY = {"record", "games"}
WHOSE = ("id", "player", "entrant", "a", "b")


@pytest.fixture
def world(redis_url, monkeypatch):
    """Somebody whose rating is known, and a program, both of whom hide all they can."""
    clock = still_clock(monkeypatch)
    settings = Settings(redis_url=redis_url)
    service = build(settings)
    ann, ben = steady(service, clock)
    one, other = program(service, "One"), program(service, "Other")
    made(service, ann, one, other)
    recorded(service, rated(service, one, other))
    service.queue.ask(ann.token, {"edition": "standard", "seats": [2], "rated": True})
    ticket = service.queue.ask(ben.token, {"edition": "standard", "seats": [2], "rated": True}).ticket["id"]
    here(service, ann, one)
    asked = Checked(create_app(settings))
    for player in (ann, one):
        answer = asked.call("PATCH", "/v1/players/me", player.token, json={"hidden": [*HIDEABLE]})
        assert answer.status_code == 200
    return asked, (ann, one), (ben, other, guest(service), None), ticket


def paths(hider, ticket, asked):
    """Returns every read of the document that may say something of players, with all that may be asked of one."""
    match = asked.call("GET", "/v1/matches").json["items"][0]["id"]
    named = {"player_id": hider.id, "match_id": match, "ticket_id": ticket}
    for path, operations in document()["paths"].items():
        get = operations.get("get")
        if get is None or path.endswith("/stream") or not path.startswith("/v1") or "/admin" in path:
            continue
        if "{pool}" in path:
            for pool in [one for one in POOLS if one.startswith("standard-2")]:
                yield from (path.format(pool=pool) + query for query in ("", f"?around={hider.id}", "?around=me"))
        elif "{game_id}" not in path and "{edition_id}" not in path:
            yield path.format_map(named)
    yield from (f"/v1/programs?online={online}" for online in ("true", "false"))
    yield f"/v1/players/{hider.id}/games?against={hider.id}"
    yield f"/v1/players/{hider.id}/ratings?pool={POOL}"
    yield f"/v1/matches?player={hider.id}"


def said_of(said, hider):
    """Yields each object that is about a player, as an answer has them."""
    if isinstance(said, list):
        for one in said:
            yield from said_of(one, hider)
    elif isinstance(said, dict):
        about = [said.get(name) for name in WHOSE]
        if any(one == hider.id or (isinstance(one, dict) and one.get("id") == hider.id) for one in about):
            yield said
        for one in said.values():
            yield from said_of(one, hider)


def test_what_a_player_hides_nobody_else_is_told_by_any_call(world):
    asked, hiders, viewers, ticket = world
    for hider in hiders:
        for path in paths(hider, ticket, asked):
            for viewer in viewers:
                answer = asked.call("GET", path, viewer.token if viewer is not None else None)
                if "application/json" not in answer.headers["Content-Type"]:
                    continue
                for said in said_of(answer.json, hider):
                    told = {name for name in (OF_RATINGS | {"online"}) & said.keys() if said[name] not in (None, [])}
                    if "record" in said:
                        told |= {name for name in OF_HISTORY if said[name] is not None}
                    assert not told, f"{path}: {json.dumps(said)[:500]}"
                if path.startswith(f"/v1/players/{hider.id}/"):
                    assert answer.json["items"] == [], path
                if f"around={hider.id}" in path:
                    assert answer.status_code == 404, path
        assert hider.id not in asked.call("GET", "/metrics").text
        assert asked.call("GET", f"/v1/players/{hider.id}", hider.token).json["ratings"], "it is there, for oneself"


def test_who_hides_ratings_while_a_game_is_rated_is_on_no_leaderboard(redis_url, monkeypatch):
    """The fold has read that the player is shown before they hide, and writes afterwards."""
    clock = still_clock(monkeypatch)
    service = build(Settings(redis_url=redis_url))
    ann, ben = steady(service, clock)
    game = rated(service, ann, ben)
    ranked = service.ratings._ranked

    def hiding(latest):
        found = ranked(latest)
        monkeypatch.setattr(service.ratings, "_ranked", ranked)
        service.players.change(ann.token, hidden=["ratings"])
        service.ratings.list_again(ann.id)
        return found

    monkeypatch.setattr(service.ratings, "_ranked", hiding)
    recorded(service, game)
    listed = service.leaderboards.page(None, POOL)["items"]
    assert [one["player"]["id"] for one in listed] == [ben.id]
