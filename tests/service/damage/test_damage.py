"""Damage of every kind is named by who checks, backs up, restores or reads, and nothing of it is taken for whole."""

import contextlib
import itertools
import logging
import random
import secrets
from pathlib import Path

import pytest
import redis

from games.errors import ArchivedFileDamaged, Damaged, Refused
from games.records.portable import as_json
from service import Settings
from service.store import keys
from service.store.log.event_log import EventLog
from service.store.upkeep.checking import keep_place, kept_place
from service.upkeep import check as checking
from service.upkeep.backup import backup
from service.upkeep.backup_file import whole
from service.upkeep.check import check
from service.upkeep.rebuild import rebuild
from service.upkeep.restore import restore
from tests.service.at_table import EN, Game
from tests.service.damage import damages
from tests.service.damage.damages import Kept, Place, ways_to_damage
from tests.service.upkeep.archived import made

DAMAGES = 30
"""In each of ten groups. Of the first four every way has a part to damage each kind of game."""


@pytest.fixture
def settings(redis_url, tmp_path):
    return Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive")), retain_finished_days=1)


@pytest.fixture
def games(service, client, clock, monkeypatch):
    """Games of all kinds, the same each time: open, in their first round and later, ended, packed and archived."""
    rng = random.Random(1)
    monkeypatch.setattr(secrets, "token_bytes", rng.randbytes)
    ended = [Game.begin(service, 2, edition=edition).play(rng) for edition in ("classic", "lovecraft", "standard")]
    found = [
        Game.open(service, "creator", "open", "open", visibility="unlisted"),
        Game.begin(service, 3, clock={"seconds": 500, "on_timeout": "bot_plays"}).play(rng, 3),
        Game.begin(service, 4, edition="premium").play(rng, 40),
        *ended,
        Game.open(service, "creator", "cautious", edition="lovecraft").play(rng, 30),
    ]
    service.notifier.settle()
    assert service.packing.pack(ended[0].id)
    assert service.retention.archive(ended[1].id) == "archived"
    damages.STREAMS[:] = [game.id for game in found if client.exists(keys.log(game.id))]
    return found


def answers(service, game):
    """Returns what each way to read a game answers; an error in place of those that say that it is damaged."""
    again = Game(service, game.id, game.creator, game.guests)
    token = game.creator.token
    calls = {
        "view": lambda: again.view(creator=True),
        "first view": lambda: again.view(creator=True, at=1),
        "events": lambda: again.events(0),
        "few events": lambda: again.events(0, limit=3),
        "frames": lambda: service.frames.page(token, game.id, words=EN).body,
        "log": lambda: as_json(service.games.log(token, game.id)),
    }
    found = {}
    for name, call in calls.items():
        try:
            found[name] = call()
        except (Damaged, ArchivedFileDamaged) as error:
            found[name] = type(error)
        except Refused as refused:
            found[name] = refused.code
    return found


DAMAGED = (Damaged, ArchivedFileDamaged)


@pytest.mark.parametrize("group", [pytest.param(one, marks=pytest.mark.soak if one > 3 else []) for one in range(10)])
def test_every_damage_is_named_by_all_and_served_by_nobody(
    group, service, another, settings, client, games, tmp_path, caplog
):
    before = {game.id: answers(service, game) for game in games}
    assert not any(one in DAMAGED for found in before.values() for one in found.values())
    there = Settings(redis_url=f"{settings.redis_url}?db=1", archive_url=settings.archive_url)
    for number in range(group * DAMAGES, (group + 1) * DAMAGES):
        turn, which = divmod(number, len(games))
        game, rng = games[which], random.Random(number)
        place = Place(client, game.id, [one.id for one in games], Path(settings.archive_url), rng)
        kept, ways = Kept(place), ways_to_damage(client, game.id)
        way = ways[(turn + 4 * which) % len(ways)]
        way(place)
        what = f"damage {number}: {way.__qualname__} of {game.id}"

        assert [one.game for one in check(settings) if one.fault] == [game.id], what
        caplog.clear()
        file = tmp_path / f"{number}.billet"
        assert backup(settings, file)["damaged"] == 1, what
        assert game.id in caplog.text, what
        caplog.clear()
        with redis.Redis.from_url(there.redis_url) as other:
            other.flushdb()
        assert restore(there, whole(file))["damaged"] == 1, what
        assert game.id in caplog.text, what
        for reader in (another(), service):  # one that reads it for the first time, and one that has it in its cache
            found = answers(reader, game)
            assert all(one in DAMAGED or one == before[game.id][name] for name, one in found.items()), what
            assert reader is service or found["events"] in DAMAGED, what
        kept.put_back()
    assert {game.id: answers(another(), game) for game in games} == before


