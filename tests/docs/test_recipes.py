"""Recipes of docs/recipes.md are carried out on a copy of the sources, and the files that they touch are counted."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

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
    "tools/document",
    "tools/tournament",
    "tests/bots",
    "tests/conftest.py",
    "tests/contract",
    "tests/engine",
    "tests/games",
    "tests/installation.py",
    "tests/processes.py",
    "tests/second_model",
    "tests/service",
    "tests/waiting.py",
    "pyproject.toml",
)

EVERY_BOT = "tests/bots/test_every_bot.py"
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


def then_tests(*words):
    """The end of a program: it runs tests in its own process, which has imported most of what they need."""
    return f"\nimport pytest\nsys.exit(pytest.main({['-q', '-p', 'no:cacheprovider', *words]}))\n"


def blocks(title):
    """The blocks of Python in a recipe; lines of a table are marked as text, which no formatter takes for a program."""
    recipe = RECIPES.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return [
        dedent(block) for block in re.findall(r"^ +```(?:python|text)\n(.*?)^ +```$", recipe, re.MULTILINE | re.DOTALL)
    ]


class Copy:
    """A copy of the sources, and which of its files were changed by hand."""

    def __init__(self, folder):
        self.folder = folder
        self.touched = set()
        for name in SOURCES:
            source, target = ROOT / name, folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target)  # with what is compiled: it holds where a source is not changed
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

    def replace(self, path, old, new):
        """Puts one text in the place of another."""
        self.touched.add(path)
        before = (self.folder / path).read_text(encoding="utf-8")
        assert before.count(old) == 1
        (self.folder / path).write_text(before.replace(old, new), encoding="utf-8")

    def took(self):
        """Returns how many files were changed since it was asked last."""
        count = len(self.touched)
        self.touched.clear()
        return count

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
            timeout=280,
            check=False,
        )


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def add_a_bot(copy):
    file, line = blocks("Add a bot")
    copy.add("engine/bots/lowest.py", file)
    copy.insert("engine/bots/__init__.py", "from engine.bots import ", "lowest, ")
    copy.insert("engine/bots/__init__.py", "Mapping[str, Bot]] = {\n", line)
    copy.words("play", ("bot.lowest.name", "Low bot"), ("bot.lowest.text", "Plays low"))
    assert copy.took() <= 2 + len(LANGUAGES)


def add_a_card(copy):
    effect, row, row_of_rules, effect_of_rules, line, tests = blocks("Add a card")
    copy.insert("engine/editions/premium.py", "# --- cards ---\n", f"\n\n{effect}")
    copy.insert("engine/editions/premium.py", '    Card("king", 6, 1, targets=OTHER, play=king),\n', row)
    copy.insert("tests/second_model/model/cards.py", '"dowager_queen": Card(7, 1, ONE_OTHER),\n', row_of_rules)
    copy.insert("tests/second_model/model/effects.py", 'what it names)`."""\n', f"\n\n{effect_of_rules}")
    copy.insert("tests/second_model/model/effects.py", '    "count": nothing,\n', line)
    copy.add("tests/engine/editions/test_premium_added_cards.py", f"\n\n{tests}")
    keys = ("card.herald.name", "card.herald.object", "card.premium.herald.text", "card.premium.herald.short")
    copy.words("cards", *((key, "Herald") for key in keys))
    assert copy.took() <= 4 + len(LANGUAGES)


def add_an_edition(copy):
    file, line, told = blocks("Add an edition")
    copy.add("engine/editions/duel.py", file)
    copy.insert("engine/editions/__init__.py", "from engine.editions.classic import CLASSIC\n", line)
    copy.insert("engine/editions/__init__.py", "in (STANDARD, CLASSIC, ", "DUEL, ")
    copy.insert("games/texts/cards.py", "_TEXT_EDITIONS: Final[Mapping[str, str]] = {", told.strip() + " ")
    copy.words("cards", ("edition.duel.title", "Duel"))
    assert copy.took() <= 12


