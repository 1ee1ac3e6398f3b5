"""The one generated client that reads streams takes up those that break by itself, and misses nothing."""

import pytest

from tests.e2e.faults.bad_network import BadNetwork, Mishap
from tests.sdk.programs import PROGRAMS

BROKEN = [Mishap.CUT_BEFORE, Mishap.CUT_AMID, Mishap.LOSE_ANSWER]
"""Each once, for the client waits twice as long after each, three seconds at first."""


@pytest.fixture
def network(served):
    made = BadNetwork(served.port, seed=1)
    yield made
    made.close()


def test_broken_streams_are_taken_up_again(network, workshop):
    (program,) = (program for program in PROGRAMS if program.client == "hey-api")
    for mishap in BROKEN:
        network.order(mishap, "/events/stream")
    told = workshop.play(program, network.base, "standard", seats=3, games=1, seed=1)
    assert told["games"][0]["actions"] > 0
    assert network.befell == {mishap: BROKEN.count(mishap) for mishap in BROKEN}
