"""The lobby and one's own games: what is in them, in which order, in pages; an index that errs misleads nobody."""

import base64
import random

import orjson
import pytest

from games.views.page_limits import MOST_GAMES
from service import lobby as lobby_module
from service.store import keys
from service.store.lists import by_time
from tests.service.at_table import EN, Game, guest, read, refusal
from tests.service.stored import add_poison

CLOCK = {"seconds": 1000, "on_timeout": "bot_plays"}


def ids(page):
    return [item["id"] for item in page["items"]]


def in_pages(call, limit):
    """Returns the ids of a list read page by page, checking that each is as long as it may be."""
    found, cursor = [], None
    while True:
        page = call(limit=limit, cursor=cursor)
        assert len(page["items"]) <= limit
        found += ids(page)
        cursor = page["next_cursor"]
        if cursor is None:
            return found
        assert len(page["items"]) == limit


# --- the lobby ---


def test_a_long_list_is_read_whole(service, client, monkeypatch):
    monkeypatch.setattr(by_time, "SCANNED", 10)
    client.zadd(keys.blocked("ann"), {f"player{number}": number for number in range(500)})
    listed = by_time.blocked(service.redis, "ann").all()
    assert listed == [(f"player{number}", number) for number in reversed(range(500))]


def test_the_lobby_has_joinable_games_first_and_in_each_status_the_newest_first(service, clock):
    made = {status: [] for status in ("open", "active", "finished", "aborted")}
    for _ in range(3):
        for status, games in made.items():
            clock.advance(1)
            game = Game.open(service, "creator", "open") if status in ("open", "aborted") else Game.begin(service)
            if status == "finished":
                service.tables.leave(game.token(0), game.id, words=EN)
            elif status == "aborted":
                service.administration.abort(game.id)
            games.insert(0, game.id)
    assert ids(service.lobby.public(None)) == [game for games in made.values() for game in games]
    for status, games in made.items():
        assert ids(service.lobby.public(None, status)) == games
        assert {item["status"] for item in service.lobby.public(None, status)["items"]} == {status}


@pytest.mark.parametrize("standing_still", [True, False])
def test_pages_of_the_lobby_have_every_game_once(service, clock, standing_still):
    for i in range(17):
        if not standing_still:
            clock.advance(0.001)
        game = Game.open(service, "creator", "open") if i % 3 else Game.begin(service)
        if i % 4 == 0:
            service.administration.abort(game.id)
    whole = ids(service.lobby.public(None))
    assert len(set(whole)) == 17
    for limit in (1, 2, 5, 16, 17, 50):
        assert in_pages(lambda **more: service.lobby.public(None, **more), limit) == whole


def test_a_game_that_changes_between_two_pages_hides_no_other(service, clock):
    games = []
    for _ in range(6):
        clock.advance(1)
        games.insert(0, Game.open(service, "creator", "open"))
    first = service.lobby.public(None, limit=2)
    games[1].fill()
    service.administration.abort(games[2].id)
    later = Game.open(service, "creator", "open")
    rest = service.lobby.public(None, "open", limit=50, cursor=first["next_cursor"])
    assert ids(rest) == [game.id for game in games[3:]]
    assert later.id not in ids(rest)


def test_the_lobby_is_filtered_by_edition(service):
    classic = [Game.open(service, "creator", "open", edition="classic").id for _ in range(3)]
    standard = [Game.open(service, "creator", "open").id for _ in range(3)]
    assert sorted(ids(service.lobby.public(None, edition="classic"))) == sorted(classic)
    assert sorted(ids(service.lobby.public(None, "open", "standard"))) == sorted(standard)
    assert in_pages(lambda **more: service.lobby.public(None, None, "classic", **more), 1) == ids(
        service.lobby.public(None, edition="classic")
    )


def test_a_page_looks_at_a_bounded_number_of_games(service, monkeypatch):
    monkeypatch.setattr(lobby_module, "MOST_LOOKS", 4)
    standard = [Game.open(service, "creator", "open").id for _ in range(9)]
    found, cursor, count = [], None, 0
    while cursor is not None or count == 0:
        page = service.lobby.public(None, None, "classic" if count < 2 else "standard", cursor=cursor)
        found += ids(page)
        cursor, count = page["next_cursor"], count + 1
    assert count == 3
    assert len(found) == 1
    assert found[0] in standard


def test_no_page_is_longer_than_is_allowed(service):
    for _ in range(MOST_GAMES + 2):
        Game.open(service, "creator", "open")
    for limit in (None, MOST_GAMES, 1000):
        page = service.lobby.public(None, limit=limit)
        assert len(page["items"]) == MOST_GAMES
        assert len(service.lobby.public(None, cursor=page["next_cursor"])["items"]) == 2


