"""`billet archive --to`: the archive moves to another store and back while games are played, and nothing is lost."""

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from billet.cli import main
from games.errors import ArchiveAway, ArchivedFileDamaged
from service import Settings, build
from service.store.archive import Bucket, Directory, name_of, store_at
from service.upkeep import archive_copy
from tests.service.store.buckets import running
from tests.service.upkeep.archived import answers, called_off, ended, made

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def bucket():
    with running() as made:
        yield made


@pytest.fixture(params=["directory to bucket", "bucket to directory"])
def places(request, tmp_path):
    """The addresses of an archive that is there, and of where it goes."""

    def place(kind, name):
        if kind == "directory":
            return str(made(tmp_path / name))
        return request.getfixturevalue("bucket").url(f"{tmp_path.name}/{name}")

    source, target = request.param.split(" to ")
    return place(source, "old"), place(target, "new")


@pytest.fixture
def old(redis_url, places):
    return Settings(redis_url=redis_url, archive_url=places[0])


@pytest.fixture
def new(old, places):
    return replace(old, archive_url=places[1])


@pytest.fixture
def run(old, monkeypatch, capsys):
    """Runs the command, and returns its exit status and what it said."""

    def run(*words, archive_url=old.archive_url):
        for name in ("REDIS_URL", "RETAIN_FINISHED_DAYS"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("ARCHIVE_URL", archive_url)
        status = main(["archive", *words])
        said = capsys.readouterr()
        return status, re.findall(r": (\d+)$", said.out, re.MULTILINE), said.err

    return run


def archived(service, *games):
    assert [service.retention.archive(game.id) for game in games] == ["archived"] * len(games)
    return [name_of(game.id, service.play._log.archived(game.id)) for game in games]


@pytest.mark.parametrize(
    "places", ["directory to bucket", pytest.param("bucket to directory", marks=pytest.mark.soak)], indirect=True
)
def test_an_archive_moves_while_the_service_runs(old, new, run):
    before = build(old)
    *games, late = ended(before, 1, 2), *(called_off(before) for _ in range(4))
    archived(before, *games[:3])
    files = {name: store_at(old.archive_url).read(name) for name in store_at(old.archive_url).names()}
    told = answers(build(old), games[0])
    assert run("--to", new.archive_url) == (0, ["3", "0", "0"], "")
    archived(before, games[3])  # by a worker that has not been started again
    with pytest.raises(ArchivedFileDamaged):
        build(new).games.log(None, games[3].id)
    archived(build(new), late)
    with pytest.raises(ArchivedFileDamaged):
        build(old).games.log(None, late.id)
    assert run("--to", new.archive_url) == (0, ["1", "3", "0"], "")
    after = build(new)
    assert answers(after, games[0]) == told
    for game in (*games, late):
        assert after.games.log(None, game.id)["game"] == game.id
    assert after.watch.fault() == ""
    for name, raw in files.items():
        assert store_at(old.archive_url).read(name) == store_at(new.archive_url).read(name) == raw, "nothing is removed"
    assert run("--to", old.archive_url, archive_url=new.archive_url) == (0, ["1", "4", "0"], ""), "and back"
    assert build(old).games.log(None, late.id)


def test_what_was_interrupted_goes_on_and_is_no_archive_before_it_is_whole(old, new, run, monkeypatch):
    service = build(old)
    games = [called_off(service) for _ in range(6)]
    names = archived(service, *games)
    store = type(store_at(new.archive_url))
    assert store in (Bucket, Directory)
    write, written = store.write, []

    def failing(self, name, raw):
        if len(written) >= 2:
            raise OSError(28, "No space left on device")
        written.append(name)
        write(self, name, raw)

    with monkeypatch.context() as patch:
        patch.setattr(store, "write", failing)
        status, counts, said = run("--to", new.archive_url)
    assert (status, counts) == (2, [])
    assert said == (
        "billet: the new store cannot be written: OSError (No space left on device); repeat the command to continue\n"
    )
    there = sorted(store_at(new.archive_url).names())
    assert there == sorted(written)
    missing = next(game for game, name in zip(games, names, strict=True) if name not in there)
    with pytest.raises(ArchiveAway):
        build(new).games.log(None, missing.id)
    assert build(new).retention.archive(called_off(service).id) == "failed", "no game leaves Redis for half a copy"
    cut = there[0]
    store_at(new.archive_url).write(cut, b"cut off")
    assert run("--to", new.archive_url) == (0, [str(7 - len(there)), str(len(there) - 1), "0"], "")
    assert sorted(store_at(new.archive_url).names()) == sorted(names)
    assert all(build(new).games.log(None, game.id) for game in games)


@pytest.mark.parametrize("places", ["directory to bucket"], indirect=True)
def test_a_damaged_file_is_named_and_left_and_the_others_are_copied(old, new, run):
    service = build(old)
    games = [called_off(service) for _ in range(4)]
    names = archived(service, *games)
    store_at(old.archive_url).write(names[1], b"rotten")
    status, counts, said = run("--to", new.archive_url)
    assert (status, counts) == (1, ["3", "0", "1"])
    assert said == f"billet: {names[1]} is damaged or cannot be read: it is not copied\n"
    assert store_at(old.archive_url).read(names[1]) == b"rotten"
    assert sorted(store_at(new.archive_url).names()) == sorted({*names} - {names[1]})
    assert build(new).watch.fault() == ""
    assert all(build(new).games.log(None, game.id) for game in (games[0], *games[2:]))


@pytest.mark.parametrize("places", ["directory to bucket"], indirect=True)
def test_a_copy_that_comes_back_different_is_found_out(old, new, run, monkeypatch):
    service = build(old)
    archived(service, called_off(service))
    store = type(store_at(new.archive_url))
    write = store.write
    monkeypatch.setattr(store, "write", lambda self, name, raw: write(self, name, raw[:-1]))
    status, _, said = run("--to", new.archive_url)
    assert (status, said.split(";")[0]) == (2, "billet: the new store returns other bytes than were written")


@pytest.mark.parametrize("places", ["bucket to directory"], indirect=True)
def test_what_is_not_the_archive_or_no_place_for_it_is_refused(old, new, run, tmp_path):
    assert "the archive has no marker" in run("--to", new.archive_url)[2]
    service = build(old)
    archived(service, called_off(service))
    for to, why in (
        (old.archive_url, "--to must name another store"),
        ("relative/path", "ARCHIVE_URL must be the absolute path"),
        (str(tmp_path / "not mounted"), f"there is no directory {tmp_path / 'not mounted'}: mount or make it first\n"),
    ):
        status, _, said = run("--to", to)
        assert (status, why in said) == (2, True), said
    assert not (tmp_path / "not mounted").exists()
    assert "set ARCHIVE_URL" in run("--to", new.archive_url, archive_url="")[2]
    store_at(new.archive_url).write("billet-archive.json", b'{"archive": "of somebody else"}')
    assert "the new store is another archive" in run("--to", new.archive_url)[2]
    assert list(store_at(new.archive_url).names()) == []


@pytest.mark.parametrize("places", ["directory to directory"], indirect=True)
def test_a_disk_that_goes_away_meanwhile_is_not_taken_for_an_empty_one(old, new, run, monkeypatch):
    service = build(old)
    archived(service, called_off(service), called_off(service))
    copied = archive_copy._copy_archived

    def unmounting(source, target, name):
        Path(old.archive_url).rename(f"{old.archive_url} away")
        monkeypatch.setattr(archive_copy, "_copy_archived", copied)
        return copied(source, target, name)

    monkeypatch.setattr(archive_copy, "AT_ONCE", 1)
    monkeypatch.setattr(archive_copy, "_copy_archived", unmounting)
    status, _, said = run("--to", new.archive_url)
    assert (status, "is the disk still mounted?" in said) == (2, True), said
    assert build(new).watch.fault(), "it is not marked"


@pytest.mark.parametrize("places", ["directory to bucket"], indirect=True)
def test_the_commands_of_the_page_move_it(old, new, redis_url, monkeypatch, capsys):
    section = PAGE.split("### Move the archive")[1].split("\n## ")[0].split("\n### ")[0]
    commands = re.findall(r"^ +(?:[A-Z_]+=\S+ )*billet .*$", section, re.MULTILINE)
    assert len(commands) == 2
    service = build(old)
    games = [called_off(service) for _ in range(2)]
    environment = {"REDIS_URL": redis_url, "ARCHIVE_URL": old.archive_url}
    for command, game in zip(commands, games, strict=True):
        archived(service, game)
        words = command.replace("/var/lib/billet/archive", old.archive_url)
        words = words.replace("s3://my-bucket/billet", new.archive_url)
        assert words != command
        own = dict(word.split("=", 1) for word in shlex.split(words.split("billet archive")[0]))
        with monkeypatch.context() as patch:
            for name, value in (environment | own).items():
                patch.setenv(name, value)
            assert main(shlex.split("archive" + words.split("billet archive")[1])) == 0
        said = capsys.readouterr()
        assert (said.out.startswith("copied: 1\n"), said.err) == (True, "")
        environment["ARCHIVE_URL"] = new.archive_url  # as the page says
    assert all(build(new).games.log(None, game.id) for game in games)
