"""A game leaves Redis only for the archive of its installation, and what is wrong with the archive is said."""

import json
import shutil
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from games.errors import ArchiveAway, ArchivedFileDamaged
from service import Settings, build
from service.settings import SettingsError
from service.store import archive as archives
from service.store import keys
from service.store.archive import MARKER, name_of
from service.store.damaged import SHOWN_MS
from service.upkeep.ended_logs import DamagedGame, stored_logs
from service.upkeep.retention import why_of
from tests.service.upkeep.archived import called_off, ended, made
from tools.testbed.installation import BILLET
from tools.testbed.waiting import wait_until


@pytest.fixture
def settings(redis_url, tmp_path):
    return Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive")), retain_finished_days=1)


@pytest.fixture
def root(settings):
    return Path(settings.archive_url)


def test_the_first_game_marks_the_archive(service, client, root):
    assert service.retention.archive(ended(service).id) == "archived"
    marker = json.loads((root / MARKER).read_text())
    assert marker == {"archive": client.hget(keys.ARCHIVE, "id").decode()}
    assert service.retention.fault() is None


@pytest.mark.parametrize("url", ["s3:/oops", "archive", "./archive", "file://archive", "s3//games"])
def test_a_path_that_is_not_absolute_is_refused(url):
    with pytest.raises(SettingsError, match="ARCHIVE_URL must be the absolute path of a directory"):
        Settings.from_env({"ARCHIVE_URL": url})


def test_a_folder_that_is_not_there_is_not_made_and_no_game_leaves_redis(settings, tmp_path):
    service = build(replace(settings, archive_url=str(tmp_path / "not mounted")))
    game = ended(service)
    assert service.retention.archive(game.id) == "failed"
    assert not (tmp_path / "not mounted").exists()
    assert service.retention.fault() == "FileNotFoundError (No such file or directory)"
    state = service.survey.state()
    assert (state.games.not_archived, state.games.why_not_archived) == (1, service.retention.fault())
    assert game.view()["status"] == "finished"


def test_a_disk_that_is_no_longer_mounted_takes_no_game(service, client, root):
    first, second = ended(service, 1), ended(service, 2)
    assert service.retention.archive(first.id) == "archived"
    shutil.move(root, root.with_name("elsewhere"))
    root.mkdir()
    assert service.retention.archive(second.id) == "failed"
    assert list(root.iterdir()) == []
    assert client.exists(keys.log(second.id))
    assert service.survey.state().games.why_not_archived == "its marker is missing: is the disk mounted?"
    root.rmdir()
    shutil.move(root.with_name("elsewhere"), root)
    assert service.retention.archive(second.id) == "archived"


def test_the_archive_of_another_installation_takes_no_game(service, client, root):
    (root / MARKER).write_text(json.dumps({"archive": "another"}))
    game = ended(service)
    assert service.retention.archive(game.id) == "failed"
    assert client.exists(keys.log(game.id))
    assert service.retention.fault() == "its marker names another archive"


@pytest.mark.parametrize("spoil", [lambda file: file.write_bytes(b"?"), Path.unlink, lambda file: _folder_at(file)])
def test_one_unreadable_file_is_left_out_of_an_export_and_the_others_are_written(
    service, settings, client, root, spoil, clock
):
    games = [called_off(service) for _ in range(3)]
    assert [service.retention.archive(game.id) for game in games] == ["archived"] * 3
    digest = client.hget(keys.meta(games[1].id), "archive").decode()
    spoil(root / name_of(games[1].id, digest))
    found = {getattr(one, "game", None) or one.place.game: one for one in stored_logs(settings)}
    assert {game for game, one in found.items() if isinstance(one, DamagedGame)} == {games[1].id}
    assert found.keys() == {game.id for game in games}
    assert found[games[1].id].why.startswith("its file in the archive, ")
    with pytest.raises(ArchivedFileDamaged):
        build(settings).games.log(games[1].token(0), games[1].id)
    assert build(settings).games.log(games[2].token(0), games[2].id), "it says nothing of the others"
    state = service.survey.state()
    assert (state.games.damaged_files, state.games.damaged_file_of, state.games.damaged) == (1, games[1].id, 0)
    clock.advance(SHOWN_MS / 1000 + 1)
    assert service.survey.state().games.damaged_files == 0


def _folder_at(file):
    file.unlink()
    file.mkdir()


def test_without_its_marker_the_whole_archive_is_away(service, settings, root):
    game = ended(service)
    service.retention.archive(game.id)
    shutil.rmtree(root)
    with pytest.raises(ArchiveAway) as away:
        list(stored_logs(settings))
    assert not isinstance(away.value, ArchivedFileDamaged)


class Hanging:
    """A store that never answers."""

    def __init__(self):
        self.go = threading.Event()

    def read(self, name):
        self.go.wait(60)
        raise FileNotFoundError

    write = read


def test_a_store_that_hangs_holds_up_nobody_for_long(service, monkeypatch, client):
    monkeypatch.setattr(archives, "BOUND_SECONDS", 0.05)
    monkeypatch.setattr(archives, "ANSWER_SECONDS", 0.05)
    game, hanging = ended(service), Hanging()
    monkeypatch.setattr(service.retention._archive, "_store", hanging)
    began = time.monotonic()
    for _ in range(12):
        assert service.retention.archive(game.id) == "failed"
    assert time.monotonic() - began < 50
    assert service.survey.state().games.why_not_archived == "TimeoutError"
    hanging.go.set()


def test_archiving_ends_with_the_first_game_when_the_archive_is_away(settings, service, tmp_path):
    for _ in range(3):
        called_off(service)
    environment = {"PATH": "/usr/bin:/bin", "REDIS_URL": settings.redis_url, "ARCHIVE_URL": str(tmp_path / "away")}
    done = subprocess.run(
        [*BILLET, "archive", "--days", "0"], capture_output=True, text=True, timeout=240, env=environment
    )
    assert done.returncode == 1
    assert "billet: the archive cannot be used: FileNotFoundError (No such file or directory)" in done.stderr
    assert done.stdout == "archived: 0\nnot archived: 1\nmatches removed: 0\n"


def test_a_process_that_cannot_read_the_archive_says_so(service, settings, root):
    assert service.watch.fault() == "", "before there is an archive nobody needs it"
    service.retention.archive(ended(service).id)
    assert service.watch.fault() == ""
    without = build(replace(settings, archive_url="", retain_finished_days=0))
    without.totals.begin("api")
    assert without.watch.fault() == "ARCHIVE_URL is not set for this process, but games are archived"
    without.totals.report()
    [metric] = [one for one in service.survey.state().measured if one.name == "billet_archive_away"]
    assert sum(sample.value for sample in metric.samples) == 1
    shutil.rmtree(root)
    assert "No such file" in service.watch.fault() or "marker" in service.watch.fault()


def test_an_archive_that_stays_away_is_reported_once(service, monkeypatch, caplog):
    monkeypatch.setattr("service.upkeep.archive_watch.LOOK_SECONDS", 0.01)
    found = ["away", "away", "", "away", "away"]
    monkeypatch.setattr(service.watch, "fault", lambda: found.pop(0) if found else "away")
    with service.watch:
        wait_until(lambda: not found)
    assert caplog.text.count("the archive cannot be used: away") == 2


def test_causes_are_said_without_texts():
    error = OSError(28, "the princess")
    error.__cause__ = ValueError("the guard")
    assert why_of(error) == "OSError (No space left on device) for ValueError"
