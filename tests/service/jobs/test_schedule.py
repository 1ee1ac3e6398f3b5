"""When sweepers look at games: nothing due is forgotten, nothing is told of twice, nothing is looked at for ever."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from service.jobs import schedule as due_module
from service.jobs.schedule import LONGEST_PAUSE_MS, Task, bots_task
from service.store import keys
from service.store.scripts import RESCORE
from tests.service.at_table import EN, Game

CLOCK = {"seconds": 10, "on_timeout": "bot_plays"}


def score(client, game):
    found = client.zscore(keys.DUE, game.id)
    return None if found is None else int(found)


def until_next(client, clock):
    """Moves the clock to when the next game is due."""
    first = client.zrange(keys.DUE, 0, 0, withscores=True)
    clock.ms = max(clock.ms, int(first[0][1]) + 1)


def test_a_game_with_a_clock_is_looked_at_when_its_first_deadline_comes(service, client, clock):
    game = Game.open(service, "creator", "open", clock=CLOCK)
    assert score(client, game) is None
    assert service.schedule.tasks() == [], "a sweeper looks at everything once when it begins"
    game.fill()
    assert score(client, game) == clock.ms + 10_000
    assert service.schedule.tasks() == []
    assert service.schedule.pause_ms(100_000) == 10_000
    assert service.schedule.pause_ms(200) == 200
    clock.advance(10)
    assert service.schedule.pause_ms(200) == 0
    assert service.schedule.tasks() == [
        Task("time_out", game.id, game.service.play._log.read(game.id).snapshot.version)
    ]


def test_a_game_without_a_clock_and_without_bots_is_never_looked_at(service, client, clock):
    game = Game.begin(service)
    game.play(random.Random(1), 5)
    assert client.zcard(keys.DUE) == 0
    assert service.schedule.pause_ms(200) == 200


@pytest.mark.parametrize("clock_setup", [{}, {"clock": {"seconds": 1, "on_timeout": "forfeit"}}])
def test_sweepers_know_which_games_are_of_bots_alone(service, client, clock, clock_setup):
    alone = Game.open(service, "random", "random", **clock_setup)
    attended = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]}, **clock_setup)
    clock.advance(5)
    told = {task.game: task.unattended for task in service.schedule.tasks()}
    assert told == {alone.id: True, attended.id: False}


def test_a_lost_bot_turn_is_asked_for_again_and_again(service, client, clock):
    game = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]})
    snapshot = service.play._log.read(game.id).snapshot
    began, asked = clock.ms, []
    while clock.ms < began + 3_600_000:
        until_next(client, clock)
        if service.schedule.tasks() == [bots_task(snapshot, clock.ms)]:
            asked.append(clock.ms - began)
    assert asked[0] <= 1_001
    assert asked[1] <= 2_100
    assert asked[2] <= 4_200
    pauses = [later - earlier for earlier, later in pairwise(asked)]
    assert max(pauses) <= LONGEST_PAUSE_MS + 1
    assert len(asked) < 20, "what waits for long is looked at rarely"
    service.play.bot_turns(game.id, 0)
    game.play_while(1, random.Random(1))
    before = clock.ms
    clock.advance(1.1)
    if game.to_act() == 1:
        snapshot = service.play._log.read(game.id).snapshot
        assert service.schedule.tasks() == [bots_task(snapshot, clock.ms)], "a new turn is asked for soon"
        assert clock.ms - before < 1_200


def test_a_lost_timeout_is_asked_for_again_soon_however_long_the_clock_is(service, client, clock):
    game = Game.begin(service, clock={"seconds": 86_400, "on_timeout": "forfeit"})
    clock.advance(86_400)
    late = []
    began = clock.ms
    while clock.ms < began + 60_000:
        if service.schedule.tasks():
            late.append(clock.ms - began)
        until_next(client, clock)
    assert late[:2] == [0, pytest.approx(1000, abs=5)]
    assert late[2] <= 2_100
    assert late[3] <= 4_300
    assert game.view()["status"] == "finished"


@pytest.mark.parametrize("hours", [1, 100])
def test_after_a_timeout_that_came_hours_late_the_next_deadline_is_met(service, client, clock, hours):
    game = Game.begin(service, clock={"seconds": 60, "on_timeout": "bot_plays"})
    clock.advance(30)
    game.step(random.Random(1))
    until_next(client, clock)
    assert service.schedule.tasks() == [], "a sweeper looks too early"
    clock.advance(3600 * hours)  # no worker runs, or the clock jumps
    (task,) = service.schedule.tasks()
    service.play.time_out(task.game, task.version)
    clock.advance(61)
    assert [(one.kind, one.game) for one in service.schedule.tasks()] == [("time_out", game.id)]


def test_the_deadline_of_a_bot_is_not_looked_at_too_late(service, client, clock):
    game = Game.open(service, "creator", "random", clock=CLOCK, sandbox={"rounds": [{"starter": 1}]})
    deadline, tasks = clock.ms + 10_000, []
    while clock.ms < deadline:
        until_next(client, clock)
        tasks += service.schedule.tasks()
    assert clock.ms <= deadline + 1
    assert tasks[-1].kind == "time_out"
    assert {task.kind for task in tasks[:-1]} == {"bots"}
    assert game.view()["version"] > tasks[0].version


def test_an_action_need_not_touch_the_entry_and_the_new_deadline_is_met(service, client, clock):
    rng = random.Random(1)
    game = Game.begin(service, 3, clock=CLOCK)
    for _ in range(6):
        clock.advance(7)
        while service.schedule.pause_ms(1) == 0:
            assert service.schedule.tasks() == [], "nobody's time is up"
        game.step(rng)
    deadline = clock.ms + 10_000
    tasks = []
    while not tasks:
        until_next(client, clock)
        tasks = service.schedule.tasks()
    assert tasks[0].kind == "time_out"
    assert deadline <= clock.ms <= deadline + 1


def test_a_game_that_waits_long_is_looked_at_rarely(service, client, clock):
    game = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]})
    service.play.bot_turns(game.id, 5)
    assert game.to_act() == 0
    looks, began = 0, clock.ms
    while clock.ms < began + 4 * 86_400_000:
        until_next(client, clock)
        assert service.schedule.tasks() == []
        looks += 1
    assert looks <= 20 + 4 * 86_400_000 / LONGEST_PAUSE_MS


def test_an_ended_game_is_not_looked_at_any_more(service, client, clock):
    finished = Game.begin(service, clock=CLOCK)
    service.tables.leave(finished.token(0), finished.id, words=EN)
    aborted = Game.open(service, "creator", "random", clock=CLOCK)
    service.administration.abort(aborted.id)
    assert client.zcard(keys.DUE) == 0


def test_entries_of_ended_and_of_unknown_games_vanish(service, client, clock):
    game = Game.begin(service)
    service.tables.leave(game.token(0), game.id, words=EN)
    client.zadd(keys.DUE, {game.id: 1, "no-such-game": 2})
    for _ in range(3):
        assert service.schedule.tasks() == []
        clock.advance(1.1)
    assert client.zcard(keys.DUE) == 0


def test_of_several_sweepers_one_is_told_of_each_game(another, service, client, clock):
    games = {Game.begin(service, clock=CLOCK).id for _ in range(40)}
    clock.advance(10)
    with ThreadPoolExecutor(8) as pool:
        told = [
            task
            for tasks in pool.map(lambda one: one.schedule.tasks(), [another() for _ in range(8)])
            for task in tasks
        ]
    assert sorted(task.game for task in told) == sorted(games)


def test_a_sweeper_that_dies_after_its_claim_leaves_the_games_to_the_others(service, another, clock, monkeypatch):
    game = Game.begin(service, clock=CLOCK)
    clock.advance(10)
    dying = another()
    monkeypatch.setattr(dying.redis, "send_each", lambda *commands: 1 / 0)
    run = service.redis.run
    monkeypatch.setattr(dying.redis, "run", run)
    with pytest.raises(ZeroDivisionError):
        dying.schedule.tasks()
    assert service.schedule.tasks() == []
    clock.advance(1.1)
    assert [task.game for task in another().schedule.tasks()] == [game.id]


def test_what_changes_while_a_sweeper_looks_is_not_overwritten(service, another, client, clock, monkeypatch):
    """A bot's turn begins between the sweeper's look, which sees a person's turn, and its note of the next time."""
    game = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]})
    service.play.bot_turns(game.id, 5)
    clock.advance(3600)
    service.schedule.tasks()
    clock.advance(3600)
    run = service.redis.run
    other = another()

    def run_late(script, *arguments):
        if script is RESCORE:
            game.service = other
            game.step(random.Random(1))
            while game.to_act() == 0:
                game.step(random.Random(1))
        return run(script, *arguments)

    monkeypatch.setattr(service.redis, "run", run_late)
    assert service.schedule.tasks() == []
    monkeypatch.undo()
    assert game.to_act() == 1
    assert client.zscore(keys.DUE, game.id) == clock.ms + 1000


