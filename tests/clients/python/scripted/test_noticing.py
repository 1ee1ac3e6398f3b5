"""What a player is told of all their games: what is open, then whatever comes, over whatever breaks meanwhile."""

from itertools import islice

import pytest

from tests.clients.python.scripted.server import Scripted, answer, lose, problem
from tests.clients.python.scripted.shapes import NOTICES

[NOTICE, *_] = NOTICES["events"]


def told(cursor, *games):
    events = [NOTICE | {"cursor": None if cursor is None else cursor, "game": game} for game in games]
    return answer(200, {"events": events, "cursor": cursor or 0})


def games(client, count, **options):
    return [notice.game for notice in islice(client.notices(**options), count)]


def afters(server):
    return [asked.query.get("after") for asked in server.asked]


def test_what_is_open_comes_first_and_then_what_comes(impatient):
    with Scripted(told(7, "open"), told(8, "next"), told(10, "after", "last")) as server:
        assert games(impatient(server.url), 4) == ["open", "next", "after", "last"]
    assert afters(server) == [None, "7", "8"]
    assert [asked.query.get("wait") for asked in server.asked] == [None, "25", "25"]


def test_one_may_go_on_after_a_notice_that_was_kept(impatient):
    with Scripted(told(8, "next")) as server:
        assert games(impatient(server.url), 1, after=7) == ["next"]
    assert afters(server) == ["7"]


def test_a_wait_that_brings_nothing_is_asked_again(impatient):
    with Scripted(told(7), told(7), told(8, "next")) as server:
        assert games(impatient(server.url), 1) == ["next"]
    assert afters(server) == [None, "7", "7"]


def test_who_has_missed_too_much_begins_anew(impatient):
    with Scripted(problem(410, "cursor_gone"), told(9, "open"), told(10, "next")) as server:
        assert games(impatient(server.url), 2, after=1) == ["open", "next"]
    assert afters(server) == ["1", None, "9"]


def test_answers_that_are_lost_are_asked_for_again(impatient):
    with Scripted(told(7, "open"), lose, problem(503, "unavailable"), told(8, "next")) as server:
        assert games(impatient(server.url), 2) == ["open", "next"]
    assert afters(server) == [None, "7", "7", "7"]


def test_a_player_who_is_not_known_any_more_is_told_so(billet_client, impatient):
    refused = pytest.raises(billet_client.Unauthenticated)
    with Scripted(problem(401, "unauthenticated")) as server, refused:
        games(impatient(server.url), 1)


def test_turns_are_told_by_the_service(register):
    ann, ben = register("Ann"), register("Ben")
    game = ann.create("standard", ["creator", "open"], starter=1)
    ben.join(game)
    turn = next(notice for notice in ben.notices() if notice.type_ == "your_turn")
    assert (turn.game, turn.seat, turn.cursor) == (game.id, 1, None)
    view = ben.view(game)
    ben.act(view, view.legal_actions[0])
    following = ann.notices() if ann.view(game).legal_actions else ben.notices()
    assert next(following).game == game.id
