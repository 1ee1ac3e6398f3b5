"""A whole game through the package, on a bad network; `test_restarts` kills the service and plays every edition."""

from tests.clients.typescript.project import results
from tools.testbed.bad_network import ROUGH, BadNetwork, Mishap


def test_every_action_is_made_once_on_a_bad_network(project, served, closed):
    network = closed(BadNetwork(served.port, ROUGH, seed=1))
    certain = (Mishap.CUT_BEFORE, Mishap.CUT_AFTER, Mishap.LOSE_ANSWER, Mishap.CUT_AMID)
    for mishap in certain:
        network.order(mishap, "/actions")
    (_,) = results(project.node("programs/whole_games.js", network.base, "--edition=lovecraft", "--seats=2"))
    assert {*certain} <= set(network.befell)
