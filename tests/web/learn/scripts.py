"""The lessons as the pages have them: what is played, and what is said, by language."""

import json
import subprocess
from functools import cache
from pathlib import Path

LEARN = Path(__file__).parents[3] / "web/learn"
READ = """const [{LESSONS: lessons}, {default: en}, {default: de}] = await Promise.all(
  ["./lessons.js", "./en.js", "./de.js"].map(name => import(name)));
console.log(JSON.stringify({lessons, en, de}))"""
NAMES = ("first", "standard", "premium", "lovecraft")


@cache
def _read():
    said = subprocess.run(
        ["node", "--input-type=module", "-e", READ], cwd=LEARN, capture_output=True, text=True, check=True
    )
    return json.loads(said.stdout)


def lessons():
    return _read()["lessons"]


def texts(language):
    return _read()[language]


def fits(right, action):
    """Whether an action, as the interface has it, is what a step asks for."""
    return all(action.get(name) == value for name, value in right.items())
