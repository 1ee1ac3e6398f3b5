"""Every program that the package's README shows does what it says."""

import pytest

from tests.clients.typescript.project import BASE, blocks

COUNT = len(blocks("ts"))


@pytest.fixture(scope="module")
def said(project, served, tmp_path_factory):
    """Runs a block, compiled by the strictest rules, and returns the lines it prints."""

    def run(number):
        source = (project.built / "readme" / f"block{number}.js").read_text()
        placed = project.built / "readme" / f"block{number}.{served.port}.js"
        placed.write_text(source.replace(BASE, served.base))
        return project.node(placed).splitlines()

    return run


def test_all_blocks_are_here():
    assert COUNT == 8


def test_the_bot_plays(said):
    (line,) = said(1)
    assert line.startswith("seat 0 played")


def test_the_bot_plays_many_games_at_once(said):
    assert said(2) == ["All games are over."]


def test_who_is_invited_declines_and_then_accepts(said):
    assert said(3) == ["active"]


def test_the_front_end_tells_the_game(said):
    lines = said(4)
    assert any(line.startswith("Du spielst") for line in lines)
    assert any("gewinn" in line for line in lines)


def test_who_may_act_too_late_names_the_view():
    """Otherwise the action may be played as the next one."""
    assert all("ifMatch:" in block for block in blocks("ts") if "clock:" in block)


def test_the_lobby_is_followed(said):
    assert said(5) == ["2"]


def test_coming_back_misses_nothing(said):
    versions = [int(line) for line in said(6)]
    assert len(versions) > 10
    assert versions == list(range(11, 11 + len(versions)))


def test_a_turn_is_looked_at_and_gone_on_from(said):
    *rounds, last = said(7)
    assert rounds
    assert all(line.startswith("Round ") for line in rounds)
    assert last == "0 0 true"


def test_refusals_are_told_apart(said):
    rule, full, missing, last = said(8)
    assert rule == "must_play_countess Play the Countess"
    assert (full, missing, last) == ("true", "true", "not_seated")
