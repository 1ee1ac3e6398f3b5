"""What Redis holds once every operation was called, games were played, and workers did their part."""

from functools import cached_property

import pytest
import redis

from games.ratings.pools import POOLS, RatedGame
from games.ratings.standing import DAY_MS
from service.inputs.clock import now_ms
from service.store import keys
from service.store.damaged import note
from service.store.limits.counting import count
from service.store.ratings.stored_pools import StoredPool
from service.store.redis.condition import check
from tests.service.aids.briefly import judge_briefly
from tests.service.stored import values
from tools.benchmarks.costs import CASES, Call, World


def rated(service, *players):
    """Lets two players play rated games until they are on a leaderboard."""
    pool, ids = StoredPool(service.redis, POOLS[0]), tuple(player["id"] for player in players)
    for number in range(100):
        pool.add(RatedGame(f"rated{number:03}", number * DAY_MS, ids, (1 + number % 2, 2 - number % 2)))
    assert service.ratings.fold(POOLS[0], 60)


class OneWholeGame(World):
    """What needs a game that has ended takes the same one."""

    def game(self, steps=8):
        return self.whole if steps == 1000 else super().game(steps)

    @cached_property
    def whole(self):
        return super().game(1000)


def beside_calls(world):
    """Lets be stored what single calls do not leave: it takes games with others, with bots, that end, or fail."""
    service, game = world.service, world.whole[0]
    ann, bob = world.player(), world.player()
    world.send(Call("GET", "/v1/players/me/events", ann["token"]))  # from now on notices are kept
    inviting, table = world.opening(bob["token"]), world.opening(ann["token"])
    inviting.body["seats"] = [{"kind": "creator"}, {"kind": "invited", "player": ann["id"]}]
    table.body["visibility"] = "unlisted"
    world.send(inviting)
    opened = world.send(table)
    for token in (bob["token"], world.player()["token"]):
        world.send(Call("POST", f"/v1/games/{opened['id']}/seats", token, {"join_code": opened["join_code"]}))
    with_bots = world.opening(ann["token"])
    with_bots.body["seats"] = [{"kind": "bot", "bot": "expert"}, {"kind": "bot", "bot": "expert"}]
    world.send(with_bots)
    service.recording.record(game)
    rated(service, ann, bob)
    for _ in range(2):
        world.send(Call("POST", "/v1/queue", world.player()["token"], {"edition": "standard", "seats": [2]}))
    service.waves.run("standard")
    world.send(Call("POST", "/v1/queue", ann["token"], {"edition": "standard", "seats": [2]}))
    match = {"name": "M", "edition": "standard", "seats": 2, "games": 2, "deals": "fresh"}
    match |= {"entrants": [{"bot": "random"}, {"bot": "cautious"}]}
    world.send(Call("POST", "/v1/matches", ann["token"], match))
    program = service.players.register("Pro", "bot")
    service.players.change(program.token, program={"version": "1"})
    service.packing.pack(game)
    service.packing.packed(now_ms())
    service.totals.begin("api")
    service.totals.report()
    for among in (keys.DAMAGED, keys.DAMAGED_FILES):
        note(service.redis, game, among)
    check(service.redis)
    count(service.redis, "limit", 3600, 1)
    # Last, what lasts a minute or less: a slow machine may take that long for the calls before.
    world.send(Call("POST", f"/v1/games/{opened['id']}/tickets", ann["token"]))
    world.send(Call("POST", "/v1/players/me/tickets", ann["token"]))
    service.health.record_heartbeat()


@pytest.fixture(scope="session")
def called(redis_server):
    """By name of a key, its type and the milliseconds it has left (-1: no end); and what all keys hold, as text."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
    world = OneWholeGame(redis_server.url)
    with pytest.MonkeyPatch.context() as patch:
        judge_briefly(patch)
        for case in CASES.values():
            call = case(world)
            world.service.health.record_heartbeat()
            world.send(call)
    beside_calls(world)
    world.service.notifier.settle()
    names = [*{*world.redis.scan_iter(), keys.WORKER_ALIVE.encode()}]
    world.service.health.record_heartbeat()  # once more: it lasts for seconds, and calls may take longer
    looks = world.redis.pipeline()  # at once, for the windows of limits end while one looks
    for name in names:
        looks.type(name).pttl(name)
    found = iter(looks.execute())
    kinds = dict(zip(names, zip(found, found, strict=True), strict=True))
    stored = [(name.decode(), str(found)) for name, found in values(world.redis) if found]
    return {key.decode(): (kind.decode(), left) for key, (kind, left) in kinds.items() if kind != b"none"}, stored
