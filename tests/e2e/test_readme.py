"""What the README tells people to type does what it says, against a real server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
EXECUTED = re.compile(r"^<!-- executed -->\n+```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = EXECUTED.findall(README.read_text())


def test_every_block_that_is_marked_is_found():
    assert BLOCKS
    assert len(BLOCKS) == README.read_text().count("<!-- executed -->")


@pytest.mark.parametrize("block", BLOCKS, ids=range(1, len(BLOCKS) + 1))
def test_the_session_plays(block, served, tmp_path):
    # The python3 that a reader has, not a shim that looks for it each time.
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | {"BASE": served.base, "PATH": path}
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail"],
        input=block,
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout.strip(), "a reader sees nothing"
    assert list(tmp_path.iterdir()) == [], "it leaves files behind"
