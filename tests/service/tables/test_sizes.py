"""What one caller can leave behind or ask for at once has a bound: tables, rounds, answers that are kept."""

import contextlib
import random

import pytest

from games.errors import Refused
from games.tables.seats import MOST_BEFORE_START, MOST_SITTINGS
from service import reading
from service.store import keys
from tests.service.at_table import EN, Game, guest, read, refusal


@pytest.fixture
def worn(service, monkeypatch):
    """A table of three that has as many events as it may have before its start."""
    monkeypatch.setattr("games.tables.seats.MOST_BEFORE_START", 20)
    game, restless = Game.open(service, "creator", "open", "open"), guest(service)
    while game.view()["version"] < 20:
        service.tables.take_seat(restless.token, game.id, {}, words=EN)
        service.tables.leave(restless.token, game.id, words=EN)
    return game


class TestBeforeTheStart:
    def test_a_table_that_was_joined_and_left_too_often_takes_nobody_in(self, service, worn):
        before = worn.events()
        ann = guest(service)
        for token, body in ((ann.token, {}), (worn.token(0), {"bot": "random"}), (worn.token(0), {"player": ann.id})):
            refused = refusal(service.tables.take_seat, token, worn.id, body, words=EN)
            assert (refused.code, refused.reason) == ("game_full", "too_many_changes")
        assert worn.events() == before

    def test_its_creator_may_still_call_it_off_and_whoever_sits_there_get_up(self, service, worn):
        service.tables.leave(worn.token(0), worn.id, words=EN)
        service.administration.abort(worn.id)
        assert worn.view()["status"] == "aborted"

    def test_who_sits_there_is_answered_as_ever(self, service, worn):
        assert read(service.tables.take_seat(worn.token(0), worn.id, {}, words=EN))["status"] == "open"

    def test_no_honest_table_comes_near_to_it(self, service):
        seats = 8
        game = Game.open(service, "creator", *["open"] * (seats - 1), edition="premium").fill()
        assert game.view()["version"] < MOST_BEFORE_START / 20

    def test_it_stays_small(self, service, client, monkeypatch):
        monkeypatch.setattr("games.tables.seats.MOST_SITTINGS", MOST_BEFORE_START)
        game, restless = Game.open(service, "creator", "open", "open"), guest(service)
        with contextlib.suppress(Refused):
            for _ in range(MOST_BEFORE_START):
                service.tables.take_seat(restless.token, game.id, {}, words=EN)
                service.tables.leave(restless.token, game.id, words=EN)
        assert game.view()["version"] <= MOST_BEFORE_START + 1
        assert client.memory_usage(keys.log(game.id), samples=0) < 250_000


class TestOneRestlessPlayer:
    @pytest.fixture
    def restless(self, service):
        return guest(service)

    @pytest.fixture
    def left(self, service, restless):
        """A table of three at which one player has sat down and got up as often as anybody may."""
        game = Game.open(service, "creator", "open", "open")
        for _ in range(MOST_SITTINGS):
            service.tables.take_seat(restless.token, game.id, {}, words=EN)
            service.tables.leave(restless.token, game.id, words=EN)
        return game

    def test_is_refused_and_closes_the_table_to_nobody_else(self, service, left, restless):
        before = left.events()
        refused = refusal(service.tables.take_seat, restless.token, left.id, {}, words=EN)
        assert (refused.code, refused.reason) == ("game_full", "joined_too_often")
        assert refused.detail.written(EN).startswith("You have joined and left this table too often")
        assert left.events() == before
        assert len(before) < MOST_BEFORE_START / 10
        for token, body in ((guest(service).token, {}), (left.creator.token, {"bot": "random"})):
            service.tables.take_seat(token, left.id, body, words=EN)
        assert left.view()["status"] == "active"

    def test_cannot_be_invited_either_which_the_creator_is_told_of(self, service, left, restless):
        refused = refusal(service.tables.take_seat, left.creator.token, left.id, {"player": restless.id}, words=EN)
        assert (refused.code, refused.reason) == ("game_full", "joined_too_often")
        assert refused.detail.written(EN).startswith("This player has joined and left this table too often")

    def test_counts_invitations_that_they_accept(self, service, restless, monkeypatch):
        monkeypatch.setattr("games.tables.seats.MOST_SITTINGS", 1)
        game = Game.open(service, "creator", "open", "open")
        service.tables.take_seat(game.creator.token, game.id, {"player": restless.id}, words=EN)
        service.tables.take_seat(restless.token, game.id, {}, words=EN)
        service.tables.leave(restless.token, game.id, words=EN)
        refused = refusal(service.tables.take_seat, restless.token, game.id, {}, words=EN)
        assert refused.reason == "joined_too_often"

    def test_may_still_decline_the_rematch(self, service, monkeypatch):
        game = Game.begin(service, 2).play(random.Random(1))
        again = read(service.tables.rematch(game.token(0), game.id, words=EN))["id"]
        monkeypatch.setattr("games.tables.seats.MOST_SITTINGS", 0)
        refused = refusal(service.tables.rematch, game.token(1), game.id, words=EN)
        assert (refused.code, refused.reason) == ("game_full", "joined_too_often")
        service.tables.leave(game.token(1), again, words=EN)


class TestRounds:
    @pytest.fixture
    def game(self, service):
        return Game.begin(service, 2).play(random.Random(1))

    def pages(self, service, game, **more):
        """Returns the rounds of a game, page by page."""
        found, cursor = [], None
        while True:
            page = read(service.games.rounds(None, game.id, cursor=cursor, **more))
            found.append(page["rounds"])
            cursor = page["next_cursor"]
            if cursor is None:
                return found

    def test_a_usual_game_is_one_page(self, service, game):
        page = read(service.games.rounds(None, game.id))
        assert len(page["rounds"]) == page["rounds"][-1]["number"] > 2
        assert page["next_cursor"] is None

    def test_pages_are_the_whole_in_parts(self, service, game):
        (whole,) = self.pages(service, game)
        for limit in (1, 2, 3, 100):
            pages = self.pages(service, game, limit=limit)
            assert [one for page in pages for one in page] == whole, limit
            assert all(len(page) == limit for page in pages[:-1]), limit

    def test_of_a_log_only_so_much_is_read_at_a_time(self, service, game, monkeypatch):
        (whole,) = self.pages(service, game)
        monkeypatch.setattr(reading, "MOST_EVENTS", 7)
        monkeypatch.setattr(reading, "MOST_READ", 120)
        read_at_once, entries = [], service.games._log.entries

        def counting(*arguments):
            read_at_once.append(arguments[2])
            return entries(*arguments)

        monkeypatch.setattr(service.games._log, "entries", counting)
        assert [one for page in self.pages(service, game) for one in page] == whole
        assert max(read_at_once) <= 7

    def test_also_while_the_game_runs(self, service):
        game = Game.begin(service, 2).play(random.Random(1), 12)
        (whole,) = self.pages(service, game)
        assert [one for page in self.pages(service, game, limit=1) for one in page] == whole

    def test_what_is_no_cursor_is_refused(self, service, game):
        for cursor in ("", "x", "-1", "1.5", "٣", "9" * 30):
            refused = refusal(service.games.rounds, None, game.id, cursor=cursor)
            assert refused.code == "invalid_request", cursor

    def test_one_that_nobody_gave_out_does_no_harm(self, service, game):
        for cursor in ("3", "20", "999999999"):
            read(service.games.rounds(None, game.id, cursor=cursor))
