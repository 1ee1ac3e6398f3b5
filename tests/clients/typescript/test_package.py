"""The package: what it holds, and that its parts fit each other and the document."""

import json
import re
from urllib.parse import urlsplit

import pytest

from tests.clients.typescript.project import DOCUMENT, PACKAGE, PROGRAMS, README

DESCRIBED = json.loads((PACKAGE / "package.json").read_text())
SERVED = PROGRAMS / "served.test.ts"
LOCK = json.loads((PACKAGE / "package-lock.json").read_text())


def test_its_version_is_that_of_the_document():
    version = json.loads(DOCUMENT.read_text())["info"]["version"]
    assert DESCRIBED["version"] == LOCK["version"] == LOCK["packages"][""]["version"] == version
    assert f"billet-client-{version}.tgz" in README.read_text(encoding="utf-8")


def test_everything_it_needs_comes_from_the_registry_as_it_was():
    needed = [entry for path, entry in LOCK["packages"].items() if path]
    assert all(entry["integrity"].startswith("sha512-") for entry in needed)
    assert {urlsplit(entry["resolved"]).netloc for entry in needed if "resolved" in entry} <= {"registry.npmjs.org"}


def test_it_holds_what_is_imported_and_nothing_else(project):
    folder = project.modules / "billet-client"
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    source = PACKAGE / "src"
    modules = {path.relative_to(source).with_suffix("") for path in source.rglob("*.ts")}
    built = {f"dist/{module}{ending}" for module in modules for ending in (".js", ".d.ts")}
    assert names == {"package.json", "README.md", "LICENSE"} | built


@pytest.mark.long
def test_it_does_on_a_service_what_it_should(project, served):
    passes(project, [SERVED], BASE=served.base)


def test_its_parts_do_what_they_should(project):
    passes(project, sorted({*PROGRAMS.glob("*.test.ts")} - {SERVED}), DOCUMENT=str(DOCUMENT))


def passes(project, files, **environment):
    """Checks that every test of some files passes; one process runs them, while `--test` would start one for each."""
    imports = "".join(f'import "./programs/{path.stem}.js";' for path in files)
    said = project.node("--test-reporter=tap", "--input-type=module", "--eval", imports, **environment)
    tests = sum(len(re.findall(r"^test\(", path.read_text(encoding="utf-8"), re.MULTILINE)) for path in files)
    assert int(re.search(r"^# pass (\d+)$", said, re.MULTILINE)[1]) >= tests > 0
