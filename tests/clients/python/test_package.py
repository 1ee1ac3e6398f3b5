"""What is built and installed: version, contents, and an installation that follows its sources."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools.testbed.installed import ROOT, SOURCES, environment, install, python_client, run

DOCUMENT = ROOT / "openapi" / "openapi.json"
VERSION = json.loads(DOCUMENT.read_text())["info"]["version"]


def test_the_version_is_that_of_the_document(billet_client):
    assert billet_client.__version__ == VERSION


def test_nothing_is_exported_that_is_not_there(billet_client):
    assert len(set(billet_client.__all__)) == len(billet_client.__all__)
    assert all(hasattr(billet_client, name) for name in billet_client.__all__)


@pytest.mark.usefixtures("billet_client")
def test_it_carries_its_types_and_its_licence():
    assert (python_client() / "billet_client" / "py.typed").exists()
    assert list(python_client().glob("billet_client-*/licenses/LICENSE"))
    assert (SOURCES / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


@pytest.mark.usefixtures("billet_client")
def test_the_source_distribution_carries_the_document_and_not_what_is_made_of_it():
    [archive] = environment().glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
        carried = packed.extractfile(f"billet_client-{VERSION}/openapi.json").read()
    assert carried == DOCUMENT.read_bytes()
    assert {"hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "src/billet_client/client.py"} <= names
    assert not [name for name in names if "/core/" in name]


def test_the_core_has_no_asynchronous_half_that_would_send_no_token(billet_client):
    core = Path(billet_client.__file__).parent / "core"
    sources = {str(file.relative_to(core)): file.read_text() for file in core.rglob("*.py")}
    assert len(sources) > 100
    assert [name for name, source in sources.items() if "async" in source.lower()] == []


@pytest.mark.soak
def test_a_wheel_built_in_the_checkout_is_the_one_built_from_the_source_distribution(tmp_path):
    run("-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path, cwd=SOURCES)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name == f"billet_client-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as packed:
        code = {name: packed.read(name) for name in packed.namelist() if name.startswith("billet_client/")}
    assert "billet_client/core/unions.py" in code
    assert code == {name: (python_client() / name).read_bytes() for name in code}


@pytest.mark.soak
def test_an_editable_installation_has_its_core_beside_the_sources(tmp_path):
    ignored = shutil.ignore_patterns("core", "__pycache__")
    sources = Path(shutil.copytree(SOURCES, tmp_path / "clients" / "python", ignore=ignored))
    (tmp_path / "openapi").mkdir()
    shutil.copy(DOCUMENT, tmp_path / "openapi")
    folder = tmp_path / "installed"
    asked = ("--no-build-isolation", "--no-deps", "--python", sys.executable, "--prefix", folder)
    install(*asked, "--editable", sources)
    [link] = folder.rglob("*billet_client*.pth")
    assert link.read_text().strip() == str(sources / "src")
    code = "import billet_client.models, billet_client; print(billet_client.__file__)"
    paths = os.pathsep.join([str(sources / "src"), str(link.parent), str(python_client())])
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], env={"PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == str(sources / "src" / "billet_client" / "__init__.py"), done.stderr
    assert (sources / "src" / "billet_client" / "core" / "client.py").exists()
