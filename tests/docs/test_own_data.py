"""What players take away is what Redis holds about them, and the page on Redis gives a reason for the rest."""

import re

import orjson
import pytest

from games.times import ms_of
from service.store import keys
from tests.docs.redis_page import PAGE, ROWS
from tests.service.stored import values
from tools.benchmarks.costs import SEATS, Call, World

LEFT_OUT = set(
    re.findall(r"^\| `(billet:[^`]+)` \| [^|]+ \|$", PAGE.partition("### Of the installation")[0], re.MULTILINE)
)
TAKEN = {
    keys.playing("PLAYER"): "playing",
    keys.played("PLAYER"): "played",
    keys.opened("PLAYER"): "opened",
    keys.invited("PLAYER"): "invited",
    keys.blocked("PLAYER"): "blocked",
    keys.notices("PLAYER"): "notices",
    keys.approaches("PLAYER"): "notices",
    keys.player("PLAYER"): "player",
}
"""The keys that are taken away, by the member of the answer that holds them."""
FIELDS_LEFT_OUT = {"token", "retired_token", "retired_at", "notices", "last_notice", "settling"}


def pattern_of(name):
    """Returns the key of the page that a stored key is one of."""
    [found] = [row for row in ROWS if re.fullmatch(re.sub(r"[A-Z]+", "[^:]+", re.escape(row)), name)]
    return found


@pytest.fixture
def world(redis_url):
    return World(redis_url)


def test_every_key_that_names_a_player_is_taken_away_or_left_out_for_a_reason(called):
    _, stored = called
    own = re.compile(re.escape(keys.player("")) + "([a-z0-9]+)$")
    players = {found[1] for name, _ in stored if (found := own.match(name))}
    assert len(players) > 50
    named = {
        pattern_of(name)
        for name, found in stored
        if not name.startswith("rq:") and not players.isdisjoint(re.findall(r"[a-z0-9]+", f"{name} {found}"))
    }
    assert named <= LEFT_OUT | set(TAKEN)
    assert not LEFT_OUT & set(TAKEN)
    assert {row for row in ROWS if "PLAYER" in row} <= LEFT_OUT | set(TAKEN)


def test_the_answer_is_what_redis_holds(world):
    ann, bob = world.player(), world.player()
    world.send(Call("GET", "/v1/players/me/events", ann["token"]))  # from now on notices are kept
    ended, others = world.table(ann["token"]), [world.player()["token"] for _ in range(SEATS - 1)]
    for other in others:
        world.send(Call("POST", f"/v1/games/{ended}/seats", other, {}))
    for other in others:
        world.send(Call("DELETE", f"/v1/games/{ended}/seats/me", other))
    running = world.table(ann["token"])
    world.send(Call("PUT", f"/v1/players/me/blocks/{world.player()['id']}", ann["token"]))
    opening = world.opening(bob["token"])
    opening.body["seats"] = [{"kind": "creator"}, {"kind": "invited", "player": ann["id"]}]
    world.send(opening)
    world.send(Call("POST", f"/v1/games/{running}/seats", bob["token"], {}))
    world.service.notifier.settle()

    before = dict(values(world.redis))
    answer = world.http.get("/v1/players/me/data", headers={"Authorization": f"Bearer {ann['token']}"})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    held = answer.json

    fields = {name.decode(): value.decode() for name, value in world.redis.hgetall(keys.player(ann["id"])).items()}
    assert {name: value for name, value in fields.items() if name not in FIELDS_LEFT_OUT} == {
        "name": held["player"]["name"],
        "kind": held["player"]["kind"],
        "created_at": str(ms_of(held["since"])),
    }
    assert held["player"]["id"] == ann["id"]
    kept_notices = []
    for pattern, member in TAKEN.items():
        name = pattern.replace("PLAYER", ann["id"])
        assert name.encode() in before, f"nothing is proved: {pattern}"
        if member in ("playing", "played", "opened", "invited"):
            stored = {game.decode(): score for game, score in world.redis.zrange(name, 0, -1, withscores=True)}
            assert {one["game"]: ms_of(one["at"]) for one in held[member]} == stored
            for one in held[member]:
                assert one["view"] == f"/v1/games/{one['game']}"
                assert one["log"] == (f"{one['view']}/log" if member == "played" else None)
        elif member == "blocked":
            stored = {other.decode(): score for other, score in world.redis.zrange(name, 0, -1, withscores=True)}
            assert {one["player"]["id"]: ms_of(one["since"]) for one in held[member]} == stored
        elif member == "notices":
            kept_notices += [
                {"cursor": int(at.split(b"-")[0]), **orjson.loads(entry[b"n"])}
                for at, entry in world.redis.xrange(name)
            ]
    kept_notices.sort(key=lambda notice: notice["cursor"])
    assert [one["cursor"] for one in held["notices"]] == [one["cursor"] for one in kept_notices]
    for told, kept in zip(held["notices"], kept_notices, strict=True):
        assert told["player"] is None or told["player"]["id"] == kept["player"]
        assert {**told, "player": None} == {**kept, "player": None}
    assert ended in [one["game"] for one in held["played"]]
    assert fields["token"] not in answer.text
    assert ann["token"].partition(".")[2] not in answer.text
