"""Nine clients play through the Python package while processes are killed and the network fails.

The logs hold the accepted actions and no others, each once; every game ends; whoever follows one hears of every event
once and in order. `make soak ARGS=network` is the same for longer and with more.
"""

import io
from contextlib import contextmanager, redirect_stdout
from functools import partial

import pytest

from tools.players.tables import EDITIONS
from tools.soak import __main__ as main
from tools.soak import network
from tools.testbed.bad_network import Mishap

pytestmark = pytest.mark.long

CLIENTS = 9
"""As many as it takes to have a table of each edition, with and without bots and a clock."""
ACTIONS_BETWEEN = 15
"""How many actions are answered between one kill and the next: fewer than in the soak, which has more clients."""


def is_a_storm(storm):
    """Whether everything has befallen the crowd, and often enough, while there was some play to be disturbed."""
    befell = set(storm.network.befell) == set(Mishap)
    return befell and len(storm.fire.killed) >= 3 and len(storm.ledger.taken) > 3 * ACTIONS_BETWEEN


@pytest.fixture(scope="module")
def weathered(served):
    """What the command prints of a storm, what the clients were told and heard in it, and the logs."""
    kept, printed = [], io.StringIO()

    @contextmanager
    def prepared(folder, clients):
        with network.over(served, clients) as storm:
            storm.crowd.rest = 0.3
            for mishap in Mishap:  # however rare it is
                storm.network.order(mishap, "/actions")
            storm.rage = partial(storm.rage, enough=partial(is_a_storm, storm))
            yield storm

    def keep(*found, check=network.check_told):
        check(*found)
        kept.append(found)

    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed):
        patch.setattr(network, "ACTIONS_BETWEEN", ACTIONS_BETWEEN)
        patch.setattr(network, "check_told", keep)
        patch.setattr(network, "prepared", prepared)
        assert main.main(["network", "--seconds", "1", "--clients", str(CLIENTS)]) == 0
    served.revive()
    return printed.getvalue(), *kept


def test_the_clients_of_a_storm_are_told_what_is_in_the_logs(weathered):
    said, (_, heard, logs) = weathered
    print(said)
    assert " actions answered, " in said
    assert {log.events[0]["data"]["edition"] for log in logs.values()} == set(EDITIONS)
    assert set(heard) == set(logs)
