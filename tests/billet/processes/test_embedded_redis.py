import itertools
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import redis

from billet import data_lock
from billet.errors import StartError
from billet.redis import binary as redis_binary
from billet.redis import embedded as embedded_redis
from billet.redis.embedded import EmbeddedRedis
from tools.testbed.processes import alive, all_gone


def test_a_killed_server_keeps_every_answered_write(tmp_path):
    server = EmbeddedRedis(tmp_path)
    pid = server.start()
    client = redis.Redis.from_url(server.url)
    for number in range(50):
        client.rpush("numbers", number)
    os.kill(pid, signal.SIGKILL)
    client.close()
    server.stop()
    with embedded_redis.running(tmp_path) as again:
        client = redis.Redis.from_url(again.url)
        assert client.llen("numbers") == 50
        client.close()


def test_it_takes_no_more_than_half_of_the_memory_and_evicts_nothing(tmp_path):
    with embedded_redis.running(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        memory = client.info("memory")
        assert memory["maxmemory"] == embedded_redis.machine_memory() // 2
        assert memory["maxmemory_policy"] == "noeviction"


def test_it_takes_as_much_as_it_is_told(tmp_path):
    with embedded_redis.running(tmp_path, max_memory_mb=77) as server, redis.Redis.from_url(server.url) as client:
        assert client.info("memory")["maxmemory"] == 77 * 2**20


def test_a_container_has_no_more_memory_than_its_limit(tmp_path, monkeypatch):
    (tmp_path / "limit").write_text(f"{64 * 2**20}\n")
    (tmp_path / "none").write_text("max\n")
    whole = embedded_redis.machine_memory()
    monkeypatch.setattr(embedded_redis, "CGROUP_LIMITS", (tmp_path / "none", tmp_path / "limit", tmp_path / "missing"))
    assert embedded_redis.machine_memory() == 64 * 2**20
    monkeypatch.setattr(embedded_redis, "CGROUP_LIMITS", (tmp_path / "none",))
    assert embedded_redis.machine_memory() >= whole


def test_the_defaults_lose_nothing(tmp_path):
    with embedded_redis.running(tmp_path) as server:
        client = redis.Redis.from_url(server.url, decode_responses=True)
        config = client.config_get("*")
        client.close()
    expected = {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "save": "",
        "aof-use-rdb-preamble": "yes",
    }
    assert {name: config[name] for name in expected} == expected


def test_everything_lies_below_the_data_directory(tmp_path):
    with embedded_redis.running(tmp_path / "data dir") as server:
        assert server.url == f"unix://{tmp_path}/data%20dir/redis/redis.sock"
        assert server.answers()
    assert [path.name for path in tmp_path.iterdir()] == ["data dir"]


def test_a_long_data_directory_gets_a_short_socket_that_is_removed(tmp_path):
    deep = tmp_path / ("d" * 120)
    with embedded_redis.running(deep) as server:
        client = redis.Redis.from_url(server.url)
        client.set("a", "b")
        client.close()
        short = server._socket.parent
        assert short.stat().st_mode & 0o077 == 0
    assert not short.exists()
    with embedded_redis.running(deep) as server:
        client = redis.Redis.from_url(server.url)
        assert client.get("a") == b"b"
        client.close()


def test_a_server_that_loads_for_hours_is_waited_for(tmp_path, monkeypatch):
    hours = SimpleNamespace(sleep=time.sleep, monotonic=itertools.count(0, 3600).__next__)
    monkeypatch.setattr(embedded_redis, "time", hours)
    with embedded_redis.running(tmp_path) as server:
        assert server.answers()


def test_the_server_goes_when_its_parent_is_killed(tmp_path):
    script = (
        "import sys, time; from pathlib import Path; from billet.redis.embedded import EmbeddedRedis;"
        "print(EmbeddedRedis(Path(sys.argv[1])).start(), flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script, tmp_path], stdout=subprocess.PIPE, text=True)
    with parent:
        server = int(parent.stdout.readline())
        assert alive(server)
        parent.kill()
    assert all_gone([server])


def test_a_broken_log_is_a_clear_error(tmp_path):
    with embedded_redis.running(tmp_path) as server:
        client = redis.Redis.from_url(server.url)
        client.set("a", "b")
        client.close()
        logs = [path for path in server.folder.rglob("appendonly*") if path.is_file()]
    for log in logs:
        log.write_bytes(b"no log\n")
    with pytest.raises(StartError, match=r"ended with status 1: .*AOF"):
        EmbeddedRedis(tmp_path).start()


def test_an_older_server_does_not_start_empty_beside_a_newer_ones_log(tmp_path, monkeypatch):
    (tmp_path / "redis" / "appendonlydir").mkdir(parents=True)
    monkeypatch.setattr(embedded_redis, "major_version", lambda binary: 6)
    with pytest.raises(StartError, match="was written by Redis 7 or newer"):
        EmbeddedRedis(tmp_path)


@pytest.mark.parametrize("name", redis_binary.NAMES)
def test_a_server_on_the_path_comes_first(tmp_path, monkeypatch, name):
    binary = tmp_path / name
    binary.write_text("#!/bin/sh\n")
    binary.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert redis_binary.find_redis() == binary
    with pytest.raises(StartError, match="does not report a Redis version"):
        redis_binary.major_version(binary)


def test_without_any_redis_the_error_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(redis_binary, "find_spec", lambda name: None)
    with pytest.raises(StartError) as refused:
        redis_binary.find_redis()
    assert "no Redis found" in str(refused.value)
    assert "redis-server or valkey-server" in str(refused.value)
    assert "REDIS_URL" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_machine_without_redis_runs_the_server_of_the_package(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    binary = redis_binary.find_redis()
    assert binary.name == "valkey-server"
    assert redis_binary.major_version(binary) >= 9


def test_a_locked_data_directory_is_refused_and_names_the_holder(tmp_path, monkeypatch):
    monkeypatch.setattr(data_lock, "PATIENCE", 0.1)
    with data_lock.locked(tmp_path), pytest.raises(StartError) as refused, data_lock.locked(tmp_path):
        pass
    assert f"process {os.getpid()}" in str(refused.value)
    assert "DATA_DIR" in str(refused.value)


def test_a_file_in_the_place_of_the_data_directory_is_a_clear_error(tmp_path):
    (tmp_path / "data").write_text("")
    with pytest.raises(StartError, match="cannot use the data directory"), data_lock.locked(tmp_path / "data"):
        pass


def test_a_lock_that_cannot_be_written_is_a_clear_error(tmp_path):
    """As on a full disk."""
    (tmp_path / "lock").symlink_to("/dev/full")
    with pytest.raises(StartError, match="cannot use the data directory"), data_lock.locked(tmp_path):
        pass


@pytest.mark.parametrize("file", ["url", "redis.log"])
def test_a_file_of_the_server_that_cannot_be_written_is_a_clear_error(tmp_path, file):
    """As when root has made the files and another user starts the server."""
    (tmp_path / "redis" / file).mkdir(parents=True)
    with pytest.raises(StartError, match="cannot use the data directory"), embedded_redis.running(tmp_path):
        pass


def test_an_address_that_found_no_room_on_the_disk_is_none(tmp_path):
    (tmp_path / "redis").mkdir()
    (tmp_path / "redis" / "url").touch()
    assert embedded_redis.url_in(tmp_path) is None


def test_a_data_directory_of_another_user_is_not_taken_for_an_empty_one(tmp_path, monkeypatch):
    def refuse(path):  # what no file system does to root, who may run this test
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(embedded_redis.Path, "read_text", refuse)
    with pytest.raises(StartError, match="only the user of `billet serve`, or root, may read"):
        embedded_redis.url_in(tmp_path)
