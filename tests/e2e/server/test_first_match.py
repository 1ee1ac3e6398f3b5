"""The page on bots leads from nothing to a rated match: what it saves and tells people to type does what it says."""

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx

from tools.testbed.waiting import wait_until

PAGE = (Path(__file__).parents[3] / "docs" / "bots.md").read_text(encoding="utf-8")


def blocks(mark, language):
    """What follows a mark on the page."""
    return re.findall(rf"^<!-- {mark} -->\n+```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_a_program_is_measured_queued_and_rated(served, tmp_path):
    [program] = blocks("saved as bot.py", "python")
    (tmp_path / "bot.py").write_text(program)
    typed = "".join(blocks("executed beside bot.py", "sh"))
    shell = subprocess.Popen(
        ["bash", "-eu", "-o", "pipefail", "-c", typed],
        cwd=tmp_path,
        env=os.environ | {"BASE": served.base, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = shell.communicate(timeout=500)
    finally:
        with suppress(ProcessLookupError):  # of what it has started something may be left if it fails
            os.killpg(shell.pid, signal.SIGKILL)
    logs = [(tmp_path / f"{name}.log").read_text() for name in ("Mine", "Rival")]
    assert shell.returncode == 0, f"{said}\n{logs}"
    mine, rival = [re.fullmatch(r"I am player (\w+)\n", log)[1] for log in logs]  # and nothing was refused

    assert said.count("ended, 10 of 10 games") == 2
    assert said.count('"state":"') == 2, "tickets"
    assert f"Mine ({mine}) - cautious" in said
    assert f"Mine ({mine}) - Rival ({rival})" in said

    def rated():
        pools = httpx.get(f"{served.base}/v1/players/{mine}/ratings", timeout=60).json()["items"]
        return [pool["games"] for pool in pools] == [11]  # of the queue and of the match

    wait_until(rated)
