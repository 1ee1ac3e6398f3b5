"""Results: each game that counts has one, in an order that followers resume, whatever is killed on the way."""

import asyncio

import pytest

from games.errors import Unavailable
from games.ratings.places import places_of
from service import Settings, build
from service.changing import changes
from service.jobs import pending, unrecorded
from service.live.results import EVERYBODY
from service.store import keys
from service.store.log.event_log import EventLog
from service.store.scripts import APPEND
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, nearly_won
from tests.service.live.followers import Reader, until
from tests.service.store.nodes.on_nodes import game_on


def ended(service, seats=2, **more):
    return Game.begin(service, seats, **more).cut_short()


def recorded(service, *games):
    for game in games:
        service.recording.record(game.id)
    return games


def ids(results):
    return [result["game"] for result in results]


def all_of(service):
    return service.results.page(None)["results"]


def unrecorded_games(client):
    return [game.decode() for game in client.zrange(keys.UNRECORDED, 0, -1)]


def test_a_result_says_who_played_what_they_won_and_in_which_place(service):
    game = Game.begin(service, 3, edition="classic")
    service.tables.leave(game.token(1), game.id, words=EN)
    service.tables.leave(game.token(0), game.id, words=EN)
    (result,) = recorded(service, game) and all_of(service)
    view = game.view()
    seats = result.pop("seats")
    assert result == {
        "cursor": result["cursor"],
        "game": game.id,
        "edition": "classic",
        "winners": [2],
        "rated": False,
        "ended_at": view["finished_at"],
    }
    assert [seat["player"] for seat in seats] == [seat["player"] for seat in view["seats"]]
    assert [(seat["bot"], seat["tokens"], seat["place"]) for seat in seats] == [
        (None, 0, 2),
        (None, 0, 2),
        (None, 0, 1),
    ]


def test_the_services_bots_are_named_as_such(service):
    game = Game.begin(service, 2)
    service.tables.leave(game.token(0), game.id, words=EN)
    with_bots = Game.open(service, "creator", "random", "random").cut_short()
    service.tables.leave(with_bots.token(0), with_bots.id, words=EN)
    while with_bots.to_act() is not None:
        service.play.bot_turns(with_bots.id, 0)
    recorded(service, with_bots)
    (result,) = all_of(service)
    assert [seat["bot"] for seat in result["seats"]] == [None, "random", "random"]
    names = [seat["player"]["name"] for seat in result["seats"]]
    assert len({*names}) == 3, "bots at one table have distinct names"
    places = places_of(EventLog(service.redis).read(with_bots.id).snapshot.state)
    assert [seat["place"] for seat in result["seats"]] == places


def test_games_that_do_not_count_have_none(service, client):
    hidden = ended(service, visibility="unlisted")
    sandbox = ended(service, sandbox=nearly_won("standard", 2))
    off = Game.open(service, "creator", "open")
    service.administration.abort(off.id)
    running = Game.begin(service)
    assert unrecorded_games(client) == []
    recorded(service, hidden, sandbox, off, running)
    service.recording.record("no-such-game")
    assert all_of(service) == []


def test_a_result_is_recorded_once_however_often_its_job_runs(service, client):
    games = [ended(service) for _ in range(3)]
    assert {*unrecorded_games(client)} == {game.id for game in games}
    recorded(service, *games, *games)
    assert ids(all_of(service)) == [game.id for game in games]
    assert unrecorded_games(client) == []


def test_pages_go_on_where_they_end(service):
    games = recorded(service, *[ended(service) for _ in range(5)])
    read, cursor = [], 0
    while (page := service.results.page(None, after=cursor, limit=2))["results"]:
        assert len(page["results"]) <= 2
        read += page["results"]
        cursor = page["cursor"]
    assert ids(read) == [game.id for game in games]
    cursors = [result["cursor"] for result in read]
    assert cursors == sorted({*cursors})
    assert page == {"results": [], "cursor": cursors[-1]}


def test_a_page_passes_over_damaged_and_removed_games_and_is_full(service, client):
    games = recorded(service, *[ended(service) for _ in range(5)])
    client.delete(keys.meta(games[0].id))
    service.administration.delete(games[2].id)
    page = service.results.page(None, limit=2)
    assert ids(page["results"]) == [games[1].id, games[3].id]
    assert client.zscore(keys.RESULTS, games[2].id) is None
    recorded(service, games[2])
    assert ids(service.results.page(None, after=page["cursor"])["results"]) == [games[4].id]


def test_numbers_grow_when_redis_has_lost_them_and_when_the_clock_is_set_back(service, client, clock):
    first, second, third = (ended(service) for _ in range(3))
    recorded(service, first)
    clock.advance(-3600)
    recorded(service, second)
    one, two = (result["cursor"] for result in all_of(service))
    assert two == one + 1
    client.delete(keys.RESULTS, keys.LAST_RESULT)
    clock.advance(7200)
    recorded(service, third)
    assert all_of(service)[0]["cursor"] > two, "a cursor from before the loss misses nothing"


# --- whatever is killed ---


def test_a_game_whose_end_nobody_handed_to_the_workers_is_found_by_the_sweepers(service, client, clock, monkeypatch):
    monkeypatch.setattr(changes.Jobs, "enqueue", lambda self, tasks: None)
    game = ended(service)
    assert service.unrecorded.tasks() == [], "its job may be on its way"
    clock.advance((pending.GRACE_MS + 1) / 1000)
    (task,) = service.unrecorded.tasks()
    assert (task.kind, task.game) == ("record", game.id)
    assert service.unrecorded.tasks() == [], "it is claimed"
    clock.advance((pending.LONGEST_PAUSE_MS + pending.GRACE_MS) / 1000)
    assert [task.game for task in service.unrecorded.tasks()] == [game.id], "until it is done"
    recorded(service, game)
    clock.advance((pending.LONGEST_PAUSE_MS + pending.GRACE_MS) / 1000)
    assert service.unrecorded.tasks() == []


