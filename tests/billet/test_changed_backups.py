"""`billet restore` and backups that somebody has changed: refused, or equal to what was backed up."""

import re

import pytest
import redis

from billet import backups
from billet.errors import StartError
from service import Settings
from service.upkeep import restore as restoring
from service.upkeep.backup import backup
from service.upkeep.backup_file import contents, whole
from tests.docs.redis_page import ROWS
from tests.service.at_table import Game
from tests.service.upkeep.damaged_backups import KEY, PLANTED, held, mutated, packed
from tests.service.upkeep.several_games import several_games

NUMBER = 200


@pytest.fixture
def file(tmp_path):
    return tmp_path / "games.billet"


@pytest.fixture
def there(redis_url):
    return Settings(redis_url=f"{redis_url}?db=1", backup_key=KEY)


@pytest.fixture
def raw(redis_url, service, file):
    """The bytes of a backup of games of every status and kind, with answers and notices."""
    games, _ = several_games(service)
    service.notices.page(games[2].creator.token, after=None)
    game = Game.begin(service, 2)
    game.act(game.to_act(), game.legal(game.to_act())[0], idempotency_key="key")
    service.notifier.settle()
    backup(Settings(redis_url=redis_url, backup_key=KEY), file)
    return file.read_bytes()


def restored(settings, file, *, trust):
    """Restores a backup into an empty Redis; returns what that holds then, or None if the file is refused."""
    with redis.Redis.from_url(settings.redis_url) as client:
        client.flushdb()
    try:
        backups.restore(settings, file, trust=trust)
    except StartError:
        assert not held(settings)
        return None
    return held(settings)


def test_those_that_are_not_signed_are_refused_and_others_are_equal(raw, file, there, monkeypatch):
    monkeypatch.setattr(restoring, "call_off", lambda settings: (0, 0))
    copied = {one.name for line in contents(whole(file)) for one in line.saved}
    as_it_was = restored(there, file, trust=False)
    refused = 0
    for number, change in enumerate(mutated(raw, NUMBER)):
        file.write_bytes(change)
        found = restored(there, file, trust=False)
        refused += found is None
        if found is not None:
            assert {name: found[name] for name in copied} == {name: as_it_was[name] for name in copied}, number
    assert NUMBER * 0.9 < refused < NUMBER


def test_of_those_that_are_trusted_nothing_outside_the_table_of_keys_is_written(raw, file, there):
    patterns = {name: re.compile(re.sub(r"[A-Z]+", "[^:]+", re.escape(name))) for name in ROWS}
    taken = 0
    for number, change in enumerate(mutated(raw, NUMBER)):
        file.write_bytes(change)
        found = restored(there, file, trust=True)
        taken += found is not None
        for name, (kind, *_) in (found or {}).items():
            [row] = [row for row in ROWS if patterns[row].fullmatch(name)] or [None]
            assert row is not None, (number, name)
            assert kind.decode() == ROWS[row][0], (number, name)
    assert NUMBER * 0.1 < taken < NUMBER * 0.9


def test_a_job_in_a_backup_reaches_no_queue(file, there):
    for planted in PLANTED[:2]:
        file.write_bytes(packed([{"keys": [planted]}]))
        assert restored(there, file, trust=True) is None


def test_an_installation_without_a_key_restores_what_it_is_told_to_trust_alone(raw, file, there, capfd):
    without = Settings(redis_url=there.redis_url)
    with pytest.raises(StartError, match="BACKUP_KEY is not set to check it: whoever made it may have planted"):
        backups.restore(without, file, trust=False)
    with pytest.raises(StartError, match="another key than BACKUP_KEY"):
        backups.restore(Settings(redis_url=there.redis_url, backup_key="x" * 32), file, trust=False)
    assert restored(without, file, trust=True)
    file.unlink()
    backup(without, file)
    with pytest.raises(StartError, match="is not signed: whoever made it may have planted"):
        backups.restore(there, file, trust=False)
