"""Whole games through the package: on a good network, on a bad one, and while the service is killed."""

import json
import signal
import subprocess
import time

import pytest

from engine.editions import EDITIONS
from tests.e2e.faults.bad_network import ROUGH, BadNetwork, Mishap
from tests.e2e.processes import kill


def results(printed):
    """What became of each game; whatever network and service do, this holds."""
    games = [json.loads(line) for line in printed.splitlines()]
    for game in games:
        assert game["status"] == "finished"
        assert game["winners"]
        assert game["acted"] == game["chosen"] > 0
        assert game["complete"], "somebody missed an event, or heard one twice"
        assert game["agreed"]
    return games


def test_every_edition_is_played_at_its_smallest_table(project, served):
    games = results(project.node("programs/whole_games.js", served.base, "--seats=2"))
    played = {(game["edition"], game["seats"]) for game in games}
    assert played == {(name, min(edition.seats)) for name, edition in EDITIONS.items()}


def test_every_action_is_made_once_on_a_bad_network(project, served, closed):
    network = closed(BadNetwork(served.port, ROUGH, seed=1))
    certain = (Mishap.CUT_BEFORE, Mishap.CUT_AFTER, Mishap.LOSE_ANSWER, Mishap.CUT_AMID)
    for mishap in certain:
        network.order(mishap, "/actions")
    (_,) = results(project.node("programs/whole_games.js", network.base, "--edition=lovecraft", "--seats=2"))
    assert {*certain} <= set(network.befell)


@pytest.mark.long
def test_nothing_is_lost_or_doubled_when_the_service_is_killed(project, installation):
    command = ["node", "programs/whole_games.js", installation.base, "--edition=classic", "--pause=60"]
    with subprocess.Popen(
        command, cwd=project.built, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as playing:
        try:
            time.sleep(1.5)
            for process in installation.part("api-process"):
                kill(process, signal.SIGKILL)
            time.sleep(1.5)
            assert playing.poll() is None
            installation.kill_tree()
            assert playing.poll() is None
            installation.start()
            printed, _ = playing.communicate(timeout=200)
        finally:
            playing.kill()
    assert playing.returncode == 0, printed
    assert len(results(printed)) == 2
