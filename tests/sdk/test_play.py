"""The programs are well typed and play whole games through the generated clients.

Each plays one edition here; `make sdk-games` plays every edition through each.
"""

import httpx
import pytest

from tests.e2e.players import NO_TLS
from tests.sdk.programs import PROGRAMS, TABLES

GAMES = 2
"""One after the other."""
PLAYED = list(zip(PROGRAMS, [*TABLES, *TABLES], strict=True))
every_program = pytest.mark.parametrize("program", PROGRAMS, ids=[program.client for program in PROGRAMS])


@every_program
def test_types_are_right(program, workshop):
    assert workshop.built(program) == ""


@pytest.mark.parametrize(
    ("program", "edition"), PLAYED, ids=[f"{program.client}-{edition}" for program, edition in PLAYED]
)
def test_whole_games_are_played(program, edition, workshop, served):
    told = workshop.play(program, served.base, edition, TABLES[edition], GAMES, seed=1)
    assert len({game["id"] for game in told["games"]}) == GAMES
    for game in told["games"]:
        view = httpx.get(f"{served.base}/v1/games/{game['id']}", verify=NO_TLS, timeout=60).json()
        assert view["status"] == "finished"
        assert view["edition"] == edition
        assert len(view["seats"]) == TABLES[edition]
        assert [seat["player"]["kind"] for seat in view["seats"]].count("human") == TABLES[edition] - 1
        assert game["version"] == view["version"]
        assert game["actions"] > 0
    assert told["calls"] > told["refusals"] > 0