def test_unlisted_games_are_in_no_lobby(service, client):
    game = Game.open(service, "creator", "open", visibility="unlisted")
    assert service.lobby.public(None)["items"] == []
    client.zadd(keys.lobby("open"), {game.id: 1})
    assert service.lobby.public(game.creator.token)["items"] == [], "whatever the index says"
    game.fill()
    assert service.lobby.public(None)["items"] == []
    assert client.keys("billet:lobby:active") == []


def test_entries_that_are_not_true_mislead_nobody(service, client):
    game, running = Game.open(service, "creator", "open"), Game.begin(service)
    client.zadd(keys.lobby("open"), {"no-such-game": 10**13, running.id: 10**13})
    client.zadd(keys.lobby("finished"), {running.id: 10**13})
    client.zadd(keys.playing(game.creator.id), {running.id: 10**13, "no-such-game": 1})
    client.zadd(keys.played(game.creator.id), {game.id: 10**13, running.id: 10**13})
    assert ids(service.lobby.public(None, "open")) == [game.id]
    assert service.lobby.public(None, "finished")["items"] == []
    assert ids(service.lobby.mine(game.creator.token)) == [game.id]


def test_what_the_lobby_says_of_a_game(service):
    game = Game.begin(service, 3, clock=CLOCK)
    view = game.view()
    item = service.lobby.public(None)["items"][0]
    same = ("id", "edition", "status", "version", "visibility", "clock", "sandbox", "to_act", "deadline")
    assert {name: item[name] for name in same} == {name: view[name] for name in same}
    assert [seat["player"] for seat in item["seats"]] == [seat["player"] for seat in view["seats"]]
    assert item["your_turn"] is False


# --- one's own games ---


def test_my_games_begin_with_those_that_wait_for_me_then_by_deadline_then_the_ended(service, clock):
    ann = guest(service)

    def begin(starter, **more):
        request = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}], **more}
        made = read(
            service.tables.create(ann.token, request | {"sandbox": {"rounds": [{"starter": starter}]}}, words=EN)
        )
        return Game(service, made["id"], ann, {0: ann}).fill()

    def clocked(seconds):
        return {"clock": {"seconds": seconds, "on_timeout": "bot_plays"}}

    ended = begin(0)
    clock.advance(1)
    ended_later = begin(0)
    service.tables.leave(ann.token, ended.id, words=EN)
    clock.advance(1)
    service.tables.leave(ann.token, ended_later.id, words=EN)
    theirs_late, theirs_soon = begin(1, **clocked(5000)), begin(1, **clocked(50))
    mine_without, mine_late, mine_soon = begin(0), begin(0, **clocked(5000)), begin(0, **clocked(500))
    theirs_without = begin(1)
    page = service.lobby.mine(ann.token)
    expected = [mine_soon, mine_late, mine_without, theirs_soon, theirs_late, theirs_without, ended_later, ended]
    assert ids(page) == [game.id for game in expected]
    assert [item["your_turn"] for item in page["items"]] == [True] * 3 + [False] * 5
    for limit in (1, 2, 3, 5, 8):
        assert in_pages(lambda **more: service.lobby.mine(ann.token, **more), limit) == ids(page)


def test_games_that_ended_in_one_moment_are_all_there(service, clock):
    ann = guest(service)
    for _ in range(9):
        request = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}
        made = read(service.tables.create(ann.token, request, words=EN))
        service.tables.abort(ann.token, made["id"], words=EN)
    whole = ids(service.lobby.mine(ann.token))
    assert len(set(whole)) == 9
    for limit in (1, 2, 4):
        assert in_pages(lambda **more: service.lobby.mine(ann.token, **more), limit) == whole


def test_my_games_are_those_i_sit_at_unlisted_ones_too(service):
    game = Game.begin(service, 2, visibility="unlisted")
    for seat in (0, 1):
        assert ids(service.lobby.mine(game.token(seat))) == [game.id]
    others = Game.open(service, "open", "open")
    assert service.lobby.mine(others.creator.token)["items"] == [], "to open a table is not to sit at it"
    assert service.lobby.mine(guest(service).token)["items"] == []


def test_a_table_i_left_is_not_mine_any_more_and_one_i_came_back_to_is(service, client):
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    for _ in range(2):
        service.tables.take_seat(bob.token, game.id, {}, words=EN)
        assert ids(service.lobby.mine(bob.token)) == [game.id]
        service.tables.leave(bob.token, game.id, words=EN)
        assert service.lobby.mine(bob.token)["items"] == []
    game.fill()
    assert service.lobby.mine(bob.token)["items"] == []
    assert client.zcard(keys.playing(bob.id)) == 0, "the entry is cleared once the game cannot be joined any more"


