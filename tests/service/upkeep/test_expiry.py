"""What nobody touches expires: players are told, nothing of it stays in Redis, and who is faster is never half done."""

import contextlib
import random
import threading

import pytest

from engine.state import ABORTED, ACTIVE, FINISHED
from games.errors import Refused, Unavailable
from games.texts.catalogue import catalogue
from service import Settings, build
from service.store import keys
from service.store.feeds.stored_notices import StoredNotices
from service.upkeep.expiry import LEASE_MS, SETTLED_MS
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, guest, read, told
from tests.service.matches.playing import body

HOUR = 3600
DAY = 24 * HOUR
TABLE, PASSING, UNCLOCKED, PLAYER = 24 * HOUR, 7 * DAY, 180 * DAY, 30 * DAY


@pytest.fixture
def service(service, clock):
    """The service with a clock that the test moves."""
    return service


def expire(service):
    """Lets expire what has come due; returns what became of how many games."""
    outcomes = [*service.expiry.expire_games()]
    service.notifier.settle()
    return outcomes


def expire_players(service):
    return [*service.expiry.expire_players()]


def left_of(client, game):
    """Returns every key about a game, and every index that has it, but for stored answers, which pass by themselves."""
    named = {
        name.decode()
        for name in client.scan_iter(match=f"billet:*{game}*")
        if not (b":answer:" in name or b"{lines}" in name)
    }
    for name in client.scan_iter(match="billet:*", _type="zset"):
        if name.startswith(b"billet:{lines}"):
            continue  # the queues, which workers empty
        if any(game.encode() in member for member in client.zrange(name, 0, -1)):
            named.add(name.decode())
    return named


def removed(service, client, clock, game):
    """Lets the time pass after which an ended game is removed."""
    service.notifier.settle()
    clock.advance(PASSING)
    assert expire(service) == ["removed"]
    return not left_of(client, game.id)


class TestOpenTables:
    def test_one_that_nobody_touches_is_aborted_and_says_why(self, service, clock):
        game = Game.open(service, "creator", "open")
        clock.advance(TABLE - 1)
        assert expire(service) == []
        clock.advance(1)
        assert expire(service) == ["aborted"]
        view = game.view(0)
        assert (view["status"], view["abort_reason"]) == (ABORTED, "expired")
        aborted = next(event for event in game.events() if event["type"] == "game_aborted")
        assert aborted["data"] == {"reason": "expired"}
        for language, text in (
            ("en", "The game has expired: nothing has happened in it for too long"),
            ("de", "Das Spiel ist abgelaufen: Es hat sich zu lange nichts getan"),
        ):
            assert text in [event["text"] for event in game.events(words=catalogue(language))]

    def test_everybody_at_it_is_told_and_who_has_opened_it_without_a_seat(self, service, clock):
        game = Game.open(service, "open", "open")
        seated = guest(service, "Ben")
        service.tables.take_seat(seated.token, game.id, {}, words=EN)
        cursors = {one: service.notices.page(one.token)["cursor"] for one in (game.creator, seated)}
        clock.advance(TABLE)
        expire(service)
        for one, cursor in cursors.items():
            (notice,) = service.notices.page(one.token, after=cursor)["events"][-1:]
            assert (notice["type"], notice["status"], notice["reason"]) == ("game_over", ABORTED, "expired")

    def test_whoever_joins_or_leaves_keeps_it(self, service, clock):
        game = Game.open(service, "creator", "open", "open")
        clock.advance(TABLE - 1)
        service.tables.take_seat(guest(service).token, game.id, {}, words=EN)
        clock.advance(TABLE - 1)
        assert expire(service) == ["kept"]
        clock.advance(1)
        assert expire(service) == ["aborted"]

    def test_nothing_of_it_stays(self, service, client, clock):
        game = Game.open(service, "creator", "open", "open")
        passer_by = guest(service)
        service.tables.take_seat(passer_by.token, game.id, {"seat": 1}, words=EN)
        service.tables.leave(passer_by.token, game.id, words=EN)
        invited = guest(service)
        service.tables.take_seat(game.creator.token, game.id, {"player": invited.id, "seat": 1}, words=EN)
        for one in (game.creator, passer_by, invited):
            service.notices.page(one.token)
        clock.advance(TABLE)
        assert expire(service) == ["aborted"]
        service.notifier.settle()
        clock.advance(DAY)
        assert expire(service) == ["removed"]
        assert not left_of(client, game.id)
        with pytest.raises(Refused) as refused:
            game.view()
        assert refused.value.code == "not_found"
        assert read_list(service, game.creator.token) == []

    def test_one_from_before_the_index_expires_after_a_rebuild(self, service, redis_url, client, clock):
        game = Game.open(service, "creator", "open")
        client.delete(keys.EXPIRING)
        rebuild(Settings(redis_url=redis_url))
        clock.advance(TABLE)
        assert expire(service) == ["aborted"]
        assert game.view()["status"] == ABORTED


