"""Commit and reveal: a full table waits for nonces, nothing is dealt before all are revealed, and no wait hangs."""

import hashlib
import random

import pytest

from engine.shuffle import Dealer, nonce_digest, revealed_digest
from games.errors import Refused
from games.records.portable import as_json, parsed, portable
from games.records.verification import verify
from games.times import text_of
from service import Settings
from service.changing import changes
from service.jobs.schedule import Task
from service.store import keys
from service.store.log.event_log import VersionConflict
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, body, guest, read, refusal

NONCES = [f"the nonce that {name} keeps to themselves" for name in ("Ann", "Ben", "Cleo")]
WAIT = 15


def hashed(nonce):
    return hashlib.sha256(nonce.encode()).hexdigest()


def table(service, committing=(0, 1), seats=2, **more):
    """Opens a table and fills it; the committing seats send hashes."""
    first = {"nonce_hash": hashed(NONCES[0])} if 0 in committing else {}
    game = Game.open(service, "creator", *["open"] * (seats - 1), **first, **more)
    for seat in range(1, seats):
        game.guests[seat] = guest(service, f"Guest {seat}")
        given = {"nonce_hash": hashed(NONCES[seat])} if seat in committing else {}
        service.tables.take_seat(game.token(seat), game.id, {"seat": seat, **given}, words=EN)
    return game


def rematch(game, seat, claim):
    return read(game.service.tables.rematch(game.token(seat), game.id, None, claim, words=EN))


def reveal(game, seat, nonce=None, key=None):
    return read(game.service.tables.reveal(game.token(seat), game.id, nonce or NONCES[seat], key, words=EN))


def reason(call, *arguments, **more):
    refused = refusal(call, *arguments, **more)
    assert refused.code == "illegal_action"
    return refused.reason


def types(game):
    return [event["type"] for event in game.events()]


def started(game):
    return next(event["data"] for event in game.events() if event["type"] == "game_started")


def is_true(log, game):
    return verify(parsed(as_json(portable([one for _, one in log.stored(log.read(game.id).snapshot)]))))


