"""The words of the interface: all there in every language, and none too many."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from api import web

WEB = Path(__file__).parents[2] / "web"
FAMILIES = {
    "line.": ("lost", "restarting", "busy"),
    "ask.": ("face", "guess", "number", "keep", "redraw", "peek", "action"),
    "face.": ("sane", "insane"),
    "tokens.": ("favor", "sane", "insane"),
    "tab.": ("log", "reference", "unseen", "notes"),
    "notice.": ("lost", "moved"),
    "notes.": ("none", "may", "not"),
    "notes.seat.": ("may", "not"),
    "key.": (
        "digits",
        "arrows",
        "enter",
        "escape",
        "h",
        "r",
        "l",
        "u",
        "n",
        "e",
        "m",
        "click",
        "step",
        "turn",
        "round",
        "ends",
        "space",
    ),
    "replay.": ("turn_back", "back", "next", "turn_next"),
    "react.": ("well_played", "ouch", "thinking", "hurry", "thanks", "again"),
    "bot.": ("random", "cautious", "expert"),
    "start.bot.": ("random", "cautious", "expert"),
    "start.": ("own", "ended"),
    "result.": ("won", "shared", "lost", "none"),
    "record.": ("people", "programs", "bots"),
    "hide.": ("online", "history", "ratings"),
    "queue.": ("rated", "fill"),
    "boards.": ("edition", "size", "pace", "kind"),
    "pool.": ("2", "3-4", "5+", "live", "days", "people", "programs"),
    "match.": ("running", "invited", "paused", "ended"),
    "match.state.": ("running", "invited", "paused", "ended"),
    "match.deals.": ("fresh", "rotated", "reference"),
    "match.deals_of.": ("fresh", "shared"),
    "match.more.": ("fresh", "shared"),
    "pace.": ("decision", "bank"),
    "proof.why.": (
        "form",
        "commitment",
        "nonces",
        "deals",
        "cards",
        "head",
        "digest",
        "shown",
        "rules",
        "position",
    ),
    "clock.": ("none", "30", "60", "300", "86400"),
}
"""What fills the hole at the end of a key."""


@pytest.fixture(scope="module")
def catalogues():
    parts = ["", ".pages", ".players", ".matches"]
    script = f"""const found = {{}};
    for (const language of ["en", "de"]) for (const part of {parts})
      found[language] = {{...found[language], ...(await import(`./${{language}}${{part}}.js`)).default}};
    console.log(JSON.stringify(found))"""
    said = subprocess.run(
        ["node", "--input-type=module", "-e", script], cwd=WEB / "words", capture_output=True, text=True, check=True
    )
    return json.loads(said.stdout)


def test_every_language_says_the_same_things(catalogues):
    english, german = catalogues["en"], catalogues["de"]
    assert english.keys() == german.keys()
    for key, text in english.items():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", german[key])), key


def test_every_word_is_used_somewhere(catalogues):
    files = [*WEB.glob("*/*.js"), *WEB.glob("table/*/*.js")]
    scripts = "".join(path.read_text() for path in files if path.parent.name != "words")
    for key in catalogues["en"]:
        plain = key.removesuffix(".one").removesuffix(".text").removesuffix(".does")
        heads = [
            head
            for head, fillings in FAMILIES.items()
            if plain.startswith(head) and plain.removeprefix(head) in fillings
        ]
        assert heads or f'"{plain}' in scripts, key


def test_a_table_needs_no_words_of_other_pages():
    scripts = [web.contents()[name].decode() for name in web.modules("page/game.js") if not name.startswith("words/")]
    for name in ("en.pages", "de.pages", "en.players", "de.players", "en.matches", "de.matches"):
        for key in re.findall(r'"([\w.]+)": "', (WEB / f"words/{name}.js").read_text()):
            assert not any(f'"{key}"' in script for script in scripts), key
