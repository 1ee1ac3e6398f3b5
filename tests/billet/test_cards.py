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


def refused(capsys, *words):
    assert cli.main(["cards", *words]) == 2
    done = capsys.readouterr()
    assert done.out == ""
    (line,) = done.err.splitlines()
    return line


EVERY = [
    pytest.param(edition, language, seats, full, id=f"{edition.id}-{language}-{seats or 'all'}{'-full' * full}")
    for edition in EDITIONS.values()
    for language in LANGUAGES
    for seats, full in ((None, False), (None, True), (edition.seats[0], True), (edition.seats[-1], False))
]


@pytest.mark.parametrize(("edition", "language", "seats", "full"), EVERY)
def test_every_card_stands_on_it(capsys, edition, language, seats, full):
    lines = printed(
        capsys,
        *(edition.id, "--language", language),
        *(["--seats", str(seats)] if seats else []),
        *(["--full"] if full else []),
    )
    assert max(map(len, lines)) <= reference.WIDTH
    assert not [line for line in lines if line != line.rstrip()]
    told = " ".join(" ".join(lines).split())
    for card in editions.detail(edition.id, catalogue(language))["cards"]:
        copies = {row["copies"] for row in card["copies_by_seats"] if seats in (None, row["seats"])}
        on_it = copies != {0} or not card["copies"]
        rows = [line for line in lines if re.match(rf" ?{card['value']}  {card['name']}( \*)?  ", line)]
        assert len(rows) == on_it
        if on_it:
            assert all(face["short_text"] in told for face in card["faces"])
            assert all((face["text"] in told) == full for face in card["faces"])


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


def test_one_table_has_its_own_copies_only(capsys):
    lines = printed(capsys, "premium", "--seats", "3", "--language", "de")
    assert " " * 16 + "bei 3" in lines
    assert " 1  Wächterin       5  Errate die Zahl einer anderen Person, und sie scheidet aus" in lines
    assert not [line for line in lines if "Bischof" in line]


def test_sane_and_insane_effects_and_the_cards_that_make_insane(capsys):
    lines = printed(capsys, "lovecraft", "--full", "--language", "de")
    row = next(i for i, line in enumerate(lines) if line.startswith(" 2  Goldener Met *"))
    assert lines[row].endswith("Sieh dir die Hand einer anderen Person an")
    assert lines[row + 1].strip().startswith("wahnsinnig: Sieh dir eine Hand an")
    assert "* eine Wahnsinnskarte" in lines
    assert "Vernunftsteine zum Sieg    2   2   2   2   2" in lines
    assert "Wahnsinnssteine zum Sieg   3   3   3   3   3" in lines
    assert [line for line in lines if line.startswith("Goldener Met (2), wahnsinnig. ")]
    assert [line for line in lines if line.startswith("wahnsinnig: Du bist wahnsinnig, solange")]


def test_an_edition_without_insanity_says_nothing_of_it(capsys):
    assert not [line for line in printed(capsys, "premium", "--full") if re.search(r"\*|\bsane", line)]


def test_what_there_is_not_is_one_line(capsys):
    *most, last = EDITIONS
    assert refused(capsys, "chess") == (f"billet: there is no edition 'chess', only {', '.join(most)}, and {last}")
    assert refused(capsys, "chess", "--language", "de") == (
        f"billet: eine Ausgabe 'chess' gibt es nicht, nur {', '.join(most)} und {last}"
    )
    assert refused(capsys, "classic", "--seats", "5") == "billet: Classic (16 cards) is for 2 to 4 seats, not for 5"
    assert refused(capsys, "classic", "--language", "tlh") == (
        f"billet: --language must be one of {', '.join(LANGUAGES)}, not 'tlh'"
    )


def test_the_help_names_every_edition_and_language(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["cards", "--help"])
    assert end.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    *most, last = EDITIONS
    assert f"{', '.join(most)} or {last}" in said
    assert f"{' or '.join(LANGUAGES)} (default: en)" in said


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