class TestTheWait:
    def test_a_full_table_waits_for_the_nonces_and_says_for_whose(self, service, clock):
        game = table(service, (0, 2), seats=3)
        for viewer in (None, 0, 1, 2):
            view = game.view(viewer)
            assert (view["status"], view["round"], view["to_act"], view["deadline"]) == ("open", None, None, None)
            assert view["reveal"] == {"until": text_of(clock.ms + WAIT * 1000), "seats": [0, 2]}
        reveal(game, 2)
        assert game.view()["reveal"]["seats"] == [0]
        assert types(game)[-2:] == ["reveal_started", "nonce_revealed"]

    def test_the_last_nonce_starts_the_game(self, service, clock):
        game = table(service)
        reveal(game, 1)
        view = reveal(game, 0)
        assert (view["status"], view["reveal"]) == ("active", None)
        assert started(game)["nonces"] == [revealed_digest(nonce) for nonce in NONCES[:2]]
        assert (started(game)["committed"], started(game)["unrevealed"]) == ([0, 1], [])

    def test_without_a_hash_nobody_waits(self, service):
        game = table(service, ())
        assert game.view()["status"] == "active"
        assert game.view()["reveal"] is None
        assert started(game)["committed"] == []

    def test_a_table_that_is_not_full_waits_for_no_nonce(self, service):
        game = Game.open(service, "creator", "open", nonce_hash=hashed(NONCES[0]))
        assert game.view()["reveal"] is None
        assert reason(reveal, game, 0) == "reveal_not_begun", "whoever sits down later could know it"

    def test_a_seat_taken_anew_counts_as_its_new_player_took_it(self, service):
        game = Game.open(service, "creator", "open", "open")
        gone, ben = guest(service, "Gone"), guest(service, "Ben")
        service.tables.take_seat(gone.token, game.id, {"seat": 1, "nonce_hash": hashed(NONCES[1])}, words=EN)
        service.tables.leave(gone.token, game.id, words=EN)
        for seat, nonce in ((1, "plain"), (2, None)):
            player = ben if seat == 1 else guest(service, "Cleo")
            given = {"nonce": nonce} if nonce else {}
            service.tables.take_seat(player.token, game.id, {"seat": seat, **given}, words=EN)
        assert game.view()["status"] == "active"
        assert started(game)["nonces"] == ["", nonce_digest("plain"), ""]

    def test_beside_bots_and_in_a_sandbox_it_is_the_same(self, service, log, clock):
        order = ["princess", "spy", "king", "baron", "priest", "guard"]
        sandbox = {"rounds": [{"starter": 0, "order": order}]}
        game = Game.open(service, "creator", "random", nonce_hash=hashed(NONCES[0]), sandbox=sandbox)
        assert game.view()["reveal"]["seats"] == [0]
        view = reveal(game, 0)
        assert view["round"]["shown_aside"] == order[1:4]
        service.administration.abort(game.id)
        assert is_true(log, game).valid

    def test_at_a_table_of_bots_alone_the_creator_has_nothing_to_reveal(self, service):
        game = Game.open(service, "random", "random", nonce_hash=hashed(NONCES[0]))
        assert game.view()["status"] == "active"

    def test_one_who_accepts_an_invitation_commits_too(self, service):
        ben = guest(service, "Ben")
        seats = [{"kind": "creator"}, {"kind": "invited", "player": ben.id}]
        creator = guest(service)
        made = read(service.tables.create(creator.token, {"edition": "standard", "seats": seats}, words=EN))
        claim = {"nonce_hash": hashed(NONCES[1])}
        assert read(service.tables.take_seat(ben.token, made["id"], claim, words=EN))["reveal"]["seats"] == [1]

    @pytest.mark.parametrize("by", ["taking_the_seat", "asking_too"])
    def test_in_a_rematch_everybody_may_commit(self, service, log, clock, by):
        game = table(service, ())
        service.tables.leave(game.token(1), game.id, words=EN)
        first, second = ({"nonce_hash": hashed(nonce)} for nonce in NONCES[:2])
        again = Game(service, rematch(game, 0, first)["id"], game.creator, game.guests)
        if by == "asking_too":
            assert rematch(game, 1, second)["id"] == again.id
        else:
            service.tables.take_seat(game.token(1), again.id, second, words=EN)
        assert again.view()["reveal"]["seats"] == [0, 1]
        assert rematch(game, 0, {"nonce": "another"})["reveal"]["seats"] == [0, 1], "the first one holds"
        reveal(again, 0)
        assert reveal(again, 1)["status"] == "active"
        assert started(again)["nonces"] == [revealed_digest(nonce) for nonce in NONCES[:2]]
        service.administration.abort(again.id)
        assert is_true(log, again).valid

    def test_a_rematch_takes_a_plain_nonce_too_but_not_both(self, service):
        game = table(service, ())
        service.tables.leave(game.token(1), game.id, words=EN)
        both = {"nonce": "plain", "nonce_hash": hashed(NONCES[0])}
        assert refusal(lambda: rematch(game, 0, both)).code == "invalid_request"
        again = Game(service, rematch(game, 0, {"nonce": "plain"})["id"], game.creator, game.guests)
        rematch(game, 1, {})
        assert started(again)["nonces"] == [nonce_digest("plain"), ""]

    def test_a_fork_of_such_a_game_asks_for_no_nonce(self, service, log, clock):
        game = table(service)
        reveal(game, 0), reveal(game, 1)
        version = game.view()["version"]
        game.step(random.Random(1))
        service.tables.leave(game.token(0), game.id, words=EN)
        fork = read(service.tables.fork(game.token(0), game.id, {"version": version}, words=EN))
        assert (fork["status"], fork["reveal"]) == ("active", None)
        service.tables.leave(game.token(0), fork["id"], words=EN)
        forked = Game(service, fork["id"], game.creator, {0: game.creator})
        assert is_true(log, forked).valid


