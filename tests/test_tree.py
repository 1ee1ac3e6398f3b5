"""The house: no folder of a package outgrows what one can take in, and each says what lives there."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("api", "billet", "billet_env", "engine", "games", "service", "tools", "workers")
MOST_MODULES = 15
MOST_TEST_MODULES = 22
"""Tests have helpers beside them, and a module for each module of a folder."""


def folders(*within):
    """Returns the folders of packages, with how many modules each has beside its `__init__`."""
    listed = subprocess.run(["git", "ls-files", *within], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    modules = [Path(line) for line in listed.splitlines() if line.endswith(".py")]
    return Counter(str(one.parent) for one in modules if one.name != "__init__.py")


@pytest.mark.parametrize("folder", sorted(folders(*PACKAGES)))
class TestAFolder:
    def test_has_a_short_readme_that_says_what_lives_there_and_what_it_imports(self, folder):
        text = (ROOT / folder / "README.md").read_text(encoding="utf-8")
        assert re.match(rf"# {folder}[:\n]", text)
        assert "import" in text
        assert len(text.splitlines()) <= 14

    def test_has_at_most_fifteen_modules(self, folder):
        assert folders(folder)[folder] <= MOST_MODULES


def test_no_folder_of_tests_outgrows_what_one_can_take_in():
    assert [folder for folder, modules in folders("tests").items() if modules > MOST_TEST_MODULES] == []


def test_headers_are_known_to_the_interface_alone():
    headers = r"\b(If-Match|If-None-Match|ETag|Location|Retry-After|Last-Event-ID|(Accept|Content)-[A-Z][a-z]+)\b"
    for folder in ("engine", "games", "service", "workers"):
        for path in (ROOT / folder).rglob("*.py"):
            assert re.search(headers, path.read_text(encoding="utf-8")) is None, path


CLOCK_OR_CHANCE = re.compile(
    r"\b(random\.(?!Random\b)\w|Random\(\)|(date|datetime)\.(now|today|utcnow)\b|os\.(urandom|getrandom|times)\b)"
    r"|\bfrom (random|os) import\b|\btime\.(?!gmtime\b)\w"
)
"""What reads a clock or draws chance. Chance from a seed does not; `time` itself is kept out by import-linter."""


def test_the_rules_and_the_games_read_no_clock_and_draw_no_chance():
    for folder in ("engine", "games"):
        for path in (ROOT / folder).rglob("*.py"):
            assert CLOCK_OR_CHANCE.search(path.read_text(encoding="utf-8")) is None, path


@pytest.mark.parametrize(
    "text", ["random.choice(x)", "random.Random()", "datetime.now(UTC)", "os.urandom(8)", "time.time()"]
)
def test_what_reads_a_clock_or_draws_chance_is_found(text):
    assert CLOCK_OR_CHANCE.search(text) is not None