def test_a_sweeper_that_looks_before_the_append_looks_again(service, another, client, clock, monkeypatch):
    """The entry is written before the events: a sweeper that comes in between finds no active game yet."""
    game = Game.open(service, "creator", "open", clock={"seconds": 1, "on_timeout": "forfeit"})
    client.zadd(keys.DUE, {game.id: clock.ms})
    assert another().schedule.tasks() == []
    left = dict(client.zrange(keys.DUE, 0, -1, withscores=True))
    game.fill()
    client.delete(keys.DUE)
    client.zadd(keys.DUE, left)
    clock.advance(1.1)
    assert [task.kind for task in another().schedule.tasks()] == ["time_out"]


def test_a_damaged_game_does_not_keep_the_others_from_their_turn(service, client, clock, caplog):
    damaged, healthy = (Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]}) for _ in range(2))
    for field, value in (("asked", "soon"), ("asked", ""), ("head", ""), ("deadline", "x")):
        client.hset(keys.meta(damaged.id), "asked", clock.ms)
        client.hset(keys.meta(damaged.id), "head", "7:00000000")
        client.hset(keys.meta(damaged.id), field, value)
        client.zadd(keys.DUE, {damaged.id: clock.ms - 1, healthy.id: clock.ms + 0.5})
        clock.advance(0.001)
        client.zadd(keys.DUE, {damaged.id: clock.ms - 1 + 0.5})
        assert [task.game for task in service.schedule.tasks()] == [healthy.id]
        assert damaged.id in caplog.text
        assert score(client, damaged) == clock.ms + LONGEST_PAUSE_MS, "it may have been mended by then"
        caplog.clear()


