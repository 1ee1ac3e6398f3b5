"""Ended games leave Redis for the archive: whoever asks is answered as before, and whatever fails, nothing is lost."""

import random
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine.logs.codec import read_action
from engine.state import ACTIVE
from games.errors import ArchiveAway, Refused
from games.records.verification import verify
from games.tables.lifetimes import DAY_MS
from service import Settings, build
from service.store import archive, keys
from service.store.archive import name_of, store_at
from service.upkeep.rebuild import rebuild
from service.upkeep.retention import LEASE_MS, LOGGING_SECONDS
from tests.service.at_table import EN, Game, guest, read
from tests.service.stored import read_log
from tests.service.upkeep.archived import (
    Crash,
    answers,
    called_off,
    crashing_at,
    ended,
    keys_of,
    made,
    ways_to_end,
    won,
)


@pytest.fixture
def settings(redis_url, tmp_path) -> Settings:
    return Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive")), retain_finished_days=1)


def test_a_game_is_answered_as_before(service, another, client):
    games = ways_to_end(service)
    before = {game.id: answers(service, game) for game in games}
    for game in games:
        # the other ones of a list are in the archive already, or not yet
        assert service.retention.archive(game.id) == "archived"
        assert keys_of(client, game.id) == {"meta", "summary"}
        assert answers(another(), game) == before[game.id]
    for game in games[:2]:
        assert answers(service, game) == before[game.id], "a process that knew it before answers the same"


def test_what_may_be_done_with_a_game_stays_the_same(service, another, client):
    game = ended(service, 1, 3, visibility="unlisted")
    token, code = game.token(0), game.view(0)["join_code"]
    key = {"idempotency_key": "leave"}
    legal = {"type": "play_card", "card": "guard", "targets": [], "guess": "priest"}

    def outcomes(one):
        def refused(call, *arguments, **more):
            with pytest.raises(Refused) as refusal:
                call(*arguments, **more)
            return refusal.value.code

        return [
            refused(one.play.act, token, game.id, read_action(legal), words=EN),
            refused(one.tables.leave, token, game.id, words=EN, **key),
            refused(one.tables.take_seat, guest(one).token, game.id, {"join_code": code}, words=EN),
            refused(one.tables.abort, game.creator.token, game.id, words=EN),
            refused(one.games.view, guest(one).token, game.id, words=EN),
            refused(one.games.view, None, game.id, join_code="wrong", words=EN),
            refused(one.games.view, token, game.id, at=99_999, words=EN),
        ]

    before = outcomes(service)
    service.retention.archive(game.id)
    for one in (service, another()):
        assert outcomes(one) == before
        assert read(one.games.view(None, game.id, join_code=code.lower(), words=EN))["id"] == game.id
        assert one.tickets.issue(token, game.id)["ticket"]


def test_kept_answers_and_opening_again_stay_right(service, another):
    creator = guest(service)
    table = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "bot", "bot": "random"}]}
    made = service.tables.create(creator.token, table, "opening", words=EN)
    game = Game(service, read(made)["id"], creator, {0: creator})
    left = service.tables.leave(creator.token, game.id, "leaving", words=EN)
    assert service.retention.archive(game.id) == "archived"
    for one in (service, another()):
        again = one.tables.create(creator.token, table, "opening", words=EN)
        assert again.replayed
        assert again.body == made.body
        repeated = one.tables.leave(creator.token, game.id, "leaving", words=EN)
        assert repeated.replayed
        assert repeated.body == left.body


def test_the_id_of_an_archived_game_is_not_given_again(service, another, client):
    creator = guest(service)
    table = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "bot", "bot": "random"}]}
    made = read(service.tables.create(creator.token, table, "opening", words=EN))
    service.tables.leave(creator.token, made["id"], words=EN)
    service.retention.archive(made["id"])
    client.delete(*client.scan_iter(match=f"billet:{{{made['id']}}}:answer:*"))  # as after a day
    with pytest.raises(Refused) as refused:
        another().tables.create(creator.token, table, "opening", words=EN)
    assert refused.value.code == "idempotency_key_reused"