def test_without_the_entry_nothing_ends_and_without_the_end_the_entry_goes(service, client, clock, monkeypatch):
    run_script = type(service.redis).run
    lost = []

    def lose_append(self, script, names, arguments, before=()):
        if script is not APPEND or not any(command[1] == keys.UNRECORDED for command in before):
            return run_script(self, script, names, arguments, before)
        lost.append(self.send(*before))  # then the process is killed
        raise KeyboardInterrupt

    game = Game.begin(service)
    with monkeypatch.context() as patched:
        patched.setattr(type(service.redis), "run", lose_append)
        with pytest.raises(KeyboardInterrupt):
            service.tables.leave(game.token(0), game.id, words=EN)
    assert unrecorded_games(client) == [game.id]
    service.recording.record(game.id)
    assert unrecorded_games(client) == [game.id], "the append may come at any moment"
    for _ in range(2):
        clock.advance((unrecorded.LEASE_MS + pending.GRACE_MS + 1) / 1000)
        assert service.unrecorded.tasks() == []
    assert unrecorded_games(client) == []
    recorded(service, game.cut_short())
    assert ids(all_of(service)) == [game.id]


def test_a_job_that_dies_between_its_steps_is_repeated(service, client, monkeypatch):
    game = ended(service)
    with monkeypatch.context() as patched:
        patched.setattr(type(service.recording._unrecorded), "remove", refuse)
        with pytest.raises(Unavailable):
            service.recording.record(game.id)
    assert unrecorded_games(client) == [game.id]
    (before,) = all_of(service)
    recorded(service, game)
    assert all_of(service) == [before]
    assert unrecorded_games(client) == []


def refuse(*_):
    raise Unavailable("away")


def test_rebuilding_records_what_is_missing_in_the_order_of_the_ends_and_keeps_the_rest(
    service, client, clock, redis_url
):
    kept = recorded(service, *[ended(service) for _ in range(2)])
    before = all_of(service)
    games = []
    for _ in range(4):
        clock.advance(1)
        games.append(ended(service))
    recorded(service, games[2])
    client.zrem(keys.RESULTS, games[2].id)
    client.delete(keys.UNRECORDED)
    service.retention.archive(games[0].id)
    assert rebuild(Settings(redis_url=redis_url))["removed"] == 0
    assert all_of(service)[:2] == before
    assert ids(all_of(service)) == [game.id for game in (*kept, *games)]
    assert unrecorded_games(client) == []


# --- following ---


async def test_followers_get_each_result_once_and_in_order(service, another):
    feeds = service.feeds()
    first = recorded(service, ended(service))[0]
    begun = service.results.begin(None, 0)
    assert ids(begun.results) == [first.id]
    late, early = Reader(service.results.begin(None).version), Reader(0)
    for reader in (late, early):
        await feeds.results.join(EVERYBODY, reader)
    games = [await asyncio.to_thread(ended, another()) for _ in range(3)]
    await asyncio.to_thread(recorded, another(), *games)
    await until(lambda: len(late.got) == 3 and len(early.got) == 4)
    assert ids(late.got) == [game.id for game in games]
    assert ids(early.got) == [game.id for game in (first, *games)]
    assert late.version == early.version == service.results.begin(None).version
    feeds.close()
    assert late.closed


async def test_a_follower_far_behind_gets_everything(service, monkeypatch):
    monkeypatch.setattr("service.live.cursor_feeds.PAGE", 2)
    feeds = service.feeds()
    games = await asyncio.to_thread(lambda: recorded(service, *[ended(service) for _ in range(7)]))
    reader = Reader(0)
    await feeds.results.join(EVERYBODY, reader)
    await until(lambda: len(reader.got) == 7)
    assert ids(reader.got) == [game.id for game in games]
    feeds.close()


async def test_a_long_poll_ends_with_the_next_result(service):
    feeds = service.feeds()
    cursor = service.results.page(None)["cursor"]
    waiting = asyncio.create_task(feeds.results.wait(EVERYBODY, cursor, 60))
    game = await asyncio.to_thread(ended, service)
    await asyncio.sleep(0)
    assert not waiting.done(), "the game has ended, and its result is not recorded"
    await asyncio.to_thread(recorded, service, game)
    await waiting
    assert ids(service.results.page(None, after=cursor)["results"]) == [game.id]
    feeds.close()


async def test_what_was_published_while_nobody_listened_is_found(service, monkeypatch):
    monkeypatch.setattr("service.live.hub.SWEEP_SECONDS", 0.05)
    feeds = service.feeds()
    reader = Reader(0)
    await feeds.results.join(EVERYBODY, reader)
    monkeypatch.setattr(type(service.redis), "channel", lambda self, name: "elsewhere")
    game = await asyncio.to_thread(ended, service)
    await asyncio.to_thread(recorded, service, game)
    await until(lambda: reader.got)
    assert ids(reader.got) == [game.id]
    feeds.close()


async def test_on_a_cluster_results_of_games_on_all_nodes_come_in_order(nodes, redis_url):
    service = build(Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url))
    games = recorded(service, *[game_on(service, node).cut_short() for node in nodes.nodes])
    feeds = service.feeds()
    reader = Reader(0)
    await feeds.results.join(EVERYBODY, reader)
    await until(lambda: len(reader.got) == len(games))
    assert ids(reader.got) == [game.id for game in games]
    another = (await asyncio.to_thread(lambda: recorded(service, ended(service))))[0]
    await until(lambda: len(reader.got) == len(games) + 1)
    assert reader.got[-1]["game"] == another.id
    feeds.close()