def test_leaving_and_coming_back_at_once_loses_no_game(service, another, client, monkeypatch):
    """The player sits down again before the call that got them up has done its last step."""
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    service.tables.take_seat(bob.token, game.id, {}, words=EN)
    slow = another()
    clear = slow.tables._changes._listing.update

    def late(step):
        service.tables.take_seat(bob.token, game.id, {}, words=EN)
        clear(step)

    monkeypatch.setattr(slow.tables._changes._listing, "update", late)
    slow.tables.leave(bob.token, game.id, words=EN)
    assert ids(service.lobby.mine(bob.token)) == [game.id]


def test_a_game_i_resigned_from_is_mine_to_the_end_and_after(service):
    game = Game.begin(service, 3)
    service.tables.leave(game.token(1), game.id, words=EN)
    assert ids(service.lobby.mine(game.token(1))) == [game.id]
    game.play(random.Random(1))
    assert ids(service.lobby.mine(game.token(1))) == [game.id]


def test_of_my_many_games_only_those_that_are_shown_are_read(service, monkeypatch):
    """A player may sit at thousands of tables, and the lists of all players share one queue."""
    ann, games, looks = guest(service), [], []
    for starter in (0, 1, 0, 1, 1):
        request = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}], "starter": starter}
        made = read(service.tables.create(ann.token, request, words=EN))
        games.append(Game(service, made["id"], ann, {0: ann}).fill().id)
    look = service.lobby._snapshot
    monkeypatch.setattr(service.lobby, "_snapshot", lambda game: looks.append(game) or look(game))
    page = service.lobby.mine(ann.token, limit=1)
    assert len(looks) == 2, "one to be shown, and one to know that there are more"
    assert ids(page) == looks[:1]
    looks.clear()
    notices = service.notices.page(ann.token)["events"]
    assert sorted(notice["game"] for notice in notices) == sorted(looks) == sorted([games[0], games[2]])


def test_my_list_is_up_to_time(service, clock):
    game = Game.begin(service, 2, clock={"seconds": 10, "on_timeout": "forfeit"})
    clock.advance(10)
    for seat in (0, 1):
        page = service.lobby.mine(game.token(seat))
        assert [(item["id"], item["status"]) for item in page["items"]] == [(game.id, "finished")]


def test_a_table_whose_wait_for_nonces_is_over_is_listed_as_the_game_that_it_became(service, clock):
    ann, made = guest(service), []
    for more in ({}, {"nonce_hash": "0" * 64}):
        request = {"edition": "classic", "seats": [{"kind": "creator"}, {"kind": "open"}], "starter": 0, **more}
        game = read(service.tables.create(ann.token, request, words=EN))["id"]
        made.append(Game(service, game, ann, {0: ann}))
    still_open, begun = made[0].id, made[1].fill().id
    clock.advance(15)
    assert [(item["id"], item["status"]) for item in service.lobby.mine(ann.token)["items"]] == [
        (begun, "active"),
        (still_open, "open"),
    ]


# --- cursors ---


def cursor_of(*place):
    return base64.urlsafe_b64encode(orjson.dumps(place)).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "é",
        "=" * 9,
        "A" * 10_000,
        cursor_of(),
        cursor_of(-1, 0, ""),
        cursor_of(-9, 0, ""),
        cursor_of(0, 0),
        cursor_of("0", 0, ""),
        cursor_of(0, 0.5, ""),
        cursor_of(0, None, ""),
        cursor_of(True, 0, ""),
        cursor_of(0, 0, 0),
        cursor_of(0, 0, "", 0),
        base64.urlsafe_b64encode(b'{"a": 1}').decode(),
    ],
)
def test_a_cursor_of_nobodys_is_invalid(service, cursor):
    ann = guest(service)
    for call in (
        lambda: service.lobby.public(None, cursor=cursor),
        lambda: service.lobby.mine(ann.token, cursor=cursor),
    ):
        refused = refusal(call)
        assert (refused.code, refused.faults[0].field) == ("invalid_request", "cursor")


@pytest.mark.parametrize("place", [(99, 0, ""), (0, -(2**60), "x"), (3, 2**63, "x"), (2, 0, "")])
def test_a_cursor_made_up_harms_nothing(service, place):
    game = Game.open(service, "creator", "open")
    for page in (
        service.lobby.public(None, cursor=cursor_of(*place)),
        service.lobby.mine(game.creator.token, cursor=cursor_of(*place)),
    ):
        assert page["next_cursor"] is None
        assert set(ids(page)) <= {game.id}


def test_a_game_that_somebody_has_damaged_is_left_out_and_the_others_are_listed(service, client, caplog):
    damaged, sound = (Game.open(service, "creator", "open") for _ in range(2))
    add_poison(client, damaged.id)

    assert ids(service.lobby.public(None)) == [sound.id]
    assert ids(service.lobby.mine(damaged.creator.token)) == []
    assert f"game {damaged.id} is left out of a list" in caplog.text
