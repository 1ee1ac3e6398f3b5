"""One try for each player, and one end of each day, whatever is killed and however many workers there are."""

from contextlib import suppress
from functools import partial

import pytest

from engine.state import ABORTED
from games.daily.days import Day
from games.records.verification import verify
from service.changing.changes import Changes
from service.daily import waves
from service.store import keys
from service.store.daily.stored_days import StoredDays
from tests.service.at_table import EN, read, refusal
from tests.service.daily.trying import WINS, at_noon, begin, end, person, play, today
from tests.service.queue.killing import Kill, Killed
from tools.players.tables import at_once

pytestmark = pytest.mark.usefixtures("noon")
BEGINNING = 9
"""How many round trips a call makes, at least, that begins a try."""
ENDING = 32
"""How many round trips the end of a day takes, at least, with a try that has ended, one that runs and one that never
began."""


@pytest.fixture
def noon(clock, client):
    at_noon(clock, client)


def logs(client):
    return [name.decode() for name in client.keys("billet:{*}:log")]


@pytest.mark.parametrize("trip", range(BEGINNING))
def test_a_call_that_is_killed_and_repeated_begins_one_try(service, another, client, clock, monkeypatch, trip):
    ann, killed = person(service, clock), another()
    monkeypatch.setattr(killed.notifier, "queue", lambda *_: None)  # it would do so on a thread of its own
    with monkeypatch.context() as patch:
        kill = Kill(patch, trip)
        with suppress(Killed):
            begin(killed, ann)
    assert kill.has_killed, "there are so many round trips"
    first = begin(service, ann)
    assert begin(another(), ann)["id"] == first["id"]
    assert logs(client) == [keys.log(first["id"])]
    assert service.daily.one(None, "standard")["tried"] == 1


def test_calls_at_once_begin_one_try(service, another, client, clock):
    ann = person(service, clock)
    begun = at_once([partial(begin, another(), ann) for _ in range(4)])
    assert [keys.log(one["id"]) for one in begun] == logs(client) * 4


@pytest.fixture
def late(service, client, clock):
    """A day with a try that was won, one that runs at its end, and one whose beginning was interrupted."""
    day = today(clock)
    won, runs, never = (person(service, clock, name) for name in ("Ann", "Bob", "Cid"))
    play(service, won, begin(service, won)["id"], WINS)
    clock.ms = day.ends - 60_000
    begin(service, runs)
    client.zadd(keys.day_tries(day.id), {never.id: 0})
    service.settle()
    clock.ms = day.ends
    return day, [won, runs, never]


def check_ended(service, late):
    """Checks that a day has ended as it should."""
    day, players = late
    found = service.daily.past(players[0].token, day.edition, day.date, EN)
    assert (found["tried"], found["won"], found["own"]["won"]) == (3, 1, True)
    for player, ended in zip(players, ("finished", "aborted", "aborted"), strict=True):
        game = day.game(service.players.installation_secret(), player.id)
        view = read(service.games.view(player.token, game, as_="all", words=EN))
        assert view["status"] == ended
        log = service.games.log(player.token, game)
        assert verify(log).divergence is None
        assert log["secret"] == found["secret"]
        assert sum(event["type"] == "secret_revealed" for event in log["events"]) == 1


@pytest.mark.parametrize("trip", range(ENDING))
def test_a_day_ends_once_whenever_a_worker_is_killed(service, another, client, clock, monkeypatch, late, trip):
    worker = another()
    monkeypatch.setattr(worker.notifier, "queue", lambda *_: None)  # as above
    with monkeypatch.context() as patch:
        kill = Kill(patch, trip)
        with suppress(Killed):
            worker.day_waves.run(late[0].id)
    assert kill.has_killed, "there are so many round trips"
    clock.advance(waves.LEASE_MS / 1000)
    assert [task.game for task in service.day_waves.tasks()] == [late[0].id], "a sweeper finds it"
    end(another(), clock, late[0])
    check_ended(service, late)
    assert service.day_waves.tasks() == []


