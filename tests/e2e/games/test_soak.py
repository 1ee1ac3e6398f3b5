"""The soak over HTTP in small: it sees an offer that is refused, a call that fails, and what is left behind."""

import json
from contextlib import nullcontext

import pytest

from tests.e2e import mixed_games
from tests.e2e.calls import Answer
from tools.soak import __main__ as main
from tools.soak import http

ALL_PEOPLE = 3
"""The number of a game that waits for nobody but people when it is broken off: nothing is left of it."""
PLAY = {"type": "play_card", "card": "guard", "targets": []}
original = mixed_games.Game.act


@pytest.fixture(scope="module")
def soak():
    with http.begun(processes="1") as soak:
        yield soak


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setattr(http, "KEPT", tmp_path / "build" / "game.json")
    return http.KEPT


def test_games_end_and_leave_nothing(soak, capsys):
    games, plays, actions = http.play_all(soak, [("lovecraft", 3)], 4)
    assert games == 4
    assert plays > actions > 0
    said = capsys.readouterr().out
    assert "  lovecraft 3 seats: 4 games, " in said


def test_the_command_plays_a_table(soak, capsys, monkeypatch):
    monkeypatch.setattr(http, "begun", lambda: nullcontext(soak))
    assert main.main(["http", "--tables", "classic-2", "--games", "2"]) == 0
    assert "nothing was refused, failed or left" in capsys.readouterr().out


def test_an_offer_that_is_refused_breaks_it_and_keeps_the_log(soak, kept, monkeypatch):
    monkeypatch.setattr(mixed_games.Game, "act", refused)
    with pytest.raises(http.Broken, match=r"classic, 3 seats, game 3: .*was offered and refused: 409"):
        soak.play("classic", 3, ALL_PEOPLE)
    (log,) = json.loads(kept.read_text()).values()
    assert log[0]["type"] == "game_created"


def refused(game, person, view):
    others = next(other for seat, other in game.people.items() if seat != view["to_act"])
    game.people = dict.fromkeys(game.people, others)
    return original(game, others, view | {"viewer": {"seat": view["to_act"]}, "legal_actions": [{"action": PLAY}]})


def test_a_game_that_does_not_go_on_breaks_it(soak, kept, monkeypatch):
    monkeypatch.setattr(mixed_games, "SECONDS", 0)
    with pytest.raises(http.Broken, match="does not act"):
        soak.play("classic", 2, ALL_PEOPLE)


def test_a_server_error_breaks_it():
    answer = Answer("GET", "/v1/games", b"", 500, {}, b"oh")
    with pytest.raises(http.Broken, match="GET /v1/games: 500 oh"):
        http.no_server_error(answer)


# A queue that no worker knows: one that looked into its own would end, for it is no list.
@pytest.mark.parametrize("name", ["rq:job:bots-x-1-2", "rq:queue:other", "rq:failed:turns", "billet:due"])
def test_what_is_left_breaks_it(soak, name, monkeypatch):
    monkeypatch.setattr(http, "JOBS_SECONDS", 1)
    with soak.installation.redis() as client:
        client.zadd(name, {"x": 9e15})
        try:
            with pytest.raises(http.Broken, match=name):
                soak.check_nothing_is_left()
        finally:
            client.delete(name)
    soak.check_nothing_is_left()


def test_what_the_installation_says_of_errors_breaks_it(soak, monkeypatch):
    monkeypatch.setattr(soak.installation, "said", lambda: "started\n2030 ERROR oh\n")
    with pytest.raises(http.Broken, match="ERROR oh"):
        soak.check_nothing_is_left()