@pytest.mark.parametrize("when", ["before", "after"])
def test_rematches_link_to_each_other(service, another, when):
    game = won(service, 1, 3, edition="lovecraft")
    if when == "after":
        service.retention.archive(game.id)
    following = read(another().tables.rematch(game.token(1), game.id, words=EN))
    if when == "before":
        service.retention.archive(game.id)
    for one in (service, another()):
        assert read(one.tables.rematch(game.token(0), game.id, words=EN))["id"] == following["id"]
        game.service = one
        assert game.view()["next_game"] == following["id"]
        assert game.view()["previous_game"] is None
        assert read(one.games.view(None, following["id"], words=EN))["previous_game"] == game.id
    again = Game(service, following["id"], game.creator, game.guests)
    service.administration.abort(again.id)
    assert service.retention.archive(again.id) == "archived"
    assert again.view()["previous_game"] == game.id


def test_an_archived_game_can_be_forked_as_before_and_a_fork_archived(service, another, client):
    game = ended(service, 1, 3, visibility="unlisted")
    me, version, token = game.guests[1], game.view(1)["version"] // 2, game.token(1)
    code = game.view(0)["join_code"]

    def fork(one, **more):
        made = read(one.tables.fork(token, game.id, {"version": version}, words=EN, **more))
        return Game(one, made["id"], me, {1: me})

    before = fork(service)
    kept = service.tables.fork(token, game.id, {"version": version}, "a key", words=EN)
    assert service.retention.archive(game.id) == "archived"
    names = ("round", "seats", "forked_from", "sandbox", "version")
    for one in (service, another()):
        after = fork(one)
        assert {name: after.view(1)[name] for name in names} == {name: before.view(1)[name] for name in names}
        again = one.tables.fork(token, game.id, {"version": version}, "a key", words=EN)
        assert (again.body, again.replayed) == (kept.body, True)
        with pytest.raises(Refused) as refused:
            one.tables.fork(guest(one).token, game.id, {"version": version, "seat": 0}, words=EN)
        assert refused.value.code == "join_code_wrong"
        door = {"version": version, "seat": 0, "join_code": code}
        assert read(one.tables.fork(guest(one).token, game.id, door, words=EN))["viewer"] == {"seat": 0}
    after.play(random.Random(1))
    seen = answers(service, after)
    assert service.retention.archive(after.id) == "archived"
    assert keys_of(client, after.id) == {"meta", "summary"}
    assert answers(another(), after) == seen
    twig = read(another().tables.fork(token, after.id, {"version": after.view(1)["version"] - 1}, words=EN))
    assert twig["forked_from"]["game"] == after.id
    assert verify(service.games.log(token, after.id)).valid


def test_a_game_whose_archive_is_away_is_not_forked(service, another, client, tmp_path):
    game = ended(service, 1, 2)
    service.retention.archive(game.id)
    (tmp_path / "archive").rename(tmp_path / "elsewhere")
    names = set(client.scan_iter(match="billet:*:log"))
    with pytest.raises(ArchiveAway):
        another().tables.fork(game.token(0), game.id, {"version": 20}, "a key", words=EN)
    assert set(client.scan_iter(match="billet:*:log")) == names
    (tmp_path / "elsewhere").rename(tmp_path / "archive")
    assert not another().tables.fork(game.token(0), game.id, {"version": 20}, "a key", words=EN).replayed


def test_players_are_told_of_a_game_that_was_archived_before_they_were(service, another, monkeypatch):
    game = Game.begin(service, 2)
    notices = service.notices
    since = {seat: notices.begin(game.token(seat)).version for seat in (0, 1)}
    monkeypatch.setattr(service.notifier, "queue", lambda step, told: None)
    service.tables.leave(game.token(0), game.id, words=EN)
    service.retention.archive(game.id)
    another().notifier.send_pending(game.id)
    for seat in (0, 1):
        told = notices.after(game.guests[seat].id, since[seat], 10)
        assert [one["game"] for one in told] == [game.id] * len(told)
        assert any(one["type"].startswith("game_") for one in told)


