"""A release made in a clone of this checkout, without building packages, which takes minutes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.whole_games import path_of_end, paths, released_paths
from tools.release.repository import NotReleased, check_version

ROOT = Path(__file__).parents[2]
VERSION = "98.7.6"
SOMEBODY = {
    f"GIT_{role}_{what}": text
    for role in ("AUTHOR", "COMMITTER")
    for what, text in (("NAME", "Somebody"), ("EMAIL", "somebody@example.org"))
}


def git(folder, *words):
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def release(folder, version):
    """Makes a release without packages, and returns its status and what it says of an error."""
    command = [sys.executable, "-m", "tools.release", version, "--no-packages"]
    environment = {**os.environ, **SOMEBODY, "PYTHONPATH": ""}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stderr


@pytest.fixture
def clone(tmp_path):
    git(tmp_path, "clone", "--quiet", "--shared", ROOT, "clone")
    return tmp_path / "clone"


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("released")
    git(folder, "clone", "--quiet", "--shared", ROOT, "clone")
    assert release(folder / "clone", VERSION) == (0, "")
    return folder / "clone"


def test_it_is_committed_and_tagged_and_not_pushed(released):
    assert git(released, "status", "--porcelain") == []
    assert git(released, "log", "-1", "--format=%s") == [f"Release {VERSION}"]
    assert git(released, "rev-parse", f"v{VERSION}^{{}}") == git(released, "rev-parse", "HEAD")
    assert git(released, "ls-remote", "origin", f"v{VERSION}") == []


def test_its_version_stands_wherever_the_last_one_stood(released):
    old = json.loads((ROOT / "openapi" / "openapi.json").read_text())["info"]["version"]
    named = git(released, "grep", "--files-with-matches", "--fixed-strings", VERSION)
    before = {name for name in named if (ROOT / name).exists() and old in (ROOT / name).read_text()}
    assert before >= {"pyproject.toml", "Dockerfile", "openapi/openapi.json", "clients/typescript/package.json"}
    stated = re.compile(rf'(version"?(:| =)|=|billet.client-) ?"?{re.escape(old)}')
    listed = git(released, "ls-files", "*.toml", "*.json", "*.md", "Dockerfile", ":!*-lock.json", ":!openapi/released")
    left = [name for name in listed if stated.search((released / name).read_text(encoding="utf-8"))]
    assert left == []
    assert json.loads((released / "openapi" / "openapi.json").read_text())["info"]["version"] == VERSION


def test_what_it_wrote_is_kept(released):
    document = released / "openapi" / "openapi.json"
    assert document.with_name("released").joinpath(f"openapi-{VERSION}.json").read_bytes() == document.read_bytes()
    kept = released_paths(released / "tests" / "golden" / "released")
    assert [path.read_bytes() for path in kept] == [path.read_bytes() for path in paths()]
    assert all(path_of_end(path).exists() for path in kept)
    installations = released / "tests" / "golden" / "installations"
    assert {path.name for path in installations.iterdir()} >= {f"{VERSION}.billet", f"{VERSION}.json"}


@pytest.mark.parametrize("version", [VERSION, "0.0.1"])
def test_a_version_that_is_not_later_than_the_last_is_refused(released, version):
    with pytest.raises(NotReleased, match="has been released"):
        check_version(released, version)


@pytest.mark.parametrize("version", ["1.0", "v1.0.0", "1.0.01", "1.0.0rc1", ""])
def test_what_is_no_version_is_refused(version):
    with pytest.raises(NotReleased, match=re.escape(f"{version!r} is no version such as 1.0.0")):
        check_version(ROOT, version)


def test_a_checkout_that_is_not_as_committed_is_refused(clone):
    (clone / "new.txt").write_text("new")
    status, said = release(clone, VERSION)
    assert (status, said.split()[-2:]) == (1, ["??", "new.txt"])
    assert said.startswith("not released: ")
    assert git(clone, "status", "--porcelain") == ["?? new.txt"]
