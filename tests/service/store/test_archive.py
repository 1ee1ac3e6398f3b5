"""The archive: what was put there comes back or is said to be away; a directory, and a bucket over HTTP."""

import gzip
import threading
import time
from pathlib import Path

import pytest

from games.errors import ArchiveAway, ArchivedFileDamaged
from games.records.portable import as_ndjson, digest_of, packed, parsed, stored_in
from games.records.verification import verify
from service.store.archive import (
    AT_ONCE,
    AWAY_SECONDS,
    Archive,
    Bucket,
    Directory,
    Garbled,
    NoArchive,
    check_same_log,
    name_of,
    store_at,
)
from tests.games.whole_logs import whole_log
from tests.service.store.buckets import PATIENCE, SERVED, running
from tools.testbed.waiting import wait_until

LOG = parsed(as_ndjson(whole_log("standard", 2, 1)))
GAME = LOG["game"]


@pytest.fixture(scope="module")
def bucket():
    with running() as made:
        yield made


@pytest.fixture(params=["directory", "bucket"])
def url(request, tmp_path):
    if request.param == "directory":
        return str(tmp_path)
    return request.getfixturevalue("bucket").url(request.node.name)


def test_a_log_that_was_put_there_comes_back(url):
    archive = Archive(url)
    digest = archive.put(LOG)
    assert archive.put(LOG) == digest, "the same log has the same name"
    for one in (archive, Archive(url)):
        assert one.stored(GAME, digest) == stored_in(LOG["events"])


def test_a_file_in_a_directory_is_for_its_owner_and_their_group(tmp_path):
    digest = Archive(str(tmp_path)).put(LOG)
    assert (tmp_path / name_of(GAME, digest)).stat().st_mode & 0o777 == 0o640


def test_a_file_is_a_log_that_anybody_can_verify(url):
    digest = Archive(url).put(LOG)
    store = store_at(url)
    assert store is not None
    log = parsed(gzip.decompress(store.read(name_of(GAME, digest))))
    assert log == LOG
    assert verify(log).valid


def test_what_was_never_put_there_is_said_to_be_away(url):
    archive = Archive(url)
    with pytest.raises(ArchiveAway):
        archive.stored(GAME, "0" * 32)
    digest = archive.put(LOG)
    assert archive.stored(GAME, digest), "of the others it says nothing"


@pytest.mark.parametrize("change", [lambda raw: raw[:-1], lambda raw: b"", lambda raw: raw[:99] + b"?" + raw[100:]])
def test_garbage_is_never_taken_for_a_log(url, change):
    archive = Archive(url)
    digest = archive.put(LOG)
    store = store_at(url)
    assert store is not None
    raw = store.read(name_of(GAME, digest))
    store.write(name_of(GAME, digest), change(raw))
    with pytest.raises(ArchiveAway):
        archive.stored(GAME, digest)
    assert archive.put(LOG) == digest
    assert store.read(name_of(GAME, digest)) == raw, "a file that was cut off is written again"


LAST = LOG["events"][-1]


@pytest.mark.parametrize(
    "change",
    [
        {"secret": "0" * 64},
        {"events": LOG["events"][:-1]},
        {"events": [*LOG["events"][:-1], LAST | {"at": LOG["events"][0]["at"]}]},
        {"players": list(reversed(LOG["players"]))},
    ],
)
def test_another_log_is_found_out(change):
    other = LOG | change
    other |= {"digest": digest_of(other)}
    raw = packed(as_ndjson(other))
    with pytest.raises(Garbled):
        check_same_log(raw, LOG)