class TestTheEndOfTheWait:
    def test_the_game_starts_in_time_without_whom_it_names(self, service, log, clock):
        game = table(service, (0, 2), seats=3)
        reveal(game, 2)
        clock.advance(WAIT - 0.001)
        assert game.view()["status"] == "open"
        clock.advance(0.001)
        assert game.view()["status"] == "active", "whoever looks brings it about"
        assert (started(game)["committed"], started(game)["unrevealed"]) == ([0, 2], [0])
        assert started(game)["nonces"] == ["", "", revealed_digest(NONCES[2])]
        service.administration.abort(game.id)
        assert is_true(log, game).valid

    def test_a_worker_brings_it_about_where_nobody_looks(self, service, clock, log):
        game = table(service)
        assert service.schedule.tasks() == [], "not before"
        clock.advance(WAIT)
        version = log.read(game.id).snapshot.version
        assert service.schedule.tasks() == [Task("time_out", game.id, version)]
        service.play.time_out(game.id, 0)
        assert log.read(game.id).snapshot.started.event.unrevealed == (0, 1)

    def test_a_worker_that_comes_too_early_does_nothing(self, service, clock, log):
        game = table(service)
        head = log.read(game.id).snapshot.head
        clock.advance(WAIT - 1)
        service.play.time_out(game.id, 0)
        assert log.read(game.id).snapshot.head == head

    def test_it_is_looked_for_again_after_a_worker_has_died_with_it(self, service, clock, log):
        game = table(service)
        clock.advance(WAIT)
        for _ in range(3):
            assert [task.kind for task in service.schedule.tasks()] == ["time_out"]
            clock.advance(700)
        service.play.time_out(game.id, 0)
        assert log.read(game.id).snapshot.started is not None

    def test_indexes_made_anew_know_of_it(self, service, clock, client, redis_url):
        game = table(service)
        client.delete(keys.DUE)
        rebuild(Settings(redis_url=redis_url))
        assert client.zscore(keys.DUE, game.id) == clock.ms + WAIT * 1000

    @pytest.mark.parametrize("seconds", [-3600, -WAIT, 3600])
    def test_a_clock_that_jumps_hangs_no_game_and_its_log_is_true(self, service, log, clock, seconds):
        game = table(service)
        reveal(game, 0)
        clock.advance(seconds)
        assert game.view()["status"] == "active"
        assert started(game)["unrevealed"] == [1]
        service.administration.abort(game.id)
        assert is_true(log, game).valid

    @pytest.mark.parametrize("seconds", [-4, -10])
    def test_a_clock_set_back_a_little_lets_the_wait_go_on(self, service, log, clock, seconds):
        game = table(service)
        clock.advance(seconds)
        assert game.view()["status"] == "open"
        reveal(game, 0), reveal(game, 1)
        service.administration.abort(game.id)
        assert is_true(log, game).valid

    def test_the_nonce_that_comes_too_late_is_refused(self, service, clock):
        game = table(service)
        reveal(game, 0)
        clock.advance(WAIT)
        before = game.view()["version"]
        assert reason(reveal, game, 1) == "reveal_over"
        assert before <= game.view()["version"]
        assert "turn_started" in types(game)

    def test_a_nonce_and_the_end_of_the_time_start_the_game_once(self, service, another, clock, monkeypatch):
        game = table(service)
        reveal(game, 0)
        other = another()
        real = changes.Changes._write
        raced = []

        def write(self, new, *arguments):
            if not raced:
                raced.append(1)
                clock.advance(WAIT)
                other.play.time_out(game.id, 0)
            return real(self, new, *arguments)

        monkeypatch.setattr(changes.Changes, "_write", write)
        with pytest.raises((Refused, VersionConflict)):
            reveal(game, 1)
        assert types(game).count("game_started") == 1
        assert started(game)["unrevealed"] == [1]


