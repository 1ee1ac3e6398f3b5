"""The indexes are derived: they can be made anew from the logs, and a process that dies on the way loses no game."""

import random

import pytest

from engine.logs.codec import read_action
from service import Settings, build
from service.store import keys
from service.store.redis.client import RedisClient, connect
from service.store.upkeep import rebuilding
from service.store.upkeep.inventory import players_in
from service.store.upkeep.rebuilding import LISTS, PART, add_entries, list_players, listed_entries
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, body, guest, read
from tests.service.upkeep.several_games import CLOCK, ids, lists, several_games


def indexes(client):
    return [*client.keys("billet:lobby:*"), *client.keys("billet:player:*:play*"), keys.DUE]


def test_all_lists_come_back_from_the_logs(service, client, redis_url, another):
    games, guests = several_games(service)
    before = lists(service, guests)
    due = set(client.zrange(keys.DUE, 0, -1))
    linked = games[-2]
    client.delete(*indexes(client))
    client.hdel(keys.meta(linked.id), "next_game")
    assert lists(another(), guests)[0]["open"] == []
    report = rebuild(Settings(redis_url=redis_url))
    assert lists(another(), guests) == before
    assert set(client.zrange(keys.DUE, 0, -1)) == due
    assert linked.view()["next_game"] == games[-1].id
    assert report["games"] == len(games)
    assert report["removed"] == 0
    assert report["entries"] > len(games)


def test_wrong_entries_are_removed(service, client, redis_url):
    games, guests = several_games(service)
    before = lists(service, guests)
    ann = next(iter(guests))
    for status in ("open", "active", "finished", "aborted"):
        client.zadd(keys.lobby(status), {game.id: 5 for game in games if game.view(creator=True)["status"] != status})
        client.zadd(keys.lobby(status), {"no-such-game": 5})
    client.zadd(keys.playing(ann.id), {"no-such-game": 5})
    client.zadd(keys.played("nobody"), {game.id: 5 for game in games})
    others = [
        keys.opened("x"),
        keys.opened_from("x"),
        keys.invited("x"),
        keys.active("x"),
        keys.with_join_code("x"),
        keys.ENDED,
    ]
    for name in others:
        client.zadd(name, {"no-such-game": 5})
    client.set(keys.PACKED_UP_TO, 5)
    report = rebuild(Settings(redis_url=redis_url))
    assert report["removed"] >= 3 * len(games) + 5
    for status in ("open", "active", "finished", "aborted"):
        stored = [game.decode() for game in client.zrevrange(keys.lobby(status), 0, -1)]
        assert stored == before[0][status], "nothing else is left in the index"
    assert client.exists(keys.played("nobody")) == 0
    for name in (keys.playing(ann.id), *others):
        assert client.zscore(name, "no-such-game") is None, name
    assert not client.exists(keys.PACKED_UP_TO), "games that ended before are packed too"
    assert rebuild(Settings(redis_url=redis_url))["removed"] == 0


def test_damaged_games_are_named_and_left_out_and_the_others_come(service, client, redis_url, another, caplog):
    games = [Game.open(service, "creator", "open") for _ in range(4)]
    damaged = {game.id for game in games[:3]}
    client.delete(keys.meta(games[0].id))
    client.delete(keys.meta(games[1].id), keys.log(games[2].id))
    client.set(keys.meta(games[1].id), "no hash")
    client.xadd(keys.log(games[2].id), {"e": "no event"}, id="1-0")
    client.zrem(keys.lobby("open"), *(game.id for game in games[1:]))
    report = rebuild(Settings(redis_url=redis_url))
    assert (report["games"], report["removed"], report["damaged"]) == (1, 0, 3)
    assert all(f"game {game} is left out of the rebuilt lists" in caplog.text for game in damaged)
    assert ids(another().lobby.public(None, "open")) == [games[3].id]
    assert client.zscore(keys.lobby("open"), games[0].id) is not None, "nobody can say that its entry is wrong"


