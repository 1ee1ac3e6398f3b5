"""What the demo shows of a table: everything a person needs in each edition, and not a word of another language."""

import pytest

from billet.demo import table
from billet.reference import WIDTH
from tests.billet.tables import names, seat, view


def shown(language, edition, one):
    return list(table.lines(one, names(language, edition, one)))


def test_a_table_of_standard():
    one = view(
        seat(0, "Ann", tokens=1, hand=["guard", "priest"]),
        seat(1, "Ben", protected=True, discards=["handmaid", "guard"]),
        seat(2, "cautious", in_round=False),
        seat(3, "cautious", left=True, in_round=False),
        number=2,
    )
    assert shown("en", "standard", one) == [
        "Round 2; deck: 9",
        "> Ann                tokens 1/4  hand: Guard (1), Priest (2)",
        "  Ben                tokens 0/4  protected; discards: Handmaid (4), Guard (1)",
        "  cautious (seat 3)  tokens 0/4  out",
        "  cautious (seat 4)  tokens 0/4  has left",
    ]


def test_banks_and_who_is_away():
    one = view(
        seat(0, "Ann", bank_ms=292_999, hand=["guard", "priest"]),
        seat(1, "Ben", bank_ms=5_000, away=True),
        seat(2, "Cleo", bank_ms=0, left=True, in_round=False),
    )
    assert shown("en", "standard", one)[1:] == [
        "> Ann   tokens 0/5  4:52 left; hand: Guard (1), Priest (2)",
        "  Ben   tokens 0/5  0:05 left; away, a bot stands in",
        "  Cleo  tokens 0/5  has left",
    ]
    assert shown("de", "standard", one)[2] == "  Ben   Gunststeine 0/5  noch 0:05; abwesend, ein Bot springt ein"


def test_what_lies_beside_the_deck_and_in_play():
    one = view(seat(0, "Ann"), seat(1, "Ben"), shown_aside=["guard", "king"], set_aside="spy", in_play=["chancellor"])
    assert shown("de", "standard", one)[0] == (
        "Runde 1; Nachziehstapel: 9; offen daneben: Wächterin (1), König (7); beiseitegelegt: Spionin (0); im"
    )
    assert shown("de", "standard", one)[1] == "  Spiel: Kanzler (6)"


def test_premium_shows_whom_cards_have_marked():
    one = view(
        seat(0, "Ann"),
        *(seat(number, name) for number, name in enumerate(("Ben", "Cleo", "Dan", "Eve"), 1)),
        bound=1,
        marks=[{"card": "jester", "seat": 2, "target": 3}],
    )
    lines = shown("de", "premium", one)
    assert lines[2] == "  Ben   Gunststeine 0/4  muss bei der nächsten Wahl dabei sein"
    assert lines[4] == "  Dan   Gunststeine 0/4  Hofnarr (0) von Cleo"
    assert shown("en", "premium", one)[4] == "  Dan   tokens 0/4  Jester (0) of Cleo"


def test_a_tie_break_is_called_one_and_shows_who_sits_out():
    one = view(
        seat(0, "Ann", tokens=4),
        seat(1, "Ben", tokens=4, in_round=False, discards=["princess"]),
        seat(2, "Cleo", tokens=3, in_round=False),
        seat(3, "Dan", tokens=4),
        seats=[0, 1, 3],
        tie_break=True,
        number=9,
    )
    assert shown("en", "premium", one) == [
        "Round 9, a tie-break; deck: 9",
        "> Ann   tokens 4/4",
        "  Ben   tokens 4/4  out; discards: Princess (8)",
        "  Cleo  tokens 3/4  sits out",
        "  Dan   tokens 4/4",
    ]
    assert shown("de", "premium", one)[0] == "Runde 9, ein Stechen; Nachziehstapel: 9"


def test_one_who_has_left_does_not_sit_out():
    one = view(seat(0, "Ann"), seat(1, "Ben", left=True, in_round=False), seat(2, "Cleo"))
    assert shown("en", "premium", one)[0] == "Round 1; deck: 9"
    assert "sits out" not in shown("en", "premium", one)[2]


def test_lovecraft_shows_both_kinds_of_token_and_who_is_insane():
    sanity = {"sane_tokens": 1, "insane_tokens": 2, "tokens": 3}
    one = view(
        seat(0, "Ann", **sanity, insane=True, discards=["liber_ivonis"]),
        seat(1, "Ben", sane_tokens=0, insane_tokens=0, insane=False),
        marks=[{"card": "liber_ivonis", "seat": 0, "target": 0}],
    )
    assert shown("de", "lovecraft", one) == [
        "Runde 1; Nachziehstapel: 9",
        "> Ann  Vernunft 1/2, Wahnsinn 2/3  wahnsinnig; Liber Ivonis (4) gilt; Ablage: Liber Ivonis (4)",
        "  Ben  Vernunft 0/2, Wahnsinn 0/3",
    ]
    assert shown("en", "lovecraft", one)[1] == (
        "> Ann  sane tokens 1/2, insane 2/3  insane; Liber Ivonis (4) holds; discards: Liber Ivonis (4)"
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_long_lines_are_broken_between_cards(language):
    one = view(
        seat(0, "Ann", discards=["investigators", "professor_henry_armitage", "shining_trapezohedron"] * 2),
        seat(1, "Ben"),
        shown_aside=["great_race_of_yith", "mi_go_braincase", "silver_key", "cats_of_ulthar"],
    )
    lines = shown(language, "lovecraft", one)
    assert len(lines) > 4
    assert all(len(line) <= WIDTH for line in lines)
    assert not any(line.strip().startswith("(") for line in lines)
    assert "\N{NO-BREAK SPACE}" not in "".join(lines)


def test_before_the_first_round_there_is_none():
    one = view(seat(0, "Ann"), seat(1, "Ben"), to_act=None) | {"round": None}
    assert shown("en", "classic", one) == ["  Ann  tokens 0/6", "  Ben  tokens 0/6"]


def test_the_standings_mark_the_winners():
    one = view(seat(0, "Ann", tokens=2), seat(1, "Ben", tokens=6), to_act=None, winners=[1])
    assert list(table.standings(one, names("de", "standard", one))) == [
        "Am Ende:",
        "  Ann  Gunststeine 2/6",
        "* Ben  Gunststeine 6/6",
    ]
