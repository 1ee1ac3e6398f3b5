"""Events in the short format: each reads as it was, and the installation decides which format is written."""

import json
import random

import orjson
import pytest

from engine.errors import MalformedEvent
from engine.logs.codec import read_event
from games.steps import stored_form
from service import Settings, build
from service.store import keys
from service.store.formats import storage_format
from service.store.formats.packed import BLOCK, packed, read_packed
from service.store.formats.short_events import long, short, short_step
from service.store.log.event_log import read_entry
from service.upkeep.finalize import finalize, finalize_if_empty
from tests.games.whole_logs import TABLES, stored_log, whole_story
from tests.service.at_table import Game
from tests.service.stored import write_log
from tests.service.upkeep.archived import answers
from tools.players.stored_events import event_in

DRAWN = {"v": 1, "type": "card_drawn", "at": "2030-01-01T00:00:00.007Z", "data": {"seat": 1, "card": "spy"}}


def there_and_back(stored):
    return long(orjson.loads(orjson.dumps(short(stored))))


def raw(client, game):
    return [fields[b"e"] for _, fields in client.xrange(keys.log(game.id))]


# --- the form ---


def test_how_an_event_lies_in_redis():
    drawn = DRAWN | {"data": DRAWN["data"] | {"source": "deck"}}
    assert short(drawn) == [1, "card_drawn", 1893456000007, [1, "spy", "deck"]]
    caused = {"cause": {"type": "leave", "seat": 1}, "rules": 2}
    assert short(drawn | caused) == [*short(drawn), {"type": "leave", "seat": 1}, 2]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_every_event_reads_as_it_was(edition, seats):
    stored = orjson.loads(orjson.dumps(stored_log(edition, seats, seats)))  # tuples as lists
    shortened = [orjson.dumps(short(one)) for one in stored]
    assert all(one.startswith(b"[") for one in shortened)
    assert [long(orjson.loads(one)) for one in shortened] == stored
    assert [event_in(one) for one in shortened] == stored
    for version, (one, before) in enumerate(zip(shortened, stored, strict=True), 1):
        assert read_entry(version, one) == read_entry(version, orjson.dumps(before))


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_step_is_shortened_to_what_its_stored_form_is_shortened_to(edition, seats):
    for step in whole_story(edition, seats, seats).steps:
        assert json.dumps(short_step(step)) == json.dumps([short(one) for one in stored_form(step)])


@pytest.mark.parametrize(
    "changed",
    [
        {"at": ""},
        {"at": "2030-01-01T00:00:00Z"},
        {"at": "2030-01-01T00:00:00.007+00:00"},
        {"at": "2030-01-01T00:00:00.0071Z"},
        {"at": "2030-01-01 00:00:00.007Z"},
        {"type": "no_such"},
        {"v": 99},
        {"v": "1"},
        {"data": {"card": "spy", "seat": 1, "source": "deck"}},
        {"cause": {"type": "leave", "seat": 1}},
        {"rules": 2},
        {"more": None},
    ],
    ids=str,
)
def test_what_the_short_form_does_not_know_stays_as_it_is(changed):
    stored = DRAWN | changed
    assert there_and_back(stored) == stored
    assert read_packed(packed([DRAWN, stored, DRAWN], shortened=True)) == [DRAWN, stored, DRAWN]


@pytest.mark.parametrize(
    "raw", ["[]", '[1,"card_drawn",7]', '[1,"card_drawn",7,[1]]', '[1,"no_such",7,[1]]', '[9,"card_drawn",7,[1]]', "7"]
)
def test_what_is_no_event_is_refused(raw):
    with pytest.raises((ValueError, TypeError)):
        long(orjson.loads(raw))


def test_an_event_of_a_later_version_is_refused():
    with pytest.raises(MalformedEvent):
        read_event(there_and_back(DRAWN | {"v": 99}))


def test_nearly_every_log_is_packed_in_one_block():
    assert len(orjson.dumps([short(one) for one in stored_log("premium", 8, 42)])) < BLOCK * 100_000


# --- which form is written ---


def test_an_installation_from_before_goes_on_with_the_long_form_until_it_is_finalized(settings, client, monkeypatch):
    service = build(settings)
    game = Game.begin(service, 3)
    finalize_if_empty(settings)  # as by a process that is started later
    begun = game.play(random.Random(1), 5).view()["version"]
    assert all(one.startswith(b"{") for one in raw(client, game))
    monkeypatch.setattr(storage_format, "ASKED_SECONDS", 0.0)
    assert finalize(settings) == storage_format.SHORT
    game.play(random.Random(2))
    forms = [one[:1] for one in raw(client, game)]
    assert forms == [b"{"] * begun + [b"["] * (len(forms) - begun)
    before = answers(service, game)
    for rewritten in (long, lambda one: short(long(one))):
        entries = [rewritten(orjson.loads(one)) for one in raw(client, game)]
        write_log(client, game.id, entries)
        assert answers(build(settings), game) == before


def test_an_installation_that_begins_empty_writes_the_short_form_at_once(settings, client):
    client.set(keys.probe(1), "")  # a check that is looking whether Redis takes writes
    finalize_if_empty(settings)
    game = Game.begin(build(settings), 2)
    assert all(one.startswith(b"[") for one in raw(client, game))


def test_so_does_one_on_a_cluster(nodes, redis_url):
    settings = Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url)
    finalize_if_empty(settings)
    game = Game.begin(build(settings), 2).play(random.Random(1), 5)
    assert all(one.startswith(b"[") for one in raw(nodes.node_of(keys.log(game.id)).client, game))


@pytest.mark.parametrize("there", [keys.WORKER_ALIVE, "rq:workers", keys.player("a"), "another program's"])
def test_a_redis_that_holds_anything_is_not_new(settings, client, there):
    client.set(there, "")
    finalize_if_empty(settings)
    assert not client.exists(keys.STORAGE_FORMAT)


def test_a_process_asks_for_the_form_once_a_minute_and_not_for_every_action(settings, client, monkeypatch):
    asked = 0

    def get(exchange, *commands, send=storage_format.Exchange.send):
        nonlocal asked
        asked += ("GET", keys.STORAGE_FORMAT) in commands
        return send(exchange, *commands)

    monkeypatch.setattr(storage_format.Exchange, "send", get)
    Game.begin(build(settings), 2).play(random.Random(1), 5)
    assert asked == 1
    monkeypatch.setattr(storage_format, "ASKED_SECONDS", 0.0)
    finalize(settings)
    Game.begin(build(settings), 2).play(random.Random(1), 5)
    assert asked == 2, "what has been finalized stays so"


def test_while_nobody_knows_the_form_the_long_one_is_written(settings, monkeypatch):
    def away(*commands):
        raise storage_format.Unavailable

    finalize(settings)
    service = build(settings)
    asking = storage_format.StorageFormat(service.exchange)
    monkeypatch.setattr(service.exchange, "send", away)
    assert not asking.short()
    monkeypatch.undo()
    assert not asking.short(), "it is asked again a minute later"
    monkeypatch.setattr(storage_format, "ASKED_SECONDS", 0.0)
    assert asking.short()
