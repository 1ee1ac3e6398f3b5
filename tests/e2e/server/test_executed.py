"""What README and pages of docs/ tell people to type does what it says, against a real server.

The page in HTML is played by `tests/docs/test_front_end.py`, and that on bots by `test_first_match.py`.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [
    ROOT / "README.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("integrate", "moments", "matches", "aids", "daily")),
]
MARK = "<!-- executed -->"
EXECUTED = re.compile(rf"^{MARK}\n+```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = {
    "sh": ["bash", "-eu", "-o", "pipefail"],
    "js": ["node", "--input-type=module"],
    "python": [sys.executable, "-I", "-W", "error"],
}
BLOCKS = {
    f"{page.name}-{number}": (language, block)
    for page in PAGES
    for number, (language, block) in enumerate(EXECUTED.findall(page.read_text(encoding="utf-8")), 1)
    if language != "html"
}
SAID = {
    "README.md-1": ["You play "],
    "integrate.md-2": ["finished", "event: game", "unauthenticated", "id: 4", "204"],
    "integrate.md-3": ["matched\nactive\nfinished\n"],
    "integrate.md-4": ["invited\nactive\ngame_started\nfinished\n"],
    "integrate.md-5": ["204\naborted\n"],
    "integrate.md-6": [" true true\n", "412 stale_version", "\ntrue\n"],
    "integrate.md-7": ["5\nno_breaks\nfinished\n"],
    "integrate.md-8": ["knocked_out: Hanna scheidet aus und legt die Prinzessin offen ab"],
    "moments.md-1": ["as expected: standard-spy-both-of-one-seat", "as expected: standard-princess-at-the-showdown"],
    "aids.md-1": ["'card': 'princess', 'probability': 0.052632", "'card': 'princess', 'held': True"],
    "daily.md-1": ["one try"],
    "matches.md-1": ["'share'", "number,deal,game,state,seat,player,place,tokens,share"],
    "matches.md-2": ["12 of 12 games (rotated deals)", "entrant ", "pair "],
}
"""What the pages say that comes of it, as far as it is always the same."""


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """The system's python3, where there is one: it starts sooner than a shim or that of an environment."""
    folder = tmp_path_factory.mktemp("commands")
    if found := shutil.which("python3", path=os.defpath):
        (folder / "python3").symlink_to(found)
    return folder


def test_every_page_of_which_something_is_said_is_among_those_that_are_run():
    assert {*SAID} <= {*BLOCKS}


@pytest.mark.parametrize("name", BLOCKS)
def test_the_session_plays(name, served, commands, tmp_path):
    language, block = BLOCKS[name]
    environment = os.environ | {
        "BASE": served.base,
        "MOMENTS": str(ROOT / "examples" / "moments.json"),
        "TOKEN_FILE": str(commands / f"{name}.token"),
        "PATH": f"{commands}:{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        COMMANDS[language],
        input=block,
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout.strip(), "a reader sees nothing"
    places = [done.stdout.find(text) for text in SAID.get(name, [])]
    assert -1 not in places, done.stdout
    assert places == sorted(places)
    assert list(tmp_path.iterdir()) == [], "it leaves files behind"


def test_what_is_pasted_leaves_the_shell_open_when_it_fails():
    pasted = [block for language, block in BLOCKS.values() if language == "sh"]
    assert not [block for block in pasted if re.search(r"\bset -|\b(exit|exec|logout)\b", block)]
    done = subprocess.run(
        ["bash"],
        input=f"{BLOCKS['README.md-1'][1]}\necho the shell goes on\n",
        env=os.environ | {"BASE": "http://127.0.0.1:1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.endswith("the shell goes on\n"), done.stderr
    assert "Connect" in done.stderr or "connect" in done.stderr
