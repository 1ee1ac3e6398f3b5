"""A backup written while a match goes on is restored: no deck of it stays sealed."""

import itertools

import pytest

from games.matches.setup import REFERENCE
from games.records.verification import verify
from service import Settings, build
from service.store.log.event_log import EventLog
from service.upkeep import backup as writing
from service.upkeep.backup import backup
from service.upkeep.backup_file import whole
from service.upkeep.restore import restore
from tests.service.at_table import guest
from tests.service.matches.playing import finish, games, here, made, play, program, running, view

COPIES = 7
"""How many parts a backup has, at least, with the games and players below."""


@pytest.mark.parametrize("part", range(COPIES))
def test_a_backup_that_is_written_while_a_match_ends_leaves_no_deck_sealed(
    service, redis_url, tmp_path, monkeypatch, part
):
    programs = [program(service, "One"), program(service, "Other")]
    more = {"deals": REFERENCE, "against": [{"bot": "random"}], "games": 4, "at_once": 1}
    match = made(service, guest(service), *programs, **more)
    service.match_waves.run(match)
    play(service, *running(service, match), programs[:1])
    service.match_waves.run(match)
    copied, parts = writing.copied, itertools.count()

    def ending(redis, names):
        if next(parts) == part:
            finish(service, match, programs)
        return copied(redis, names)

    monkeypatch.setattr(writing, "copied", ending)
    file, there = tmp_path / "games.billet", Settings(redis_url=f"{redis_url}?db=1")
    backup(Settings(redis_url=redis_url), file)
    assert next(parts) > part, "there are so many parts"
    restore(there, whole(file))
    again = build(there)
    here(again, *programs)
    assert match in {task.game for task in again.match_waves.tasks()}
    finish(again, match, programs)
    assert view(again, match)["secret"] is not None
    there = [game for game in games(again, match) if EventLog(again.redis).read(game["game"]).snapshot is not None]
    assert there
    for game in there:
        log = again.games.log(None, game["game"])
        assert verify(log).divergence is None
        assert log["secret"] == game["secret"]
