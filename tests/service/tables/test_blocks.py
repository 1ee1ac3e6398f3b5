"""Blocking a player, declining all their invitations, and room for the invitations of those one has played with."""

import random
import threading

import pytest

from games.errors import Refused
from games.messages import Message
from games.texts.catalogue import catalogue
from service import invitations
from service.store import keys
from tests.service.at_table import EN, body, guest, read, said, told
from tests.service.tables.inviting import OPEN, invite, invited, kept, refused, setup_with, table


def played(service, *players):
    """A game of some players that has ended; returns its id."""
    view = read(service.tables.create(players[0].token, body("creator", *["open"] * (len(players) - 1)), words=EN))
    for player in players[1:]:
        read(service.tables.take_seat(player.token, view["id"], {}, words=EN))
    for player in players[1:]:
        read(service.tables.leave(player.token, view["id"], words=EN))
    return view["id"]


def about(service, player, other, after):
    """The notices of a player after a cursor that name another."""
    return [
        notice for notice in told(service, player, after)["events"] if (notice["player"] or {}).get("id") == other.id
    ]


def open_invitations(service, player):
    return [notice["game"] for notice in told(service, player)["events"] if notice["type"] == "invited"]


# --- blocking ---


def test_who_is_blocked_cannot_invite_in_any_way(service, ann, ben, cleo):
    old = played(service, ben, ann)
    game = table(service, ben, OPEN, OPEN)["id"]
    service.blocks.block(ann.token, ben.id, words=EN)
    for call in (
        lambda: refused(service.tables.create, ben.token, setup_with(ann.id)),
        lambda: refused(service.tables.take_seat, ben.token, game, {"player": ann.id}),
        lambda: refused(service.tables.rematch, ben.token, old),
    ):
        refusal = call()
        assert (refusal.code, refusal.reason) == ("not_accepted", None)
        assert "block" not in "".join(said(refusal) + said(refusal, catalogue("de"))).lower()
    assert refusal.detail == Message("detail.rematch_not_accepted"), "nobody else can be invited to a rematch"
    assert open_invitations(service, ann) == []
    assert invited(invite(service, ben, game, cleo)) == [None, "Cleo", None], "others are invited as before"
    assert invited(read(service.tables.rematch(ann.token, old, words=EN))) == ["Ben", None], "the blocker may ask"


def test_who_is_blocked_cannot_sit_down_where_the_blocker_has_opened_the_table(service, ann, ben, cleo):
    service.blocks.block(ann.token, ben.id, words=EN)
    game = table(service, ann, OPEN, OPEN)["id"]
    assert refused(service.tables.take_seat, ben.token, game, {}).code == "not_accepted"
    assert read(service.tables.take_seat(cleo.token, game, {}, words=EN))["viewer"] == {"seat": 1}
    assert invited(invite(service, ann, game, ben)) == [None, None, "Ben"]
    assert read(service.tables.take_seat(ben.token, game, {}, words=EN))["viewer"] == {"seat": 2}, "asked to, they may"


def test_to_block_declines_what_is_open(service, ann, ben, cleo):
    games = [table(service, ben, kept(ann), OPEN)["id"] for _ in range(3)]
    other = table(service, cleo, kept(ann))["id"]
    service.blocks.block(ann.token, ben.id, words=EN)
    assert open_invitations(service, ann) == [other]
    for game in games:
        assert invited(read(service.games.view(ben.token, game, words=EN))) == [None, None, None]
    refused(service.tables.leave, ann.token, games[0])


def test_blocked_again_is_blocked_and_freed_again_is_free(service, ann, ben):
    first = service.blocks.block(ann.token, ben.id, words=EN)
    assert first["player"] == {"id": ben.id, "name": "Ben", "kind": "human"}
    assert service.blocks.block(ann.token, ben.id, words=EN) == first
    for _ in range(2):
        service.blocks.unblock(ann.token, ben.id)
        assert service.blocks.listed(ann.token) == {"items": [], "next_cursor": None}
    assert invited(table(service, ben, kept(ann))) == [None, "Ann"]


