"""The programs are well typed and play a whole game through the generated clients.

In every run the clients of four tools play a game each, all of different editions. The soak plays one through each of
the others, and `make sdk-games` 20 of every edition through all.
"""

import httpx
import pytest

from tests.e2e.players import NO_TLS
from tests.sdk.programs import PROGRAMS, TABLES


def soaked(program, *more, name):
    marks = [pytest.mark.soak, pytest.mark.timeout(1200)] if program.soak else []
    return pytest.param(program, *more, marks=marks, id=name)


@pytest.mark.parametrize("program", [soaked(program, name=program.client) for program in PROGRAMS])
def test_types_are_right(program, workshop):
    assert workshop.built(program) == ""


@pytest.mark.parametrize(
    ("program", "edition"),
    [
        soaked(program, edition, name=f"{program.client}-{edition}")
        for soak in (False, True)
        for program, edition in zip([one for one in PROGRAMS if one.soak is soak], TABLES, strict=True)
    ],
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
