"""Programs: which games they accept, and which of their versions played."""

import pytest

from engine.editions import EDITIONS
from games.errors import Refused
from games.programs import MOST_VERSIONS, SEATS, Program, Terms, version_at
from games.ratings.pools import PACES

LIVE, DAYS = {"kind": "decision", "seconds": 60}, {"kind": "decision", "seconds": 86_400}


def described(before=None, version="1", **accepts):
    return Program.described({"version": version, "accepts": accepts}, before)


def test_a_program_that_says_only_its_version_accepts_what_does_not_count():
    program = Program.described({"version": "1"}, None)
    assert program.view() == {
        "version": "1",
        "author": None,
        "about": None,
        "accepts": {
            "editions": tuple(EDITIONS),
            "seats": SEATS,
            "pace": PACES,
            "rated": False,
            "at_once": 1,
        },
    }
    assert Program.read(program.stored()) == program
    assert Program.read(None) is Program.read("") is None


@pytest.mark.parametrize(
    ("accepts", "terms", "fits"),
    [
        ({}, Terms("standard", 2, None, False), True),
        ({}, Terms("standard", 2, None, True), False),
        ({"rated": True}, Terms("standard", 2, None, True), True),
        ({"rated": True}, Terms("standard", 2, None, False), True),
        ({"editions": ["classic"]}, Terms("standard", 2, None, False), False),
        ({"editions": ["classic"]}, Terms("classic", 2, None, False), True),
        ({"editions": []}, Terms("classic", 2, None, False), False),
        ({"seats": [3, 4]}, Terms("standard", 2, None, False), False),
        ({"seats": [3, 4]}, Terms("standard", 4, None, False), True),
        ({"pace": ["live"]}, Terms("standard", 2, LIVE, False), True),
        ({"pace": ["live"]}, Terms("standard", 2, DAYS, False), False),
        ({"pace": ["live"]}, Terms("standard", 2, None, False), False),
    ],
    ids=str,
)
def test_a_program_accepts_what_it_says(accepts, terms, fits):
    program = described(**accepts)
    assert program.accepts.fits(terms) is fits
    if not fits:
        with pytest.raises(Refused) as refused:
            program.check(terms, 0)
        assert (refused.value.code, refused.value.detail.key) == ("not_accepted", "detail.program_declines")


def test_a_program_plays_only_so_many_games_at_once():
    program, terms = described(at_once=2), Terms("standard", 2, None, False)
    program.check(terms, 1)
    with pytest.raises(Refused) as refused:
        program.check(terms, 2)
    assert (refused.value.code, refused.value.detail.values) == ("not_accepted", {"most": 2})


def test_another_version_is_added_and_the_same_is_not():
    one = described(version="1.0")
    same = described(one, version="1.0", seats=[2])
    assert same.versions == ("1.0",)
    assert described(described(same, version="1.1"), version="1.0").versions == ("1.0", "1.1", "1.0")


def test_a_program_has_so_many_versions_at_most():
    program = None
    for number in range(MOST_VERSIONS):
        program = described(program, version=str(number))
    assert described(program, version=str(MOST_VERSIONS - 1)) == program
    with pytest.raises(Refused) as refused:
        described(program, version="one more")
    assert (refused.value.code, refused.value.limit) == ("rate_limited", "program_versions")


def test_a_game_is_played_by_the_version_at_its_start():
    assert [version_at("100 300", at) for at in (0, 99, 100, 299, 300, 999)] == [0, 0, 1, 1, 2, 2]
    assert version_at("", 5) == 0