def test_only_other_players_can_be_blocked_and_not_without_end(service, ann, ben, cleo, monkeypatch):
    for nobody in ("p00000000000000000000", "bot-random", "nothing"):
        with pytest.raises(Refused) as refusal:
            service.blocks.block(ann.token, nobody, words=EN)
        assert refusal.value.code == "not_found"
        with pytest.raises(Refused) as refusal:
            service.blocks.unblock(ann.token, nobody)
        assert refusal.value.code == "not_found"
    with pytest.raises(Refused) as refusal:
        service.blocks.block(ann.token, ann.id, words=EN)
    assert refusal.value.code == "invalid_request"
    monkeypatch.setattr("service.blocks.MOST_BLOCKED", 1)
    service.blocks.block(ann.token, ben.id, words=EN)
    service.blocks.block(ann.token, ben.id, words=EN)
    with pytest.raises(Refused) as refusal:
        service.blocks.block(ann.token, cleo.id, words=EN)
    assert (refusal.value.code, refusal.value.limit) == ("rate_limited", "blocked_players")


def test_the_list_comes_page_by_page_the_newest_first(service, ann, clock):
    others = [guest(service, f"Guest {i}") for i in range(7)]
    for i, other in enumerate(others):
        clock.advance(i % 3 == 0)  # three in the same moment, whom two pages share
        service.blocks.block(ann.token, other.id, words=EN)
    found, cursor = [], None
    while True:
        page = service.blocks.listed(ann.token, limit=2, cursor=cursor)
        found += [item["player"]["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(found) == 7
    assert set(found) == {other.id for other in others}
    assert found[0] == others[6].id
    assert service.blocks.listed(ann.token, limit=7)["next_cursor"] is None
    with pytest.raises(Refused):
        service.blocks.listed(ann.token, cursor="nonsense")


CALLS = ("challenge", "table", "invite", "withdraw", "rematch", "sit", "leave", "abort", "decline", "host")


@pytest.mark.parametrize("seed", range(3))
def test_whatever_the_blocked_one_does_the_blocker_never_hears_of_them(service, ann, ben, seed):
    rng = random.Random(seed)
    service.notices.page(ann.token)
    games = [played(service, ben, ann), played(service, ann, ben), table(service, ann, OPEN, OPEN)["id"]]
    games.append(table(service, ben, kept(ann))["id"])
    service.blocks.block(ann.token, ben.id, words=EN)
    since = told(service, ann, 0)["cursor"]
    done = {"done": 0, "refused": 0}
    for _ in range(60):
        game = rng.choice(games)
        try:
            match rng.choice(CALLS):
                case "challenge":
                    service.tables.create(ben.token, setup_with(ann.id), words=EN)
                case "table":
                    games.append(table(service, ben, OPEN, OPEN)["id"])
                case "invite":
                    service.tables.take_seat(ben.token, game, {"player": ann.id}, words=EN)
                case "withdraw":
                    service.tables.clear_seat(ben.token, game, rng.randrange(3), words=EN)
                case "rematch":
                    service.tables.rematch(ben.token, game, words=EN)
                case "sit":
                    service.tables.take_seat(ben.token, game, {}, words=EN)
                case "leave":
                    service.tables.leave(ben.token, game, words=EN)
                case "abort":
                    service.tables.abort(ben.token, game, words=EN)
                case "decline":
                    service.tables.decline_all(ben.token, words=EN)
                case "host":
                    games.append(table(service, ann, OPEN, OPEN)["id"])
            done["done"] += 1
        except Refused:
            done["refused"] += 1
    assert min(done.values()) > 5
    assert about(service, ann, ben, since) == []
    assert open_invitations(service, ann) == []


def test_of_an_invitation_on_its_way_while_one_blocks_nothing_is_heard(service, another, ann, ben):
    service.notices.page(ann.token)
    stop, failures = threading.Event(), []

    def inviting():
        one = another()
        while not stop.is_set():
            try:
                one.tables.create(ben.token, setup_with(ann.id), words=EN)
            except Refused as refusal:
                if refusal.code not in ("not_accepted", "rate_limited"):
                    failures.append(refusal)
            one.notifier.settle()

    thread = threading.Thread(target=inviting)
    thread.start()
    service.blocks.block(ann.token, ben.id, words=EN)
    since = told(service, ann, 0)["cursor"]
    stop.set()
    thread.join()
    assert failures == []
    assert about(service, ann, ben, since) == []
    assert open_invitations(service, ann) == []


def test_an_invitation_that_was_made_while_one_blocked_is_not_seen(service, client, ann, ben):
    service.notices.page(ann.token)
    client.zadd(keys.blocked(ann.id), {"p00000000000000000000": 1})
    game = table(service, ben, kept(ann))["id"]
    since = told(service, ann, 0)["cursor"]
    client.zadd(keys.blocked(ann.id), {ben.id: 1})  # as by a call between the check and the append
    assert open_invitations(service, ann) == []
    service.tables.clear_seat(ben.token, game, 1, words=EN)
    assert about(service, ann, ben, since) == []


# --- declining ---


def test_all_invitations_of_one_player_are_declined_in_one_call(service, ann, ben, cleo):
    service.notices.page(ben.token)
    games = [table(service, ben, kept(ann))["id"] for _ in range(3)]
    other = table(service, cleo, kept(ann))["id"]
    assert sorted(service.tables.decline_all(ann.token, ben.id, "later", words=EN)["declined"]) == sorted(games)
    assert open_invitations(service, ann) == [other]
    notices = told(service, ben, 0)["events"]
    assert {(notice["type"], notice["reason"]) for notice in notices} == {("invitation_declined", "later")}
    assert sorted(notice["game"] for notice in notices) == sorted(games)
    assert service.tables.decline_all(ann.token, ben.id, words=EN) == {"declined": []}
    assert service.tables.decline_all(ann.token, words=EN) == {"declined": [other]}
    assert open_invitations(service, ann) == []


# --- room ---


def test_five_strangers_take_no_room_from_those_one_has_played_with(service, ann, ben, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_OPEN", 10)
    monkeypatch.setattr(invitations, "MOST_FROM_ONE", 2)
    old = played(service, ann, ben)
    strangers = [guest(service, f"Stranger {i}") for i in range(6)]
    for stranger in strangers[:5]:
        for _ in range(2):
            table(service, stranger, kept(ann))
    assert refused(service.tables.create, strangers[5].token, setup_with(ann.id)).limit == "open_invitations"
    assert invited(table(service, ben, kept(ann))) == [None, "Ann"]
    assert invited(table(service, ben, kept(ann))) == [None, "Ann"]
    assert refused(service.tables.create, ben.token, setup_with(ann.id)).limit == "open_invitations_from_one"
    assert invited(read(service.tables.rematch(ben.token, old, words=EN))) == ["Ann", None]
    service.tables.decline_all(ann.token, strangers[0].id, words=EN)
    service.tables.decline_all(ann.token, strangers[1].id, words=EN)
    assert invited(table(service, strangers[5], kept(ann))) == [None, "Ann"]


def test_a_rematch_is_outside_every_cap(service, ann, ben, monkeypatch):
    games = [played(service, ann, ben) for _ in range(4)]
    monkeypatch.setattr(invitations, "MOST_OPEN", 1)
    monkeypatch.setattr(invitations, "MOST_FROM_ONE", 1)
    for game in games:
        assert invited(read(service.tables.rematch(ben.token, game, words=EN))) == ["Ann", None]
    assert invited(table(service, ben, kept(ann))) == [None, "Ann"], "nor does it take room"


def test_those_one_has_played_with_are_not_without_bound_either(service, ann, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_OPEN", 2)
    friends = [guest(service, f"Friend {i}") for i in range(5)]
    for friend in friends:
        played(service, ann, friend)
    for friend in friends[:4]:
        assert invited(table(service, friend, kept(ann))) == [None, "Ann"]
    assert refused(service.tables.create, friends[4].token, setup_with(ann.id)).limit == "open_invitations"


def test_to_have_sat_at_a_table_is_not_to_have_played(service, ann, ben, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_OPEN", 1)
    table(service, guest(service, "Stranger"), kept(ann))
    game = table(service, ann, OPEN, OPEN)["id"]
    service.tables.take_seat(ben.token, game, {}, words=EN)
    assert refused(service.tables.create, ben.token, setup_with(ann.id)).limit == "open_invitations"
    service.tables.leave(ben.token, game, words=EN)
    for bot in ("random", "random"):
        service.tables.take_seat(ann.token, game, {"bot": bot}, words=EN)
    assert refused(service.tables.create, ben.token, setup_with(ann.id)).limit == "open_invitations"
