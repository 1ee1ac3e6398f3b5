"""The documentation follows the code: made parts are fresh, and what pages name exists."""

import re
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from billet import cli
from engine.events import KnockedOut
from service.settings import Settings
from tests.engine.given import given
from tools.docs import generate

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
]
MAKERS = generate.makers()
LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]*)(#[^)]*)?\)")
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?(?:::(\w+))?`")
PATH = re.compile(
    r"`((?:engine|games|service|api|workers|billet|billet_env|docs|examples|tests|openapi|clients|tools|web)/[\w./]*)`"
)

PASTED = re.compile(r"^ +```text\n.*?^ +```$", re.MULTILINE | re.DOTALL)
NEW = re.compile(r"New file `.*?`|`games/texts/locale/fr/.*?`")
"""What the recipes paste into other pages, and files that they make."""


def names(paths):
    return [path.name for path in paths]


@pytest.mark.parametrize(("path", "make"), MAKERS.items(), ids=names(MAKERS))
def test_made_parts_are_fresh(path, make):
    assert path.read_text(encoding="utf-8") == make(), "run `make docs`"


def test_the_indexes_lead_to_every_page():
    for folder in (ROOT / "docs", ROOT / "docs" / "decisions"):
        linked = {target for target, _ in LINK.findall((folder / "README.md").read_text(encoding="utf-8"))}
        assert {page.name for page in folder.glob("*.md")} - {"README.md"} <= linked


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
class TestAPage:
    def test_links_to_what_is_there(self, page):
        text = PASTED.sub("", page.read_text(encoding="utf-8"))
        for target, anchor in LINK.findall(text):
            if not target.startswith("http"):
                linked = page.parent / target if target else page
                assert linked.exists(), target
                assert not anchor or anchor[1:] in anchors(linked), anchor

    def test_names_files_and_tests_that_are_there(self, page):
        text = NEW.sub("", page.read_text(encoding="utf-8"))
        for path in PATH.findall(text):
            assert (ROOT / path).exists(), path
        for path, *parts in TEST.findall(text):
            source = (ROOT / path).read_text(encoding="utf-8")
            assert all(re.search(rf"(class|def) {part}\b", source) for part in parts if part), (path, parts)


@cache
def anchors(page):
    """Returns the anchors that a page's headings have on the usual hosts."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_example_of_a_test_passes():
    example = re.search(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    names = {"given": given, "KnockedOut": KnockedOut}
    exec(example, names)
    assert names["table"].tokens() == [1, 0]


def test_the_game_in_the_readme_is_one_that_was_played(capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [(log, seen_by, shown)] = re.findall(
        r"^<!-- replayed: (\S+) (.*) -->\n```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    assert cli.main(["replay", str(ROOT / log), *seen_by.split()]) in (0, None)
    assert f"\n{shown}\n" in capsys.readouterr().out


def test_every_setting_is_explained_to_operators():
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for setting in fields(Settings):
        assert f"| `{setting.metadata['variable']}` |" in page
