"""The soak of logs in small: two games and a change to each, before both verifiers."""

from tools.soak import __main__ as soak
from tools.soak import logs

TABLES = ["classic-2", "lovecraft-3"]


def test_games_are_valid_and_what_is_changed_in_them_is_found(capsys):
    assert soak.main(["logs", "--games", "2", "--jobs", "1", "--tables", *TABLES]) == 0
    said = capsys.readouterr().out
    assert "logs: 2 games with " in said
    assert "2 changes found by both" in said


def test_a_change_that_is_not_found_ends_the_run(capsys, monkeypatch):
    monkeypatch.setattr(logs, "changes", lambda log, rng: ("nothing", log, True))
    assert soak.main(["logs", "--games", "1", "--jobs", "1"]) == 1
    assert "BROKEN: " in capsys.readouterr().err
