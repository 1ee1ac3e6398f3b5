"""Each event and each action in the words of `sentences.json`, without a reader or to the reader at a seat."""

import json
from pathlib import Path

import pytest

from engine.editions import rulebook
from engine.events import EVENTS
from engine.logs.codec import read_action
from games.texts.actions import action_texts
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.sentences.events import event_texts
from tests.games.texts.happenings import NAMES, PEOPLE

CASES = json.loads(Path(__file__).with_name("sentences.json").read_text(encoding="utf-8"))
SILENT = {"game_created", "seat_vacated", "secret_revealed"}
"""Events of which nothing is said that would be worth a sentence of its own."""


def event(told):
    """Returns an event that is given by its type and by those fields that are not null."""
    ((name, fields),) = told.items()
    kind = EVENTS[name]
    given = {field: tuple(value) if isinstance(value, list) else value for field, value in fields.items()}
    return kind(**dict.fromkeys(kind.fields) | given)


@pytest.mark.parametrize("case", CASES["events"], ids=lambda case: case["en"])
def test_events(case):
    seats = case.get("seats", 5)
    book = rulebook(case["edition"], seats, case.get("options", {}))
    happened = [event(told) for told in case["events"]]
    for language in LANGUAGES:
        words, reader = catalogue(language), case.get("reader")
        first, *_ = event_texts(words, happened, NAMES[:seats], book, people=PEOPLE, reader=reader)
        assert first == case[language]


@pytest.mark.parametrize("case", CASES["actions"], ids=lambda case: case["en"])
def test_actions(case):
    seats = 5 if case["edition"] == "premium" else 3
    book, action = rulebook(case["edition"], seats, {}), read_action(case["action"])
    for language in LANGUAGES:
        assert action_texts(catalogue(language), [action], 0, NAMES[:seats], book) == [case[language]]


def test_every_event_is_told():
    told = {name for case in CASES["events"] for name in case["events"][0]}
    assert told == EVENTS.keys() - SILENT