@pytest.mark.parametrize("left", [None, "no hash"])
def test_a_game_is_rebuilt_although_the_one_before_it_is_damaged(service, client, redis_url, left):
    first = Game.begin(service, 2)
    service.tables.leave(first.token(0), first.id, words=EN)
    rematch = read(service.tables.rematch(first.token(1), first.id, words=EN))["id"]
    client.delete(keys.meta(first.id), keys.lobby("open"))
    if left is not None:
        client.set(keys.meta(first.id), left)
    assert rebuild(Settings(redis_url=redis_url))["damaged"] == 1
    assert client.zscore(keys.lobby("open"), rematch) is not None


def test_a_player_who_is_due_is_put_off_by_no_rebuilding(service, client, redis_url):
    due, missing = guest(service), guest(service)
    client.zadd(keys.IDLE, {due.id: 5})
    client.zrem(keys.IDLE, missing.id)
    rebuild(Settings(redis_url=redis_url, idle_player_days=30))
    assert client.zscore(keys.IDLE, due.id) == 5
    assert client.zscore(keys.IDLE, missing.id) > 5


def test_a_game_that_is_due_sooner_than_when_it_was_read_stays_so(service, client, redis_url, monkeypatch):
    game = Game.begin(service, clock=CLOCK)
    rebuild_others, added = rebuilding.add_entries, []

    def meanwhile(redis_client, entries):
        client.zadd(keys.DUE, {game.id: 5})
        added.append(entries)
        rebuild_others(redis_client, entries)

    monkeypatch.setattr("service.upkeep.rebuild.add_entries", meanwhile)
    rebuild(Settings(redis_url=redis_url))
    assert keys.DUE in added[0]
    assert client.zscore(keys.DUE, game.id) == 5


def test_rebuilding_an_empty_installation_does_nothing(client, redis_url):
    assert rebuild(Settings(redis_url=redis_url)) == {"games": 0, "entries": 0, "removed": 0, "damaged": 0}
    assert client.keys("*") == []


def test_long_lists_are_rebuilt_in_parts(client, redis_url):
    trips = []

    class Counted(RedisClient):
        def send(self, *commands):
            trips.append(len(commands))
            return super().send(*commands)

    redis_client, index = Counted(connect(redis_url)), keys.lobby("finished")
    games = {f"game{number}": number for number in range(2 * PART + 1)}
    client.config_resetstat()
    add_entries(redis_client, {index: games})
    assert client.info("commandstats")["cmdstat_zadd"]["calls"] == 3, "one with all would hold up every other call"
    assert dict(client.zrange(index, 0, -1, withscores=True)) == {name.encode(): at for name, at in games.items()}
    assert {game for _, game in listed_entries(redis_client)} == {*games}
    assert client.info("commandstats")["cmdstat_zscan"]["calls"] < 10
    trips.clear()
    add_entries(redis_client, {keys.played(f"player{number}"): {"game": 1} for number in range(LISTS + 1)})
    assert trips == [LISTS, 1]


def test_players_are_listed_many_at_a_time_and_one_who_goes_meanwhile_is_not(client, redis_url, monkeypatch):
    players = [build(Settings(redis_url=redis_url)).players.register("Ann", "human") for _ in range(5)]
    listed = dict(client.zrange(keys.IDLE, 0, -1, withscores=True))
    kept = client.zrange(keys.IDLE, 0, 0)[0]
    client.zadd(keys.IDLE, {kept: 5})
    client.zremrangebyrank(keys.IDLE, 1, -1)
    client.config_resetstat()
    monkeypatch.setattr(rebuilding, "players_in", lambda redis_client: iter([*players_in(redis_client), "gone"]))
    list_players(RedisClient(connect(redis_url)), Settings().idle_ms())
    assert dict(client.zrange(keys.IDLE, 0, -1, withscores=True)) == listed | {kept: 5}
    assert client.info("commandstats")["cmdstat_zadd"]["calls"] == 1
    assert len(listed) == len(players)


