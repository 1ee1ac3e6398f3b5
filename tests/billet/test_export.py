"""Taking ended games out of an installation: all of them, once, in one order."""

import gzip
import json
import random
from pathlib import Path

import pytest
import redis

from billet import cli
from games.records.portable import as_json
from games.records.verification import verify
from service import Settings, build
from service.store import keys
from tests.service.at_table import Game
from tests.service.upkeep.archived import made


@pytest.fixture(autouse=True)
def environment(monkeypatch, redis_url, tmp_path):
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def games(redis_url):
    """Ended games, in the order in which they ended, beside one that goes on and one that is open."""
    service = build(Settings(redis_url=redis_url))
    Game.open(service, "creator", "open")
    Game.begin(service, 2).play(random.Random(1), 2)
    ended = [
        Game.begin(service, 2, visibility=visibility, edition=edition).play(random.Random(1))
        for visibility, edition in (("public", "standard"), ("unlisted", "classic"), ("public", "classic"))
    ]
    aborted = Game.begin(service, 2)
    service.administration.abort(aborted.id)
    return [*ended, aborted]


@pytest.fixture
def export(capfd):
    """Runs the command in this process and returns its exit status and what it has said."""

    def run(*words):
        status = cli.main(["export", *words])
        said = capfd.readouterr()
        return status, said.out, said.err

    return run


def test_all_ended_games_come_in_order_and_are_valid(games, export):
    status, said, counted = export()
    assert (status, counted) == (0, "games: 4 written, 0 damaged\n")
    logs = [json.loads(line) for line in said.splitlines()]
    assert [log["game"] for log in logs] == [game.id for game in games]
    assert all(verify(log).valid for log in logs)
    service = games[0].service
    assert said.splitlines()[0].encode() == as_json(service.games.log(None, games[0].id))


def test_only_those_since_a_date_and_of_an_edition(games, export):
    assert export("--since", "2999-01-01")[1] == ""
    assert len(export("--since", "2020-01-01T00:00:00+02:00")[1].splitlines()) == 4
    assert [json.loads(line)["game"] for line in export("--edition", "classic")[1].splitlines()] == [
        game.id for game in games[1:3]
    ]
    with pytest.raises(SystemExit) as end:
        export("--since", "yesterday")
    assert end.value.code == 2


def test_a_folder_has_a_file_for_each_and_gets_what_is_missing(games, export, tmp_path):
    assert export("-o", "folder/")[0] == 0
    names = sorted(path.name for path in (tmp_path / "folder").iterdir())
    assert names == sorted(f"{game.id}.json.gz" for game in games)
    (tmp_path / "folder" / names[0]).unlink()
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "folder").iterdir()}
    assert export("-o", "folder")[2] == "games: 1 written, 0 damaged\n"
    after = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "folder").iterdir()}
    assert before.items() <= after.items()
    assert sorted(after) == names
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "folder").iterdir()} == {0o600}, "for its owner"
    assert json.loads(gzip.decompress((tmp_path / "folder" / names[0]).read_bytes()))["format"] == "billet-log"


def test_damaged_games_are_named_and_the_others_come(games, export, redis_url):
    with redis.Redis.from_url(redis_url) as client:
        client.xdel(keys.log(games[0].id), "5-0")
        client.delete(keys.meta(games[1].id))
        client.delete(keys.log(games[2].id))
        client.set(keys.log(games[2].id), "nothing of a stream")
    status, said, error = export()
    assert (status, [json.loads(line)["game"] for line in said.splitlines()]) == (1, [games[3].id])
    assert all(f"game {game.id} is damaged and left out" in error for game in games[:3])
    assert error.endswith("games: 1 written, 3 damaged\n")


def test_where_nothing_can_be_written_is_one_line(export):
    Path("letter").write_text("Dear Ann")
    assert export("-o", "letter") == (2, "", "billet: cannot write to letter: File exists\n")
    assert Path("letter").read_text() == "Dear Ann"


def test_without_a_redis_it_is_one_line(export, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    status, said, error = export()
    assert (status, said, error.count("\n")) == (2, "", 1)


def test_archived_games_come_as_the_others_do_and_are_waited_for(games, export, redis_url, tmp_path, monkeypatch):
    _, expected, _ = export()
    archiving = build(Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive"))))
    for game in (games[0], games[2], games[3]):
        assert archiving.retention.archive(game.id) == "archived"
    monkeypatch.setenv("ARCHIVE_URL", str(tmp_path / "archive"))
    assert export() == (0, expected, "games: 4 written, 0 damaged\n")
    monkeypatch.setenv("ARCHIVE_URL", str(tmp_path / "elsewhere"))
    status, said, error = export()
    assert (status, said) == (2, "")
    assert "the archive cannot be read" in error
    monkeypatch.delenv("ARCHIVE_URL")
    status, said, error = export()
    assert (status, said) == (2, "")
    assert "set ARCHIVE_URL" in error