# --- when ---


def test_games_go_when_their_days_are_over(service, clock, client):
    first = ended(service, 1)
    clock.advance(3600)
    second, running = ended(service, 2), Game.begin(service).play(random.Random(1), 5)
    assert service.retention.claim() == []
    clock.advance(DAY_MS / 1000 - 3601)
    assert service.retention.claim() == []
    clock.advance(2)
    assert service.retention.claim() == [first.id]
    assert service.retention.claim() == [], "one of several archivers has taken it on"
    clock.advance(LEASE_MS / 1000 + 1)
    assert service.retention.claim() == [first.id], "nothing has come of it"
    assert service.retention.archive(first.id) == "archived"
    clock.advance(3600)
    assert service.retention.claim() == [second.id]
    assert service.retention.archive(second.id) == "archived"
    clock.advance(100 * DAY_MS / 1000)
    assert service.retention.claim() == []
    assert running.view()["status"] == ACTIVE
    assert not client.exists(keys.ENDED)


def test_games_stay_for_ever_unless_it_is_set_otherwise(redis_url, clock):
    forever = build(Settings(redis_url=redis_url))
    ended(forever)
    clock.advance(1000 * DAY_MS / 1000)
    assert forever.retention.claim() == []


def test_a_running_game_is_never_archived(service, client, clock, tmp_path):
    game = Game.begin(service).play(random.Random(1), 7)
    before = client.xrange(keys.log(game.id))
    client.zadd(keys.ENDED, {game.id: clock.ms})
    assert service.retention.archive(game.id) == "nothing"
    assert client.zscore(keys.ENDED, game.id) is not None, "it may be about to end"
    clock.advance(61)
    assert service.retention.archive(game.id) == "nothing"
    assert client.zscore(keys.ENDED, game.id) is None
    log = service.play._log
    snapshot = log.read(game.id).snapshot
    stored = [*enumerate(read_log(client, game.id), 1)]
    assert not service.retention._streams.remove_archived(snapshot, stored, "0" * 32)
    assert client.xrange(keys.log(game.id)) == before
    assert not list(tmp_path.rglob("*.gz*"))


def test_neither_a_running_game_nor_another_one_than_was_seen_is_removed(service, client):
    running, over = Game.begin(service).play(random.Random(1), 7), ended(service)
    log, streams = service.play._log, service.retention._streams
    assert streams.remove(log.read(running.id).snapshot) is None
    seen = log.read(over.id).snapshot
    assert streams.remove(replace(seen, head="1:another")) is None
    assert client.exists(keys.log(running.id), keys.log(over.id)) == 2
    assert streams.remove(seen) == ""
    assert not client.exists(keys.log(over.id))


def test_all_games_are_gone_through_whatever_becomes_of_them(service, monkeypatch):
    games = [Game.open(service, "creator", "open") for _ in range(25)]
    for game in games:
        service.administration.abort(game.id)
    monkeypatch.setattr("service.store.lists.ended.PAGE", 4)
    kept = {game.id for game in games[::5]}
    seen = []
    for game in service.retention.all(0):
        seen.append(game)
        if game not in kept:
            service.retention.archive(game)
    assert sorted(seen) == sorted(game.id for game in games)
    assert set(service.retention.all(0)) == kept
    assert list(service.retention.all(1)) == []