def test_rebuilding_while_games_go_on_loses_none(service, client, redis_url, another):
    games, guests = several_games(service)
    rng = random.Random(2)
    settings = Settings(redis_url=redis_url)
    for _ in range(3):
        for game in games:
            if game.guests:
                game.play(rng, 2)
        rebuild(settings)
    for game in games:
        if game.guests:
            game.cut_short()
    before = lists(another(), guests)
    client.delete(*indexes(client))
    rebuild(settings)
    assert lists(another(), guests) == before


# --- a process that dies ---


class Died(BaseException):
    """The process ends here."""


def dying(service, after):
    """Makes a service die after so many commands have reached Redis."""
    redis_client = service.redis
    send = redis_client.send
    left = [after]

    def send_some(*commands):
        if left[0] < len(commands):
            if left[0]:
                send(*commands[: left[0]])
            left[0] = 0
            raise Died
        left[0] -= len(commands)
        return send(*commands)

    redis_client.send = send_some
    service.notifier.queue = lambda step, told: None
    return service


def scenarios():
    """Yields by name what is done before and what is done by the process that dies."""
    yield (
        "create",
        lambda service: [guest(service)],
        lambda service, ann: service.tables.create(ann.token, body("creator", "open"), words=EN),
    )
    yield (
        "create with bots and a clock",
        lambda service: [guest(service)],
        lambda service, ann: service.tables.create(
            ann.token, body("creator", "random", clock=CLOCK), "a key", words=EN
        ),
    )
    yield "sit down", lambda service: [Game.open(service, "creator", "open", "open"), guest(service)], sit_down
    yield "start", lambda service: [Game.open(service, "creator", "open", clock=CLOCK), guest(service)], sit_down
    yield "start with bots", lambda service: [Game.open(service, "random", "open", starter=0), guest(service)], sit_down
    yield (
        "resign",
        lambda service: [Game.begin(service)],
        lambda service, game: service.tables.leave(game.token(0), game.id, words=EN),
    )
    yield (
        "leave a table",
        lambda service: [Game.open(service, "creator", "open")],
        lambda service, game: service.tables.leave(game.token(0), game.id, words=EN),
    )
    yield (
        "abort",
        lambda service: [Game.begin(service)],
        lambda service, game: service.administration.abort(game.id),
    )
    yield "act before a bot", lambda service: [Game.open(service, "creator", "random", starter=0)], act
    yield (
        "rematch",
        lambda service: [resigned(Game.begin(service, 2, clock=CLOCK))],
        lambda service, game: service.tables.rematch(game.token(0), game.id, words=EN),
    )


def resigned(game):
    game.service.tables.leave(game.token(1), game.id, words=EN)
    return game


def sit_down(service, game, newcomer):
    service.tables.take_seat(newcomer.token, game.id, {}, words=EN)
    game.guests[len(game.guests)] = newcomer


def act(service, game):
    service.play.act(game.token(0), game.id, read_action(game.legal(0)[0]), words=EN)


SCENARIOS = {name: (prepare, do) for name, prepare, do in scenarios()}


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_index_never_misses_a_game_wherever_a_process_dies(service, another, client, name):
    prepare, do = SCENARIOS[name]
    deaths, fresh = 0, another()
    for after in range(100):
        client.flushall()
        things = prepare(service)
        try:
            do(dying(another(), after), *things)
            break
        except Died:
            deaths += 1
        check_indexes(client, fresh)
    assert deaths >= 3
    check_indexes(client, fresh)


def check_indexes(client, service):
    """Checks that every game is where it is looked for."""
    log = service.play._log
    for name in client.keys("billet:*:log"):
        snapshot = log.read(name.decode().split("{")[1].split("}")[0]).snapshot
        status = snapshot.state.status
        assert client.zscore(keys.lobby(status), snapshot.id) is not None
        for player in snapshot.players:
            if player is not None and not player.startswith("bot-"):
                index = keys.played(player) if snapshot.ended else keys.playing(player)
                assert client.zscore(index, snapshot.id) is not None
        seat = snapshot.state.to_act
        if seat is not None and (snapshot.deadline is not None or snapshot.players[seat].startswith("bot-")):
            assert client.zscore(keys.DUE, snapshot.id) is not None