class TestTheNonce:
    def test_again_the_same_nonce_is_the_same_answer_also_after_the_start(self, service):
        game = table(service)
        first = reveal(game, 0)
        assert reveal(game, 0) == first
        reveal(game, 1)
        version = game.view()["version"]
        assert reveal(game, 0)["status"] == "active"
        assert game.view()["version"] == version

    def test_a_key_gives_the_first_answer_again_and_is_of_one_nonce(self, service):
        game = table(service)
        first = reveal(game, 0, key="KEY")
        reveal(game, 1)
        assert reveal(game, 0, key="KEY") == first
        assert refusal(reveal, game, 0, NONCES[1], key="KEY").code == "idempotency_key_reused"

    def test_another_nonce_is_refused_before_and_after_the_start(self, service):
        game = table(service)
        head = game.view()["version"]
        assert refusal(reveal, game, 0, NONCES[1]).code == "nonce_mismatch"
        assert game.view()["version"] == head
        reveal(game, 0), reveal(game, 1)
        assert refusal(reveal, game, 0, NONCES[1]).code == "nonce_mismatch"

    @pytest.mark.parametrize("nonce", ["x" * 31, "x"])
    def test_a_nonce_that_could_be_guessed_does_not_count_though_it_fits(self, service, clock, nonce):
        game = Game.open(service, "creator", "random", nonce_hash=hashed(nonce))
        assert refusal(reveal, game, 0, nonce).code == "nonce_mismatch"
        clock.advance(WAIT)
        assert game.view()["status"] == "active"

    def test_of_any_characters_the_bytes_in_utf_8_count(self, service):
        nonce = "ünïcode \u2603 " * 5
        game = Game.open(service, "creator", "random", nonce_hash=hashed(nonce))
        assert reveal(game, 0, nonce)["status"] == "active"

    def test_who_has_not_committed_or_has_no_seat_has_nothing_to_reveal(self, service):
        game = table(service, (0,))
        assert reason(reveal, game, 1) == "nonce_not_committed"
        reveal(game, 0)
        assert reason(reveal, game, 1) == "nonce_not_committed"
        stranger = guest(service, "Eve")
        assert refusal(service.tables.reveal, stranger.token, game.id, NONCES[0], words=EN).code == "not_seated"

    def test_a_nonce_and_a_hash_together_or_for_a_bot_are_refused(self, service):
        ann = guest(service)
        both = body("creator", "open", nonce="x", nonce_hash=hashed("x" * 32))
        assert refusal(service.tables.create, ann.token, both, words=EN).code == "invalid_request"
        game = Game.open(service, "creator", "open")
        for claim in ({"bot": "random"}, {"player": guest(service, "Ben").id}, {"nonce": "x"}):
            claim |= {"nonce_hash": hashed(NONCES[0])}
            call = (service.tables.take_seat, game.creator.token, game.id, claim)
            assert refusal(*call, words=EN).code == "invalid_request"


