"""Scoresheets: every log of every table is the same again when its sheet is read, and what cannot be so is said."""

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.errors import MalformedNotation
from engine.rules import RULES_VERSION
from games.causes import (
    Abort,
    Act,
    ComeBack,
    Decline,
    Invite,
    Join,
    Leave,
    Open,
    Remove,
    Repeat,
    Thought,
    TimeOut,
    Withdraw,
)
from games.records.portable import Unreadable, as_json, digest_of, parsed, portable
from games.records.scoresheet_notation import parse_cause, parse_value, print_cause, print_value, single_spaced
from games.records.scoresheets import Unwritable, parse_sheet, print_sheet
from games.steps import step_of, stored_form
from games.tables.opening import Fresh, Occupant, new_table
from games.texts.catalogue import LANGUAGES, catalogue
from tests.engine.random_games import EVERY_TABLE
from tests.games.whole_logs import BEGIN_MS, aborted_log, whole_log

PAGE = Path(__file__).parents[3] / "docs" / "scoresheets.md"
WORDS = st.text(max_size=12) | st.sampled_from(["p1", "none", "12", "bot-expert", 'a "b"', "x (y)", "a; b", "\u2028"])
SEATS = st.integers(0, 7)
CARDS = st.sampled_from(["guard", "priest", "deep_ones"])
NONCES = st.sampled_from(["", "0f" * 32])
JOINS = st.builds(Join, SEATS, WORDS, NONCES)
INVITES = st.builds(Invite, SEATS, WORDS)
FACES = st.sampled_from([None, "sane", "insane"])
PLAYS = st.builds(PlayCard, CARDS, st.lists(SEATS, max_size=2).map(tuple), st.none() | CARDS | st.integers(0, 9), FACES)
ACTIONS = st.one_of(
    PLAYS,
    st.builds(KeepCard, CARDS, st.lists(CARDS, max_size=2).map(tuple)),
    st.builds(RedrawHand, st.booleans()),
    st.builds(PeekHand, st.none() | SEATS),
    st.builds(GiveHands, st.lists(st.tuples(SEATS, CARDS), max_size=2).map(tuple)),
)
THOUGHTS = st.none() | st.builds(Thought, WORDS, st.integers(1, 9), st.integers(0, 10**6), st.integers(0, 10**6))
CAUSES = st.one_of(
    st.builds(Open, st.lists(JOINS, max_size=3).map(tuple), st.lists(INVITES, max_size=2).map(tuple)),
    JOINS,
    INVITES,
    st.builds(Decline, SEATS, WORDS, WORDS),
    st.builds(Withdraw, SEATS, WORDS),
    st.builds(Remove, SEATS, WORDS),
    st.builds(Leave, SEATS),
    st.just(Abort()),
    st.builds(Repeat, SEATS, ACTIONS, st.none() | st.sampled_from(["resigned", "timed_out"])),
    st.builds(Repeat, SEATS, st.none(), st.sampled_from(["resigned", "timed_out"])),
    st.builds(Act, SEATS, ACTIONS, THOUGHTS),
    st.builds(TimeOut, SEATS),
    st.builds(TimeOut, SEATS, ACTIONS, THOUGHTS),
    st.builds(ComeBack, SEATS),
)
VALUES = st.one_of(st.none(), st.booleans(), st.integers(0, 10**9), WORDS)


@given(CAUSES)
@settings(max_examples=25, derandomize=True)
def test_a_cause_is_one_line_and_is_the_same_again(cause):
    line = print_cause(cause)
    assert "\n" not in line
    assert single_spaced(line) == line
    assert parse_cause(line) == cause


@given(VALUES | st.dictionaries(WORDS.filter(lambda name: name != "order"), VALUES))
@settings(max_examples=25, derandomize=True)
def test_a_value_is_the_same_again(value):
    assert (parse_value(single_spaced(print_value(value))), type(value)) == (value, type(value))


