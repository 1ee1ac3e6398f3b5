"""Creators who remove somebody from their table before the start, and who cannot come back."""

import hashlib
import random

from games.records.portable import as_json, parsed, portable
from games.records.verification import verify
from games.tables.removals import Occupant
from tests.service.at_table import EN, Game, guest, read, refusal, told
from tests.service.tables.inviting import OPEN, invite, invited, kept, table

NONCE = "a nonce that somebody keeps to themselves"


def sit(service, player, game, **claim):
    return read(service.tables.take_seat(player.token, game, claim, words=EN))


def clear(service, creator, game, seat, **expected):
    return read(service.tables.clear_seat(creator.token, game, seat, expected=Occupant(**expected), words=EN))


def seated(view):
    return [seat["player"] and seat["player"]["name"] for seat in view["seats"]]


def test_who_is_removed_is_told_and_cannot_sit_down_again(service, ann, ben):
    service.notices.page(ben.token)
    game = table(service, ann, OPEN, OPEN)["id"]
    sit(service, ben, game)
    assert seated(clear(service, ann, game, 1)) == ["Ann", None, None]
    (notice,) = told(service, ben, 0)["events"]
    about = (notice["type"], notice["game"], notice["seat"], notice["player"]["name"], notice["status"])
    assert about == ("removed", game, 1, "Ann", "open")
    for claim in ({}, {"seat": 2}):
        assert refusal(service.tables.take_seat, ben.token, game, claim, words=EN).code == "removed"
    assert seated(sit(service, guest(service, "Cleo"), game)) == ["Ann", "Cleo", None], "others can"
    assert seated(sit(service, ben, table(service, ann, OPEN)["id"])) == ["Ann", "Ben"], "at another table they can"


def test_by_its_code_no_table_is_joined_again_either(service, ann, ben):
    view = table(service, ann, OPEN, OPEN, visibility="unlisted")
    claim = {"code": view["join_code"]}
    service.tables.join(ben.token, claim, words=EN)
    clear(service, ann, view["id"], 1)
    assert refusal(service.tables.join, ben.token, claim, words=EN).code == "removed"


def test_who_came_by_invitation_is_told_so_instead_of_being_asked_for_a_code(service, ann, ben):
    view = table(service, ann, kept(ben), OPEN, visibility="unlisted")
    game, code = view["id"], view["join_code"]
    sit(service, ben, game)
    clear(service, ann, game, 1)
    assert refusal(service.games.view, ben.token, game, words=EN).code == "removed"
    assert refusal(service.games.view, ben.token, game, join_code="WRONGONE", words=EN).code == "join_code_wrong"
    assert seated(read(service.games.view(ben.token, game, join_code=code, words=EN))) == ["Ann", None, None]
    assert refusal(service.games.view, guest(service, "Cleo").token, game, words=EN).code == "join_code_wrong"


def test_a_player_who_is_invited_afterwards_can_come_back(service, ann, ben):
    game = table(service, ann, OPEN, OPEN)["id"]
    sit(service, ben, game)
    clear(service, ann, game, 1)
    invite(service, ann, game, ben)
    assert seated(sit(service, ben, game)) == ["Ann", "Ben", None]
    service.tables.leave(ben.token, game, words=EN)
    assert seated(sit(service, ben, game)) == ["Ann", "Ben", None], "also once more"
    clear(service, ann, game, 1)
    assert refusal(service.tables.take_seat, ben.token, game, {}, words=EN).code == "removed"


def test_a_bot_can_be_removed_and_seated_again(service, ann):
    game = table(service, ann, OPEN, OPEN)["id"]
    for _ in range(2):
        assert seated(sit(service, ann, game, bot="random")) == ["Ann", "Hanna", None]
        assert seated(clear(service, ann, game, 1)) == ["Ann", None, None]


def test_a_creator_gets_up_from_their_own_seat_and_may_sit_down_again(service, ann):
    game = table(service, ann, OPEN)["id"]
    assert seated(clear(service, ann, game, 0)) == [None, None]
    assert seated(sit(service, ann, game)) == ["Ann", None]


