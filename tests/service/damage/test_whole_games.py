"""What is stored of a game must fit together, also where each part is sound by itself."""

import random
import zlib

import orjson
import pytest

from games.errors import Damaged
from service.store import keys
from service.store.log.packed import packed, summary_of
from service.store.log.stored_events import PACKED, SUMMARY, checksum_of_value, decoded, sound_events
from service.store.upkeep.whole_games import fold_whole, names_of, read_whole
from tests.service.at_table import Game


@pytest.fixture
def game(service):
    """A game that has ended and is packed."""
    made = Game.begin(service, 2).play(random.Random(1))
    service.notifier.settle()
    assert service.packing.pack(made.id)
    return made.id


def folded(service, game):
    return fold_whole(game, read_whole(service.redis, game), None)


def keep(client, game, field, name, raw):
    """Stores a value of a game with its checksum."""
    client.set(name, raw)
    client.hset(keys.meta(game), field, checksum_of_value(game, field, raw))


def test_a_summary_follows_from_its_log(service, client, game):
    assert folded(service, game).ended
    prefix, tail = orjson.loads(zlib.decompress(client.get(keys.summary(game))))
    tail[1][1][2] += 1  # the time of an event within the last round
    keep(client, game, SUMMARY, keys.summary(game), zlib.compress(orjson.dumps([prefix, tail])))
    with pytest.raises(Damaged, match="does not follow from its log"):
        folded(service, game)


def test_a_packed_log_is_missed_where_no_archive_is_asked(service, client, game):
    client.delete(keys.packed(game))
    with pytest.raises(Damaged, match="missing"):
        folded(service, game)


def test_what_is_of_another_type_is_not_taken_for_nothing(service, client, game):
    client.delete(*names_of(game))
    assert folded(service, game) is None
    client.set(keys.meta(game), "")
    with pytest.raises(Damaged, match="`meta` is a string"):
        folded(service, game)


def test_no_log_of_a_game_that_runs_is_put_away(service, client):
    running = Game.begin(service, 2)
    service.notifier.settle()
    snapshot = folded(service, running.id)
    log = read_whole(service.redis, running.id).log
    stored = [(version, decoded(orjson.loads(raw))) for version, raw in sound_events(running.id, log, 1)]
    keep(client, running.id, PACKED, keys.packed(running.id), packed([event for _, event in stored]))
    keep(client, running.id, SUMMARY, keys.summary(running.id), summary_of(snapshot, stored))
    client.delete(keys.log(running.id))
    with pytest.raises(Damaged, match="has not ended"):
        folded(service, running.id)