def add_an_endpoint(copy):
    """Returns the name of its test."""
    function, shape, route, test, example = blocks("Add an endpoint")
    copy.add("games/views/editions.py", f"\n\n{function}")
    copy.add("api/schemas/editions.py", f"\n\n{shape}")
    copy.add("api/routes/editions.py", f"\n\n{route}")
    copy.insert("api/routes/editions.py", "from api.schemas.editions import ", "Deck, ")
    copy.add("tests/contract/games/test_editions.py", f"\n\n{test}")
    place = '    notes.call("getEdition", "GET", "/v1/editions/classic")\n'
    copy.insert("tools/document/examples.py", place, f"    {example}")
    assert copy.took() <= 6
    return re.search(r"def (test_\w+)", test)[1]


def add_a_language(copy):
    """Adds one that says what English says."""
    english, french = (copy.folder / "games/texts/locale" / language for language in ("en", "fr"))
    shutil.copytree(english, french)
    for catalogue in french.iterdir():
        text = catalogue.read_text(encoding="utf-8")
        catalogue.write_text(text.replace("Language: en", "Language: fr"), encoding="utf-8")
        copy.touched.add(catalogue)
    copy.insert("games/texts/languages.py", '("en", "de"', ', "fr"')
    assert copy.took() == 1 + len([*french.iterdir()])


ALL = (
    MISSING
    + "print(*sorted(key for key in needed_keys() if '.lowest.' in key))\n"
    + BEGIN
    + """
[bot] = [bot for bot in client.get("/v1/bots").json["items"] if bot["id"] == "lowest"]
print(played("standard", "lowest", "random", "lowest"), bot["text"])
cards = {card["card"]: card for card in client.get("/v1/editions/premium").json["cards"]}
print(played("premium", "cautious", *["random"] * 4), cards["herald"]["name"])
edition = client.get("/v1/editions/duel", headers={"Accept-Language": "de"}).json
print(played("duel", "cautious", "random"), edition["title"], edition["cards"][0]["name"])
answer = client.get("/v1/editions/standard", headers={"Accept-Language": "fr"})
print(answer.headers["Content-Language"], answer.json["cards"][1]["name"], flush=True)
"""
)


def test_a_bot_a_card_an_edition_and_a_language_take_a_few_files_each(copy, redis_url):
    """One copy has them all: what is missing is named by its text, its test, or the file in which it is missed."""
    add_a_bot(copy)
    add_a_card(copy)
    add_an_edition(copy)
    add_a_language(copy)
    untranslated = f"{CATALOGUES}::test_no_text_is_that_of_another_language[fr]"
    kept = then_tests(
        f"{EVERY_BOT}::TestAtEveryTable::test_it_takes_a_legal_action_in_any_position_repeats_it_and_leaves_the_question_as_it_was[lovecraft-2]",
        f"{EVERY_BOT}::test_cards_that_its_seat_cannot_see_do_not_change_its_choice[lovecraft-2]",
        "tests/engine/editions/test_premium_added_cards.py::TestHerald",
        "tests/engine/editions/test_premium_cards.py::TestTheDeck::test_holds_the_cards_of_the_rules",
        "tests/second_model/test_effects.py::test_a_wrong_effect_is_noticed[herald]",
        "tests/second_model/test_effects.py::test_they_agree_on_what_follows[premium-5]",
        f"{CATALOGUES}::test_no_entry_is_missing_and_none_is_unused",
        untranslated,
    )
    done = copy.run("-c", ALL + kept, redis_url)
    said = done.stdout + done.stderr
    assert done.stdout.splitlines()[:6] == [
        "",  # no text is missing
        "bot.lowest.name bot.lowest.text",
        "finished Plays low, in en.",
        "finished Herald, in en.",
        "finished Duel, in de. Wächterin",
        "fr Guard",
    ], said
    assert f"FAILED {untranslated}" in done.stdout, said
    assert "1 failed, 15 passed" in done.stdout, said


