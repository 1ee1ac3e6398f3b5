"""`kill -9` of any process at any moment loses no answered action, doubles none, and leaves no game hanging.

A killed process keeps what it has handed to the kernel, so that killing Redis cannot tell `appendfsync always` from
`no`; that needs a machine that loses its power. What can be shown is shown here in three parts: the storm of kills runs
against the default, which is asked to be `always`; the file of the killed Redis, cut short at any byte as a lost
machine may leave it, gives back whole actions only; and the checks notice when an answered action is missing.
"""

import itertools
import os
import random
import shutil
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
import redis

from billet.redis import embedded as embedded_redis
from tests.e2e.faults import faulty_billet
from tools.players.ledger import Ledger, Log, check_all, check_ended, check_nothing_lost, check_whole, read_logs
from tools.players.retrying import Retrying
from tools.players.tables import CREATOR, OPEN, bot, bots, together
from tools.testbed.fire import ALLOWED, PAUSE, SUPERVISOR, WHOLE_TREE, Fire
from tools.testbed.installation import Installation
from tools.testbed.processes import kill, wait_until_gone
from tools.testbed.waiting import wait_until

KILLS = ["redis", "worker", "api-process", "api"]
PAUSES = ["redis", "api-process"]
"""What stands still for a moment besides, and wakes with the memory of another time."""
ACTIONS_BETWEEN = 10
"""How many actions are answered between one kill and the next but one."""
NOTICES = "/v1/players/me/events"


