"""What the page on the table of decisions shows works as it stands there, and so does the example of it."""

import json
import re
import subprocess
import sys
from gzip import decompress
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAMES = 4


def run(*words, folder):
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=500, cwd=folder)
    # Where matplotlib looks for fonts for the first time and takes long, it says so.
    said = [line for line in done.stderr.splitlines() if "font cache" not in line]
    assert (done.returncode, said) == (0, [])
    return done.stdout


def test_the_page_makes_the_table_that_it_reads(tmp_path):
    page = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
    reads, makes = re.findall(r"^<!-- executed -->\n```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    both = run("-c", makes + reads, folder=tmp_path).splitlines()
    assert int(both[0].removesuffix(" decisions")) > 500
    assert len(both) == 5
    assert "null stands for one that the seat to act does not know" in both[-1]


def test_the_example_says_which_cards_won(tmp_path):
    example = ROOT / "examples" / "dataset" / "win_rates.py"
    said = run(example, "out", "--games", str(GAMES), "--bots", "random", "--jobs", "1", folder=tmp_path)
    assert f"; games: {GAMES}; logs left out: 0\n" in said
    assert (tmp_path / "out" / "win_rates.png").read_bytes().startswith(b"\x89PNG")
    shown = dict(re.findall(r"^(\w+), \d seats: .*\n((?:  .*\n)+)", said, re.MULTILINE))
    won, rounds = counted(tmp_path / "out" / "logs", "standard", "guard")
    [line] = [line for line in shown["standard"].splitlines() if line.startswith("  Guard ")]
    assert (f"{won / rounds:.1%}", f"{rounds})") == (line.split()[1], line.split()[-1])
    assert set(shown) == {"standard", "classic", "premium", "lovecraft"}
    for lines in shown.values():
        assert len({line.index("%") for line in lines.splitlines()}) == 1, "the longest name has room"


def counted(logs, edition, card):
    """Returns how many rounds were won by who played a card in them, and how many there are, from the logs alone."""
    won = rounds = 0
    for path in logs.iterdir():
        head, *events = map(json.loads, decompress(path.read_bytes()).splitlines())
        if head["edition"] != edition:
            continue
        played = set()
        for event in events:
            if event["type"] == "card_played" and event["data"]["card"] == card:
                played.add(event["data"]["seat"])
            if event["type"] == "round_ended":
                rounds += len(played)
                won += len(played & set(event["data"]["winners"]))
                played = set()
    return won, rounds