def test_an_invitation_is_withdrawn_and_nobody_there_changes_nothing(service, ann, ben):
    game = table(service, ann, kept(ben), OPEN)["id"]
    assert invited(clear(service, ann, game, 1)) == [None, None, None]
    before = read(service.games.view(ann.token, game, words=EN))["version"]
    assert clear(service, ann, game, 1)["version"] == before


def test_whoever_has_come_or_accepted_meanwhile_is_not_sent_away_for_another(service, ann, ben):
    game = table(service, ann, kept(ben), OPEN, OPEN)["id"]
    cleo = guest(service, "Cleo")
    sit(service, ben, game)
    sit(service, cleo, game)
    service.tables.leave(cleo.token, game, words=EN)
    dora = guest(service, "Dora")
    for seat, expected in (
        (1, Occupant(invited=ben.id)),
        (1, Occupant(player=dora.id)),
        (2, Occupant(player=cleo.id)),
        (2, Occupant(invited=cleo.id)),
    ):
        refused = refusal(service.tables.clear_seat, ann.token, game, seat, expected=expected, words=EN)
        assert (refused.code, refused.reason) == ("illegal_action", "seat_changed")
    assert seated(read(service.games.view(ann.token, game, words=EN))) == ["Ann", "Ben", None, None]
    assert seated(clear(service, ann, game, 1, player=ben.id)) == ["Ann", None, None, None]
    invite(service, ann, game, dora, seat=2)
    assert invited(clear(service, ann, game, 2, invited=dora.id)) == [None] * 4


def test_only_the_creator_removes_and_only_before_the_start(service, ann, ben):
    game = table(service, ann, OPEN, OPEN)["id"]
    sit(service, ben, game)
    assert refusal(service.tables.clear_seat, ben.token, game, 0, words=EN).code == "not_creator"
    assert refusal(service.tables.clear_seat, ann.token, game, 3, words=EN).code == "not_found"
    cleo = guest(service, "Cleo")
    sit(service, cleo, game)
    refused = refusal(service.tables.clear_seat, ann.token, game, 1, words=EN)
    assert (refused.code, refused.reason) == ("illegal_action", "game_begun")
    for player in (ben, cleo):
        service.tables.leave(player.token, game, words=EN)
    assert refusal(service.tables.clear_seat, ann.token, game, 1, words=EN).code == "game_over"


def test_nobody_is_removed_while_nonces_are_revealed(service, ann, ben):
    """Or a creator could see the nonces of others and have the table dealt anew."""
    game = table(service, ann, OPEN, nonce_hash=hashlib.sha256(NONCE.encode()).hexdigest())["id"]
    sit(service, ben, game)
    refused = refusal(service.tables.clear_seat, ann.token, game, 1, words=EN)
    assert (refused.code, refused.reason) == ("illegal_action", "reveal_in_progress")
    assert refused.retry_after >= 1


def test_a_repeated_call_removes_nobody_who_has_come_since(service, ann, ben):
    game = table(service, ann, OPEN, OPEN)["id"]
    sit(service, ben, game)
    first = service.tables.clear_seat(ann.token, game, 1, "one-key", words=EN)
    sit(service, guest(service, "Cleo"), game)
    again = service.tables.clear_seat(ann.token, game, 1, "one-key", words=EN)
    assert (again.body, again.replayed) == (first.body, True)
    assert seated(read(service.games.view(ann.token, game, words=EN))) == ["Ann", "Cleo", None]


def test_the_log_holds_it_and_is_verified(service, log, another):
    game = Game.open(service, "creator", "open", "open")
    ben = guest(service, "Ben")
    sit(service, ben, game.id)
    clear(service, game.creator, game.id, 1)
    game.service = another()
    removed = next(event for event in game.events() if event["type"] == "seat_cleared")
    assert removed["data"] == {"seat": 1, "player": ben.id}
    game.fill().play(random.Random(1))
    whole = parsed(as_json(portable([stored for _, stored in log.stored(log.read(game.id).snapshot)])))
    assert verify(whole).valid
