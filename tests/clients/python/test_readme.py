"""What the package's README tells people to type does what it says; that and the package pass a strict type checker."""

import os
import re
import shutil
import subprocess

import pytest

from tools.testbed.installed import ROOT, SOURCES, python_with_client, run

README = (SOURCES / "README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PROGRAM = "\n".join(BLOCKS)


@pytest.fixture
def program(billet_client, tmp_path):
    file = tmp_path / "readme.py"
    file.write_text(PROGRAM)
    return file


def test_the_blocks_run_one_after_the_other(program, served):
    environment = os.environ | {"BILLET_URL": served.base}
    # The friends do not play to the end; it comes when one of them leaves, and with it that of the screen.
    # Without this end, the program exits all the same: the screen's thread does not keep it alive.
    end = "\nassert screen.daemon\nann.leave(table.id)\nscreen.join(100)\n"
    end += "assert not screen.is_alive()\nprint(lines[-1])\n"
    program.write_text(PROGRAM + end)
    command = [python_with_client(), "-W", "error", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "winners: " in done.stdout
    assert "The game has ended." in done.stdout


def test_types_of_the_programs_and_of_all_that_is_installed_hold_strictly(program, tmp_path):
    shutil.copy(ROOT / "examples" / "bots" / "bot.py", tmp_path)
    # Nothing reads what a cache would keep.
    command = ["-m", "mypy", "--strict", "--cache-dir", os.devnull, "--python-executable", python_with_client()]
    run(*command, "--package=billet_client", f"--module={program.stem}", "--module=bot", cwd=tmp_path)
