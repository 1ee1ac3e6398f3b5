"""How events lie in Redis: alone, and in a packed log."""

import json

import orjson
import pytest

from engine.errors import MalformedEvent
from engine.logs.codec import read_event
from games.steps import stored_form
from service.store.log.event_log import read_entry
from service.store.log.packed import BLOCK, packed, read_packed
from service.store.log.stored_events import decoded, encoded, encoded_step
from tests.games.whole_logs import TABLES, stored_log, whole_story
from tools.players.stored_events import event_in

DRAWN = {
    "v": 1,
    "type": "card_drawn",
    "at": "2030-01-01T00:00:00.007Z",
    "data": {"seat": 1, "card": "spy", "source": "deck"},
}


def test_how_an_event_lies_in_redis():
    assert encoded(DRAWN) == [1, "card_drawn", 1893456000007, [1, "spy", "deck"]]
    caused = {"cause": {"type": "leave", "seat": 1}, "rules": 1}
    assert encoded(DRAWN | caused) == [*encoded(DRAWN), {"type": "leave", "seat": 1}, 1]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_every_event_reads_as_it_was(edition, seats):
    events = orjson.loads(orjson.dumps(stored_log(edition, seats, seats)))  # tuples as lists
    stored = [orjson.dumps(encoded(one)) for one in events]
    assert [decoded(orjson.loads(one)) for one in stored] == events
    assert [event_in(one) for one in stored] == events
    assert read_packed(packed(events)) == events
    assert read_packed(packed(events), 3, 5) == events[3:5]
    for version, (one, event) in enumerate(zip(stored, events, strict=True), 1):
        entry = read_entry(version, one)
        assert (entry.event, entry.at, entry.first) == (read_event(event), event["at"], "cause" in event)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_step_is_stored_event_by_event(edition, seats):
    for step in whole_story(edition, seats, seats).steps:
        assert json.dumps(encoded_step(step)) == json.dumps([encoded(one) for one in stored_form(step)])


@pytest.mark.parametrize(
    "raw",
    [
        "[]",
        "7",
        "{}",
        '[1,"card_drawn",7]',
        '[1,"card_drawn",7,[1]]',
        '[1,"card_drawn","2030-01-01T00:00:00.007Z",[1,"spy","deck"]]',
        '[1,"card_drawn",7,[1,"spy","deck"],{}]',
        '[1,"no_such",7,[]]',
        '[2,"card_drawn",7,[1,"spy","deck"]]',
    ],
)
def test_what_is_no_event_of_today_is_refused(raw):
    with pytest.raises((ValueError, TypeError, MalformedEvent)):
        read_entry(1, raw.encode())


def test_nearly_every_log_is_packed_in_one_block():
    assert len(orjson.dumps([encoded(one) for one in stored_log("premium", 8, 42)])) < BLOCK * 100_000