ASKED = (
    BEGIN
    + """
from engine.scoresheets.notation import parse_action, print_action
from engine.logs.codec import read_action
from games.records.sheets import parse_sheet, print_sheet
from games.records.verification import verify

headers = {"Authorization": f"Bearer {token}"}
order = ["king", "count", "guard", "guard", "priest", "priest", "guard", "prince"]
seats = [{"kind": "creator"}, *[{"kind": "bot", "bot": "random"}] * 4]
table = {"edition": "premium", "seats": seats, "sandbox": {"rounds": [{"starter": 0, "order": order}]}}
game = f"/v1/games/{client.post('/v1/games', json=table, headers=headers).json['id']}"
client.post(f"{game}/actions", json={"type": "play_card", "card": "count", "targets": []}, headers=headers)
view = client.get(game, headers=headers).json
print(view["decision"]["kind"], view["decision"]["text"])
print(*[one["text"] for one in view["legal_actions"]], sep=" / ")
shown = view["legal_actions"][2]["action"]
written = print_action(read_action(shown))
print(written, parse_action(written) == read_action(shown))
events = client.post(f"{game}/actions", json=shown, headers=headers).json["events"]
print([event["data"]["to"] for event in events if event["type"] == "hand_shown"])
client.delete(f"{game}/seats/me", headers=headers)
service.play.bot_turns(game.split("/")[-1], 60)
log = client.get(f"{game}/log", headers=headers).json
print(verify(log).valid, parse_sheet(print_sheet(log)) == log, flush=True)
from tools.document import examples
examples.main()
"""
)


def add_a_kind_of_decision(copy):
    action, effects, row, row_of_rules, question_of_rules, effect_of_rules, answer_of_rules = blocks(
        "Add a kind of decision"
    )
    copy.replace(
        "engine/actions.py", "\nAction: TypeAlias = PlayCard", f"\n{action}\n\nAction: TypeAlias = ShowHand | PlayCard"
    )
    copy.insert("engine/editions/premium.py", "from engine.actions import PeekHand, RedrawHand", ", ShowHand")
    copy.insert("engine/editions/premium.py", "# --- cards ---\n", f"\n\n{effects}")
    copy.replace("engine/editions/premium.py", '    Card("count", 5, 2),', row.rstrip())
    question = "event.decision_opened.show_hand"
    keys = (question, f"{question}.you", "action.show_hand", "action.show_hand.none", "action.show_hand.own")
    copy.words("play", *((key, "Show") for key in keys))
    questions, rules = "tests/second_model/model/questions.py", "tests/second_model/model/effects.py"
    copy.insert(questions, "QUESTIONS = {\n", row_of_rules)
    copy.insert(questions, 'NAMING_A_SEAT = ("peek_hand",', ' "show_hand"')
    copy.insert(questions, "DECLINED: dict[str, dict[str, Any]] = {\n", '    "show_hand": {"type": "show_hand"},\n')
    copy.insert(questions, "    if kind is None:\n        return None\n", indent(question_of_rules, "    "))
    copy.insert(rules, 'what it names)`."""\n', f"\n\n{effect_of_rules}")
    copy.replace(rules, '    "count": nothing,\n', '    "count": count,\n')
    copy.replace(rules, "    else:\n        for gift", f"{indent(answer_of_rules, '    ')}    else:\n        for gift")
    assert copy.took() <= 4 + len(LANGUAGES)


def test_a_kind_of_decision_and_an_endpoint_take_a_few_files_each(copy, redis_url):
    add_a_kind_of_decision(copy)
    test = add_an_endpoint(copy)
    kept = then_tests(
        f"tests/contract/games/test_editions.py::{test}",
        "tests/second_model/test_second_model.py::test_they_agree_in_random_games[premium-5]",
        "tests/second_model/test_effects.py::test_they_agree_on_what_follows[premium-5]",
    )
    asked = copy.run("-c", MISSING + ASKED + kept, redis_url)
    assert asked.stdout.splitlines()[:6] == [
        "",  # nothing is missing
        "show_hand Show, in en.",
        " / ".join(["Show, in en."] * 5),
        "show 2 True",
        "[2]",
        "True True",
    ], asked.stdout + asked.stderr
    assert "3 passed" in asked.stdout, asked.stdout + asked.stderr
    recorded = json.loads((copy.folder / "api/examples.json").read_text(encoding="utf-8"))
    assert recorded["answers"]["getDeck"]["items"][:2] == ["guard", "guard"]
