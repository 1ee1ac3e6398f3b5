"""Recipes of docs/recipes.md are followed on a copy of the sources, and what they add is played."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPES = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
COUNTS = dict(re.findall(r"^\| \[(.*?)\]\(#.*?\) \| (\d+) \|", RECIPES, re.MULTILINE))
"""By recipe: how many files its table promises to be edited by hand."""
LEFT_OUT = shutil.ignore_patterns(".*", "node_modules", "build", "data", "*.egg-info", "pictures", "installations")
STEP = re.compile(r"^(?=\d+\. )", re.MULTILINE)
BLOCK = re.compile(r"([^\n]*)\n\n?^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"(?:New file|At the end of|In) `(.+?)`(?:, (below|in place of) (`+)(.+?)\3)?:$")

CATALOGUES = "tests/games/texts/test_catalogues.py"
MISSING = """
from games.texts.catalogue import LANGUAGES, catalogue
from tests.games.texts.needed import needed_keys

print(*sorted(needed_keys() - set(catalogue(LANGUAGES[0]).texts)))
"""
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


TESTS_OF_RECIPES = """
import json, sys
import pytest

for words in json.loads(sys.argv[1]):
    pytest.main(["-p", "no:cacheprovider", *words])
"""
"""One process runs them all: it imports what they need once."""


def then_tests(*words):
    """The end of a program: it runs tests in its own process, which has imported most of what they need."""
    return f"\nimport pytest\nsys.exit(pytest.main({['-q', '-p', 'no:cacheprovider', *words]}))\n"


class Copy:
    """A copy of the sources, and which of its files were edited by hand."""

    def __init__(self, folder):
        self.folder = folder / "billet"
        self.edited = set()
        self.commands = {}
        shutil.copytree(
            ROOT, self.folder, ignore=LEFT_OUT
        )  # with what is compiled: it holds where a source is unchanged
        (self.folder / ".venv").symlink_to(Path(sys.executable).parents[1])

    def follow(self, title):
        """Does what each step of a recipe says; what its commands write is written by `run_commands`."""
        self.edited.clear()
        recipe = RECIPES.split(f"\n## {title}\n")[1].split("\n## ")[0]
        _, *steps = STEP.split(recipe)
        for step in steps:
            blocks = BLOCK.findall(step)
            assert blocks, f"a step that says neither what to paste nor what to run: {step}"
            for above, indent, kind, block in blocks:
                text = re.sub(f"^{indent}", "", block, flags=re.MULTILINE)
                if kind == "sh":
                    for line in text.splitlines():
                        self.shell(line)
                else:
                    place = PLACE.search(above)
                    assert place, f"where to paste it: {above}"
                    self.paste(place[1], place[2], place[4], text)
        assert len(self.edited) == int(COUNTS[title]), sorted(self.edited)

    def paste(self, path, how, place, text):
        """Puts text where a recipe says; the place is in one line of the file alone."""
        self.edited.add(path)
        file = self.folder / path
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        if how and text in before:
            return  # another recipe asked for the same
        gap = "\n\n" if text.startswith(("def ", "class ", "@")) else ""
        if how is None:
            after = before + (gap or "\n" if before else "") + text
        else:
            assert before.count(place) == 1, (path, place, before.count(place))
            line_end = before.index("\n", before.index(place)) + 1
            below = before[:line_end] + gap + text + before[line_end:]
            after = below if how == "below" else before.replace(place, text.rstrip("\n"))
        file.write_text(after, encoding="utf-8")

    def shell(self, line):
        """Makes at once what is to be edited then, and keeps any other command for later, once for all recipes."""
        if not line.startswith(("cp ", "sed ")):
            self.commands[line] = None
            return
        there = {*self.folder.rglob("*")}
        assert self.run("sh", "-c", line).returncode == 0
        new = {*self.folder.rglob("*")} - there
        self.edited |= {path.relative_to(self.folder).as_posix() for path in new if path.is_file()}

    def run_commands(self):
        """Runs the commands of the recipes that were followed, and returns the tests that fail."""
        for line in self.commands:
            if "pytest" not in line:
                # All that a target needs is installed: it is what these tests run in.
                done = self.run("sh", "-c", line.replace("make ", "make -o .venv/dev -o .venv/runtime "))
                assert done.returncode == 0, done.stdout + done.stderr
        tests = [shlex.split(line)[1:] for line in self.commands if "pytest" in line]
        done = self.run(sys.executable, "-c", TESTS_OF_RECIPES, json.dumps(tests))
        assert done.stdout.count(" passed") == len(tests), done.stdout + done.stderr
        return re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)

    def run(self, *words):
        """Runs a program on the copy."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        return subprocess.run(
            words,
            cwd=self.folder,
            env=environment | {"PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


ALL = (
    MISSING
    + "print(*sorted(key for key in needed_keys() if '.lowest.' in key))\n"
    + BEGIN
    + """
[bot] = [bot for bot in client.get("/v1/bots").json["items"] if bot["id"] == "lowest"]
print(played("standard", "lowest", "random", "lowest"), bot["text"])
cards = {card["card"]: card for card in client.get("/v1/editions/premium").json["cards"]}
print(played("premium", "cautious", *["random"] * 4), cards["herald"]["name"])
edition = client.get("/v1/editions/quick", headers={"Accept-Language": "de"}).json
print(played("quick", "cautious", "random"), edition["title"], edition["cards"][0]["name"])
answer = client.get("/v1/editions/standard", headers={"Accept-Language": "fr"})
print(answer.headers["Content-Language"], answer.json["cards"][1]["name"], flush=True)
"""
)


ASKED = (
    BEGIN
    + """
from engine.notation import parse_action, print_action
from engine.logs.codec import read_action
from games.records.verification import verify

headers = {"Authorization": f"Bearer {token}"}
order = ["king", "count", "guard", "guard", "priest", "priest", "guard", "prince"]
seats = [{"kind": "creator"}, *[{"kind": "bot", "bot": "random"}] * 4]
table = {"edition": "premium", "seats": seats, "sandbox": {"rounds": [{"starter": 0, "order": order}]}}
game = f"/v1/games/{client.post('/v1/games', json=table, headers=headers).json['id']}"
client.post(f"{game}/actions", json={"type": "play_card", "card": "count", "targets": []}, headers=headers)
view = client.get(game, headers=headers).json
print(view["decision"]["kind"], view["decision"]["text"])
print(view["legal_actions"][0]["text"], len(view["legal_actions"]))
shown = view["legal_actions"][2]["action"]
written = print_action(read_action(shown))
print(written, parse_action(written) == read_action(shown))
events = client.post(f"{game}/actions", json=shown, headers=headers).json["events"]
print([event["data"]["to"] for event in events if event["type"] == "hand_shown"])
client.delete(f"{game}/seats/me", headers=headers)
service.play.bot_turns(game.split("/")[-1], 60)
log = client.get(f"{game}/log", headers=headers).json
print(verify(log).valid, flush=True)
"""
)


ADDED = ("a card", "an edition", "a kind of decision", "an endpoint", "a bot", "a language")
KEPT = (
    "tests/contract/games/test_moments.py::test_is_told_as_in_the_file_shows_a_stranger_no_hand_and_leaves_a_valid_log[premium]",
    "tests/engine/editions/test_shared_cards.py::TestTheDeck::test_holds_the_cards_of_the_rules",
    "tests/games/records/test_golden_games.py::test_all_are_read_and_written_alike_and_never_false_for_the_verifier_in_javascript",
    "tests/games/records/test_golden_games.py::test_the_present_rules_have_a_log_of_each_kind_and_every_log_has_an_end",
    "tests/second_model/test_effects.py::test_they_agree_on_what_follows[quick-2]",
)
"""Tests that what was added must pass, besides those of the recipes."""


def test_whatever_a_recipe_pastes_has_its_place_and_the_tests_of_what_comes_of_it_are_there(copy):
    """All recipes fit on one copy; what comes of it is too long for each run of the tests."""
    for title in ADDED:
        copy.follow(f"Add {title}")
    for path, name in re.findall(r"(\S+\.py)::(?:\w+::)?(\w+)", " ".join(KEPT)):
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), name


