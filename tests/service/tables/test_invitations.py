"""Seats kept for players who are invited: accepted, declined or withdrawn, once, and by nobody else taken."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from games.errors import Refused
from service import invitations
from service.settings import Settings
from service.store import keys
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, body, guest, read, said, told
from tests.service.tables.inviting import OPEN, invite, invited, kept, refused, setup_with, table


@pytest.fixture
def ben(service):
    return guest(service, "Ben", "bot")


def types(service, player):
    return [
        (notice["type"], notice["player"] and notice["player"]["name"]) for notice in told(service, player, 0)["events"]
    ]


def test_a_seat_is_kept_for_who_is_invited(service, ann, ben, cleo):
    for player in (ann, ben):
        service.notices.page(player.token)
    view = table(service, ann, kept(ben), visibility="unlisted")
    assert invited(view) == [None, "Ben"]
    assert view["status"] == "open"
    seen = read(service.games.view(ben.token, view["id"], words=EN))
    assert (seen["join_code"], invited(seen)) == (None, [None, "Ben"])
    code = {"join_code": view["join_code"]}
    for claim in ({}, {"seat": 1}):
        assert refused(service.tables.take_seat, cleo.token, view["id"], claim | code).reason == "seat_reserved"
    for claim in ({"bot": "random"}, {"bot": "random", "seat": 1}, {"player": cleo.id}):
        host = refused(service.tables.take_seat, ann.token, view["id"], claim)
        assert host.reason == "seat_reserved"
        assert host.detail.written(EN).endswith("Withdraw the invitation first.")
    begun = read(service.tables.take_seat(ben.token, view["id"], {}, words=EN))
    assert (begun["status"], begun["viewer"], invited(begun)) == ("active", {"seat": 1}, [None, None])
    assert types(service, ben)[:2] == [("invited", "Ann"), ("game_started", None)]
    assert types(service, ann)[:2] == [("seat_taken", "Ben"), ("game_started", None)]


def test_who_declines_says_why_and_the_seat_is_open_again(service, ann, ben, cleo):
    service.notices.page(ann.token)
    game = table(service, ann, kept(ben), OPEN)["id"]
    view = read(service.tables.leave(ben.token, game, reason="edition", words=EN))
    assert invited(view) == [None, None, None]
    (notice,) = told(service, ann, 0)["events"]
    assert (notice["type"], notice["seat"], notice["reason"]) == ("invitation_declined", 1, "edition")
    assert refused(service.tables.leave, ben.token, game).code == "not_seated"
    assert invited(invite(service, ann, game, cleo, seat=1)) == [None, "Cleo", None]
    assert invited(invite(service, ann, game, ben)) == [None, "Cleo", "Ben"]
    assert read(service.tables.leave(ben.token, game, words=EN))["seats"][2]["invited"] is None
    assert told(service, ann, 0)["events"][-1]["reason"] == "generic"
    read(service.tables.take_seat(ann.token, game, {"bot": "random", "seat": 2}, words=EN))
    assert read(service.tables.take_seat(cleo.token, game, {}, words=EN))["status"] == "active"


def test_an_invitation_is_withdrawn_by_its_creator(service, ann, ben, cleo):
    service.notices.page(ben.token)
    game = table(service, ann, kept(ben))["id"]
    assert refused(service.tables.clear_seat, cleo.token, game, 1).code == "not_creator"
    assert refused(service.tables.clear_seat, ann.token, game, 2).code == "not_found"
    view = read(service.tables.clear_seat(ann.token, game, 1, words=EN))
    assert invited(view) == [None, None]
    assert read(service.tables.clear_seat(ann.token, game, 1, words=EN)) == view
    assert types(service, ben) == [("invited", "Ann"), ("invitation_withdrawn", "Ann")]
    assert told(service, ben)["events"] == []


def test_whoever_begins_is_told_of_open_invitations(service, ann, ben):
    games = [table(service, ann, kept(ben))["id"] for _ in range(3)]
    service.tables.abort(ann.token, games[0], words=EN)
    service.tables.leave(ben.token, games[1], words=EN)
    (notice,) = told(service, ben)["events"]
    assert (notice["type"], notice["game"], notice["cursor"]) == ("invited", games[2], None)


def test_a_table_that_is_called_off_invites_nobody_any_more(service, ann, ben):
    service.notices.page(ben.token)
    game = table(service, ann, kept(ben))["id"]
    service.tables.abort(ann.token, game, words=EN)
    assert [kind for kind, _ in types(service, ben)] == ["invited", "invitation_withdrawn"]
    assert refused(service.tables.clear_seat, ann.token, game, 1).code == "game_over"
    for call in (service.tables.leave, lambda *given, **more: service.tables.take_seat(*given, {}, **more)):
        assert refused(call, ben.token, game).code in ("not_seated", "game_over")


def test_who_is_invited_may_take_another_seat(service, ann, ben):
    game = table(service, ann, kept(ben), OPEN)["id"]
    view = read(service.tables.take_seat(ben.token, game, {"seat": 2}, words=EN))
    assert (view["viewer"], invited(view)) == ({"seat": 2}, [None, None, None])


def test_only_a_known_player_who_is_not_there_can_be_invited(service, ann, ben, cleo):
    game = table(service, ann, kept(ben), OPEN, OPEN)["id"]
    service.tables.take_seat(cleo.token, game, {"seat": 3}, words=EN)
    for player in (ben, cleo):
        claim = {"player": player.id, "seat": 2}
        assert refused(service.tables.take_seat, ann.token, game, claim).code == "player_at_table"
    for nobody in ("p00000000000000000000", "bot-random", ann.id):
        assert refused(service.tables.take_seat, ann.token, game, {"player": nobody}).code in (
            "invalid_request",
            "player_at_table",
        )
        assert refused(service.tables.create, ann.token, setup_with(nobody)).code == "invalid_request"
    oneself = said(refused(service.tables.create, ann.token, setup_with(ann.id)))
    assert oneself[1].startswith("seats.1.player: ")
    assert '{"kind": "creator"}' in oneself[1]
    assert refused(service.tables.take_seat, ben.token, game, {"player": cleo.id}).code == "not_creator"
    twice = body("open", "open") | {"seats": [kept(ben), kept(ben)]}
    assert refused(service.tables.create, ann.token, twice).code == "invalid_request"
    assert read(service.tables.take_seat(ann.token, game, {"player": ben.id}, words=EN))["seats"][1]["invited"]


def test_nobody_is_flooded(service, ann, ben, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_OPEN", 3)
    games = [table(service, ann, kept(ben))["id"] for _ in range(3)]
    assert refused(service.tables.create, ann.token, setup_with(ben.id)).limit == "open_invitations"
    service.tables.leave(ben.token, games[0], words=EN)
    assert invited(table(service, ann, kept(ben))) == [None, "Ben"]


def test_one_player_cannot_take_all_the_room_there_is_for_invitations(service, ann, ben, cleo, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_FROM_ONE", 2)
    first, _ = (table(service, ann, kept(ben))["id"] for _ in range(2))
    assert refused(service.tables.create, ann.token, setup_with(ben.id)).limit == "open_invitations_from_one"
    assert invited(table(service, cleo, kept(ben))) == [None, "Ben"]
    service.tables.clear_seat(ann.token, first, 1, words=EN)
    assert invited(table(service, ann, kept(ben))) == [None, "Ben"]


def test_nobody_is_invited_to_one_table_again_and_again(service, ann, ben):
    game = table(service, ann, OPEN, OPEN)["id"]
    told(service, ben)
    for _ in range(invitations.MOST_TIMES):
        invite(service, ann, game, ben)
        service.tables.clear_seat(ann.token, game, 1, words=EN)
    refusal = refused(service.tables.take_seat, ann.token, game, {"player": ben.id})
    assert (refusal.code, refusal.limit) == ("rate_limited", "invitations_to_a_table")
    assert len(types(service, ben)) == 2 * invitations.MOST_TIMES
    assert read(service.tables.take_seat(ben.token, game, {}, words=EN))["seats"][1]["player"]["name"] == "Ben"


def test_who_sits_down_again_and_again_is_told_of_once(service, ann, ben, cleo):
    game = table(service, ann, OPEN, OPEN)["id"]
    told(service, ann)
    for _ in range(4):
        service.tables.take_seat(cleo.token, game, {}, words=EN)
        service.tables.leave(cleo.token, game, words=EN)
    service.tables.take_seat(ben.token, game, {}, words=EN)
    assert types(service, ann) == [("seat_taken", "Cleo"), ("seat_taken", "Ben")]


def test_a_repeated_call_is_answered_again(service, ann, ben):
    game = table(service, ann, OPEN)["id"]
    claim = {"player": ben.id}
    for do in (
        lambda: service.tables.take_seat(ann.token, game, claim, "k1", words=EN),
        lambda: service.tables.leave(ben.token, game, "k2", reason="later", words=EN),
        lambda: service.tables.take_seat(ann.token, game, claim, "k3", words=EN),
        lambda: service.tables.clear_seat(ann.token, game, 1, "k4", words=EN),
    ):
        first, again = do(), do()
        assert again.body == first.body
        assert again.replayed


@pytest.mark.parametrize("attempt", range(6))
def test_of_accepting_declining_and_withdrawing_at_once_one_happens(service, another, ann, ben, attempt):
    game = table(service, ann, kept(ben), OPEN)["id"]
    calls = [
        lambda one: one.tables.take_seat(ben.token, game, {"seat": 1}, words=EN),
        lambda one: one.tables.leave(ben.token, game, words=EN),
        lambda one: one.tables.clear_seat(ann.token, game, 1, words=EN),
    ]

    def carried_out(call):
        try:
            return call(another())
        except Refused as refusal:
            return refusal

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(carried_out, calls))
    happened = [event["type"] for event in read(service.games.events(None, game))["events"]][3:]
    assert happened.count("seat_declined") + happened.count("offer_withdrawn") <= 1
    assert happened.count("seat_taken") <= 1
    assert happened in (
        ["seat_declined"],
        ["offer_withdrawn"],
        ["seat_taken", "seat_vacated"],
        ["seat_taken", "seat_cleared"],
        ["seat_declined", "seat_taken"],
        ["seat_declined", "seat_taken", "seat_cleared"],
        ["offer_withdrawn", "seat_taken"],
        ["offer_withdrawn", "seat_taken", "seat_vacated"],
    )


def test_the_list_of_invitations_comes_back_from_the_logs(service, client, redis_url, ann, ben):
    game = table(service, ann, kept(ben))["id"]
    client.delete(keys.invited(ben.id))
    assert told(service, ben)["events"] == []
    rebuild(Settings(redis_url=redis_url))
    assert [notice["game"] for notice in told(service, ben)["events"]] == [game]
