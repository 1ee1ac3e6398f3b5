"""Recipes of docs/recipes.md are carried out on a copy of the sources, and the files that they touch are counted."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from games.texts.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
RECIPES = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
SOURCES = (
    "engine",
    "games",
    "service",
    "api",
    "workers",
    "billet",
    "tests/bots",
    "tests/engine",
    "tests/games",
    "tests/installation.py",
    "tests/service",
    "pyproject.toml",
)

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
CATALOGUES = "tests/games/texts/test_catalogues.py"
BEGIN = """
import sys
from api import create_app
from service.settings import Settings

app = create_app(Settings(redis_url=sys.argv[1]))
client, service = app.test_client(), app.extensions["billet.service"]
token = client.post("/v1/players", json={"name": "Ann"}).json["token"]


def played(edition, *bots):
    table = {"edition": edition, "seats": [{"kind": "bot", "bot": name} for name in bots]}
    game = client.post("/v1/games", json=table, headers={"Authorization": f"Bearer {token}"}).json["id"]
    service.play.bot_turns(game, 60)
    return client.get(f"/v1/games/{game}").json["status"]


"""


def blocks(title):
    """The blocks of Python in a recipe."""
    recipe = RECIPES.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return [dedent(block) for block in re.findall(r"^ +```python\n(.*?)^ +```$", recipe, re.MULTILINE | re.DOTALL)]


class Copy:
    """A copy of the sources, and which of its files were changed by hand."""

    def __init__(self, folder):
        self.folder = folder
        self.touched = set()
        for name in SOURCES:
            source, target = ROOT / name, folder / name
            target.parent.mkdir(exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)

    def add(self, path, text):
        """Adds text to the end of a file, which may be new."""
        self.touched.add(path)
        with (self.folder / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def insert(self, path, place, text):
        """Adds text behind the one place in a file."""
        self.touched.add(path)
        before = (self.folder / path).read_text(encoding="utf-8")
        assert before.count(place) == 1
        (self.folder / path).write_text(before.replace(place, place + text), encoding="utf-8")

    def words(self, domain, *entries):
        """Adds entries to a catalogue of every language, each with the language in its text."""
        for language in LANGUAGES:
            for key, text in entries:
                self.add(
                    f"games/texts/locale/{language}/{domain}.po", f'\nmsgid "{key}"\nmsgstr "{text}, in {language}."\n'
                )

    def run(self, *words):
        """Runs Python on the copy."""
        environment = os.environ | {"PYTHONPATH": str(self.folder)}
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )

    def missing(self):
        """Returns what the tests of the catalogues say of entries that are missing or not used."""
        return self.run(*PYTEST, CATALOGUES, "-k", "missing").stdout


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def test_a_bot_is_a_file_and_a_line(copy, redis_url):
    file, line = blocks("Add a bot")
    copy.add("engine/bots/lowest.py", file)
    copy.insert("engine/bots/__init__.py", "from engine.bots import ", "lowest, ")
    copy.insert("engine/bots/__init__.py", "Mapping[str, Bot]] = {\n", line)
    assert "2 more items, first extra item: 'bot.lowest.name'" in copy.missing()

    copy.words("play", ("bot.lowest.name", "Low bot"), ("bot.lowest.text", "Plays low"))
    program = BEGIN + (
        "[bot] = [bot for bot in client.get('/v1/bots').json['items'] if bot['id'] == 'lowest']\n"
        "print(played('standard', 'lowest', 'random', 'lowest'), bot['text'])"
    )
    played = copy.run("-c", program, redis_url)
    assert played.stdout == "finished Plays low, in en.\n", played.stderr
    kept = copy.run(*PYTEST, "tests/bots/test_every_bot.py", "-k", "lowest and lovecraft-2")
    assert kept.returncode == 0, kept.stdout
    assert "passed" in kept.stdout
    assert len(copy.touched) <= 2 + len(LANGUAGES)


def test_an_edition_is_a_file_and_its_texts(copy, redis_url):
    file, line, told = blocks("Add an edition")
    copy.add("engine/editions/duel.py", file)
    copy.insert("engine/editions/__init__.py", "from engine.editions.classic import CLASSIC\n", line)
    copy.insert("engine/editions/__init__.py", "in (STANDARD, CLASSIC, ", "DUEL, ")
    copy.insert("games/texts/cards.py", "_TOLD_AS: Final[Mapping[str, str]] = {", told.strip() + " ")
    assert "['edition.duel.title'] == []" in copy.missing()

    copy.words("cards", ("edition.duel.title", "Duel"))
    assert "failed" not in copy.missing()
    program = BEGIN + (
        "edition = client.get('/v1/editions/duel', headers={'Accept-Language': 'de'}).json\n"
        "print(played('duel', 'cautious', 'random'), edition['title'], edition['cards'][0]['name'])"
    )
    played = copy.run("-c", program, redis_url)
    assert played.stdout == "finished Duel, in de. Wächterin\n", played.stderr
    assert len(copy.touched) <= 12


def test_a_language_is_a_folder_and_a_code(copy, redis_url):
    english, french = (copy.folder / "games/texts/locale" / language for language in ("en", "fr"))
    shutil.copytree(english, french)
    for catalogue in french.iterdir():
        text = catalogue.read_text(encoding="utf-8")
        catalogue.write_text(text.replace("Language: en", "Language: fr"), encoding="utf-8")
        copy.touched.add(catalogue)
    copy.insert("games/texts/languages.py", '("en", "de"', ', "fr"')
    told = copy.run(*PYTEST, CATALOGUES, "-k", "fr").stdout
    assert "FAILED tests/games/texts/test_catalogues.py::test_no_text_is_that_of_another_language[fr]" in told
    assert "1 failed" in told

    program = BEGIN + (
        "answer = client.get('/v1/editions/standard', headers={'Accept-Language': 'fr'})\n"
        "print(answer.headers['Content-Language'], answer.json['cards'][1]['name'])"
    )
    assert copy.run("-c", program, redis_url).stdout == "fr Guard\n"
    assert len(copy.touched) == 1 + len([*french.iterdir()])