def test_rebuilding_finds_what_is_to_be_archived_and_what_is(service, settings, client, another):
    archived, waiting, packed = ended(service, 1), ended(service, 2), ended(service, 3)
    running = Game.begin(service)
    service.packing.pack(packed.id)
    rematch = read(service.tables.rematch(archived.token(0), archived.id, words=EN))["id"]
    service.retention.archive(archived.id)
    service.notifier.settle()
    rebuild(settings)  # which may date an entry otherwise
    indexes = [name for name in client.scan_iter(match="billet:*") if client.type(name) == b"zset"]
    early = {keys.DUE, keys.EXPIRING, keys.UNRECORDED}  # where entries may be that the next look finds to be over
    others = {name.encode() for name in (*early, keys.RESULTS)}  # and results get other numbers
    expected = {name: client.zrange(name, 0, -1, withscores=True) for name in indexes if name not in others}
    client.delete(*indexes)
    client.hdel(keys.meta(archived.id), "next_game")
    client.zadd(keys.ENDED, {running.id: 1})
    rebuild(settings)
    assert {name: client.zrange(name, 0, -1, withscores=True) for name in expected} == expected
    assert client.zrange(keys.ENDED, 0, -1) == [waiting.id.encode(), packed.id.encode()]
    assert read(another().games.view(None, archived.id, words=EN))["next_game"] == rematch


# --- what fails ---


def test_an_archiver_may_end_at_any_step(service, another, monkeypatch, client, tmp_path):
    assert service.retention.archive(called_off(service).id) == "archived"  # Redis knows the scripts from then on
    seen, games = [], []
    for step in range(1, 1000):
        game, archiver = called_off(service), another().retention
        before = game.view(0), game.events(0), service.games.log(game.token(0), game.id)
        games.append((game, before))
        try:
            with crashing_at(step, monkeypatch):
                archiver.archive(game.id)
        except Crash:
            there = keys_of(client, game.id)
            assert there in ({"log", "meta"}, {"meta", "summary"}), "in one place or the other, never in none"
            seen.append("log" in there)
            game.service = another()
            assert (game.view(0), game.events(0), game.service.games.log(game.token(0), game.id)) == before
            assert game.service.retention.archive(game.id) == ("archived" if "log" in there else "nothing")
        else:
            break
    assert seen == sorted(seen, reverse=True)
    assert sum(seen) > 8, "it has many steps before the log is removed"
    assert not all(seen), "and some afterwards"
    assert client.zcard(keys.ENDED) == 0
    for game, before in games:
        game.service = another()
        assert (game.view(0), game.events(0), game.service.games.log(game.token(0), game.id)) == before
        assert keys_of(client, game.id) == {"meta", "summary"}
    assert len(list(tmp_path.rglob("*.gz"))) == len(games) + 1


def test_two_archivers_at_once_do_no_harm(service, another, monkeypatch, client):
    game = ended(service)
    before = answers(service, game)
    first, second = another(), another()
    put = archive.Archive.put

    def put_while_another_does_all(self, log):
        digest = put(self, log)
        monkeypatch.setattr(archive.Archive, "put", put)
        assert second.retention.archive(game.id) == "archived"
        return digest

    monkeypatch.setattr(archive.Archive, "put", put_while_another_does_all)
    assert first.retention.archive(game.id) == "nothing"
    assert first.retention.archive(game.id) == "nothing"
    assert answers(another(), game) == before


