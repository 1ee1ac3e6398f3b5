"""The recipes of CONTRIBUTING.md for which a few lines will do are carried out, on a copy of the sources."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from service.texts.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("### Add a bot\n")[1].split("\n### ")[0]
FILE, LINE = (dedent(block) for block in re.findall(r"^ +```python\n(.*?)^ +```$", RECIPE, re.MULTILINE | re.DOTALL))
SOURCES = (
    "engine",
    "service",
    "api",
    "workers",
    "billet",
    "tests/bots",
    "tests/engine",
    "tests/installation.py",
    "tests/service",
    "pyproject.toml",
)

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
PLAYED = """
import sys
from api import create_app
from service.settings import Settings

app = create_app(Settings(redis_url=sys.argv[1]))
client, service = app.test_client(), app.extensions["billet.service"]
token = client.post("/v1/players", json={"name": "Ann"}).json["token"]
table = {"edition": "standard", "seats": [{"kind": "bot", "bot": name} for name in ("lowest", "random", "lowest")]}
game = client.post("/v1/games", json=table, headers={"Authorization": f"Bearer {token}"}).json["id"]
service.play.bot_turns(game, 60)
[bot] = [bot for bot in client.get("/v1/bots").json["items"] if bot["id"] == "lowest"]
print(client.get(f"/v1/games/{game}").json["status"], bot["text"])
"""


@pytest.fixture
def copy(tmp_path):
    """The sources with the bot of the recipe: a file, a line, and the name of the file where the line needs it."""
    for name in SOURCES:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    (tmp_path / "engine" / "bots" / "lowest.py").write_text(FILE)
    registry = tmp_path / "engine" / "bots" / "__init__.py"
    text = registry.read_text()
    for place, added in (("from engine.bots import ", "lowest, "), ("Mapping[str, Bot]] = {\n", LINE)):
        assert text.count(place) == 1
        text = text.replace(place, place + added)
    registry.write_text(text)
    return tmp_path


def run(copy, *words):
    environment = os.environ | {"PYTHONPATH": str(copy)}
    return subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, timeout=200, check=False
    )


def test_a_bot_is_a_file_and_a_line(copy, redis_url):
    silent = run(copy, *PYTEST, "tests/service/texts/test_catalogues.py", "-k", "missing")
    assert silent.returncode == 1
    assert "AssertionError: missing" in silent.stdout
    assert "['bot.lowest.text'] == []" in silent.stdout

    for language in LANGUAGES:
        with (copy / "service" / "texts" / "locale" / language / "play.po").open("a", encoding="utf-8") as file:
            file.write(f'\nmsgid "bot.lowest.text"\nmsgstr "Plays low, in {language}."\n')
    played = run(copy, "-c", PLAYED, redis_url)
    assert played.stdout == "finished Plays low, in en.\n", played.stderr
    kept = run(copy, *PYTEST, "tests/bots/test_every_bot.py", "-k", "lowest and lovecraft-3")
    assert kept.returncode == 0, kept.stdout
    assert "passed" in kept.stdout