def test_a_sound_installation_is_checked_backed_up_and_restored_without_a_word(settings, games, tmp_path, caplog):
    with caplog.at_level(logging.ERROR):
        checked = list(check(settings))
        assert {one.game for one in checked} == {game.id for game in games}
        assert {one.fault for one in checked} == {""}
        assert backup(settings, tmp_path / "file")["damaged"] == 0
        there = Settings(redis_url=f"{settings.redis_url}?db=1", archive_url=settings.archive_url)
        assert restore(there, whole(tmp_path / "file"))["damaged"] == 0
        assert not any(one.fault for one in check(there))
        assert rebuild(settings)["damaged"] == 0
    assert not caplog.text


def test_the_last_event_is_missed_by_processes_that_knew_it_and_nothing_is_appended(service, another, client, log):
    game = Game.begin(service, 2).play(random.Random(1), 4)
    known, fresh = service, another()
    newest = game.view()["version"]
    step = next_step(log, game)
    client.xdel(keys.log(game.id), f"{newest}-0")
    for reader in (known, fresh):
        with pytest.raises(Damaged, match=f"event {newest} is missing"):
            Game(reader, game.id, game.creator, game.guests).view()
    with pytest.raises(Damaged, match="not as long as its head says"):
        log.append(step)
    assert client.xlen(keys.log(game.id)) == newest - 1
    assert client.hget(keys.meta(game.id), "head").startswith(b"%d:" % newest)


def next_step(log: EventLog, game: Game):
    """Returns a step that could be appended to a game as it is."""
    from games.causes import Leave
    from games.steps import step_of
    from service.inputs.chance import new_tag
    from service.inputs.clock import now_ms

    snapshot = log.read(game.id).snapshot
    return step_of(snapshot, Leave(0), now_ms(), new_tag())


def test_a_game_that_goes_on_after_a_gap_is_damaged_for_good(service, another, client):
    """What happened once: the last event was lost, and the log went on behind the gap."""
    game = Game.begin(service, 2).play(random.Random(1), 4)
    newest = game.view()["version"]
    entry = client.xrange(keys.log(game.id), f"{newest}-0")[0][1]
    client.xdel(keys.log(game.id), f"{newest}-0")
    client.xadd(keys.log(game.id), entry, id=f"{newest + 1}-0")
    client.hset(keys.meta(game.id), "head", f"{newest + 1}:00000000")
    with pytest.raises(Damaged, match=f"event {newest + 1} is missing"):
        Game(another(), game.id, game.creator, game.guests).events()


def test_an_interrupted_check_goes_on_where_it_was(settings, service, games, monkeypatch):
    order = sorted(game.id for game in games)
    monkeypatch.setattr(checking, "KEEP_SECONDS", -1.0)
    first = list(itertools.islice(check(settings), 3))
    assert [one.game for one in first] == order[:3]
    assert kept_place(service.redis).games == 2, "the third may not have been finished"
    second = list(check(settings))
    assert [one.game for one in second] == order[2:]
    assert (second[-1].place.games, second[-1].of) == (len(games), len(games))
    assert [one.game for one in check(settings)] == order, "one that is done begins anew"


def test_a_check_can_begin_anew(settings, service, games):
    with contextlib.closing(check(settings)) as interrupted:
        one = next(interrupted)
    keep_place(service.redis, one.place)
    assert len(list(check(settings, anew=True))) == len(games)