def test_workers_that_look_at_once_end_a_day_once(service, another, clock, late):
    at_once([partial(another().day_waves.run, late[0].id) for _ in range(3)])
    end(service, clock, late[0])
    check_ended(service, late)


def test_a_look_that_takes_long_is_continued_by_the_next(service, clock, monkeypatch, late):
    monkeypatch.setattr(waves, "SLICE_SECONDS", -1.0)
    service.day_waves.run(late[0].id)
    assert refusal(lambda: service.daily.past(None, "standard", late[0].date, EN)).code == "game_not_finished"
    monkeypatch.setattr(waves, "SLICE_SECONDS", 60.0)
    end(service, clock, late[0])
    check_ended(service, late)


def test_nothing_is_revealed_while_the_bot_still_tries(service, clock):
    ann, day = person(service, clock), today(clock)
    game = begin(service, ann)["id"]
    service.tables.leave(ann.token, game, words=EN)
    service.day_waves.run(day.id)  # the bot begins
    clock.ms = day.ends
    service.day_waves.run(day.id)
    assert refusal(lambda: service.games.log(ann.token, game)).code == "game_not_finished"
    clock.ms += waves.PATIENCE_MS
    service.day_waves.run(day.id)
    assert service.games.log(ann.token, game)["secret"] == service.daily.past(None, day.edition, day.date, EN)["secret"]


def test_whoever_begins_too_late_finds_the_try_called_off(service, another, client, clock, monkeypatch):
    """A process notes a try, and stops before it appends the game until the secret is known to all."""
    ann, slow = person(service, clock), another()
    day = today(clock)
    clock.ms = day.ends - 1
    append = Changes.append

    def wait(changes, *step, **more):
        monkeypatch.setattr(Changes, "append", append)
        end(service, clock, day)
        return append(changes, *step, **more)

    monkeypatch.setattr(Changes, "append", wait)
    assert begin(slow, ann)["status"] == ABORTED
    assert len(logs(client)) == 1


def test_nobody_begins_once_a_day_is_closed(service, clock):
    """One machine's clock is ahead of another's, or was set back."""
    ann, bob = person(service, clock), person(service, clock, "Bob")
    day = today(clock)
    play(service, ann, begin(service, ann)["id"])
    end(service, clock, day)
    clock.ms = day.ends - 1
    assert refusal(lambda: begin(service, bob)).code == "game_over"
    assert begin(service, ann)["status"] == "finished", "one's own try is still the same"
    clock.ms = day.ends
    assert begin(service, bob)["id"] != day.game(service.players.installation_secret(), bob.id), "that of the new day"


def test_a_try_is_looked_at_when_its_day_ends(service, clock):
    ann = person(service, clock)
    begin(service, ann)
    day = today(clock)
    [task] = service.day_waves.tasks()
    service.day_waves.run(task.game)
    clock.advance(60)
    assert service.day_waves.tasks() == []
    clock.ms = day.ends
    assert [task.game for task in service.day_waves.tasks()] == [day.id]
    assert Day.named(task.game) == day


def test_what_is_no_day_leaves_the_list(service, client):
    client.zadd(keys.DAYS_DUE, {"nothing": 1})
    service.day_waves.run("nothing")
    assert client.zcard(keys.DAYS_DUE) == 0


def test_a_worker_that_comes_late_changes_nothing(service, another, client, clock, monkeypatch, late):
    unread = StoredDays.unread

    def wait(stored, day):
        monkeypatch.setattr(StoredDays, "unread", unread)
        end(service, clock, late[0])
        return unread(stored, day)

    monkeypatch.setattr(StoredDays, "unread", wait)
    another().day_waves.run(late[0].id)
    check_ended(service, late)
    assert client.keys("billet:{day:*}:[tl]*") == []
