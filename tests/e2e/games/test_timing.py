"""Bots and clocks keep their time. The bounds are generous; `make bench` prints how quick they are."""

import signal
import statistics
import time
from datetime import datetime, timedelta

from tools.benchmarks import bot_turns, timeouts
from tools.players.person import Person
from tools.players.stored_events import event_in
from tools.players.tables import CREATOR, OPEN, at_once, bots, together
from tools.testbed.processes import kill

CLOCKS = 12
SLOW = 15
"""Seconds that bots and clocks may take at most: other tests run beside these."""


def test_a_bot_answers_in_time(served):
    turns = bot_turns.one_game(served, "cautious", 8, bot_turns.at_once)
    assert max(turns.logged) < SLOW
    assert statistics.median(turns.seen) < 1


def test_clocks_that_nobody_looks_at_run_out_once_while_all_workers_and_sweepers_are_killed(installation):
    found = timeouts.fire(installation, CLOCKS, 2, kills=(0.5,), room=2)
    assert [len(one.late) for one in found] == [1] * CLOCKS
    late = [seconds for one in found for seconds in one.late]
    assert min(late) >= 0
    assert max(late) < SLOW


def test_a_clock_runs_out_for_those_who_look_too(register):
    ann, ben = register("Ann"), register("Ben")
    view = ann.create("classic", [CREATOR, OPEN], clock={"seconds": 2, "on_timeout": "forfeit"})
    view = ben.join(view["id"])
    deadline = datetime.fromisoformat(view["deadline"])
    # Everybody waits longer than the clock runs: the deadline itself ends the waiting.
    pages = together([lambda who=who: who.events(view["id"], view["version"], wait=30) for who in (ann, ben)])
    assert 0 <= time.time() - deadline.timestamp() < SLOW
    assert all(page["events"][0]["type"] == "seat_left" for page in pages)
    last = ann.view(view["id"])
    assert last["status"] == "finished"
    assert last["winners"] == [1 - view["to_act"]]
    assert datetime.fromisoformat(pages[0]["events"][0]["at"]) >= deadline


def test_a_deadline_that_everybody_notices_at_once_fires_once(served, register, closed):
    """Two API processes, two sweepers and eight clients look at the same moment."""
    ann, ben = register("Ann"), register("Ben")
    game = ann.create("standard", [CREATOR, OPEN], clock={"seconds": 1, "on_timeout": "bot_plays"})["id"]
    ben.join(game)
    devices = [closed(who.twin()) for who in (ann, ben) for _ in range(4)]
    for _ in range(3):
        deadline = datetime.fromisoformat(ann.view(game)["deadline"]).timestamp()
        time.sleep(max(0, deadline - time.time() - 0.02))
        until = deadline + 0.1

        def look(device, until=until):
            device.view(game)
            while time.time() < until:
                device.view(game)

        at_once([lambda device=device: look(device) for device in devices])
    ben.delete(f"/games/{game}/seats/me")
    with served.redis() as client:
        log = [event_in(fields[b"e"]) for _, fields in client.xrange(f"billet:{{{game}}}:log")]
    fired, asked = 0, None
    for event in log:
        at = datetime.fromisoformat(event["at"]).timestamp()
        if event["type"] in ("turn_started", "decision_opened"):
            asked = at
        elif event["type"] == "seat_timed_out":
            assert asked is not None, "it fired twice for one question"
            assert at >= asked + 1, "it fired early"
            asked, fired = None, fired + 1
    assert fired >= 3


def test_a_bank_runs_out_a_bot_stands_in_and_the_player_takes_the_seat_back(register):
    ann, ben = register("Ann"), register("Ben")
    clock = {"kind": "bank", "seconds": 2, "increment": 60}
    game = ann.create("standard", [CREATOR, OPEN], clock=clock, sandbox={"rounds": [{"starter": 0}]})["id"]
    seen = ben.join(game)
    begun = datetime.fromisoformat(seen["started_at"])
    assert datetime.fromisoformat(seen["deadline"]) == begun + timedelta(seconds=2)
    while not (seen["seats"][0]["away"] and seen["to_act"] == 0):
        if seen["legal_actions"]:
            ben.act(game, seen["legal_actions"][0]["action"])
        else:
            ben.events(game, seen["version"], wait=5)
        seen = ben.view(game)
    assert datetime.fromisoformat(seen["deadline"]).timestamp() <= time.time() + 3, "not the minute of its bank"
    back = ann.post(f"/games/{game}/seats", json={})
    assert back.status_code == 201
    assert not back.json()["seats"][0]["away"]
    assert ann.post(f"/games/{game}/seats", json={}).json()["version"] >= back.json()["version"]
    view, banks = ann.view(game), [2000, 2000]
    for event in ann.events(game)["events"]:
        if event["type"] == "time_spent" and event["version"] <= view["version"]:
            data = event["data"]
            assert data["bank_ms"] == banks[data["seat"]] - data["spent_ms"] + 60_000
            banks[data["seat"]] = data["bank_ms"]
    assert [seat["bank_ms"] for seat in view["seats"]] == banks


def test_an_action_in_time_is_taken_and_the_next_clock_begins_anew(register):
    ann = register()
    game = ann.create("standard", [CREATOR, *bots(3)], clock={"seconds": 60, "on_timeout": "bot_plays"})["id"]
    seen = []

    def stop(view):
        if view["to_act"] == 0:
            seen.append(view)
        return len(seen) == 5

    ann.play(game, stop=stop)
    events = ann.events(game)["events"]
    assert "seat_timed_out" not in [event["type"] for event in events]
    asked = [event for event in events if event["type"] in ("turn_started", "decision_opened")]
    for view in seen:
        last = [event for event in asked if event["version"] <= view["version"]][-1]
        assert datetime.fromisoformat(view["deadline"]) == datetime.fromisoformat(last["at"]) + timedelta(seconds=60)


def test_clocks_fire_while_the_api_is_the_only_one_left(installation, closed):
    """Without a worker deadlines are kept by whoever looks."""
    ann, ben = (closed(Person.register(installation.base, name)) for name in ("Ann", "Ben"))
    game = ann.create("classic", [CREATOR, OPEN], clock={"seconds": 1, "on_timeout": "forfeit"})["id"]
    workers = installation.part("worker")
    for worker in workers:
        kill(worker, signal.SIGSTOP)
    ben.join(game)
    time.sleep(1.2)
    assert ann.view(game)["status"] == "finished"
    listed = ben.get("/players/me/games").json()["items"]
    assert [item["status"] for item in listed] == ["finished"]
    for worker in workers:
        kill(worker, signal.SIGCONT)
