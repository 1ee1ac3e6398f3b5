"""The wall clock is set back, and nothing hangs: not bots, not deadlines, not notices, not limits."""

import pytest

from games.bots.turns import OVERDUE_MS, bot_to_play
from service.jobs import pending
from service.jobs.pending import PendingNotices
from service.jobs.schedule import Schedule, Task
from service.store import keys
from service.store.lists.recovery import PART
from tests.service.at_table import Game

HOUR = 3600


@pytest.fixture
def own_time(monkeypatch):
    """Time as a sweeper measures it itself: it goes on as the test says, whatever is done to the clock."""

    class Own:
        seconds = 1000.0

        def monotonic(self):
            return self.seconds

    made = Own()
    for module in ("service.jobs.schedule", "service.store.lists.recovery"):
        monkeypatch.setattr(f"{module}.time", made)
    return made


@pytest.fixture
def passes(clock, own_time):
    """Lets time pass, for the clock and in truth."""

    def pass_by(seconds):
        clock.advance(seconds)
        own_time.seconds += seconds

    return pass_by


def lose_jobs(client):
    """Loses what was asked for, as when workers are killed."""
    found = client.keys("rq:*") + client.keys("billet:{lines}*")
    if found:
        client.delete(*found)


def sweep(sweeper, passes, seconds):
    """Returns what a sweeper asks for within a time."""
    tasks = []
    for _ in range(int(seconds * 5)):
        tasks += sweeper.tasks()
        passes(0.2)
    return tasks


@pytest.mark.parametrize("bot", ["random", "expert"])
@pytest.mark.parametrize("back", [30, HOUR, 30 * 24 * HOUR])
def test_a_bot_whose_job_was_lost_plays_soon_though_the_clock_was_set_back_while_no_worker_was_there(
    service, another, client, clock, passes, bot, back
):
    game = Game.open(service, "creator", bot, sandbox={"rounds": [{"starter": 1}]})
    lose_jobs(client)
    before = game.view()["version"]
    clock.advance(-back)
    tasks = sweep(another().schedule, passes, 2)
    assert {(task.kind, task.game) for task in tasks} == {("bots", game.id)}
    service.play.bot_turns(game.id, 5)
    assert game.events(after=before)[0]["type"] == "card_played"


@pytest.mark.parametrize("back", [30, HOUR])
def test_a_running_sweeper_notices_that_the_clock_is_set_back(service, client, clock, passes, back):
    sweep(service.schedule, passes, 2)
    game = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]})
    lose_jobs(client)
    clock.advance(-back)
    assert {task.game for task in sweep(service.schedule, passes, 2)} == {game.id}


def test_who_does_not_act_is_timed_out_though_the_clock_was_set_back(service, client, clock, passes):
    game = Game.begin(service, clock={"seconds": 20, "on_timeout": "bot_plays"})
    version = game.view()["version"]
    clock.advance(-HOUR)
    assert sweep(service.schedule, passes, 19) == [], "there is time left"
    tasks = sweep(service.schedule, passes, 3)
    assert tasks
    assert {(task.kind, task.game, task.version) for task in tasks} == {("time_out", game.id, version)}
    service.play.time_out(game.id, version)
    assert game.events(after=version)[0]["type"] == "seat_timed_out"
    after = game.view()["version"]
    service.play.time_out(game.id, version)
    assert game.view()["version"] == after, "it is one timeout"


def test_the_next_to_act_has_as_much_time_though_the_clock_was_set_back(service, client, clock, passes):
    game = Game.begin(service, clock={"seconds": 20, "on_timeout": "bot_plays"})
    for _ in range(2):
        clock.advance(-HOUR)
        assert sweep(service.schedule, passes, 19) == [], "there is time left"
        clock.advance(HOUR)
        game.act(game.to_act(), game.legal(game.to_act())[0])


def test_players_are_told_though_the_clock_was_set_back(another, client, clock, passes, service):
    game = Game.begin(service)
    service.notifier.settle()
    client.hset(keys.meta(game.id), "told", 0)
    version = game.view()["version"]
    client.zadd(keys.PENDING_NOTICES, {f"{game.id} {version}": clock.ms + pending.GRACE_MS})
    clock.advance(-HOUR)
    assert sweep(another().pending, passes, 2)[0] == Task("notify", game.id, version)


def test_all_entries_are_brought_back_part_after_part(service, client, clock, passes):
    for name, sweeper in ((keys.DUE, Schedule), (keys.PENDING_NOTICES, PendingNotices)):
        client.zadd(name, {f"game-{i} 1": clock.ms + HOUR * 1000 for i in range(3 * PART)})
        one = sweeper(service.redis)
        steps = 0
        while client.zcount(name, clock.ms + 600_000, "+inf"):
            one.tasks()
            steps += 1
        assert 2 <= steps <= 20, "it takes no long time, and not all at once"
        client.delete(name)


def test_a_clock_that_is_right_brings_nothing_back_twice(service, client, clock, passes):
    Game.begin(service, clock={"seconds": 86_400, "on_timeout": "forfeit"})
    assert sweep(service.schedule, passes, 3) == []
    client.zadd(keys.DUE, {"later": clock.ms + 50_000})
    sweep(service.schedule, passes, 3)
    assert client.zscore(keys.DUE, "later") == pytest.approx(clock.ms + 47_000, abs=1)


def test_a_bot_that_is_asked_by_a_clock_that_is_ahead_a_little_thinks(service, clock):
    assert bot_to_play("expert", clock.ms + 4_000, False, clock.ms) == "expert"
    assert bot_to_play("expert", clock.ms + 6_000, False, clock.ms) == "cautious"
    assert bot_to_play("expert", clock.ms - OVERDUE_MS, False, clock.ms) == "cautious"
