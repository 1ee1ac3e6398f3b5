import socket
import subprocess
import sys
from pathlib import Path

import pytest

from billet import cli
from service.settings import Settings


def billet(*words, **environment):
    """Run the command with an environment of its own."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "billet", *words],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": "/usr/bin:/bin", **environment},
    )


def one_line(done):
    """The single line of an error."""
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("billet: ")
    return line


@pytest.fixture
def taken_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield str(listener.getsockname()[1])


def test_help_names_every_command_and_every_setting(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    for command in ("serve", "api", "worker", "rebuild", "demo", "openapi", "health"):
        assert f"\n    {command} " in said
    for field in Settings.__dataclass_fields__.values():
        assert f"\n  {field.metadata['variable']} " in said


def test_a_malformed_setting_is_one_line(tmp_path):
    assert one_line(billet("serve", PORT="eighty")) == (
        "billet: PORT must be a whole number from 1 to 65535, not 'eighty'"
    )


@pytest.mark.parametrize("command", ["serve", "api"])
def test_a_taken_port_is_one_line_and_nothing_is_started(command, taken_port, tmp_path, redis_url):
    redis = {"REDIS_URL": redis_url} if command == "api" else {}
    done = billet(command, PORT=taken_port, DATA_DIR=str(tmp_path / "data"), **redis)
    assert f"port {taken_port} is taken" in one_line(done)
    assert not (tmp_path / "data").exists()


def test_a_strange_host_is_one_line(tmp_path):
    done = billet("serve", HOST="no.such.host.invalid", DATA_DIR=str(tmp_path))
    assert "HOST 'no.such.host.invalid' is not an address of this machine" in one_line(done)


@pytest.mark.parametrize("command", [["api"], ["worker"], ["health", "worker"]])
def test_a_part_alone_needs_a_redis(command, tmp_path):
    done = billet(*command, DATA_DIR=str(tmp_path))
    assert "no Redis to use: set REDIS_URL" in one_line(done)


def test_rebuilding_nothing_is_one_line(tmp_path):
    done = billet("rebuild", DATA_DIR=str(tmp_path / "nothing"))
    assert "no games below" in one_line(done)
    assert not (tmp_path / "nothing").exists()


def test_no_health_without_an_answer(tmp_path, redis_url):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        free = str(listener.getsockname()[1])
    done = billet("health", "api", PORT=free)
    assert (done.returncode, done.stdout) == (1, "api: no answer\n")
    done = billet("health", "worker", REDIS_URL=redis_url)
    assert (done.returncode, done.stdout) == (1, "worker: no answer\n")


def test_the_document_is_the_published_one():
    done = billet("openapi")
    assert done.returncode == 0
    assert done.stdout == (Path(__file__).parents[2] / "openapi" / "openapi.json").read_text()
