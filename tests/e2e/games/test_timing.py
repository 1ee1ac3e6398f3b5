"""Each clock runs out exactly once, even if processes are killed. `make bench` prints how late timeouts are."""

import time
from datetime import datetime, timedelta

from tools.benchmarks import timeouts
from tools.players.tables import CREATOR, OPEN

CLOCKS = 12
TWO_CHANCELLORS = [*["priest", "priest", "baron", "baron"], *["chancellor", "guard", "chancellor"], *["guard"] * 5]
"""A deck of which who begins has to play a Chancellor, so that they are asked once more before anybody else."""


def test_clocks_that_nobody_looks_at_run_out_once_while_all_workers_and_sweepers_are_killed(installation):
    found = timeouts.fire(installation, CLOCKS, 2, kills=(0.5,), room=2)
    assert [len(one.late) for one in found] == [1] * CLOCKS
    assert min(seconds for one in found for seconds in one.late) >= 0, "none runs out early"


def test_a_bank_runs_out_a_bot_stands_in_and_the_player_takes_the_seat_back(register):
    ann, ben = register("Ann"), register("Ben")
    clock = {"kind": "bank", "seconds": 2, "increment": 60}
    rounds = [{"starter": 0, "order": TWO_CHANCELLORS}]
    game = ann.create("standard", [CREATOR, OPEN], clock=clock, sandbox={"rounds": rounds})["id"]
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
