"""Logs of ended games are packed: whoever asks is answered as before, and whatever fails, nothing is lost."""

import random

import pytest

from engine.editions import EDITIONS
from engine.state import ACTIVE
from service import Settings
from service.store import keys
from service.store.log.ended_streams import WHILE_RUNNING
from service.store.redis.client import RedisClient
from service.upkeep import packing
from service.upkeep.ended_logs import stored_logs
from service.upkeep.packing import QUIET_MS
from tests.games.whole_logs import stored_log, whole_story
from tests.service.at_table import Game
from tests.service.upkeep.archived import (
    Crash,
    answers,
    called_off,
    crashing_at,
    ended,
    keys_of,
    made,
    put,
    ways_to_end,
)

KIB = 1024
PACKED = {"meta", "summary", "packed"}


@pytest.fixture
def settings(redis_url, tmp_path) -> Settings:
    return Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive")), retain_finished_days=1)


def size_of(client, game):
    return sum(client.memory_usage(name, samples=0) for name in client.scan_iter(match=f"billet:{{{game}}}:*"))


def pack_all(service):
    """Packs all games that are next, page by page; returns them."""
    found = []
    while True:
        games, upto = service.packing.waiting()
        if upto is None:
            return found
        found += [game for game in games if service.packing.pack(game)]
        service.packing.packed(upto)


# --- what it gives ---


@pytest.mark.parametrize(("seats", "seed"), [(4, 0), (2, 0)])
def test_a_finished_game_takes_at_most_ten_kib(service, client, seats, seed):
    game = put(client, stored_log("standard", seats, seed), 1)
    before = size_of(client, game)
    assert pack_all(service) == [game]
    assert not {*WHILE_RUNNING} & {name.decode() for name in client.hkeys(keys.meta(game))}
    assert size_of(client, game) <= 8 * KIB < 10 * KIB
    assert size_of(client, game) < before / 7


@pytest.mark.parametrize("seed", [1, pytest.param(6, marks=pytest.mark.soak), pytest.param(9, marks=pytest.mark.soak)])
@pytest.mark.parametrize("edition", list(EDITIONS))
def test_so_does_one_of_any_edition_at_the_greatest_table(service, client, edition, seed):
    game = put(client, stored_log(edition, max(EDITIONS[edition].seats), seed), 1)
    assert pack_all(service) == [game]
    assert size_of(client, game) <= 10 * KIB


def test_a_running_game_of_300_events_takes_at_most_forty_kib(service, client):
    for step in whole_story("standard", 4, 4).steps:
        service.play._log.append(step)
        if step.after.version >= 300:
            break
    assert step.after.state.status == ACTIVE
    assert keys_of(client, step.after.id) == {"log", "meta"}
    assert size_of(client, step.after.id) <= 40 * KIB


def test_a_game_is_answered_as_before(service, settings, another, client):
    games = ways_to_end(service)
    before = {game.id: answers(service, game) for game in games}
    logs = [*stored_logs(settings)]
    for game in games:
        assert service.packing.pack(game.id)
        assert keys_of(client, game.id) == PACKED
        assert answers(another(), game) == before[game.id]
        assert [entry.version for entry in service.play._log.entries(game.id, 1, 2)] == [2, 3]
    for game in games[:2]:
        assert answers(service, game) == before[game.id], "a process that knew it before answers the same"
    assert [*stored_logs(settings)] == logs


def test_where_steps_begin_is_known_of_a_packed_game_whose_times_do_not_say(service, another, clock):
    game = ended(service, 2, 3)  # all of it in one millisecond
    before = answers(service, game)
    assert service.packing.pack(game.id)
    assert answers(another(), game) == before


def test_a_packed_game_is_archived_as_any_other(service, another, client):
    game = ended(service, 4, 3)
    before = answers(service, game)
    assert service.packing.pack(game.id)
    assert service.retention.archive(game.id) == "archived"
    assert keys_of(client, game.id) == {"meta", "summary"}
    assert answers(another(), game) == before
    assert not service.packing.pack(game.id)
    assert keys_of(client, game.id) == {"meta", "summary"}


def test_a_redis_whose_memory_is_full_can_be_relieved(service, client):
    game = ended(service)
    before = answers(service, game)
    try:
        client.config_set("maxmemory", "1mb")
        client.config_set("maxmemory-policy", "noeviction")
        assert service.packing.pack(game.id)
    finally:
        client.config_set("maxmemory", "0")
    assert answers(service, game) == before


# --- when ---


