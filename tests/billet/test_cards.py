"""The reference cards that `billet cards` prints, without a server."""

import re

import pytest

from billet import cli, reference
from engine.editions import EDITIONS
from games.texts.catalogue import LANGUAGES, catalogue
from games.views import editions
from tests.second_model.model.cards import deck_of


def printed(capsys, *words):
    assert cli.main(["cards", *words]) == 0
    done = capsys.readouterr()
    assert done.err == ""
    return done.out.splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_card_stands_on_it(capsys, edition, language):
    lines = printed(capsys, edition, "--language", language)
    assert max(map(len, lines)) <= reference.WIDTH
    assert not [line for line in lines if line != line.rstrip()]
    told = " ".join(" ".join(lines).split())
    for card in editions.detail(edition, catalogue(language))["cards"]:
        assert [line for line in lines if re.match(rf" ?{card['value']}  {card['name']}( \*)?  ", line)]
        assert all(face["short_text"] in told for face in card["faces"])


def test_the_copies_are_those_of_each_table(capsys):
    lines, large = printed(capsys, "premium"), f"  {len(deck_of('premium', 8))}"
    assert lines[:6] == [
        catalogue("en").text("edition.premium.title"),
        "",
        "Seats               2   3   4   5   6   7   8",
        f"Cards in the deck  16  16  16{large}{large}{large}{large}",
        "Face up beside it   3   -   -   -   -   -   -",
        "Tokens to win       7   5   4   4   4   4   4",
    ]
    assert "                   with 2-4  with 5-8" in lines
    assert " 1  Guard                 5         8  Guess another player's number to knock them out" in lines
    assert " 9  Bishop                -         1  Guess another player's number: a hit gains a token" in lines


def test_sane_and_insane_effects_and_the_cards_that_make_insane(capsys):
    lines = printed(capsys, "lovecraft", "--language", "de")
    row = next(i for i, line in enumerate(lines) if line.startswith(" 2  Goldener Met *"))
    assert lines[row].endswith("Sieh dir die Hand einer anderen Person an")
    assert lines[row + 1].strip().startswith("wahnsinnig: Sieh dir eine Hand an")
    assert "* eine Wahnsinnskarte" in lines
    assert "Vernunftsteine zum Sieg    2   2   2   2   2" in lines
    assert "Wahnsinnssteine zum Sieg   3   3   3   3   3" in lines


def test_an_edition_without_insanity_says_nothing_of_it(capsys):
    assert not [line for line in printed(capsys, "premium") if re.search(r"\*|\bsane", line)]


@pytest.mark.parametrize(
    ("words", "known"),
    [("cards chess", EDITIONS), ("export --edition chess", EDITIONS), ("cards --language tlh", LANGUAGES)],
)
def test_what_there_is_not_is_refused_with_what_there_is(capsys, words, known):
    with pytest.raises(SystemExit) as end:
        cli.main(words.split())
    assert end.value.code == 2
    *_, refused = capsys.readouterr().err.splitlines()
    assert all(name in refused for name in known)


def test_without_an_edition_it_lists_them(capsys):
    assert cli.main(["cards", "--language", "de"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == [*EDITIONS]
    assert [line.split()[:2] for line in listed[:4]] == [
        ["standard", "2-6"],
        ["classic", "2-4"],
        ["premium", "2-8"],
        ["lovecraft", "2-6"],
    ]
    assert "Karten" in listed[0]