def read_list(service, token):
    return service.lobby.mine(token)["items"]


class TestGames:
    def test_a_sandbox_that_goes_on_expires_after_its_last_event(self, service, client, clock):
        game = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 0}]})
        clock.advance(PASSING - 1)
        game.act(0, game.legal(0)[0])
        clock.advance(PASSING - 1)
        assert expire(service) == ["kept"]
        clock.advance(1)
        assert expire(service) == ["aborted"]
        clock.advance(DAY)
        assert expire(service) == ["removed"]
        assert not left_of(client, game.id)

    def test_a_fork_expires_and_what_it_goes_on_from_stays(self, service, client, clock):
        played = Game.begin(service).play(random.Random(1), 12).cut_short()
        fork = read(service.tables.fork(played.token(0), played.id, {"version": 12}, words=EN))
        clock.advance(PASSING)
        assert "aborted" in expire(service)
        clock.advance(DAY)
        expire(service)
        assert not left_of(client, fork["id"])
        clock.advance(10_000 * DAY)
        expire(service)
        assert played.view()["status"] == FINISHED

    @pytest.mark.parametrize("packed", [False, True])
    def test_a_game_of_bots_alone_is_removed_some_days_after_its_end(self, service, client, clock, log, packed):
        game = Game.open(service, "random", "random").play(random.Random(1))
        assert game.view()["status"] == FINISHED
        if packed:
            ended = log.read(game.id).snapshot
            assert service.packing._streams.pack(ended, log.stored(ended))
        assert removed(service, client, clock, game)

    def test_a_damaged_one_stays_and_the_others_go(self, service, client, clock, caplog):
        games = [Game.begin(service) for _ in range(3)]
        for game in games:
            service.administration.abort(game.id)
        service.notifier.settle()
        clock.advance(PASSING)
        damaged = client.zrange(keys.EXPIRING, 0, 0)[0].decode()
        client.delete(keys.log(damaged))
        client.set(keys.log(damaged), "nothing of a stream")
        assert expire(service) == ["removed", "removed"]
        assert [game.id for game in games if client.exists(keys.meta(game.id))] == [damaged]
        assert f"{damaged} cannot expire" in caplog.text

    def test_one_is_removed_from_a_redis_whose_memory_is_full(self, service, client, clock):
        game = Game.begin(service)
        service.administration.abort(game.id)
        service.notifier.settle()
        clock.advance(PASSING)
        client.config_set("maxmemory", 1)
        try:
            assert expire(service) == ["removed"]
        finally:
            client.config_set("maxmemory", 0)
        assert left_of(client, game.id) == set()

    def test_one_that_is_in_the_archive_leaves_redis_like_the_others(self, redis_url, client, clock, tmp_path):
        service = build(Settings(redis_url=redis_url, archive_url=str(tmp_path), retain_finished_days=1))
        away = build(Settings(redis_url=redis_url, archive_url=str(tmp_path / "nowhere")))
        for one in (service, away):
            game = Game.open(service, "random", "random").play(random.Random(1))
            assert service.retention.archive(game.id) == "archived"
            assert removed(one, client, clock, game)

    def test_a_game_between_people_is_never_removed(self, service, clock):
        finished, resigned = Game.begin(service).play(random.Random(1)), Game.begin(service)
        service.tables.leave(resigned.token(1), resigned.id, words=EN)
        clock.advance(10_000 * DAY)
        expire(service)
        assert [game.view()["status"] for game in (finished, resigned)] == [FINISHED, FINISHED]

    def test_one_with_a_clock_is_not_aborted_however_late_it_is(self, service, clock):
        game = Game.begin(service, clock={"seconds": 86_400, "on_timeout": "bot_plays"})
        clock.advance(10_000 * DAY)
        expire(service)
        assert game.view()["status"] in (ACTIVE, FINISHED)

    def test_one_without_a_clock_expires_after_half_a_year_and_stays_readable(self, service, clock):
        game = Game.begin(service)
        game.act(game.to_act(), game.legal(game.to_act())[0])
        clock.advance(UNCLOCKED - 1)
        assert expire(service) == []
        clock.advance(1)
        assert expire(service) == ["aborted"]
        clock.advance(10_000 * DAY)
        expire(service)
        assert (game.view(0)["status"], game.view(0)["abort_reason"]) == (ABORTED, "expired")

    def test_what_comes_late_to_a_game_that_was_removed_leaves_nothing_behind(self, service, client, clock, log):
        game = Game.open(service, "random", "random").play(random.Random(1))
        again = read(service.tables.rematch(game.creator.token, game.id, words=EN))["id"]
        ended = log.read(game.id).snapshot
        clock.advance(PASSING)
        expire(service)
        assert not client.exists(keys.meta(game.id))
        log.link(game.id, again)
        assert not client.exists(keys.meta(game.id)), "a link to a rematch makes no game"
        StoredNotices(service.redis).notified([ended])
        assert not client.exists(keys.meta(game.id)), "nor does word that its players are notified"


