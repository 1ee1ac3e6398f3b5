"""`billet admin`: what it prints, how it ends, and the line that every call leaves."""

import pytest

from billet.cli import main
from games.errors import Refused
from service import Settings, build
from tests.service.at_table import Game


@pytest.fixture
def admin(redis_url, monkeypatch, capsys, caplog):
    """Runs the command; returns its exit status, what it prints, and its audit lines."""
    monkeypatch.setenv("REDIS_URL", redis_url)

    def run(*words):
        status = main(["admin", *words])
        out, err = capsys.readouterr()
        lines = [record.getMessage() for record in caplog.records if record.name == "billet.audit"]
        caplog.clear()
        return status, out, err, lines

    return run


def test_what_operators_do_from_the_console(admin, redis_url):
    service = build(Settings(redis_url=redis_url))
    game = Game.begin(service, 3)
    player = game.guests[1]
    status, out, _, lines = admin("players", "guest 1")
    assert (status, len(out.splitlines())) == (0, 1)
    assert out.startswith(f"{player.id}  human  ")
    assert out.endswith("Z  Guest 1\n")
    assert lines == ["console admin players -: done"]
    status, out, _, lines = admin("ban", player.id)
    assert (status, out, lines) == (0, "ban: done\n", [f"console admin ban {player.id}: done"])
    assert admin("players", "guest 1")[1].endswith("Guest 1  banned\n")
    with pytest.raises(Refused) as refused:
        build(Settings(redis_url=redis_url)).players.me(player.token)
    assert refused.value.code == "banned"
    assert admin("unban", player.id)[0] == 0
    assert service.players.me(player.token)["id"] == player.id
    assert admin("erase", player.id)[0] == 0
    assert admin("players", "guest 1")[1] == ""
    assert admin("abort", game.id)[0] == 0
    assert game.view()["status"] == "aborted"
    assert admin("delete", game.id)[0] == 0
    status, out, err, lines = admin("delete", game.id)
    assert (status, out, lines) == (1, "", [f"console admin delete {game.id}: not_found"])
    assert err.startswith("billet: ")


def test_without_redis_it_says_so(admin, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    status, _, err, _ = admin("ban", "nobody")
    assert status == 2
    assert "billet: " in err
