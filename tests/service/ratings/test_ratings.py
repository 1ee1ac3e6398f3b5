"""Ratings are a fold over results: in the order of the ends, each game once, whatever comes late or is killed."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from games.errors import Unavailable
from games.ratings.fold import occasion_of, standings_after
from games.ratings.pools import RatedGame
from games.ratings.standing import DAY_MS, STEADY
from service import Settings, build
from service.results import rating as folding
from service.store import keys
from service.store.ratings.stored_pools import StoredPool
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, guest
from tests.service.ratings.rated_games import POOL, rated, recorded, steady

PLAYERS = [f"p{n:020x}" for n in range(6)]


@pytest.fixture
def pool(service):
    return StoredPool(service.redis, POOL)


def made_up(count, seed=1, since=20_000 * DAY_MS):
    """Returns games of up to four players, some of them at the same millisecond, in the order of the fold."""
    rng = random.Random(seed)
    games = []
    for number in range(count):
        players = [*rng.sample(PLAYERS, rng.choice([2, 2, 3, 4])), *rng.sample(["bot-random", "bot-expert"], 1)]
        places = [rng.randint(1, 3) for _ in players]
        ended = since + rng.randrange(4 * DAY_MS) // 10**7 * 10**7
        games.append(RatedGame(f"game{number:04}", ended, tuple(players), tuple(places)))
    return sorted(games, key=lambda game: (game.ended_ms, game.game))


def expected(games):
    """Returns what the games make of everybody, folded one by one in memory, and the outcome of each."""
    known, occasions, outcomes = {}, {}, {}
    for game in games:
        earlier = occasions.get(occasion_of(game), 0)
        occasions[occasion_of(game)] = earlier + 1
        outcomes[game.game] = standings_after(game, known, earlier)
        known |= outcomes[game.game]
    return known, outcomes


def check(service, pool, games):
    known, outcomes = expected(games)
    assert pool.games() == [game.game for game in games]
    assert pool.outcomes(pool.games()) == [outcomes[game.game] for game in games]
    assert pool.latest(PLAYERS) == [known.get(player) for player in PLAYERS]


def test_folded_in_parts_it_is_the_fold_in_memory(service, pool, monkeypatch):
    monkeypatch.setattr(folding, "AT_ONCE", 7)
    games = made_up(120)
    for game in games:
        pool.add(game)
        if game.ended_ms % 3 == 0:
            assert service.ratings.fold(POOL, 60)
    assert service.ratings.fold(POOL, 60)
    check(service, pool, games)


@pytest.mark.parametrize("seed", range(4))
def test_games_that_come_late_are_folded_in_their_place(service, pool, monkeypatch, seed):
    monkeypatch.setattr(folding, "AT_ONCE", 5)
    games = made_up(60, seed)
    coming = [*games]
    random.Random(seed).shuffle(coming)
    for number, game in enumerate(coming):
        pool.add(game)
        pool.add(game)
        if number % 4 == 0:
            service.ratings.fold(POOL, 60)
    service.ratings.fold(POOL, 60)
    check(service, pool, games)


def test_a_game_that_is_removed_never_counted(service, pool):
    games = made_up(40)
    for game in games:
        pool.add(game)
    service.ratings.fold(POOL, 60)
    for gone in (games[20], games[0], games[-1]):
        pool.remove(gone.game)
        games.remove(gone)
        service.ratings.fold(POOL, 60)
        check(service, pool, games)
    for game in games:
        pool.remove(game.game)
    assert pool.latest(PLAYERS) == [None] * len(PLAYERS)
    assert pool.page(0, 10) == ([], 0)


def test_another_account_of_a_game_replaces_the_first(service, pool):
    games = made_up(20)
    for game in games:
        pool.add(game._replace(places=game.places[::-1]))
    service.ratings.fold(POOL, 60)
    for game in games:
        pool.add(game)
    service.ratings.fold(POOL, 60)
    check(service, pool, games)


def test_of_several_who_fold_at_once_each_game_counts_once(service, pool, another, monkeypatch):
    monkeypatch.setattr(folding, "AT_ONCE", 3)
    games, others = made_up(80), [another() for _ in range(4)]

    def work(n):
        for game in games[n::4]:
            StoredPool(others[n].redis, POOL).add(game)
            others[n].ratings.fold(POOL, 60)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert service.ratings.fold(POOL, 60)
    check(service, pool, games)


def test_what_was_folded_on_old_knowledge_is_not_written(service, pool):
    games = made_up(12)
    for game in games[1:]:
        pool.add(game)
    stale = pool.unfolded(5)
    pool.add(games[0])
    outcomes = {game: {} for game in stale.ids}
    assert not pool.commit(stale, outcomes, {}, {}), "another game is at their place"
    service.ratings.fold(POOL, 60)
    assert not pool.commit(stale, outcomes, {}, {}), "they are folded"
    stale = pool.unfolded(5)
    pool.remove(games[3].game)
    assert not pool.commit(stale._replace(folded=11, ids=[]), {}, {}, {}), "the pool has gone back"
    service.ratings.fold(POOL, 60)
    check(service, pool, [*games[:3], *games[4:]])


DAMAGED = [
    b"\xff",
    b"{}",
    b"[1,[],[1],[]]",
    b'[1,["p1","p2"],["x","y"],[]]',
    b'[1,["p1","bot-unknown"],[1,2],[]]',
    None,
]
"""What may stand in the place of what a game says; None: nothing."""


@pytest.mark.parametrize("raw", DAMAGED)
def test_a_damaged_game_of_a_pool_rates_nobody_and_all_others_as_without_it(service, pool, client, caplog, raw):
    games = made_up(30)
    for game in games:
        pool.add(game)
    for damaged in (games[0], games[12]):
        if raw is None:
            client.hdel(keys.of_pool(POOL, "inputs"), damaged.game)
        else:
            client.hset(keys.of_pool(POOL, "inputs"), damaged.game, raw)
    assert service.ratings.fold(POOL, 60)
    known, outcomes = expected([game for game in games if game not in (games[0], games[12])])
    assert pool.latest(PLAYERS) == [known.get(player) for player in PLAYERS]
    assert pool.outcomes(pool.games()) == [outcomes.get(game.game, {}) for game in games]
    noted = {game.decode() for game in client.zrange(keys.DAMAGED, 0, -1)}
    assert noted == {games[0].game, games[12].game}, "operators are told"
    assert f"game {games[12].game} is left out of the ratings" in caplog.text
    for game in games:  # as a rebuild does
        pool.add(game)
    service.ratings.fold(POOL, 60)
    check(service, pool, games)


def test_a_damaged_game_can_be_taken_out_of_a_pool(service, pool, client):
    games = made_up(12)
    for game in games:
        pool.add(game)
    service.ratings.fold(POOL, 60)
    client.hset(keys.of_pool(POOL, "inputs"), games[5].game, b"{")
    service.ratings.remove_damaged(games[5].game)
    assert games[5].game not in pool.games()
    pool.begin_anew()
    service.ratings.fold(POOL, 60)
    check(service, pool, [*games[:5], *games[6:]])


@pytest.mark.parametrize("raw", [b"\xff", b"[]", b'["x",1,1,1,0]'])
def test_a_damaged_rating_of_a_player_is_left_out_wherever_it_is_read(service, client, raw):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    recorded(service, rated(service, ann, ben))
    client.hset(keys.of_pool(POOL, "latest"), ann.id, raw)
    assert service.pages.page(None, ann.id, EN)["ratings"] == []
    assert service.queue.ask(ann.token, {"edition": "standard", "seats": [2], "rated": True}).ticket["rated"]
    recorded(service, rated(service, ann, ben))
    assert service.pages.page(None, ann.id, EN)["ratings"][0]["games"] == 2


def test_a_fold_that_takes_long_goes_on_where_it_was(service, pool, monkeypatch):
    monkeypatch.setattr(folding, "AT_ONCE", 4)
    games = made_up(20)
    for game in games:
        pool.add(game)
    parts = 0
    while not service.ratings.fold(POOL, -1):
        parts += 1
    assert parts == 5
    check(service, pool, games)


# --- games that are played ---


def test_a_rated_game_counts_once_and_others_do_not(service, pool):
    game = rated(service)
    ann, ben = game.guests[0], game.guests[1]
    recorded(service, game, Game.begin(service).cut_short())
    won, lost = pool.latest([ann.id, ben.id])
    assert won.rating.mean > 1500 > lost.rating.mean
    assert pool.games() == [game.id]
    recorded(service, game)
    assert pool.latest([ann.id, ben.id]) == [won, lost]


def test_programs_have_pools_of_their_own(service):
    game = rated(service, kind="bot")
    recorded(service, game)
    assert StoredPool(service.redis, "standard-2-days-programs").games() == [game.id]


def test_a_job_that_dies_anywhere_is_repeated(service, client, pool, monkeypatch):
    game = rated(service)
    for name in ("commit", "add"):
        with monkeypatch.context() as patched:
            patched.setattr(StoredPool, name, refuse)
            with pytest.raises(Unavailable):
                service.recording.record(game.id)
        assert client.zrange(keys.UNRECORDED, 0, -1) == [game.id.encode()]
    recorded(service, game)
    assert [one.games for one in pool.latest([game.guests[0].id, game.guests[1].id])] == [1, 1]
    assert client.zcard(keys.UNRECORDED) == 0


def refuse(*_):
    raise Unavailable("away")


def test_what_is_not_folded_yet_stays_to_be_recorded(service, client, pool, monkeypatch):
    monkeypatch.setattr(folding, "FOLDING_SECONDS", -1)
    monkeypatch.setattr(folding.Ratings.rate, "__defaults__", (-1,))
    game = rated(service)
    service.recording.record(game.id)
    assert client.zcard(keys.UNRECORDED) == 1
    monkeypatch.setattr(folding.Ratings.rate, "__defaults__", (60,))
    service.recording.record(game.id)
    assert client.zcard(keys.UNRECORDED) == 0


def stored(client):
    """Returns everything that is stored of pools, but for what counts how often they were folded."""
    found = {}
    for name in client.keys("billet:{pool:*"):
        kind = client.type(name)
        if kind == b"zset":
            found[name] = client.zrange(name, 0, -1, withscores=True)
        elif not name.endswith(b":state"):
            found[name] = client.hgetall(name)
    return found


def played(service, clock, count, seed=1):
    rng = random.Random(seed)
    people = [guest(service, f"P{n}") for n in range(4)]
    games = []
    for _ in range(count):
        clock.advance(rng.randrange(40_000))
        games.append(rated(service, *rng.sample(people, 2)))
    rng.shuffle(games)
    return recorded(service, *games)


def test_rebuilding_makes_the_same_ratings_to_the_last_digit(service, client, clock, redis_url):
    games = played(service, clock, 25)
    service.retention.archive(games[3].id)
    service.packing.pack(games[4].id)
    before = stored(client)
    assert len(before) > 5
    rebuild(Settings(redis_url=redis_url))
    assert stored(client) == before
    client.delete(*client.keys("billet:{pool:*"))
    rebuild(Settings(redis_url=redis_url))
    assert stored(client) == before


def test_rebuilding_takes_out_what_no_log_says_and_mends_what_was_changed(service, client, clock, redis_url, pool):
    played(service, clock, 8)
    before = stored(client)
    pool.add(RatedGame("nosuchgame", 5, (PLAYERS[0], PLAYERS[1]), (1, 2)))
    service.ratings.fold(POOL, 60)
    client.hset(keys.of_pool(POOL, "outcomes"), pool.games()[3], b"{}")
    rebuild(Settings(redis_url=redis_url))
    assert {name: value for name, value in stored(client).items() if value} == before


def test_rebuilding_leaves_games_that_end_meanwhile_in_place(service, client, clock, redis_url, pool, monkeypatch):
    played(service, clock, 6)
    added = []
    begin_anew = StoredPool.begin_anew

    def ending(self):
        if not added:
            clock.advance(1)
            added.extend(recorded(service, rated(service)))
        begin_anew(self)

    monkeypatch.setattr(StoredPool, "begin_anew", ending)
    rebuild(Settings(redis_url=redis_url))
    assert pool.games()[-1] == added[0].id
    before = stored(client)
    monkeypatch.undo()
    rebuild(Settings(redis_url=redis_url))
    assert stored(client) == before


# --- players who go ---


def test_the_table_has_those_whose_ratings_are_steady_the_strongest_first(service, clock, pool):
    recorded(service, rated(service))
    assert pool.page(0, 10) == ([], 0)
    ann, ben = steady(service, clock)
    page, count = pool.page(0, 10)
    assert ({*page}, count) == ({ann.id, ben.id}, 2)
    means = [one.rating.mean for one in pool.latest(page)]
    assert means == sorted(means, reverse=True)
    assert all(one.rating.deviation <= STEADY for one in pool.latest(page))
    assert [pool.rank(player) for player in page] == [0, 1]


def test_erasing_a_player_leaves_the_ratings_of_others(service, client, clock, pool, redis_url):
    ann, ben = steady(service, clock)
    before = pool.latest([ann.id])
    service.administration.erase(ben.id)
    assert pool.page(0, 10)[0] == [ann.id]
    recorded(service, rated(service, ann, guest(service)))
    rebuild(Settings(redis_url=redis_url))
    assert pool.page(0, 10)[0] == [ann.id]
    assert pool.latest([ann.id])[0].games == before[0].games + 1


def test_a_deleted_game_is_taken_out_of_the_ratings(service, client, clock, pool, redis_url):
    games = played(service, clock, 6)
    service.administration.delete(games[2].id)
    client.delete(keys.meta(games[4].id))
    service.administration.delete(games[4].id)
    assert not {games[2].id, games[4].id} & {*pool.games()}
    before = stored(client)
    rebuild(Settings(redis_url=redis_url))
    assert stored(client) == before


def test_on_a_cluster_pools_are_folded_too(nodes, redis_url):
    service = build(Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url))
    game = rated(service)
    recorded(service, game)
    found = StoredPool(service.redis, POOL).history(game.guests[0].id, 10)
    assert [(one, standing.games) for one, standing in found] == [(game.id, 1)]


def test_the_history_of_a_player_is_in_order(service, clock, pool):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    games = []
    for _ in range(5):
        clock.advance(60)
        games += recorded(service, rated(service, ann, ben))
    found = pool.history(ann.id, 3)
    assert [game for game, _ in found] == [game.id for game in games[2:]]
    assert [standing.games for _, standing in found] == [3, 4, 5]
    gains = [later.rating.mean - one.rating.mean for (_, one), (_, later) in pairwise(pool.history(ann.id, 10))]
    assert gains == sorted(gains, reverse=True), "the same two count less and less on a day"