class TestNobodyGetsUp:
    def test_while_nonces_are_revealed_nobody_gets_up_and_is_told_when(self, service, clock):
        game = table(service)
        clock.advance(4.5)
        refused = refusal(service.tables.leave, game.token(1), game.id, words=EN)
        assert (refused.code, refused.reason, refused.retry_after) == ("illegal_action", "reveal_in_progress", 11)
        clock.advance(11)
        view = read(service.tables.leave(game.token(1), game.id, words=EN))
        assert (view["status"], view["winners"]) == ("finished", [0]), "by then it is resigning"

    def test_nobody_sits_down_and_nobody_is_removed(self, service):
        game = table(service)
        eve = guest(service, "Eve")
        assert refusal(service.tables.take_seat, eve.token, game.id, {}, words=EN).code == "game_full"
        assert (
            refusal(service.tables.clear_seat, game.creator.token, game.id, 1, words=EN).reason == "reveal_in_progress"
        )

    def test_the_creator_may_call_it_off_and_the_secret_is_revealed(self, service, log, clock):
        game = table(service)
        reveal(game, 1)
        assert refusal(service.tables.abort, game.token(1), game.id, words=EN).code == "not_creator"
        service.tables.abort(game.creator.token, game.id, words=EN)
        assert types(game)[-2:] == ["game_aborted", "secret_revealed"]
        assert game.view()["reveal"] is None
        assert refusal(reveal, game, 0).code == "game_over"
        clock.advance(60)
        service.play.time_out(game.id, 0)
        assert types(game)[-1] == "secret_revealed"
        assert is_true(log, game).valid

    def test_taking_the_seat_again_changes_no_commitment(self, service):
        game = table(service)
        version = game.view()["version"]
        claim = {"nonce_hash": hashed(NONCES[2])}
        assert read(service.tables.take_seat(game.token(1), game.id, claim, words=EN))["version"] == version
        assert refusal(reveal, game, 1, NONCES[2]).code == "nonce_mismatch"


class TestNotices:
    def told(self, service, player, after=None):
        service.notifier.settle()
        return service.notices.page(player.token, after=after)["events"]

    def test_those_who_have_committed_are_told_and_others_are_not(self, service, clock):
        ann = guest(service)
        game = Game.open(service, "open", "open", "open")
        players = [ann, guest(service, "Ben"), guest(service, "Cleo")]
        for player in players:
            self.told(service, player)
        for seat, player in enumerate(players):
            given = {"nonce_hash": hashed(NONCES[seat])} if seat else {}
            service.tables.take_seat(player.token, game.id, {"seat": seat, **given}, words=EN)
        assert self.told(service, ann, 0) == []
        for seat in (1, 2):
            (notice,) = self.told(service, players[seat], 0)
            assert (notice["type"], notice["seat"], notice["game"]) == ("reveal_nonce", seat, game.id)
            assert (notice["deadline"], notice["status"]) == (text_of(clock.ms + WAIT * 1000), "open")

    def test_what_is_open_now_holds_a_nonce_that_is_waited_for(self, service, clock):
        game = table(service)
        assert [one["type"] for one in self.told(service, game.guests[1])] == ["reveal_nonce"]
        reveal(game, 1)
        assert self.told(service, game.guests[1]) == []


class TestSecrecy:
    def test_before_its_reveal_a_nonce_is_nowhere_and_its_hash_is_public(self, service, client):
        game = table(service)
        stored = b"".join(client.dump(name) or b"" for name in client.keys("*")).decode("latin-1")
        text = str([game.view(viewer) for viewer in (None, 0, 1)]) + str(game.events())
        assert not any(nonce in stored + text for nonce in NONCES)
        assert [event["data"]["nonce_hash"] for event in game.events() if event["type"] == "seat_taken"] == [
            hashed(nonce) for nonce in NONCES[:2]
        ]

    def test_nothing_is_dealt_and_chance_is_not_asked_before_all_have_revealed(self, service, log, monkeypatch):
        asked = []
        real = Dealer._stream
        monkeypatch.setattr(Dealer, "_stream", lambda self, *what: asked.append(what) or real(self, *what))
        game = table(service)
        reveal(game, 0)
        service.play.time_out(game.id, 0)
        game.view(0)
        assert asked == []
        assert log.read(game.id).snapshot.state.deck == []
        reveal(game, 1)
        assert asked

    def test_at_an_earlier_version_one_sees_the_wait_as_it_was(self, service, clock):
        game = table(service)
        version, before = game.view(0)["version"], game.view(0)
        reveal(game, 0), reveal(game, 1)
        assert game.view(0, at=version)["reveal"] == before["reveal"]