def plan(generator, times):
    """Everything that is killed or paused, so many times, in an order that the generator gives.

    The supervisor is killed with the whole tree; in a long storm also alone, whereupon the others end by themselves.
    """
    parts = times * (KILLS + [f"{PAUSE}{part}" for part in PAUSES])
    generator.shuffle(parts)
    parts[len(parts) // 3 : len(parts) // 3] = [WHOLE_TREE]
    if times > 1:
        parts[2 * len(parts) // 3 : 2 * len(parts) // 3] = [SUPERVISOR]
    return parts


def amid_play(parts, ledger, playing):
    """Yields what is to be killed next: at once, or after some play, in turn."""
    for n, part in enumerate(parts):
        aim = len(ledger.taken) + (0, ACTIONS_BETWEEN)[n % 2]
        while len(ledger.taken) < aim and not any(thread.done() for thread in playing):
            time.sleep(0.02)
        yield part


# --- who plays during the storm ---


def with_bots(player, n, first="cautious"):
    """A game against bots, under a clock that a retried call may miss."""
    edition = ("standard", "classic")[n % 2]
    seats = [bot(first), CREATOR, *bots(1 + n % 2)]
    kind = ({"kind": "bank", "increment": 1}, {"kind": "decision"})[n % 2]
    clock = {**kind, "seconds": 3, "on_timeout": "bot_plays"}
    return player.create({"edition": edition, "seats": seats, "clock": clock})


def with_an_absent(player, absent, n):
    """A game in which somebody never acts: first the clock does for them, in every other game they forfeit."""
    clock = {"seconds": 1, "on_timeout": ("bot_plays", "forfeit")[n % 2]}
    game = player.create({"edition": "standard", "seats": [CREATOR, OPEN, *bots(2)], "clock": clock})
    absent.join(game)
    return game


def only_bots(player, n):
    """A table of bots, which the player watches."""
    return player.create({"edition": "classic", "seats": bots(2 + n % 3)})


def unwatched(player, absent, n):
    """A game in which nobody acts and which nobody looks at: only the workers can go on with it."""
    clock = {"seconds": 1, "on_timeout": "bot_plays"}
    game = player.create({"edition": "standard", "seats": [OPEN, *bots(3)], "clock": clock})
    absent.join(game)
    return game


def keep_opening_unwatched(player, absent, installation, over):
    """Opens one game after another that only the workers can go on with, and waits for each to end."""
    for n in itertools.count():
        game = unwatched(player, absent, n)
        until = time.monotonic() + 200
        while installation.status_of(game) != "finished":
            assert time.monotonic() < until, f"{game} does not end"
            time.sleep(0.5)
        if over.is_set():
            return


def keep_playing(player, open_table, over):
    """Plays one game after another until the storm is over, resigns in the last one, and waits for its end."""
    for n in itertools.count():
        game = open_table(player, n)
        player.play(game, is_done=lambda view: over.is_set())
        if over.is_set():
            player.resign(game)
            return


def keep_playing_together(players, over):
    """Two people without a clock play one game after another."""
    host, guest = players
    failed = threading.Event()  # nobody else can go on for one who has

    def play(player, game):
        try:
            player.play(game, is_done=lambda view: failed.is_set() or over.is_set())
        except BaseException:
            failed.set()
            raise

    for n in itertools.count():
        game = host.create({"edition": ("classic", "standard")[n % 2], "seats": [CREATOR, OPEN]})
        guest.join(game)
        together([partial(play, player, game) for player in players])
        if over.is_set():
            host.resign(game)
            return


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "times", "jumps"),
    [
        (1, 1, False),
        *(pytest.param(seed, 6, False, marks=pytest.mark.soak) for seed in range(2, 7)),
        *(pytest.param(seed, 6, True, marks=pytest.mark.soak) for seed in range(7, 11)),
    ],
)
def test_kills_at_random_moments(installation, tmp_path, closed, seed, times, jumps):
    """Kills of every process there is; games go on until all have happened. The workers' clocks may jump meanwhile."""
    if jumps:
        program = (sys.executable, "-P", faulty_billet.__file__)
        installation = Installation(tmp_path, program, API_PROCESSES="2", WORKERS="2")
        (tmp_path / faulty_billet.CLOCK_JUMPS).touch()
        installation.start()
        closed(installation)
    with installation.redis() as client:
        others = set(read_logs(client))
        assert client.config_get("append*")["appendonly"] == "yes"
        assert client.config_get("append*")["appendfsync"] == "always"
    ledger, over = Ledger(), threading.Event()
    players = [closed(Retrying(installation.base, name, ledger)) for name in "abcdefghi"]
    a, b, c, absent, d, e, f, g, h = players
    for player in players:
        player.ask("GET", NOTICES)  # from now on what they are told is kept
        player.rest = 0.1
    fire, parts = Fire(installation, seed), plan(random.Random(seed), times)
    with ThreadPoolExecutor(7) as pool:
        playing = [
            pool.submit(keep_playing, a, with_bots, over),
            # An expert thinks in jobs of its own; there are kills enough for that in the long storms alone.
            *([pool.submit(keep_playing, b, partial(with_bots, first="expert"), over)] if times > 1 else []),
            pool.submit(keep_playing, c, partial(lambda player, n: with_an_absent(player, absent, n)), over),
            pool.submit(keep_playing, d, lambda player, n: with_an_absent(player, absent, n + 1), over),
            pool.submit(keep_playing_together, (e, f), over),
            pool.submit(keep_playing, g, only_bots, over),
            pool.submit(keep_opening_unwatched, h, absent, installation, over),
        ]
        try:
            fire.run(amid_play(parts, ledger, playing), playing)
        finally:
            over.set()
        for thread in playing:
            thread.result(240)
    installation.wait_until_ready()
    with installation.redis() as client:
        logs = read_logs(client, others)
    check_ended(logs)
    for player in players:
        check_told(player, logs)
    # Where clocks jump the times in a log say nothing about how long anybody waited.
    longest = check_nothing_lost(ledger, logs) if jumps else check_all(ledger, logs, fire.outages, ALLOWED)
    for player in players:
        check_lists(player, logs)
    check_results(players[0], logs)
    kills = sum(not part.startswith(PAUSE) for part in parts)
    assert len(fire.killed) >= kills, "somebody has ended before the storm was over"
    assert len(ledger.taken) >= ACTIONS_BETWEEN * (kills // 2), "there was no play to disturb"
    repeats = sum(player.repeats for player in players)
    assert repeats > 0, "the kills disturbed nobody"
    print(
        f"\n{len(fire.killed)} kills, {len(logs)} games, {len(ledger.taken)} actions answered, {repeats} calls"
        f" repeated; Redis or a worker away {sum(end - begin for begin, end in fire.outages):.1f} s;"
        f" longest: {', '.join(f'{kind} {delay:.2f} s' for kind, delay in longest.items()) or 'not measured'}"
    )


def check_lists(player, logs):
    """Checks that no index has lost a game: one's own games are those that the logs know one from."""
    listed, path = [], "/v1/players/me/games?limit=50"
    while True:
        page = player.ask("GET", path).json()
        listed += page["items"]
        if page["next_cursor"] is None:
            break
        path = f"/v1/players/me/games?limit=50&cursor={page['next_cursor']}"
    sat = [game for game, log in logs.items() if player.id in players_of(log)]
    assert sorted(item["id"] for item in listed) == sorted(sat)
    assert {item["status"] for item in listed} <= {"finished"}


def check_results(player, logs):
    """Checks that each game has one result: it is recorded soon after the end, whoever was killed in between."""

    def recorded():
        found, cursor = [], 0
        while page := player.ask("GET", f"/v1/results?after={cursor}").json()["results"]:
            found += [result["game"] for result in page if result["game"] in logs]
            cursor = page[-1]["cursor"]
        return sorted(found)

    wait_until(lambda: len(recorded()) >= len(logs), lambda: f"no result of some of {sorted(logs)}: {recorded()}")
    assert recorded() == sorted(logs)


def check_told(player, logs):
    """Checks that a player was told of each of their games that it began and that it was over, and nothing twice.

    A turn that is over when somebody comes to tell of it is not told of.
    """
    sat = sorted(game for game, log in logs.items() if player.id in players_of(log))

    def over():
        return sorted(notice["game"] for notice in all_told(player) if notice["type"] == "game_over")

    wait_until(lambda: over() == sat, lambda: f"not told of the end of each of {sat}: {over()}")
    told = all_told(player)
    assert sorted(notice["game"] for notice in told if notice["type"] == "game_started") == sat
    assert [notice["cursor"] for notice in told] == list(range(1, len(told) + 1))
    once = {(notice["type"], notice["game"], notice["version"]) for notice in told}
    assert len(once) == len(told), "told twice"
    for kind, game, version in once:
        if kind == "your_turn":
            put = logs[game].events[version - 1]
            assert put["type"] in ("turn_started", "decision_opened")
            assert players_of(logs[game])[put["data"]["seat"]] == player.id


def all_told(player):
    told, cursor = [], 0
    while True:
        page = player.ask("GET", f"{NOTICES}?after={cursor}").json()
        if not page["events"]:
            return told
        told += page["events"]
        cursor = page["cursor"]


def players_of(log):
    return next(event["data"]["players"] for event in log.events if event["type"] == "game_started")


# --- what a lost machine leaves, and whether the checks would notice ---


class Played(NamedTuple):
    """What clients were told in a few games, the logs, and the files that a killed Redis left."""

    ledger: Ledger
    logs: dict[str, Log]
    others: set[str]
    """Games that have nothing to do with it."""
    files: Path
    places: list[int]
    """How many bytes Redis had written before the games, before the last one of them, and at the end."""


@pytest.fixture(scope="module")
def played(served, tmp_path_factory):
    log, ledger = end_of_log(served.data_dir / "redis"), Ledger()
    places = [log.stat().st_size]
    with served.redis() as client:
        others = set(read_logs(client))
    player = Retrying(served.base, "seed", ledger)
    for n in range(2):
        game = with_bots(player, n)
        player.play(game, is_done=lambda view: view["round"]["number"] == 3)
        player.resign(game)
    places.append(log.stat().st_size)
    # The third game stops at a person's turn: no event follows. Redis still notes which players have been told.
    # The person begins, so that an action of theirs is among what comes last.
    waiting = player.create({"edition": "standard", "seats": [CREATOR, *bots(2)], "starter": 0})
    player.play(waiting, is_done=lambda view: view["round"]["number"] == 2 and view["legal_actions"])
    player.close()
    with served.frozen() as server:
        with served.redis() as client:
            client.ping()  # answered once it has done what the others had sent before
            logs = read_logs(client, others)
        assert kill(server, signal.SIGKILL)
        assert wait_until_gone([server], 60) == []
        files = tmp_path_factory.mktemp("killed") / "data"
        copy_redis(served.data_dir, files)
        places.append(end_of_log(files / "redis").stat().st_size)
    served.revive()
    return Played(ledger, logs, others, files, places)


def test_a_killed_redis_gives_back_what_it_had(played, tmp_path):
    assert reloaded(played, tmp_path) == played.logs
    check_all(played.ledger, played.logs, allowed=ALLOWED)


@pytest.mark.parametrize("seed", [6, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(7, 12))])
def test_a_file_cut_short_at_any_byte_gives_back_whole_actions(played, tmp_path, seed):
    """A lost machine may lose the end of the file; with `appendfsync always` nothing of it has been answered yet."""
    ledger, logs = played.ledger, played.logs
    begin, before_last, size = played.places
    generator = random.Random(seed)
    for left in [
        size - 1,
        *(generator.randrange(before_last, size) for _ in range(2)),
        *(generator.randrange((begin + before_last) // 2, before_last) for _ in range(2)),
    ]:
        torn = reloaded(played, tmp_path / str(left), left)
        check_whole(torn)
        assert all(log.entries == logs[game].entries[: len(log.entries)] for game, log in torn.items())
        length = {game: len(torn[game].entries) if game in torn else 0 for game in logs}
        for taken in ledger.taken:
            assert not taken.versions[0] <= length[taken.game] < taken.versions[-1], "half an action"
        lost = any(taken.versions[-1] > length[taken.game] for taken in ledger.taken)
        assert lost or left >= before_last
        if lost:
            with pytest.raises(AssertionError):
                check_all(ledger, torn)


def copy_redis(data_dir, copied):
    """Copies what Redis needs of an installation's files."""
    shutil.copytree(data_dir / "redis", copied / "redis", ignore=shutil.ignore_patterns("*.sock", "url"))


def reloaded(played, copied, left=None):
    """The logs that Redis reads from a copy of what a killed one left, the last file cut to so many bytes."""
    copy_redis(played.files, copied)
    if left is not None:
        os.truncate(end_of_log(copied / "redis"), left)
    with embedded_redis.running(copied, fsync="no") as server, redis.Redis.from_url(server.url) as client:
        return read_logs(client, played.others)


def end_of_log(directory):
    """The file that Redis writes to: the only one, or since 7.0 and with Valkey the last of several."""
    parts = sorted((directory / "appendonlydir").glob("*.incr.aof"), key=lambda path: int(path.suffixes[-3][1:]))
    return parts[-1] if parts else directory / "appendonly.aof"
