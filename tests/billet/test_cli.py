import os
import re
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

import pytest

from billet import cli
from service.settings import API_SECRETS, COMMAND_SECRETS, Settings
from tools.testbed.installation import free_port
from tools.testbed.waiting import wait_until


def billet(*words, **environment):
    """Run the command with an environment of its own."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "billet", *words],
        capture_output=True,
        text=True,
        timeout=240,
        env={"PATH": "/usr/bin:/bin", **environment},
    )


@pytest.fixture
def here(capsys):
    """Runs the command in this process, with an environment of its own."""

    def here(*words, **environment):
        with patch.dict(os.environ, {"PATH": "/usr/bin:/bin", **environment}, clear=True):
            status = cli.main([*words])
        return subprocess.CompletedProcess(words, status, *capsys.readouterr())

    return here


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


def test_help_explains_five_commands_and_names_the_others(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert re.findall(r"\n    ([a-z-]+)\s", said) == ["serve", "status", "replay", "verify", "export"]
    others = said.partition("more commands: ")[2]
    for command in (
        "api",
        "worker",
        "rebuild",
        "backup",
        "restore",
        "archive",
        "health",
        "openapi",
        "cards",
        "match",
        "settings",
    ):
        assert command in others
    assert len(said.splitlines()) < 30


def test_every_setting_is_listed(capsys):
    assert cli.main(["settings"]) == 0
    said = capsys.readouterr().out
    for field in Settings.__dataclass_fields__.values():
        assert f"\n  {field.metadata['variable']} " in said


@pytest.mark.parametrize(
    ("command", "known", "unknown"),
    [
        ("serve", ["REDIS_URL", "PORT", "LIMIT_ACTING"], []),
        ("status", ["REDIS_URL", "QUEUE_REDIS_URL", "DATA_DIR"], ["PORT", "LIMIT_ACTING"]),
        ("health", ["REDIS_URL", "PORT"], ["LIMIT_ACTING"]),
        ("cards", [], ["settings", "REDIS_URL", "PORT"]),
        ("openapi", [], ["settings", "REDIS_URL", "PORT"]),
        ("replay", [], ["settings", "REDIS_URL", "PORT"]),
        ("verify", [], ["settings", "REDIS_URL", "PORT"]),
        ("export", ["REDIS_URL", "DATA_DIR"], ["PORT", "LIMIT_ACTING"]),
    ],
)
def test_the_help_of_a_command_names_the_settings_that_it_reads(capsys, command, known, unknown):
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    said = capsys.readouterr().out
    assert [name for name in known if f"\n  {name} " not in said] == []
    assert [name for name in unknown if name in said] == []


def test_the_api_is_imported_without_installed_metadata():
    absent = "1 / 0 if name == 'billet-server' else known(name)"
    code = f"import importlib.metadata as m; known = m.version; m.version = lambda name: {absent}; import api.asgi"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_version_is_that_of_the_package():
    done = billet("--version")
    assert (done.returncode, done.stdout) == (0, f"billet {version('billet-server')}\n")


@pytest.mark.parametrize("words", [["cards", "lovecraft", "--language", "de"], ["--help"]], ids=["long", "short"])
def test_a_reader_that_has_enough_is_no_error(words):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "billet", *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=240,
        env={"PATH": "/usr/bin:/bin"},
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_terminal_without_umlauts_shows_what_it_can():
    done = billet("cards", "premium", "--language", "de", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert " 1  W?chterin " in done.stdout


@pytest.mark.parametrize(
    ("command", "url", "shown", "why"),
    [
        ("serve", "redis://ann:secret@127.0.0.1:1/0?password=secret", "redis://127.0.0.1:1/0", "Connection refused"),
        ("worker", "unix://:secret@/no/such.sock?password=secret", "unix:///no/such.sock", "No such file or directory"),
    ],
)
def test_a_redis_that_does_not_answer_is_one_line(here, command, url, shown, why, tmp_path):
    line = one_line(here(command, REDIS_URL=url, PORT=str(free_port()), DATA_DIR=str(tmp_path)))
    assert line == f"billet: no Redis answers at {shown}: {why}"


@pytest.mark.parametrize("secret", [*API_SECRETS, *COMMAND_SECRETS])
def test_a_worker_does_not_start_with_a_secret_of_operators(here, secret, tmp_path, redis_url):
    line = one_line(here("worker", **{secret: 40 * "x"}, REDIS_URL=redis_url, DATA_DIR=str(tmp_path)))
    assert line == f"billet: unset {secret} for workers, which need none of operators' secrets"


def test_an_address_that_is_none_is_not_repeated(here, tmp_path):
    line = one_line(here("worker", REDIS_URL="redis://:secret@127.0.0.1:port/0", DATA_DIR=str(tmp_path)))
    assert line == "billet: REDIS_URL is not an address of a Redis"


def test_the_api_alone_says_so_and_answers(here):
    port = str(free_port())
    environment = {"PATH": "/usr/bin:/bin", "PORT": port, "REDIS_URL": "redis://:secret@127.0.0.1:1/0"}
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "billet", "api"], env=environment, stderr=subprocess.PIPE, text=True
    ) as api:
        try:
            line = api.stderr.readline()
            wait_until(lambda: here("health", "api", PORT=port).returncode == 0)
        finally:
            api.terminate()
            rest = api.stderr.read()
    assert line.startswith("billet: no Redis answers at redis://127.0.0.1:1/0: Connection refused; until one does")
    assert "secret" not in rest
    assert "Traceback" not in rest


def test_a_malformed_setting_is_one_line(here):
    assert one_line(here("serve", PORT="eighty")) == "billet: PORT must be a whole number from 1 to 65535, not 'eighty'"


@pytest.mark.parametrize("command", ["serve", "api"])
def test_a_taken_port_is_one_line_and_nothing_is_started(here, command, taken_port, tmp_path, redis_url):
    redis = {"REDIS_URL": redis_url} if command == "api" else {}
    done = here(command, PORT=taken_port, DATA_DIR=str(tmp_path / "data"), **redis)
    *warnings, said = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert f"port {taken_port} is taken" in said
    assert all("appendfsync no" in line for line in warnings), "the Redis of the tests does not sync"
    assert not (tmp_path / "data").exists()


def test_a_strange_host_is_one_line(here, tmp_path):
    done = here("serve", HOST="no.such.host.invalid", DATA_DIR=str(tmp_path))
    assert "HOST 'no.such.host.invalid' is not an address of this machine" in one_line(done)


@pytest.mark.parametrize("command", [["api"], ["worker"], ["health", "worker"]])
def test_a_part_alone_needs_a_redis(here, command, tmp_path):
    done = here(*command, DATA_DIR=str(tmp_path))
    assert "no Redis to use: set REDIS_URL" in one_line(done)


def test_a_worker_warns_of_an_archive_whose_directory_is_not_there(here, tmp_path):
    place = tmp_path / "archive"
    done = here("worker", REDIS_URL="redis://127.0.0.1:1", ARCHIVE_URL=str(place))
    assert f"there is no directory {place}: mount or make it" in done.stderr
    place.mkdir()
    done = here("worker", REDIS_URL="redis://127.0.0.1:1", ARCHIVE_URL=str(place))
    assert "no directory" not in done.stderr


def test_settings_are_listed_with_the_numbers_they_accept(here):
    said = here("settings").stdout
    assert "(default: 30, from 0 to 36500)" in said


def test_rebuilding_nothing_is_one_line(here, tmp_path):
    done = here("rebuild", DATA_DIR=str(tmp_path / "nothing"))
    assert "no games below" in one_line(done)
    assert not (tmp_path / "nothing").exists()


def test_no_health_without_an_answer(here, redis_url):
    done = here("health", "api", PORT=str(free_port()))
    assert (done.returncode, done.stdout) == (1, "api: no answer\n")
    done = here("health", "worker", REDIS_URL=redis_url)
    assert (done.returncode, done.stdout) == (1, "worker: no answer\n")


def test_the_document_is_the_published_one(here):
    done = here("openapi")
    assert done.returncode == 0
    assert done.stdout == (Path(__file__).parents[2] / "openapi" / "openapi.json").read_text()
