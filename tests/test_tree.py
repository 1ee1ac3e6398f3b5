"""The house: no folder outgrows what one can take in, and what import-linter cannot see of the laws."""

import ast
import re
import subprocess
import sys
from collections import Counter
from os.path import normpath
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = {".py", ".js", ".mjs", ".ts", ".mts", ".lua"}
MOST_MODULES = 15
ORDER_IN_THE_BROWSER = ("page", "start", "daily", "learn", "replay", "table", "cards", "look", "words", "vendor")
"""A script imports from its own folder and those after it. `api` is on the side."""


def tracked(*within):
    """Returns the tracked files, relative to the root."""
    listed = subprocess.run(["git", "ls-files", *within], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in listed.splitlines()]


MODULES = Counter(str(path.parent) for path in tracked() if path.suffix in SOURCES and path.name != "__init__.py")


def test_the_engine_imports_the_standard_library_only():
    roots = {name.split(".")[0] for path in tracked("engine") if path.suffix == ".py" for name in names(path)}
    assert roots - sys.stdlib_module_names == {"engine"}


def test_nothing_is_imported_from_a_test():
    found = {path: [name for name in names(path) if ".test_" in name] for path in tracked("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


def names(path):
    """Returns the names of all modules that a module imports, wherever in it."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (joined(node.module, one.name) for one in node.names)


def names_in_script(path):
    """Returns the paths of all files that a script imports, without their suffix."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for name in re.findall(r"""\b(?:from|import)\s*\(?["'](\.[^"']+)["']""", text):
        yield normpath(path.parent / name).rpartition(".")[0]


def test_scripts_of_the_table_import_one_way():
    place = {folder: at for at, folder in enumerate(ORDER_IN_THE_BROWSER)}
    scripts = [path for path in tracked("web/*.js") if path.parts[1] in place and path.parts[1] != "vendor"]
    assert len(scripts) > 50
    backwards = {
        (str(path), name)
        for path in scripts
        for name in names_in_script(path)
        if place.get(name.split("/")[1], len(place)) < place[path.parts[1]]
    }
    # The words ask for the language that somebody has chosen.
    assert backwards == {("web/words/words.js", "web/look/preferences")}


def joined(module, name):
    """Returns the module that a name is imported from: the name itself may be one."""
    path = ROOT / module.replace(".", "/") / name
    return f"{module}.{name}" if path.is_dir() or path.with_suffix(".py").exists() else module


def within(path, folder):
    """Whether a module is this one or lies below it."""
    return f"{path}/".startswith(f"{folder}/")


def test_no_folder_has_more_than_fifteen_modules():
    assert {folder: modules for folder, modules in MODULES.items() if modules > MOST_MODULES} == {}


def test_headers_are_known_to_the_interface_alone():
    headers = r"\b(If-Match|If-None-Match|ETag|Location|Retry-After|Last-Event-ID|(Accept|Content)-[A-Z][a-z]+)\b"
    for folder in ("engine", "games", "service", "workers"):
        for path in (ROOT / folder).rglob("*.py"):
            assert re.search(headers, path.read_text(encoding="utf-8")) is None, path


CLOCK_OR_CHANCE = re.compile(
    r"\b(random\.(?!Random\b)\w|Random\(\)|(date|datetime)\.(now|today|utcnow)\b|os\.(urandom|getrandom|times)\b)"
    r"|\bfrom (random|os) import\b|\btime\.\w"
)
"""What reads a clock or draws chance. Chance from a seed does not."""


def test_the_rules_and_the_games_read_no_clock_and_draw_no_chance():
    for folder in ("engine", "games"):
        for path in (ROOT / folder).rglob("*.py"):
            assert CLOCK_OR_CHANCE.search(path.read_text(encoding="utf-8")) is None, path


def test_no_generator_outlives_what_it_is_drawn_for():
    """With one that a module keeps, what a test meets would follow from the tests before it."""
    for path in tracked("*.py"):
        assert re.search(r"^\S.*= .*\bRandom\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE) is None, path


BESIDE_REDIS = tracked("service/*.py", "workers/*.py", "billet/*.py")
"""What could reach Redis."""


def redis_commands(text):
    """Yields the words in capitals with which tuples and calls of a module begin, as commands of Redis do."""
    for node in ast.walk(ast.parse(text)):
        first = node.elts[:1] if isinstance(node, ast.Tuple) else node.args[:1] if isinstance(node, ast.Call) else []
        for one in first:
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and re.fullmatch("[A-Z]{3,}", one.value):
                yield one.value


def test_only_the_store_sends_commands_to_redis():
    sent = {path: set(redis_commands((ROOT / path).read_text(encoding="utf-8"))) for path in BESIDE_REDIS}
    ours = set().union(*(words for path, words in sent.items() if within(path, "service/store")))
    assert {"GET", "ZADD", "EVALSHA"} <= ours
    others = {path: words & ours for path, words in sent.items() if not within(path, "service/store")}
    assert {path: words for path, words in others.items() if words} == {}
