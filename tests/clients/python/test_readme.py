"""What the package's README tells people to type does what it says; that and the package pass a strict type checker."""

import json
import os
import re
import shutil
import subprocess

import pytest

from tests.clients.installed import ROOT, SOURCES, python_client, python_with_client, run

README = (SOURCES / "README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PROGRAM = "\n".join(BLOCKS)


def test_every_block_is_found():
    assert len(BLOCKS) == README.count("```") / 2 > 5


@pytest.fixture
def program(billet_client, tmp_path):
    file = tmp_path / "readme.py"
    file.write_text(PROGRAM)
    return file


def test_the_blocks_run_one_after_the_other(program, served):
    environment = os.environ | {"BILLET_URL": served.base}
    # The friends do not play to the end; it comes when one of them leaves, and with it that of the screen.
    end = "\nann.leave(table.id)\nscreen.join(100)\nassert not screen.is_alive()\nprint(lines[-1])\n"
    program.write_text(PROGRAM + end)
    command = [python_with_client(), "-W", "error", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "winners: " in done.stdout
    assert "The game has ended." in done.stdout


def test_types_hold_strictly_and_so_does_what_a_build_changes_in_the_core(program, tmp_path):
    """`tests/sdk` checks the types of all that the generator writes."""
    shutil.copy(ROOT / "examples" / "bots" / "bot.py", tmp_path)
    document = json.loads((ROOT / "openapi" / "openapi.json").read_text())
    actions = [
        variant["$ref"].rpartition("/")[2] for variant in document["components"]["schemas"]["GameAction"]["oneOf"]
    ]
    changed = ["unions", *(f"models.{re.sub('(?<!^)(?=[A-Z])', '_', action).lower()}" for action in actions)]
    written = [path.stem for path in (python_client() / "billet_client").glob("*.py") if path.stem != "__init__"]
    modules = [
        "billet_client",
        *(f"billet_client.{name}" for name in (*written, *(f"core.{name}" for name in changed))),
    ]
    # Nothing reads what a cache would keep.
    command = ["-m", "mypy", "--strict", "--cache-dir", os.devnull, "--python-executable", python_with_client()]
    run(*command, *(f"--module={module}" for module in (*modules, program.stem, "bot")), cwd=tmp_path)
