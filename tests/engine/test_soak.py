"""The soak in small: it plays every table it is given and stops at the first game that breaks an invariant."""

import pytest

from tests.engine.random_games import TABLES
from tests.engine.rules import invariants
from tools.soak import __main__ as soak
from tools.soak import engine

pytestmark = pytest.mark.many


def test_it_plays_every_table(capsys, monkeypatch):
    monkeypatch.setattr(
        engine, "closely", engine.cheaply
    )  # as most games are looked at; the others take five times longer
    assert soak.main(["engine", "--games", "1", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    for edition, seats in TABLES:
        assert f"  {edition:<9} {seats} seats: 1 games, " in said
    assert f"engine: {len(TABLES)} games, " in said
    assert "no invariant is broken" in said


def test_it_plays_on_several_cores(capsys, monkeypatch):
    monkeypatch.setattr(engine, "CHUNK", 50)
    assert soak.main(["engine", "--games", "60", "--jobs", "2", "--tables", "classic-2"]) == 0
    several = capsys.readouterr().out.splitlines()[1:-1]
    assert soak.main(["engine", "--games", "60", "--jobs", "1", "--tables", "classic-2"]) == 0
    alone = capsys.readouterr().out.splitlines()[1:-1]
    assert [line.rpartition(",")[0] for line in several] == [line.rpartition(",")[0] for line in alone]


def test_a_game_that_breaks_on_another_core_ends_the_run(capsys, monkeypatch):
    monkeypatch.setattr(engine, "play", broken_play)
    assert soak.main(["engine", "--games", "1500", "--jobs", "2", "--tables", "classic-2"]) == 1
    assert "BROKEN: classic, 2 seats, seed 500" in capsys.readouterr().err


def broken_play(edition, seats, seeds):
    if 500 in seeds:
        raise engine.Broken(edition, seats, 500, "why")
    return engine.Counter(game_finished=len(seeds))


def test_it_says_how_to_repeat_the_first_game_that_breaks_an_invariant(capsys, monkeypatch):
    check = invariants.check_end

    def no_seat_may_win_premium(state, log):
        check(state, log)
        assert state.book.edition.id != "premium", "premium is over"

    monkeypatch.setattr(invariants, "check_end", no_seat_may_win_premium)
    monkeypatch.setattr(engine, "CHUNK", 50)
    arguments = ["engine", "--games", "70", "--jobs", "1", "--tables", "classic-2", "premium-5", "premium-6"]
    assert soak.main(arguments) == 1
    said = capsys.readouterr()
    assert "classic   2 seats: 70 games, " in said.out
    assert "premium" not in said.out
    assert "nothing broken" not in said.out
    assert "AssertionError: premium is over" in said.err
    again = "python -m tools.soak engine --tables premium-5 --seeds 0"
    assert f"BROKEN: premium, 5 seats, seed 0; again: {again}\n" in said.err
    assert soak.main(again.split()[3:]) == 1
    assert "premium is over" in capsys.readouterr().err


def test_it_repeats_a_game_with_every_check(capsys, monkeypatch):
    looked_at = []
    monkeypatch.setattr(engine, "closely", lambda *table, **kind: looked_at.append(table) or (None, []))
    assert soak.main(["engine", "--tables", "lovecraft-6", "--seeds", "7", "8"]) == 0
    assert looked_at == [("lovecraft", 6, 7), ("lovecraft", 6, 8)]
    assert "seeds 7, 8: nothing broken" in capsys.readouterr().out


def test_games_of_all_kinds_are_looked_at_closely(monkeypatch):
    kinds = []
    monkeypatch.setattr(engine, "cheaply", lambda *table, **kind: (None, []))
    monkeypatch.setattr(engine, "closely", lambda *table, **kind: kinds.append(kind) or (None, []))
    engine.play("lovecraft", 4, range(engine.GAMES))
    assert len(kinds) > 300
    found = {(kind["options"]["liber_ivonis"], kind["leaving"] > 0) for kind in kinds}
    assert found == {(reading, leaves) for reading in ("showdown", "published") for leaves in (False, True)}


def test_a_table_that_there_is_not_is_refused(capsys):
    with pytest.raises(SystemExit):
        soak.main(["--tables", "classic-5"])
    assert "classic-5 is none of standard-2, " in capsys.readouterr().err
