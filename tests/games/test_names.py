"""Which names nobody may take."""

import re
from pathlib import Path

import pytest

from engine.bots import BOTS
from games.names import GUESTS, imitates
from games.texts.catalogue import LANGUAGES, catalogue

WORDS = Path(__file__).parents[2] / "web" / "words"

DISGUISES = {
    "as it is": str,
    "in capitals": str.upper,
    "in full width": lambda name: "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in name),
    "with spaces": lambda name: "\u2003".join(name),
    "with what cannot be seen": lambda name: "\u200b".join(name),
    "with a filler": lambda name: name[0] + "\u3164" + name[1:],
    "in separate marks": lambda name: name.replace("ä", "a\u200d\u0308").replace("ö", "o\u034f\u0308"),
    "with a sign": lambda name: f"{name} ★",
    "with dots": ".".join,
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_called_as_the_service_calls_its_bots_its_reader_or_who_is_gone(language, disguise):
    words = catalogue(language)
    bots = [words.text(f"bot.{bot}.name") for bot in BOTS]
    reader = [words.text(f"seat.you.{case}") for case in ("nominative", "accusative", "dative")]
    names = [*BOTS, *bots, *reader, words.text("player.deleted")]
    assert [name for name in names if not imitates(disguise(name))] == []


@pytest.mark.parametrize("name", ["You", "Du", "YOU", "you!", "d u", "Clever bot", "Kluger Bot", "expert"])
def test_names_that_are_refused(name):
    assert imitates(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Young",
        "Dunja",
        "Botho",
        "Expert 7",
        "Random House",
        "The cautious one",
        "Dü",
        "2",
        "★",
        "李雷",
        "Guest 7",
    ],
)
def test_names_that_anybody_may_take(name):
    assert not imitates(name)


def test_a_guest_is_called_as_the_pages_say_and_nobody_is_so_in_disguise():
    pages = [
        re.search(r'"guest": "(\w+)"', (WORDS / f"{code}.js").read_text(encoding="utf-8"))[1] for code in LANGUAGES
    ]
    assert [page.casefold() for page in pages] == [*GUESTS]
    assert [name for name in (*pages, *map(str.upper, pages)) if imitates(name)] == []
    hidden = [
        disguise(name) for name in pages for how, disguise in DISGUISES.items() if "spaces" in how or "full" in how
    ]
    assert [name for name in hidden if not imitates(name)] == []