@given(st.text(max_size=30) | CAUSES.map(print_cause).flatmap(lambda line: st.sampled_from([line[:-1], line + " 1"])))
@settings(max_examples=25, derandomize=True)
def test_other_lines_are_refused_or_mean_what_they_are_written_as(line):
    try:
        cause = parse_cause(line)
    except MalformedNotation:
        return
    assert parse_cause(print_cause(cause)) == cause


@EVERY_TABLE
def test_a_log_is_the_same_again_byte_for_byte(edition, seats):
    seed = 3 + seats % 4  # every kind of clock, chosen decks and starters among them
    log = whole_log(edition, seats, seed)
    sheet = print_sheet(parsed(as_json(log)))
    assert as_json(parse_sheet(sheet)) == as_json(log)
    assert len(re.findall(r"^ *(?:[0-9]+\. +)?\+", sheet, re.M)) == sum(
        one["cause"] is not None for one in log["events"]
    )


def test_a_table_at_which_nobody_sat_when_it_was_opened_has_a_sheet():
    body = {"edition": "classic", "seats": [{"kind": "open"}] * 2}
    opening = new_table("g", "p0", body, [Occupant(None)] * 2, BEGIN_MS, Fresh(bytes(32), "CODE", "tag"))
    joined = step_of(opening.after, Join(1, "p1", ""), BEGIN_MS, "tag")
    ended = step_of(joined.after, Abort(), BEGIN_MS, "tag")
    log = portable([stored for step in (opening, joined, ended) for stored in stored_form(step)])
    assert as_json(parse_sheet(print_sheet(log))) == as_json(log)


@pytest.mark.parametrize("player", ["p0", "none", "7", 'Ann, of "course" (no; yes)', "a;  #b"])
def test_whatever_a_player_is_called_the_log_is_the_same_again(player):
    log = aborted_log(player)
    assert as_json(parse_sheet(print_sheet(log))) == as_json(log)


@pytest.mark.parametrize("player", ["\n\u2028\x85  #", "\u00fc"])
def test_a_player_whose_id_cannot_be_printed_everywhere_is_in_no_log(player):
    assert why_not(aborted_log(player)) == "log.divergent_head"


def test_what_a_terminal_acts_on_is_written_by_its_number():
    log = aborted_log(game="g\x7f\x9b\x1b\u2028")
    sheet = print_sheet(log)
    assert 'game "g\\u007f\\u009b\\u001b\\u2028"\n' in sheet
    assert sheet.isascii()
    assert sheet.replace("\n", "").isprintable()
    assert as_json(parse_sheet(sheet)) == as_json(log)


def example():
    """Returns the sheet that the documentation shows."""
    text = re.search(r"## An example\n\n((?:    .*\n|\n)+)", PAGE.read_text(encoding="utf-8"))[1]
    return re.sub(r"^    ", "", text, flags=re.MULTILINE).rstrip("\n") + "\n"


def test_the_example_of_the_documentation_is_a_sheet():
    log = parse_sheet(example())
    assert print_sheet(log) == example()
    assert log["edition"] == "classic"
    assert {"time_out", "come_back"} <= {event["cause"]["type"] for event in log["events"] if event["cause"]}


def test_spaces_comments_and_empty_lines_mean_nothing():
    text = "\ufeff" + example().replace(" ", "   ").replace("\n", "\r\n\r\n# (what a move)\r\n")
    assert parse_sheet(text) == parse_sheet(example())


def refusal(text):
    with pytest.raises(Unreadable) as unreadable:
        parse_sheet(text)
    for language in LANGUAGES:
        assert unreadable.value.why.written(catalogue(language))
    return unreadable.value.why


def line_of(pattern):
    """Returns the number of the example's first line that a pattern matches, and the line."""
    lines = example().split("\n")
    return next((number, line) for number, line in enumerate(lines, 1) if re.search(pattern, line))


