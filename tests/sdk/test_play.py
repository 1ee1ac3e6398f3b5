"""The programs are well typed and play a whole game through the generated clients.

Each plays a game of one edition here; `make sdk-games` plays 20 of every edition through each.
"""

import httpx
import pytest

from tests.e2e.players import NO_TLS
from tests.sdk.programs import PROGRAMS, TABLES

PLAYED = list(zip(PROGRAMS, [*TABLES, *TABLES], strict=True))
every_program = pytest.mark.parametrize("program", PROGRAMS, ids=[program.client for program in PROGRAMS])


@every_program
def test_types_are_right(program, workshop):
    assert workshop.built(program) == ""


@pytest.mark.parametrize(
    ("program", "edition"), PLAYED, ids=[f"{program.client}-{edition}" for program, edition in PLAYED]
)
def test_a_whole_game_is_played(program, edition, workshop, served):
    told = workshop.play(program, served.base, edition, TABLES[edition], 1, seed=1)
    [game] = told["games"]
    view = httpx.get(f"{served.base}/v1/games/{game['id']}", verify=NO_TLS, timeout=60).json()
    assert view["status"] == "finished"
    assert view["edition"] == edition
    assert len(view["seats"]) == TABLES[edition]
    assert [seat["player"]["kind"] for seat in view["seats"]].count("human") == TABLES[edition] - 1
    assert game["version"] == view["version"]
    assert game["actions"] > 0
    assert told["calls"] > told["refusals"] > 0
