"""The programs are well typed and play a whole game through the generated clients.

The clients of two tools play a game each, of different editions; `make sdk-games` plays through all. What
openapi-python-client generates is the core of `billet-client`, and `openapi-fetch` that of the package for TypeScript,
through which `tests/clients` plays.
"""

from itertools import cycle

import httpx
import pytest

from tools.players.person import NO_TLS
from tools.sdk_games.programs import PROGRAMS, TABLES
from tools.testbed.bad_network import BadNetwork, Mishap

PLAYED = [program for program in PROGRAMS if not program.soak]
GAMES = dict(zip([program.client for program in PLAYED], cycle(TABLES), strict=False))
"""The edition that is played through each client."""
STREAMING = "hey-api"
"""The client that reads streams."""
BROKEN = [Mishap.CUT_BEFORE, Mishap.CUT_AMID, Mishap.LOSE_ANSWER]
"""Each once, for the client waits twice as long after each, three seconds at first."""


@pytest.fixture
def network(served):
    made = BadNetwork(served.port, seed=1)
    yield made
    made.close()


@pytest.mark.parametrize(
    "program",
    [pytest.param(program, id=program.client) for program in PLAYED if program.source],
)
def test_types_are_right(program, workshop):
    assert workshop.built(program) == ""


def play(program, base, workshop, served):
    """Plays a game by way of an address, and checks what the program says of it."""
    edition = GAMES[program.client]
    told = workshop.play(program, base, edition, TABLES[edition], 1, seed=1)
    [game] = told["games"]
    view = httpx.get(f"{served.base}/v1/games/{game['id']}", verify=NO_TLS, timeout=60).json()
    assert view["status"] == "finished"
    assert view["edition"] == edition
    assert len(view["seats"]) == TABLES[edition]
    assert [seat["player"]["kind"] for seat in view["seats"]].count("human") == TABLES[edition] - 1
    assert game["version"] == view["version"]
    assert game["actions"] > 0
    assert told["calls"] > told["refusals"] > 0


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(program, id=f"{program.client}-{GAMES[program.client]}")
        for program in PLAYED
        if program.client != STREAMING
    ],
)
def test_a_whole_game_is_played(program, workshop, served):
    play(program, served.base, workshop, served)


def test_a_whole_game_is_played_and_broken_streams_are_taken_up_again(network, workshop, served):
    (program,) = (program for program in PLAYED if program.client == STREAMING)
    for mishap in BROKEN:
        network.order(mishap, "/events/stream")
    play(program, network.base, workshop, served)
    assert network.befell == {mishap: BROKEN.count(mishap) for mishap in BROKEN}