@pytest.mark.parametrize(
    ("pattern", "old", "new", "key"),
    [
        (r"^billet", "1", "2", "log.sheet_first_line"),
        (r"^seats", "seats 2", "seats 3", "log.sheet_step"),
        (r"^seats", "seats 2", "seats 9", "log.no_such_table"),
        (r"^seats", "seats 2", "seat 2", "log.sheet_head"),
        (r"^seats", "seats 2", "game g", "log.sheet_line"),
        (r"^rules", f"{RULES_VERSION}", f"{RULES_VERSION + 1}", "log.other_rules"),
        (r"^edition", "classic", "another", "log.no_such_table"),
        (r"^secret", "secret ", "secret x", "log.no_such_table"),
        (r"^begins", "20", "x", "log.no_such_table"),
        (r"^clock", "seconds 30", "seconds", "log.sheet_line"),
        (r"^clock", "seconds 30", "seconds 9999999999999999", "log.no_such_table"),
        (r"^creator", "creator ", "creator x ", "log.no_such_table"),
        (r"^creator", "creator ", 'creator "', "log.sheet_line"),
        (r"^creator", "creator ", "creator " + "x" * 10_000, "log.sheet_long_line"),
        (r"^round 1", "starter ", "starter 1", "log.sheet_other_line"),
        (r"^round 1", "round 1", "round 2", "log.sheet_other_line"),
        (r"^deck", "deck ", "deck princess,", "log.sheet_other_line"),
        (r"^won", "won", "lost", "log.sheet_line"),
        (r"draws", "draws", "sees", "log.sheet_other_line"),
        (r"^  1\.", "1.", "2.", "log.sheet_other_line"),
        (r"^  1\.", "+", "-", "log.sheet_line"),
        (r" 0 join p0", "open", "", "log.sheet_line"),
        (r" 0 join p0", "open 0", "open 1", "log.sheet_step"),
        (r" invite p9", "1 invite", "0 invite", "log.sheet_step"),
        (r" clock ", " clock", "", "log.sheet_step"),
        (r"^game [01]", "game", "# game", "log.sheet_other_line"),
    ],
)
def test_what_does_not_follow_is_refused_with_its_line(pattern, old, new, key):
    number, line = line_of(pattern)
    assert old in line
    lines = example().split("\n")
    lines[number - 1] = line.replace(old, new, 1)
    why = refusal("\n".join(lines))
    assert why.key == key, why
    if "expected" in why.values and not new.startswith("#"):
        assert (why.values["line"], why.values["expected"]) == (number, single_spaced(line))


def test_a_text_without_an_end_is_looked_for_once():
    begun = time.process_time()
    for end in ("", "\\"):
        line = 'x "' + '\\"' * 15_000 + end
        assert single_spaced(line) == line
        with pytest.raises(MalformedNotation):
            parse_value(line)
    assert time.process_time() - begun < 3, "it would be a minute if it took the square of the length"


def test_a_sheet_that_breaks_off_or_goes_on_is_refused():
    lines = example().rstrip("\n").split("\n")
    assert refusal("\n".join(lines[:-4])).key == "log.breaks_off"
    assert refusal("").key == refusal("{}").key == "log.sheet_first_line"
    assert refusal("\n".join([*lines, "+1.000 0 leaves"])).key in ("log.sheet_step", "log.sheet_line")
    assert refusal("\n".join([*lines, "game 0"])).key == "log.sheet_other_line"


def why_not(log):
    with pytest.raises(Unwritable) as unwritable:
        print_sheet(log)
    for language in LANGUAGES:
        assert unwritable.value.why.written(catalogue(language))
    return unwritable.value.why.values["why"].key


def test_logs_of_other_rules_and_false_ones_have_no_sheet():
    log = parsed(as_json(aborted_log()))
    others = json.loads(as_json(log).replace(b'"rules":%d' % RULES_VERSION, b'"rules":%d' % (RULES_VERSION + 1)))
    others["rules_version"] = RULES_VERSION + 1
    others["digest"] = digest_of(others)
    assert why_not(others) == "log.other_rules"
    assert why_not({**log, "secret": "0f" * 32}) == "log.divergent"
    assert why_not({}) == "log.divergent_head"