def test_games_are_packed_in_the_order_in_which_they_ended(service, clock, client):
    first = ended(service, 1)
    clock.advance(60)
    second, running = ended(service, 2), Game.begin(service).play(random.Random(1), 5)
    clock.advance(QUIET_MS / 1000 - 61)
    assert pack_all(service) == []
    clock.advance(2)
    assert pack_all(service) == [first.id]
    clock.advance(60)
    assert pack_all(service) == [second.id]
    assert pack_all(service) == []
    assert keys_of(client, running.id) == {"log", "meta"}
    assert not service.packing.pack(running.id)


def test_games_that_end_together_are_packed_together(service, client, monkeypatch):
    monkeypatch.setattr(packing, "AT_ONCE", 2)
    games = [called_off(service).id for _ in range(7)]
    for number, game in enumerate(games):
        client.zadd(keys.ENDED, {game: 1000 + number // 5})  # five at once are more than a page
    assert sorted(pack_all(service)) == sorted(games)


def test_games_from_before_are_packed_too(service, client):
    games = [called_off(service).id for _ in range(3)]
    for number, game in enumerate(games):
        client.zadd(keys.ENDED, {game: number + 1})
    service.packing.pack(games[1])  # as by another process
    assert pack_all(service) == [games[0], games[2]]


# --- what fails ---


def test_a_damaged_log_stays_and_the_others_are_packed(service, client, caplog):
    damaged, garbled, sound = (called_off(service).id for _ in range(3))
    for number, game in enumerate((damaged, garbled, sound)):
        client.zadd(keys.ENDED, {game: number + 1})
    client.xdel(keys.log(damaged), "2-0")
    client.xadd(keys.log(garbled), {"e": "{}"}, id="99-0")
    assert pack_all(service) == [sound]
    for game in (damaged, garbled):
        assert keys_of(client, game) == {"log", "meta"}
        assert f"game {game} cannot be packed" in caplog.text


def test_another_log_than_was_read_is_not_packed(service, client):
    game = ended(service)
    log = service.play._log
    snapshot = log.read_uncached(game.id)
    stored = log.stored(snapshot)
    assert not service.packing._streams.pack(snapshot, stored[:-1])
    client.hset(keys.meta(game.id), "head", "1:other")
    assert not service.packing._streams.pack(snapshot, stored)
    client.hset(keys.meta(game.id), mapping={"head": snapshot.head, "status": "active"})
    assert not service.packing._streams.pack(snapshot, stored)
    assert keys_of(client, game.id) == {"log", "meta"}


def test_a_packer_may_end_at_any_step(service, another, monkeypatch, client):
    service.packing.pack(called_off(service).id)  # Redis knows the script from then on
    client.delete(keys.ENDED)
    seen = []
    for step in range(1, 1000):
        game, packer = called_off(service), another()
        client.zadd(keys.ENDED, {game.id: step})
        before = game.view(0), game.events(0), service.games.log(game.token(0), game.id)
        try:
            with crashing_at(step, monkeypatch):
                pack_all(packer)
        except Crash:
            there = keys_of(client, game.id)
            assert there in ({"log", "meta"}, PACKED), "in one form or the other, never in none"
            seen.append("log" in there)
            game.service = another()
            assert (game.view(0), game.events(0), game.service.games.log(game.token(0), game.id)) == before
            assert pack_all(another()) == ([game.id] if "log" in there else [])
        else:
            break
        assert keys_of(client, game.id) == PACKED
        assert (game.view(0), game.events(0), game.service.games.log(game.token(0), game.id)) == before
    assert seen == sorted(seen, reverse=True)
    assert any(seen), "it has steps before the log is packed"
    assert not all(seen), "and some afterwards"


@pytest.mark.parametrize("then", ["packed", "archived"])
def test_a_log_that_moves_while_it_is_read_is_read_whole(service, another, monkeypatch, then):
    move = {"packed": lambda game: service.packing.pack(game), "archived": lambda game: service.retention.archive(game)}
    for step in range(1, 100):
        game = called_off(service)
        before = game.view(0), game.events(0), service.games.log(game.token(0), game.id)
        if then == "archived":
            service.packing.pack(game.id)
        game.service = another()
        send, count = RedisClient.send, 0

        def sending(self, *commands, game=game, step=step, send=send):
            nonlocal count
            count += self is game.service.redis
            if self is game.service.redis and count == step:
                move[then](game.id)
            return send(self, *commands)

        with monkeypatch.context() as patch:
            patch.setattr(RedisClient, "send", sending)
            assert (game.view(0), game.events(0), game.service.games.log(game.token(0), game.id)) == before
        if count < step:
            break
    assert step > 5
