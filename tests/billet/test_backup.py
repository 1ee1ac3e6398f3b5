"""`billet backup` and `billet restore`, as an operator types them."""

import random

import pytest
import redis

from billet import cli
from service import Settings, build
from service.inputs.clock import now_ms
from service.store import keys
from tests.service.at_table import Game


@pytest.fixture
def billet(monkeypatch, redis_url, tmp_path, capfd):
    """Runs a command in this process and returns its exit status and what it has said."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.chdir(tmp_path)

    def run(*words):
        status = cli.main(words)
        said = capfd.readouterr()
        return status, said.out, said.err

    return run


def test_into_a_new_data_directory(billet, monkeypatch, redis_url, tmp_path):
    service = build(Settings(redis_url=redis_url))
    Game.begin(service, 2).play(random.Random(1))
    exported = billet("export")[1]
    status, said, _ = billet("backup", "games.billet")
    assert status == 0
    assert said.splitlines()[:2] == ["games: 1", "players: 2"]
    began = service.survey.state().games.backed_up
    assert 0 < began <= now_ms()
    assert billet("backup", "games.billet")[::2] == (
        2,
        "billet: games.billet exists already, and a backup replaces no file: name another\n",
    )
    assert service.survey.state().games.backed_up == began, "the last one that was written whole"
    monkeypatch.delenv("REDIS_URL")
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "new"))
    status, said, _ = billet("restore", "--trust", "games.billet")
    assert status == 0
    assert "left out: 0\ncalled off: 0\ndamaged: 0\neverything is now as of 20" in said
    assert billet("export")[1] == exported
    full = "billet: this Redis holds games or players: restore into one that is empty\n"
    assert billet("restore", "--trust", "games.billet")[::2] == (2, full)


def test_damaged_games_are_named_and_the_others_are_restored(billet, monkeypatch, redis_url, tmp_path, caplog):
    service = build(Settings(redis_url=redis_url))
    damaged, game = (Game.begin(service, 2).play(random.Random(1)) for _ in range(2))
    with redis.Redis.from_url(redis_url) as client:
        client.hdel(keys.meta(damaged.id), "secret")
    status, said, _ = billet("rebuild")
    assert status == 1
    assert said.splitlines()[0::3] == ["games: 1", "damaged: 1"]
    assert f"game {damaged.id} is left out" in caplog.text
    caplog.clear()
    status, said, _ = billet("backup", "games.billet")
    assert (status, "damaged: 1\n" in said, f"game {damaged.id} is damaged" in caplog.text) == (1, True, True)
    monkeypatch.delenv("REDIS_URL")
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "new"))
    status, said, _ = billet("restore", "--trust", "games.billet")
    assert status == 1
    assert "damaged: 1\n" in said
    assert f"game {damaged.id} is left out" in caplog.text
    assert game.id in billet("export")[1]


def test_what_is_wrong_is_said_in_a_line(billet, monkeypatch, tmp_path):
    (tmp_path / "other").write_text("no backup")
    for words in (("restore", "missing"), ("restore", "other"), ("backup", "no/such/folder")):
        status, said, error = billet(*words)
        assert (status, said, error.count("\n")) == (2, "", 1)
    assert billet("restore", "missing")[2] == "billet: missing: No such file or directory\n"
    assert "not a whole backup" in billet("restore", "other")[2]
    monkeypatch.setenv("REDIS_URL", f"unix://{tmp_path}/none")
    assert billet("backup", "new")[0] == 2
    monkeypatch.delenv("REDIS_URL")
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "new"))
    for file in ("missing", "other"):
        assert billet("restore", file)[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other"]
