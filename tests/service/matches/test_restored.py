"""A backup written while a match goes on is restored: no deck stays sealed, and each game counts as its log says."""

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
def test_a_match_that_ends_while_a_backup_is_written_leaves_no_deck_sealed_and_counts_what_is_there(
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
    for game in games(again, match):
        snapshot = EventLog(again.redis).read(game["game"]).snapshot
        assert snapshot is not None
        assert snapshot.state.status == game["status"]
        log = again.games.log(None, game["game"])
        assert verify(log).divergence is None
        assert log["secret"] == game["secret"]