@pytest.mark.soak
def test_a_card_an_edition_a_kind_of_decision_an_endpoint_a_bot_and_a_language(copy, redis_url):
    """One copy has them all: what is missing is named by its text, its test, or the file in which it is missed."""
    for title in ADDED:
        copy.follow(f"Add {title}")
    assert {*copy.run_commands()} == {f"{CATALOGUES}::test_no_text_is_that_of_another_language[fr]"}
    asked = copy.run(sys.executable, "-c", MISSING + ASKED, redis_url)
    assert asked.stdout.splitlines() == [
        "",  # no text is missing
        "show_hand You may show your hand to somebody",
        "Show your hand to nobody 5",
        "show 2 True",
        "[2]",
        "True",
    ], asked.stdout + asked.stderr
    recorded = json.loads((copy.folder / "api/examples.json").read_text(encoding="utf-8"))
    assert recorded["answers"]["getDeck"]["items"][:2] == ["guard", "guard"]
    assert "| `getDeck` |" in (copy.folder / "docs/costs.md").read_text(encoding="utf-8")
    done = copy.run(sys.executable, "-c", ALL + then_tests(*KEPT), redis_url)
    assert done.stdout.splitlines()[:6] == [
        "",  # no text is missing
        "bot.lowest.name bot.lowest.text",
        "finished Plays the lowest card it may.",
        "finished Herald",
        "finished Schnell (16 Karten) Wächterin",
        "fr Garde",
    ], done.stdout + done.stderr
    assert done.returncode == 0, done.stdout
