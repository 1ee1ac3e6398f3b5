"""A backup written while a deal of the day goes on, or ends, is restored: nothing is told early or stays sealed."""

import itertools
from contextlib import suppress

import pytest

from games.records.verification import verify
from service import build
from service.store import keys
from service.store.daily.stored_days import StoredDays
from service.upkeep import backup as writing
from service.upkeep.backup import backup
from service.upkeep.backup_file import whole
from service.upkeep.rebuild import rebuild
from service.upkeep.restore import restore
from tests.service.at_table import EN, guest, read, refusal
from tests.service.daily.trying import WINS, at_noon, begin, end, person, play, today
from tests.service.queue.killing import Killed

pytestmark = pytest.mark.usefixtures("noon")
COPIES = 6
"""How many parts a backup has, at least, with the players and tries below."""


@pytest.fixture
def noon(clock, client):
    at_noon(clock, client)


@pytest.fixture
def tried(service, clock):
    """A player who has won the deal of the day, and one whose try runs, with their tries."""
    players = [person(service, clock, name) for name in ("Ann", "Bob")]
    games = [begin(service, one)["id"] for one in players]
    play(service, players[0], games[0], WINS)
    return [*zip(players, games, strict=True)]


def check_ended(service, tried, day, *, numbers=(2, 1)):
    """Checks that everybody can know everything of a day that is over."""
    found = service.daily.past(tried[0][0].token, day.edition, day.date, EN)
    assert (found["tried"], found["won"]) == numbers
    assert found["own"]["won"]
    for player, game in tried:
        log = service.games.log(player.token, game)
        assert verify(log).divergence is None
        assert log["secret"] == found["secret"]
    assert service.day_waves.tasks() == []


def test_a_day_goes_on_after_a_restore_and_tells_nothing_before_it_ends(service, clock, here, there, file, tried):
    day = today(clock)
    backup(here, file)
    cid = person(service, clock, "Cid")
    begin(service, cid)
    restore(there, whole(file))
    again = build(there)
    shown = again.daily.one(tried[0][0].token, "standard")
    assert (shown["tried"], shown["won"], shown["try"]["status"]) == (2, 1, "finished")
    for player, game in tried:
        assert begin(again, player)["id"] == game
        for token in (None, guest(again).token):
            assert refusal(lambda game=game, token=token: again.games.view(token, game, words=EN)).code == (
                "game_not_finished"
            )
        assert refusal(lambda player=player, game=game: again.games.log(player.token, game)).code == (
            "game_not_finished"
        )
    assert begin(again, tried[1][0])["abort_reason"] == "restored"
    assert day.secret(again.players.installation_secret()).hex() not in str(read(again.games.events(*token_of(tried))))
    end(again, clock, day)
    check_ended(again, tried, day)


def token_of(tried):
    (player, game), *_ = tried
    return player.token, game


@pytest.mark.parametrize("to_its_end", [True, False], ids=["to its end", "until a worker is killed"])
@pytest.mark.parametrize("part", range(COPIES))
def test_a_backup_that_is_written_while_a_day_ends_leaves_nothing_sealed(
    service, clock, here, there, file, tried, monkeypatch, part, to_its_end
):
    day, copied, parts = today(clock), writing.copied, itertools.count()

    def ending(redis, names):
        if next(parts) == part:
            with monkeypatch.context() as patch, suppress(Killed):
                if not to_its_end:
                    patch.setattr(StoredDays, "keep", killed)
                end(service, clock, day)
        return copied(redis, names)

    monkeypatch.setattr(writing, "copied", ending)
    backup(here, file)
    assert next(parts) > part, "there are so many parts"
    restore(there, whole(file))
    again = build(there)
    clock.ms = day.ends
    for task in again.day_waves.tasks():
        end(again, clock, type(day).named(task.game))
    check_ended(again, tried, day)


def killed(*_):
    raise Killed


def test_tries_whose_list_is_lost_are_found_by_rebuilding(service, clock, client, here, tried):
    day = today(clock)
    client.delete(keys.day_tries(day.id), keys.DAYS_DUE)
    rebuild(here)
    [task] = service.day_waves.tasks()
    assert task.game == day.id
    end(service, clock, day)
    check_ended(service, tried, day, numbers=(0, 0))