FAULTS = {
    "away": (ConnectionError("a secret"), None),
    "full": (OSError(28, "No space left on device"), None),
    "read only": (PermissionError(), None),
    "cut off": (None, lambda raw: raw[: len(raw) // 2]),
    "garbage": (None, lambda raw: b"<html>sign in</html>"),
    "empty": (None, lambda raw: b""),
    "forgetful": (FileNotFoundError(), None),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_game_stays_in_redis_if_the_archive_fails(service, another, monkeypatch, client, caplog, fault):
    game = ended(service, 5, 2, edition="lovecraft")
    before = game.view(0), game.events(0)
    log = client.xrange(keys.log(game.id))
    error, change = FAULTS[fault]
    with monkeypatch.context() as patch:
        write, reads = archive.Directory.write, archive.Directory.read

        def failing_write(self, name, raw):
            if isinstance(error, FileNotFoundError):
                return None
            if error is not None:
                raise error
            return write(self, name, change(raw))

        patch.setattr(archive.Directory, "write", failing_write)
        for _ in range(2):
            assert service.retention.archive(game.id) == "failed"
        assert archive.Directory.read is reads
    assert client.xrange(keys.log(game.id)) == log
    state = service.survey.state()
    assert state.games.not_archived == 1
    assert state.games.why_not_archived == client.hget(keys.NOT_ARCHIVED, game.id).decode() != ""
    assert game.id in caplog.text
    assert "a secret" not in caplog.text + state.games.why_not_archived
    assert service.retention.archive(game.id) == "archived", "it is tried again"
    game.service = another()
    assert (game.view(0), game.events(0)) == before
    assert service.survey.state().games.not_archived == 0


def test_a_full_archive_is_logged_every_ten_minutes_and_not_for_each_game(service, monkeypatch, caplog):
    def full(self, name, raw):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive.Directory, "write", full)
    games = [called_off(service) for _ in range(3)]
    for _ in range(2):
        assert [service.retention.archive(game.id) for game in games] == ["failed"] * 3
    assert caplog.text.count("cannot be archived") == 1
    assert service.survey.state().games.not_archived == 3
    later = time.monotonic() + LOGGING_SECONDS
    monkeypatch.setattr("service.upkeep.retention.time", SimpleNamespace(monotonic=lambda: later))
    service.retention.archive(games[1].id)
    assert f"game {games[1].id} cannot be archived" in caplog.text


def test_while_the_archive_is_away_what_needs_it_says_so(service, settings, another):
    game = ended(service, 1, 2)
    now, page = game.view(0), read(service.games.events(game.token(0), game.id, after=game.view()["version"] - 3))
    last, token = game.view()["version"], game.token(0)
    service.retention.archive(game.id)
    for one in (another(), build(Settings(redis_url=settings.redis_url))):
        if one.retention._days:
            one.play._log._archive._store = store_at(str(settings.data_dir / "nowhere"))
        needing = [
            lambda one=one: one.games.view(token, game.id, at=last // 2, words=EN),
            lambda one=one: one.games.events(token, game.id),
            lambda one=one: one.games.log(token, game.id),
            lambda one=one: one.game_streams.begin(token, game.id, after=0, words=EN),
        ]
        for call in needing:
            with pytest.raises(ArchiveAway):
                call()
        assert read(one.games.view(token, game.id, words=EN)) == now
        assert read(one.games.events(token, game.id, after=last - 3)) == page
        assert [item["id"] for item in one.lobby.mine(token)["items"]] == [game.id]
        with pytest.raises(Refused, match="game_over"):
            one.play.act(token, game.id, read_action({"type": "redraw_hand", "redraw": True}), words=EN)


def test_a_damaged_game_in_a_redis_whose_memory_is_full_fails_alone(service, client, caplog):
    damaged, game = ended(service), ended(service, 2)
    client.xdel(keys.log(damaged.id), "1-0")
    try:
        client.config_set("maxmemory", "1mb")
        client.config_set("maxmemory-policy", "noeviction")
        assert [service.retention.archive(one.id) for one in (damaged, game)] == ["failed", "archived"]
        assert keys_of(client, damaged.id) == {"log", "meta"}
    finally:
        client.config_set("maxmemory", "0")
    assert f"game {damaged.id} cannot be archived" in caplog.text


def test_a_file_that_is_gone_is_missed_by_name(service, settings, client, another, caplog):
    game = ended(service)
    service.retention.archive(game.id)
    digest = client.hget(keys.meta(game.id), "archive").decode()
    store = store_at(settings.archive_url)
    (store._root / name_of(game.id, digest)).unlink()
    with pytest.raises(ArchiveAway):
        another().games.log(None, game.id)
    assert game.id in caplog.text
