"""The moments of `docs/cards/`: they leave nothing to chance, and no card, face, decision or reading is left out."""

import json
import re
from pathlib import Path

import pytest

from engine.editions import EDITIONS, rulebook
from engine.options import faces
from games.texts.cards import text_edition
from tests.games.records.moment_stories import MOMENTS, moments_of
from tools.docs import moments

ROOT = Path(__file__).parents[2]
RULES = re.sub(r"[ \n]+", " ", (ROOT / "docs" / "rules.md").read_text(encoding="utf-8"))
WITH_MOMENTS = [edition for edition in EDITIONS if text_edition(edition) == edition or moments_of(edition)]
"""Editions but for those all of whose cards behave as in another."""
EVERY_EDITION = pytest.mark.parametrize("edition", WITH_MOMENTS)
NO_MOMENT = {
    "who begins the first round": "a position says whose turn it is",
    "who begins after a tie": "a round that is dealt",
    "the deck of a tie-break round": "a round that is dealt",
    "who begins a tie-break round": "a round that is dealt",
    "the seats and the deck": "a table, not a moment",
    "a seat that leaves while it may play one more": "leaving is no action",
    "if such a play knocks out the only other seat in the round": "leaving is no action",
    "a seat that leaves while Nyarlathotep's player has seen the hands": "leaving is no action",
}
"""Readings that no action in a position shows, and why; each has its test, which `rules.md` names."""


def plays(moments):
    return [one["action"] for moment in moments for one in moment["actions"] if one["action"]["type"] == "play_card"]


def test_the_file_holds_what_the_engine_does_whatever_chance_decides():
    for seed in (1, 2, 3):
        assert json.loads(json.dumps(moments.moments(seed))) == MOMENTS


def test_names_are_unique_and_titles_are_in_both_languages():
    names = [moment["name"] for moment in MOMENTS]
    assert len({*names}) == len(names)
    for moment in MOMENTS:
        assert re.fullmatch("[a-z0-9-]+", moment["name"])
        assert len({*moment["title"].values()}) == 2
        assert all(len(texts) == len(moment["events"]) for texts in moment["texts"].values())


def test_rules_and_readings_are_those_of_the_rules():
    headings = set(re.findall(r"^#+ (.*)$", (ROOT / "docs" / "rules.md").read_text(encoding="utf-8"), re.MULTILINE))
    for moment in MOMENTS:
        assert moment["rule"] in headings
        assert moment["decided"] is None or f"**Decided: {moment['decided']}" in RULES


@EVERY_EDITION
def test_every_card_is_played_and_every_face_of_it(edition):
    book = rulebook(edition, EDITIONS[edition].seats[-1], {})
    played = {(play["card"], play.get("face")) for play in plays(moments_of(edition))}
    assert played >= {(key, face) for key, card in book.cards.items() for face in faces(card, insane=True)}
    assert {moment["card"] for moment in moments_of(edition)} == {*book.cards}


@EVERY_EDITION
def test_every_decision_is_taken(edition):
    book = rulebook(edition, EDITIONS[edition].seats[-1], {})
    taken = {
        (event["data"]["card"], event["data"]["kind"])
        for moment in moments_of(edition)
        for event in moment["events"]
        if event["type"] == "decision_taken"
    }
    assert taken >= {(card, kind) for card, kinds in book.answers.items() for kind in kinds}


def test_every_decided_reading_has_a_moment_or_a_reason_why_not():
    decided = {found.rstrip(".") for found in re.findall(r"\*\*Decided: ([^*]+)\*\*", RULES)}
    shown = {moment["decided"] for moment in MOMENTS} - {None}
    assert {*NO_MOMENT} <= decided
    assert not shown & {*NO_MOMENT}
    assert shown | {*NO_MOMENT} == decided
