"""The house: no folder outgrows what one can take in, and each says what lives there."""

import ast
import re
import subprocess
import sys
from collections import Counter
from os.path import normpath
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("api", "billet", "billet_env", "engine", "games", "service", "tools", "workers")
SOURCES = {".py", ".js", ".mjs", ".ts", ".mts", ".lua"}
MOST_MODULES = 15
OF_THEIR_OWN = {"clients/python", "clients/typescript", "docs", "docs/decisions", "examples/bots", "openapi", "web"}
"""Folders whose README is for people who use them, in a form of its own."""
WITHOUT = re.compile(
    r"\.ci|locks|docs/(cards|pictures)|openapi/released|games/texts/locale/\w+"  # one kind of data each
    r"|tests/golden/.+|web/vendor/.+"  # the README above them says what they hold
    r"|examples/(dataset|research)"  # a single program
)


def tracked(*within):
    """Returns the tracked files, relative to the root."""
    listed = subprocess.run(["git", "ls-files", *within], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in listed.splitlines()]


FOLDERS = sorted({str(path.parent) for path in tracked()} - {"."})
IMPORTING = [
    path
    for path in tracked(*(f"{package}/*.py" for package in PACKAGES), "web/*/*.js")
    if not WITHOUT.fullmatch(str(path.parent))
    and not re.match("tools/(attack|benchmarks|failovers|sdk_games|soak|upgrade)/", str(path))
]
MODULES = Counter(str(path.parent) for path in tracked() if path.suffix in SOURCES and path.name != "__init__.py")


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if not WITHOUT.fullmatch(folder)])
def test_a_folder_has_a_short_readme_that_says_what_lives_there(folder):
    text = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    if folder not in OF_THEIR_OWN:
        assert re.match(rf"# {folder}[:\n]", text)
        assert len(text.splitlines()) <= 14


@pytest.mark.parametrize("folder", sorted({str(path.parent) for path in IMPORTING}))
def test_a_folder_imports_what_its_readme_says(folder):
    text = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    sentence = re.search(r"^May import: (.+?)\.\sNever: ", text, re.MULTILINE | re.DOTALL)
    assert sentence, "a line `May import: ... . Never: ...`, with our packages and modules as `code`"
    allowed = set(re.findall(r"`(\w[\w/]*)`", sentence[1]))
    found = imported(folder)
    assert {path for path in found if not any(within(path, one) for one in (folder, *allowed))} == set()
    assert {one for one in allowed if not any(within(path, one) for path in found)} == set(), "nothing imports it"


def test_the_engine_imports_the_standard_library_only():
    roots = {name.split(".")[0] for path in tracked("engine") if path.suffix == ".py" for name in names(path)}
    assert roots - sys.stdlib_module_names == {"engine"}


def test_nothing_is_imported_from_a_test():
    found = {path: [name for name in names(path) if ".test_" in name] for path in tracked("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


def imported(folder):
    """Returns the modules of this project that the modules of a folder import, as paths without their suffix."""
    paths = [path for path in IMPORTING if path.parent == Path(folder)]
    scripts = {name for path in paths if path.suffix == ".js" for name in names_in_script(path)}
    found = {name.replace(".", "/") for path in paths if path.suffix == ".py" for name in names(path)}
    return scripts | {path for path in found if path.split("/")[0] in (*PACKAGES, "tests")}


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
    r"|\bfrom (random|os) import\b|\btime\.(?!gmtime\b)\w"
)
"""What reads a clock or draws chance. Chance from a seed does not; `time` itself is kept out by import-linter."""


def test_the_rules_and_the_games_read_no_clock_and_draw_no_chance():
    for folder in ("engine", "games"):
        for path in (ROOT / folder).rglob("*.py"):
            assert CLOCK_OR_CHANCE.search(path.read_text(encoding="utf-8")) is None, path


BESIDE_REDIS = [path for path in tracked("service/*.py", "workers/*.py", "billet/*.py") if path.parts[1] != "demo"]
"""What could reach Redis; the demo speaks HTTP alone, whose GET is a command of Redis too."""


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