def test_a_game_whose_hash_is_none_does_not_keep_the_others_from_their_turn(service, client, clock):
    damaged, healthy = (Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]}) for _ in range(2))
    client.delete(keys.meta(damaged.id))
    client.set(keys.meta(damaged.id), "no hash")
    clock.advance(3)
    for _ in range(2):
        assert [task.game for task in service.schedule.tasks()] == [healthy.id]
        clock.advance(3)


def test_more_games_than_are_claimed_at_once_are_all_told_of(service, client, clock, monkeypatch):
    monkeypatch.setattr(due_module, "CLAIMED_AT_ONCE", 3)
    games = {Game.begin(service, clock=CLOCK).id for _ in range(10)}
    clock.advance(10)
    told = []
    while service.schedule.pause_ms(200) == 0:
        tasks = service.schedule.tasks()
        assert 0 < len(tasks) <= 3
        told += [task.game for task in tasks]
    assert sorted(told) == sorted(games)


def test_a_game_that_comes_due_does_not_wait_for_all_that_have_been_due_for_longer(service, client, clock, monkeypatch):
    """As after an outage of all workers. They do not wait for all that come due later either."""
    monkeypatch.setattr(due_module, "CLAIMED_AT_ONCE", 3)
    games = []
    for _ in range(6):
        games.append(Game.begin(service, clock=CLOCK).id)
        clock.advance(1)
    clock.advance(10)
    told = [[task.game for task in service.schedule.tasks()] for _ in range(2)]
    assert told == [[games[at] for at in (5, 0, 1)], [games[at] for at in (4, 2, 3)]]


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_whatever_is_lost_a_game_comes_to_its_end(service, another, client, clock, seed):
    """Three of four tasks are lost and nobody plays: every question is answered not long after it is due."""
    rng = random.Random(seed)
    kinds = ["creator", "random", "cautious"]
    game = Game.open(service, *kinds, clock={"seconds": 20, "on_timeout": "bot_plays"})
    log = service.play._log
    sweepers = [another() for _ in range(2)]
    for _ in range(20_000):
        snapshot = log.read(game.id).snapshot
        if snapshot.ended:
            break
        until_next(client, clock)
        for task in rng.choice(sweepers).schedule.tasks():
            if rng.random() < 0.25:
                if task.kind == "bots":
                    service.play.bot_turns(task.game, 0)
                else:
                    service.play.time_out(task.game, task.version)
    assert snapshot.ended
    assert client.zcard(keys.DUE) == 0
    waits = [event["type"] for event in game.events()]
    assert waits.count("seat_timed_out") > 0