class TestRaces:
    """A table at which somebody sits down at the moment it expires is aborted or joined, never half."""

    def test_who_is_faster_than_the_end_keeps_the_table(self, service, clock, monkeypatch, another):
        game, newcomer = Game.open(service, "creator", "open", "open"), guest(service)
        clock.advance(TABLE)
        claimed = service.expiry.claim_games()
        by_service = service.expiry._changes.by_service

        def late(snapshot, cause):
            another().tables.take_seat(newcomer.token, game.id, {}, words=EN)
            return by_service(snapshot, cause)

        monkeypatch.setattr(service.expiry._changes, "by_service", late)
        assert service.expiry.game(claimed[0]) == "kept"
        assert game.view()["status"] == "open"
        assert newcomer.id in [seat["player"] and seat["player"]["id"] for seat in game.view()["seats"]]
        monkeypatch.undo()

    @pytest.mark.parametrize("cut", range(4))
    def test_what_is_cut_off_is_taken_up_again(self, service, client, clock, another, monkeypatch, cut):
        game = Game.open(service, "random", "random").play(random.Random(1))
        service.notifier.settle()
        clock.advance(PASSING)
        killed, calls = another(), [0]
        redis_client = type(killed.redis)

        class Killed(BaseException):
            pass

        def counting(call):
            def made(self, *arguments, **more):
                if threading.current_thread() is threading.main_thread():
                    calls[0] += 1
                    if calls[0] == 3 + cut:
                        raise Killed
                return call(self, *arguments, **more)

            return made

        with monkeypatch.context() as patch:
            patch.setattr(redis_client, "send", counting(redis_client.send))
            with contextlib.suppress(Killed):
                expire(killed)
        clock.advance(LEASE_MS / 1000)
        expire(service)
        assert not left_of(client, game.id)

    def test_of_several_processes_one_takes_a_game_on(self, service, another, clock):
        for _ in range(5):
            Game.open(service, "creator", "open")
        clock.advance(TABLE)
        claimed = [game for one in (service, another(), another()) for game, _ in one.expiry.claim_games()]
        assert len(claimed) == len(set(claimed)) == 5

    def test_a_game_that_cannot_be_ended_keeps_no_other_from_it(self, service, clock, monkeypatch, caplog):
        for _ in range(3):
            Game.open(service, "creator", "open")
        clock.advance(TABLE)
        by_service, failures = service.expiry._changes.by_service, [Unavailable("full")]

        def failing(snapshot, cause):
            if failures:
                raise failures.pop()
            return by_service(snapshot, cause)

        monkeypatch.setattr(service.expiry._changes, "by_service", failing)
        assert expire(service) == ["aborted", "aborted"]
        assert "cannot expire now" in caplog.text
        clock.advance(LEASE_MS / 1000)
        assert expire(service) == ["aborted"]


