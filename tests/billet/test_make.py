"""The make targets, as far as they can be tried without installing anything."""

import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = re.findall(r"^([a-z-]+):.* ## ", MAKEFILE, re.MULTILINE)


def make(*arguments, cwd=ROOT, **environment):
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=240,
        env={"PATH": "/usr/bin:/bin", **environment},
    )


def test_help_says_what_every_target_does():
    said = make("help").stdout
    assert re.findall(r"^  make ([\w-]+) +\S", said, re.MULTILINE) == TARGETS
    assert {"test", *re.search(r"^PARTS := (.*)$", MAKEFILE, re.MULTILINE)[1].split()} < set(TARGETS)
    assert make().stdout == said


def test_everybody_runs_the_checks_with_what_is_locked():
    recipe = MAKEFILE.split("\n.venv/dev: ")[1].split("\n\n")[0]
    assert "pip install --quiet --python $(BIN)/python --require-hashes --requirement locks/dev.txt\n" in recipe
    assert "--no-deps --no-build-isolation --editable .\n" in recipe
    assert "'.[dev]'" not in MAKEFILE


def test_what_installs_trusts_what_the_machine_trusts():
    names = ("UV_SYSTEM_CERTS", "PIP_CERT", "NODE_EXTRA_CA_CERTS")
    shown = "shown: ; @printf '%s\\n' " + " ".join(f'"$${name}"' for name in names)

    def exported(**environment):
        return make("--eval", shown, "shown", **environment).stdout.splitlines()

    system_certs, *bundles = exported()
    assert system_certs == "1"
    there = [Path(path).exists() for path in re.search(r"^TRUSTED := .*wildcard (.*)\)\)$", MAKEFILE, re.M)[1].split()]
    assert [bool(bundle) and Path(bundle).exists() for bundle in bundles] == [any(there)] * 2
    assert exported(**dict.fromkeys(names, "/mine")) == ["/mine"] * 3


def test_without_a_usable_python_the_error_says_what_is_needed(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "project").mkdir()
    shutil.copy(ROOT / "Makefile", tmp_path / "project")
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "project")
    shutil.copy(shutil.which("sh"), tmp_path / "bin" / "sh")
    old = tmp_path / "bin" / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(
        [shutil.which("make"), "serve"],
        cwd=tmp_path / "project",
        capture_output=True,
        text=True,
        timeout=240,
        env={"PATH": str(tmp_path / "bin")},
    )
    assert done.returncode != 0
    assert "Billet needs Python 3.11 or newer" in done.stderr
    assert not (tmp_path / "project" / ".venv").exists()
