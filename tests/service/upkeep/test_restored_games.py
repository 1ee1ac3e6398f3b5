"""After a restore no game goes on: it may have ended since the backup, and then everybody knows all its cards."""

import hashlib
import random

import pytest

from billet import cli
from games.errors import Refused
from games.records.verification import verify
from service import Settings, build
from service.jobs.schedule import Schedule
from service.store import keys
from service.upkeep import restore as restoring
from service.upkeep.backup import backup
from service.upkeep.backup_file import whole
from service.upkeep.restore import restore
from tests.service.at_table import EN, Game, read, told
from tests.verifier.verifier import judged

CLOCK = {"seconds": 60, "on_timeout": "bot_plays"}
ENDED_SINCE = 5


def twenty_games(service):
    """Returns games that have not ended, at any moment of a game, of every edition."""
    rng = random.Random(1)
    games = [
        Game.begin(service, 3, edition=edition, **more).play(rng, steps)
        for edition in ("standard", "classic", "premium", "lovecraft")
        for steps, more in ((0, {}), (1, {}), (2, {"clock": CLOCK}), (3, {"visibility": "unlisted"}))
    ]
    games.append(Game.open(service, "creator", "open"))
    games.append(Game.open(service, "creator", "cautious", "random"))
    games.append(Game.open(service, "creator", "open", sandbox={"rounds": [{"starter": 1}]}))
    games.append(Game.open(service, "creator", "open", nonce_hash=hashlib.sha256(b"n" * 32).hexdigest()))
    assert len(games) == 20
    assert {game.view(creator=True)["status"] for game in games} == {"open", "active"}
    return games


def test_who_kept_the_logs_of_games_that_ended_since_knows_no_further_card(service, redis_url, there, file):
    games = twenty_games(service)
    before = {game.id: game.events(0) for game in games}
    backup(Settings(redis_url=redis_url), file)
    over = games[:ENDED_SINCE]
    old_logs = [service.games.log(game.token(0), game.play(random.Random(2)).id) for game in over]
    counts = restore(there, whole(file))
    assert (counts["called off"], counts["damaged"]) == (20, 0)
    other = build(there)
    again = [Game(other, game.id, game.creator, game.guests) for game in games]
    for game in again:
        view = game.view(creator=True)
        assert (view["status"], view["abort_reason"], view["legal_actions"]) == ("aborted", "restored", [])
        # Nothing but the end follows: of the five, the kept log says which cards would have.
        since = game.events(0)[len(before[game.id]) :]
        assert [event["type"] for event in since] == ["game_aborted", "secret_revealed"]
        log = other.games.log(game.token(0), game.id)
        assert verify(log).valid
        assert next(iter(judged([log])))["valid"]
    for game, old in zip(again, old_logs, strict=False):
        assert verify(old).valid
        restored = other.games.log(game.token(0), game.id)
        assert restored["secret"] == old["secret"], "which is why it must not go on"
        seat = next(iter(game.guests))
        with pytest.raises(Refused, match="game_over"):
            game.act(seat, {"type": "play_card", "card": "guard", "targets": []})
        rematch = read(other.tables.rematch(game.token(seat), game.id, words=EN))
        assert rematch["commitment"] != old["commitment"]


def test_before_they_are_called_off_no_clock_deals_cards(service, redis_url, there, file, clock):
    games = [Game.begin(service, 2, clock=CLOCK, edition=edition) for edition in ("standard", "premium")]
    seen = [len(game.events()) for game in games]
    backup(Settings(redis_url=redis_url), file)
    clock.advance(3600)
    restore(there, whole(file))
    other = build(there)
    assert not Schedule(other.redis).tasks()
    for game, version in zip(games, seen, strict=True):
        events = Game(other, game.id, game.creator, game.guests).events()
        assert [event["type"] for event in events[version:]] == ["game_aborted", "secret_revealed"]


def test_players_are_notified_once_also_if_it_was_interrupted(service, redis_url, there, file, monkeypatch):
    game, second = Game.begin(service, 2), Game.begin(service, 3)
    players = [game.creator, game.guests[1], second.guests[2]]
    for player in players:
        told(service, player)  # from now on somebody reads the notices
    cursors = [told(service, player)["cursor"] for player in players]
    backup(Settings(redis_url=redis_url), file)
    with monkeypatch.context() as patch:
        patch.setattr(restoring, "rebuild", lambda settings: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            restore(there, whole(file))
    counts = restore(there, whole(file))
    assert (counts["called off"], counts["damaged"]) == (2, 0)
    other = build(there)
    for player, cursor in zip(players, cursors, strict=True):
        notices = told(other, player, after=cursor)["events"]
        assert [(one["type"], one["reason"]) for one in notices] == [("game_over", "restored")]


def test_ended_games_are_as_they_were(service, redis_url, there, file):
    finished, called_off = Game.begin(service, 2).play(random.Random(1)), Game.open(service, "creator", "open")
    service.administration.abort(called_off.id)
    logs = [service.games.log(None, game.id) for game in (finished, called_off)]
    backup(Settings(redis_url=redis_url), file)
    assert restore(there, whole(file))["called off"] == 0
    other = build(there)
    assert [other.games.log(None, game.id) for game in (finished, called_off)] == logs


def test_an_ended_game_whose_end_a_failover_has_lost_is_reported(service, client, caplog):
    game = Game.begin(service, 2)
    seat = game.to_act()
    as_it_was = client.dump(keys.meta(game.id)), client.dump(keys.log(game.id))
    version = game.view()["version"]
    service.tables.leave(game.token(seat), game.id, words=EN)
    assert game.view()["status"] == "finished"
    for name, raw in zip((keys.meta(game.id), keys.log(game.id)), as_it_was, strict=True):
        client.restore(name, 0, raw, replace=True)  # as in a replica that did not have the last step yet
    view = game.view()
    assert (view["status"], view["version"]) == ("active", version)
    assert f"game {game.id} had ended, and Redis has lost its end" in caplog.text
    service.administration.abort(game.id)
    assert game.view()["abort_reason"] == "called_off"


def test_a_snapshot_of_redis_goes_back_too(service, redis_url, monkeypatch, capsys):
    running, over = Game.begin(service, 2), Game.begin(service, 2).play(random.Random(1))
    monkeypatch.setenv("REDIS_URL", redis_url)
    assert cli.main(["rebuild"]) == 0
    assert running.view()["status"] == "active"
    assert cli.main(["rebuild", "--call-off"]) == 0
    assert "called off: 1\ngames: 2\n" in capsys.readouterr().out
    assert (running.view()["abort_reason"], over.view()["status"]) == ("restored", "finished")