class TestPlayers:
    def test_one_who_never_played_is_removed_in_two_steps(self, service, client, clock):
        ann = guest(service)
        clock.advance(PLAYER - 1)
        assert expire_players(service) == []
        clock.advance(1)
        assert expire_players(service) == ["kept"]
        with pytest.raises(Refused) as refused:
            service.players.me(ann.token)
        assert refused.value.code == "unauthenticated"
        assert client.exists(keys.player(ann.id))
        clock.advance(max(LEASE_MS, SETTLED_MS) / 1000)
        assert expire_players(service) == ["removed"]
        assert not [*client.scan_iter(match=f"*{ann.id}*")]
        assert client.zscore(keys.IDLE, ann.id) is None

    def test_the_matches_of_one_who_is_removed_end(self, service, client, clock):
        ann, one = guest(service), guest(service, "One", "bot")
        service.players.change(one.token, program={"version": "1"})
        match = service.matches.create(ann.token, body(one, bots=1)).match["id"]
        clock.advance(PLAYER)
        told(service, one)
        expire_players(service)
        clock.advance(max(LEASE_MS, SETTLED_MS) / 1000)
        expire_players(service)
        found = service.matches.view(None, match)
        assert (found["state"], found["name"]) == ("ended", "")
        assert not [*client.scan_iter(match=f"*{ann.id}*")]

    def test_who_comes_to_a_game_in_between_stays(self, service, client, clock):
        ann = guest(service)
        clock.advance(PLAYER)
        expire_players(service)
        client.zadd(keys.playing(ann.id), {"a game": 1})  # by a call that had read the token
        clock.advance(LEASE_MS / 1000)
        assert expire_players(service) == ["kept"]
        assert service.players.me(ann.token)["id"] == ann.id

    def test_who_registers_again_with_the_same_key_in_between_begins_anew(self, service, client, clock):
        ann = service.players.register("Ann", "human", idempotency_key="mine").player
        clock.advance(PLAYER)
        assert expire_players(service) == ["kept"]
        client.delete(*client.scan_iter(match="*grant*"))  # as when the key has not been kept so long
        again = service.players.register("Ann", "human", idempotency_key="mine")
        assert again.player.id == ann.id
        assert client.hmget(keys.player(ann.id), "retired_token", "retired_at") == [None, None]
        clock.advance(PLAYER)
        assert expire_players(service) == ["kept"], "the token goes first, and all else when no call can have read it"

    def test_nothing_is_told_of_to_one_who_was_removed(self, service, another, client):
        game = Game.open(service, "creator", "open")
        ann = guest(service)
        service.tables.take_seat(game.creator.token, game.id, {"player": ann.id}, words=EN)
        service.notifier.settle()
        client.delete(*keys.for_notifying(ann.id, game.id))
        client.hdel(keys.meta(game.id), "told")  # as when nobody had been told before they were removed
        another().notifier.send_pending(game.id)
        assert not client.exists(keys.player(ann.id))

    def test_who_has_games_stays(self, service, clock):
        open_, played = (
            Game.open(service, "creator", "open"),
            Game.begin(service).play(random.Random(1), 12).cut_short(),
        )
        invited, host = guest(service), Game.open(service, "open", "open")
        service.tables.take_seat(host.creator.token, host.id, {"player": invited.id}, words=EN)
        clock.advance(PLAYER)
        expire_players(service)
        clock.advance(LEASE_MS / 1000)
        expire_players(service)
        for token in (open_.creator.token, played.token(0), played.token(1), invited.token):
            service.players.me(token)

    def test_who_reads_what_they_are_told_stays(self, service, client, clock):
        ann = guest(service)
        service.notices.page(ann.token)
        clock.advance(PLAYER)
        expire_players(service)
        service.players.me(ann.token)
        client.delete(keys.notices_read(ann.id))  # as when nobody has for four weeks
        clock.advance(PLAYER)
        expire_players(service)
        with pytest.raises(Refused):
            service.players.me(ann.token)

    def test_who_is_about_to_be_removed_cannot_be_invited(self, service, clock):
        ann, game = guest(service), Game.open(service, "creator", "open")
        clock.advance(PLAYER)
        expire_players(service)
        with pytest.raises(Refused) as refused:
            service.tables.take_seat(game.creator.token, game.id, {"player": ann.id}, words=EN)
        assert refused.value.code == "invalid_request"


def test_all_of_it_works_on_a_cluster(nodes, redis_url, clock):
    settings = Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url)
    service = build(settings)
    chosen = {"rounds": [{"starter": 0}]}
    game, bots = Game.open(service, "creator", "open"), Game.open(service, "creator", "random", sandbox=chosen)
    clock.advance(PASSING)
    assert sorted(expire(service)) == ["aborted", "aborted"]
    service.notifier.settle()
    clock.advance(DAY)
    assert expire(service) == ["removed", "removed"]
    assert not [name for one in (game, bots) for node in nodes.nodes for name in node.client.keys(f"*{one.id}*")]
    clock.advance(PLAYER)
    for _ in range(2):
        expire_players(service)
        clock.advance(LEASE_MS / 1000)
    with pytest.raises(Refused):
        service.players.me(game.creator.token)