def test_without_an_archive_nothing_is_put_anywhere():
    with pytest.raises(NoArchive):
        Archive("").put(LOG)
    with pytest.raises(ArchiveAway):
        Archive("").stored(GAME, "0" * 32)


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path, monkeypatch):
    directory, names = Directory(tmp_path), []
    replace = Path.replace

    def looking(self, target):
        names.extend(str(path.name) for path in tmp_path.rglob("*") if path.is_file())
        assert self.read_bytes() == b"whole"
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", looking)
    directory.write("ab/log", b"whole")
    assert len(names) == 1
    assert names[0].endswith(".part")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["log"]


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        Directory(tmp_path).write("ab/log", b"whole")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_bucket_that_is_away_is_not_asked_by_all_at_once(bucket, monkeypatch):
    archive = Archive(bucket.url("away"))
    digest = archive.put(LOG)
    asked, read = [], Bucket.read
    monkeypatch.setattr(Bucket, "read", lambda self, name: asked.append(name) or read(self, name))
    with bucket.away():
        began = time.monotonic()
        for _ in range(50):
            with pytest.raises(ArchiveAway):
                archive.stored(GAME, digest)
        took = time.monotonic() - began
        assert asked.count(name_of(GAME, digest)) <= 1 + took / AWAY_SECONDS, "only the first one has waited"
    deadline = time.monotonic() + 100
    while True:
        try:
            assert archive.stored(GAME, digest) == stored_in(LOG["events"])
            break
        except ArchiveAway:
            assert time.monotonic() < deadline, "it is asked again"
            time.sleep(0.1)


def test_a_slow_archive_takes_few_threads(monkeypatch):
    class Slow:
        def __init__(self):
            self.reading = self.most = 0
            self.counting = threading.Lock()
            self.go = threading.Event()

        def read(self, name):
            with self.counting:
                self.reading += 1
                self.most = max(self.most, self.reading)
            self.go.wait(100)
            with self.counting:
                self.reading -= 1
            raise FileNotFoundError

    slow = Slow()
    archive = Archive("")
    monkeypatch.setattr(archive, "_store", slow)
    monkeypatch.setattr("service.store.archive.ANSWER_SECONDS", 0.05)
    monkeypatch.setattr("service.store.archive.BOUND_SECONDS", 100)
    outcomes = []

    def ask():
        with pytest.raises(ArchiveAway):
            archive.stored(GAME, "0" * 32)
        outcomes.append(slow.go.is_set())

    threads = [threading.Thread(target=ask) for _ in range(AT_ONCE + 4)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(outcomes) >= 4, seconds=50)
    assert outcomes == [False] * 4, "those for whom there is no room do not wait for the others"
    slow.go.set()
    for thread in threads:
        thread.join()
    assert slow.most == AT_ONCE


def test_a_file_whose_reading_takes_too_long_is_not_said_to_be_damaged(tmp_path, monkeypatch):
    archive, go = Archive(str(tmp_path)), threading.Event()
    archive.mark("this one")
    digest = archive.put(LOG)
    read = Directory.read

    def slow(directory, name):
        if name == name_of(GAME, digest):
            go.wait(100)
        return read(directory, name)

    with monkeypatch.context() as hanging:
        hanging.setattr(Directory, "read", slow)
        hanging.setattr("service.store.archive.BOUND_SECONDS", 0.05)
        with pytest.raises(ArchiveAway) as away:
            archive.stored(GAME, digest)
        go.set()
    assert not isinstance(away.value, ArchivedFileDamaged)
    monkeypatch.setattr(archive, "_away_until", 0.0)
    assert archive.stored(GAME, digest) == stored_in(LOG["events"])


def test_an_archive_that_had_no_threads_for_a_while_is_read_again(tmp_path, monkeypatch):
    archive = Archive(str(tmp_path))
    archive.mark("this one")
    monkeypatch.setattr("service.store.archive.ANSWER_SECONDS", 0.05)

    def none_left(thread):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as crowded:
        crowded.setattr(threading.Thread, "start", none_left)
        for _ in range(AT_ONCE):
            with pytest.raises(RuntimeError):
                archive.marked()
    assert archive.marked() == "this one"


def test_a_signal_while_a_call_to_the_archive_begins_is_raised_as_it_is(tmp_path, monkeypatch):
    class Signalled(BaseException):
        pass

    start = threading.Thread.start

    def interrupted(thread):
        start(thread)
        thread.join()
        raise Signalled

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(Signalled):
        Archive(str(tmp_path)).marked()


def test_a_bucket_waits_for_seconds_only(bucket):
    files, _ = Bucket(bucket.url("times"))._files()
    config = files.config_kwargs
    assert (config["connect_timeout"], config["read_timeout"]) == (
        PATIENCE["CONNECT_SECONDS"],
        PATIENCE["ANSWER_SECONDS"],
    )
    assert SERVED == (2, 5)
    assert config["retries"]["total_max_attempts"] == 1
    assert files.retries == 1
