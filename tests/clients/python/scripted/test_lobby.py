"""Following the lobby: every change once and in order, whatever happens to the connection."""

import json
from itertools import islice

import pytest

from tests.clients.python.scripted.server import Scripted, lose, problem, reset, stream
from tests.clients.python.scripted.shapes import GAMES

SUMMARY = GAMES["items"][0]


def change(kind, game, cursor=None):
    data = b"data: %b\n\n" % json.dumps({"type": kind, "game": SUMMARY | {"id": game}}).encode()
    return data if cursor is None else b"id: %d\n%b" % (cursor, data)


def reached(cursor):
    return b"id: %d\n\n" % cursor


def followed(client, count):
    return [(change.type_, change.game.id) for change in islice(client.lobby_changes(), count)]


def afters(server):
    return [asked.query.get("after") for asked in server.asked]


def test_changes_come_over_streams_that_break_and_none_comes_twice(impatient):
    with Scripted(
        stream(change("opened", "a"), reached(7), end=reset),
        lose,
        stream(reached(7), change("changed", "a", 8)),
        stream(reached(8), change("gone", "a", 9)),
    ) as server:
        found = followed(impatient(server.url), 3)
    assert found == [("opened", "a"), ("changed", "a"), ("gone", "a")]
    assert afters(server) == [None, "7", "7", "8"]


def test_games_from_before_are_gone_if_too_much_was_missed(impatient):
    with Scripted(
        stream(change("opened", "a"), change("opened", "b"), reached(7), change("gone", "b", 8)),
        stream(change("opened", "c"), change("opened", "d"), reached(2000)),
    ) as server:
        found = followed(impatient(server.url), 6)
    assert found[2:] == [("gone", "b"), ("gone", "a"), ("opened", "c"), ("opened", "d")]
    assert afters(server) == [None, "8"]


def test_games_from_before_are_gone_if_the_lobby_is_empty_by_then(impatient):
    with Scripted(
        stream(change("opened", "a"), reached(7)),
        stream(reached(2000)),
        stream(reached(2000), change("opened", "b", 2001)),
    ) as server:
        found = followed(impatient(server.url), 3)
    assert found == [("opened", "a"), ("gone", "a"), ("opened", "b")]


def test_games_from_before_are_gone_if_the_first_list_was_cut(impatient):
    with Scripted(stream(change("opened", "a"), end=reset), stream(reached(7), change("opened", "b", 8))) as server:
        found = followed(impatient(server.url), 3)
    assert found == [("opened", "a"), ("gone", "a"), ("opened", "b")]
    assert afters(server) == [None, None]


def test_where_streams_are_refused_the_refusal_is_raised(billet_client, impatient):
    full = problem(429, "rate_limited", retry_after=1, limit="streams")
    with Scripted(full) as server, pytest.raises(billet_client.RateLimited):
        followed(impatient(server.url), 1)


def test_what_is_no_change_of_the_lobby_is_not_understood(billet_client, impatient):
    with Scripted(stream(b"data: {}\n\n")) as server, pytest.raises(billet_client.NotUnderstood):
        followed(impatient(server.url), 1)


def test_the_lobby_of_the_service_is_followed(register):
    ann, ben = register("Ann"), register("Ben")
    ann.create("classic", ["creator", "open"])
    changes = ben.lobby_changes()
    next(changes)  # the stream is open
    game = ann.create("classic", ["creator", "open"])
    ann.abort(game)
    own = (change.type_ for change in changes if change.game.id == game.id)
    assert [next(own), next(own)] == ["opened", "gone"]
