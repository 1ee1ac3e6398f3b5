"""Tables before and after play: opened, filled, left, called off, played again."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.logs.codec import read_action
from games.errors import Refused
from service import Settings, build
from service.store import keys
from tests.service.at_table import EN, Game, body, guest, read, refusal

SAME_FOR_ALL = ("edition", "options", "visibility", "clock", "sandbox")


def kinds(view):
    """Returns who sits where: the kind of each player, None where a seat is open."""
    return [seat["player"] and seat["player"]["kind"] for seat in view["seats"]]


# --- opening ---


def test_a_table_is_as_it_was_asked_for(service):
    ann = guest(service, "Ann")
    clock = {"kind": "bank", "seconds": 30, "increment": 2, "on_timeout": "forfeit"}
    request = body("open", "creator", "cautious", edition="classic", visibility="unlisted", clock=clock, starter=2)
    view = read(service.tables.create(ann.token, request, words=EN))
    assert (view["edition"], view["visibility"], view["clock"], view["sandbox"]) == (
        "classic",
        "unlisted",
        {**clock, "break_days": 0},
        False,
    )
    assert view["status"] == "open"
    assert kinds(view) == [None, "human", "bot"]
    assert view["seats"][1]["player"] == {"id": ann.id, "name": "Ann", "kind": "human"}
    assert view["viewer"] == {"seat": 1}
    assert view["legal_actions"] == []
    assert (view["round"], view["to_act"], view["deadline"], view["started_at"], view["finished_at"]) == (None,) * 5
    assert len(view["join_code"]) == 8
    assert len(view["commitment"]) == 64
    assert read(service.games.view(ann.token, view["id"], words=EN)) == view


def test_what_is_left_out_has_its_default(service):
    view = read(service.tables.create(guest(service).token, body("creator", "open"), words=EN))
    assert (view["visibility"], view["clock"], view["sandbox"], view["join_code"]) == ("public", None, False, None)
    clock = read(service.tables.create(guest(service).token, body("creator", "open", clock={"seconds": 5}), words=EN))[
        "clock"
    ]
    assert clock == {"kind": "decision", "seconds": 5, "increment": 0, "on_timeout": "bot_plays", "break_days": 0}


@pytest.mark.parametrize(
    ("request_body", "field"),
    [
        (body("creator", "open", edition="tarot"), "edition"),
        (body("creator"), "seats"),
        (body("creator", *["open"] * 6), "seats"),
        (body("creator", *["open"] * 4, edition="classic"), "seats"),
        (body("creator", "creator"), "seats"),
        (body("creator", "nobody"), "seats.1.bot"),
        ({"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "bot"}]}, "seats.1.bot"),
        ({"edition": "standard", "seats": [{"kind": "open", "bot": "random"}, {"kind": "open"}]}, "seats.0.bot"),
        (body("creator", "open", starter=2), "starter"),
        (body("creator", "open", starter=-1), "starter"),
        (body("creator", "open", clock={"seconds": 60, "increment": 5}), "clock.increment"),
        (body("creator", "open", clock={"seconds": 60, "increment": 5, "kind": "decision"}), "clock.increment"),
        (body("creator", "open", options={"no_such": "option"}), "options.no_such"),
        (body("creator", "open", sandbox={"rounds": [{"starter": 2}]}), "sandbox.rounds.0.starter"),
        (body("creator", "open", sandbox={"rounds": [{}, {"order": ["princess"] * 2}]}), "sandbox.rounds.1.order"),
        (body("creator", "open", sandbox={"rounds": [{"order": ["joker"]}]}), "sandbox.rounds.0.order"),
        (
            body("creator", "open", edition="classic", sandbox={"rounds": [{"order": ["spy"]}]}),
            "sandbox.rounds.0.order",
        ),
        (body("creator", "open", sandbox={"rounds": [{"order": ["guard"] * 22}]}), "sandbox.rounds.0.order"),
        (body("creator", "open", rated=True, visibility="unlisted"), "rated"),
        (body("creator", "open", rated=True, sandbox={"rounds": [{}]}), "rated"),
        (body("creator", "random", rated=True), "rated"),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_its_field(service, client, request_body, field):
    refused = refusal(lambda: service.tables.create(guest(service).token, request_body, words=EN))
    assert refused.code == "invalid_request"
    assert [fault.field for fault in refused.faults] == [field]
    assert client.keys("billet:{*") == []


@pytest.mark.parametrize(
    ("edition", "sentence"),
    [
        ("standard", "The edition `standard` has no options: leave it out."),
        ("lovecraft", "The edition `lovecraft` has no such option: leave it out. Its options are: `liber_ivonis`."),
    ],
)
def test_an_option_of_another_edition_is_refused_with_those_there_are(service, edition, sentence):
    request_body = body("creator", "open", edition=edition, options={"no_such": "option"})
    refused = refusal(lambda: service.tables.create(guest(service).token, request_body, words=EN))
    assert refused.faults[0].detail.written(EN) == sentence


def test_a_rated_table_says_so_before_anybody_sits_down_and_so_does_its_rematch(service):
    game = Game.open(service, "creator", "open", rated=True)
    assert game.view()["rated"]
    assert [item["rated"] for item in service.lobby.public(None)["items"]] == [True]
    game.fill().cut_short()
    assert read(service.tables.rematch(game.token(0), game.id, words=EN))["rated"]
    point = {"version": game.view()["version"] - 3}
    assert not read(service.tables.fork(game.token(0), game.id, point, words=EN))["rated"]
    assert not Game.open(service, "creator", "open", rated=False).view()["rated"]
    assert not Game.open(service, "creator", "open").view()["rated"]


def test_a_table_can_be_opened_for_others(service):
    ann = guest(service)
    view = read(service.tables.create(ann.token, body("open", "open"), words=EN))
    assert view["viewer"] is None
    game = Game(service, view["id"], ann, {}).fill()
    assert game.view()["status"] == "active"
    assert ann.id not in [guest.id for guest in game.guests.values()]
    assert (
        refusal(lambda: service.play.act(ann.token, game.id, read_action(game.legal(game.to_act())[0]), words=EN)).code
        == "not_seated"
    )


@pytest.mark.parametrize("seated", [("creator", "random"), ("random", "cautious"), ("random", "creator", "cautious")])
def test_a_table_without_an_open_seat_starts_by_itself(service, seated):
    view = read(service.tables.create(guest(service).token, body(*seated), words=EN))
    assert view["status"] == "active"
    assert view["round"]["number"] == 1
    assert view["to_act"] == view["round"]["starter"]
    assert view["started_at"] == view["created_at"]


@pytest.mark.parametrize(
    ("edition", "seats"), [("standard", n) for n in range(2, 7)] + [("classic", n) for n in (2, 4)]
)
def test_the_last_to_sit_down_starts_the_game(service, edition, seats):
    game = Game.open(service, "creator", *["open"] * (seats - 1), edition=edition)
    for seat in range(1, seats):
        assert game.view()["status"] == "open"
        newcomer = guest(service)
        view = read(service.tables.take_seat(newcomer.token, game.id, {}, words=EN))
        assert view["viewer"] == {"seat": seat}
    assert view["status"] == "active"
    assert all(seat["in_round"] for seat in view["seats"])


def test_who_begins_can_be_said(service):
    for starter in range(3):
        view = read(
            service.tables.create(guest(service).token, body("creator", "random", "random", starter=starter), words=EN)
        )
        assert view["round"]["starter"] == starter


def test_who_begins_is_drawn_if_nothing_is_said(service):
    ann = guest(service)
    starters = {
        read(service.tables.create(ann.token, body("creator", "random", "random"), words=EN))["round"]["starter"]
        for _ in range(40)
    }
    assert starters == {0, 1, 2}


def test_the_contributions_of_players_are_in_the_log_as_digests(service, log):
    game = Game.open(service, "creator", "open", "open", nonce="from Ann")
    bob, cid = guest(service), guest(service)
    service.tables.take_seat(bob.token, game.id, {"nonce": "from Bob"}, words=EN)
    service.tables.take_seat(cid.token, game.id, {}, words=EN)
    started = log.read(game.id).snapshot.started.event
    assert [len(nonce) for nonce in started.nonces] == [64, 64, 0]
    assert started.nonces[0] != started.nonces[1]
    assert b"from Ann" not in b"".join(str(entry.event).encode() for entry in log.entries(game.id, 0))


# --- sitting down ---


def test_a_seat_is_the_one_asked_for_or_the_first(service):
    game = Game.open(service, "creator", "open", "open", "open")
    first, last = guest(service), guest(service)
    assert read(service.tables.take_seat(last.token, game.id, {"seat": 3}, words=EN))["viewer"] == {"seat": 3}
    assert read(service.tables.take_seat(first.token, game.id, {}, words=EN))["viewer"] == {"seat": 1}


def test_sitting_down_again_changes_nothing(service):
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    first = service.tables.take_seat(bob.token, game.id, {"seat": 1}, words=EN)
    for claim in ({"seat": 1}, {}, {"seat": 2}):
        again = service.tables.take_seat(bob.token, game.id, claim, words=EN)
        assert (again.body, again.tag) == (first.body, first.tag)
    assert read(service.tables.take_seat(game.creator.token, game.id, {}, words=EN))["viewer"] == {"seat": 0}


@pytest.mark.parametrize(
    ("claim", "code", "reason"),
    [
        ({"seat": 0}, "game_full", "seat_taken"),
        ({"seat": 2}, "invalid_request", None),
        ({"seat": -1}, "invalid_request", None),
        ({"bot": "random"}, "not_creator", None),
        ({"bot": "nobody"}, "invalid_request", None),
    ],
)
def test_a_seat_that_cannot_be_taken_is_refused(service, claim, code, reason):
    game = Game.open(service, "creator", "open")
    before = game.view()
    refused = refusal(lambda: service.tables.take_seat(guest(service).token, game.id, claim, words=EN))
    assert (refused.code, refused.reason) == (code, reason)
    assert game.view() == before


def test_a_full_an_ended_and_an_unknown_table_are_told_apart(service):
    late = guest(service)
    running, ended = Game.begin(service), Game.begin(service)
    service.tables.leave(ended.token(0), ended.id, words=EN)
    aborted = Game.open(service, "creator", "open")
    service.tables.abort(aborted.creator.token, aborted.id, words=EN)
    codes = [
        refusal(lambda game=game: service.tables.take_seat(late.token, game, {}, words=EN)).code
        for game in (running.id, ended.id, aborted.id, "no-such-game")
    ]
    assert codes == ["game_full", "game_over", "game_over", "not_found"]


def test_an_unlisted_table_opens_to_its_code_alone(service):
    game = Game.open(service, "creator", "open", "open", visibility="unlisted")
    bob = guest(service)
    code = game.view(0)["join_code"]
    for claim in ({}, {"join_code": ""}, {"join_code": code[:-1]}, {"join_code": code + "x"}, {"join_code": "é"}):
        assert (
            refusal(lambda claim=claim: service.tables.take_seat(bob.token, game.id, claim, words=EN)).code
            == "join_code_wrong"
        )
        assert refusal(lambda: game.service.games.view(bob.token, game.id, words=EN)).code == "join_code_wrong"
    joined = read(service.tables.take_seat(bob.token, game.id, {"join_code": code}, words=EN))
    assert joined["join_code"] == code, "the seated see the code"
    assert read(service.tables.take_seat(bob.token, game.id, {}, words=EN)) == joined, "who sits there needs none"


def test_the_creator_of_an_unlisted_table_needs_no_code(service):
    game = Game.open(service, "open", "open", visibility="unlisted")
    view = read(service.tables.take_seat(game.creator.token, game.id, {"seat": 1}, words=EN))
    assert view["viewer"] == {"seat": 1}


def test_a_join_code_is_of_no_matter_at_a_public_table(service):
    game = Game.open(service, "creator", "open")
    assert game.view(0)["join_code"] is None
    view = read(service.tables.take_seat(guest(service).token, game.id, {"join_code": "anything"}, words=EN))
    assert view["viewer"] == {"seat": 1}


def test_the_creator_seats_bots_until_the_game_starts(service):
    game = Game.open(service, "creator", "open", "open", "open")
    bob = guest(service)
    ann = game.creator.token
    view = read(service.tables.take_seat(ann, game.id, {"bot": "cautious", "seat": 2}, words=EN))
    assert kinds(view) == ["human", None, "bot", None]
    view = read(service.tables.take_seat(ann, game.id, {"bot": "cautious"}, words=EN))
    assert kinds(view) == ["human", "bot", "bot", None]
    assert (
        refusal(lambda: service.tables.take_seat(bob.token, game.id, {"bot": "random"}, words=EN)).code == "not_creator"
    )
    view = read(service.tables.take_seat(ann, game.id, {"bot": "random"}, words=EN))
    assert view["status"] == "active"
    assert [seat["player"]["name"] for seat in view["seats"][1:]] == ["Nora", "Hugo", "Paula"]
    assert refusal(lambda: service.tables.take_seat(ann, game.id, {"bot": "random"}, words=EN)).code == "game_full"


def test_eight_players_at_once_get_the_seats_there_are(service, another):
    game = Game.open(service, "creator", "open", "open", "open")
    players = [(another(), guest(service)) for _ in range(8)]

    def sit_down(pair):
        try:
            return read(pair[0].tables.take_seat(pair[1].token, game.id, {}, words=EN))["viewer"]["seat"]
        except Refused as refused:
            return refused.code

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(sit_down, players))
    assert sorted(map(str, outcomes)) == ["1", "2", "3", *["game_full"] * 5]
    view = game.view()
    assert view["status"] == "active"
    assert len({seat["player"]["id"] for seat in view["seats"]}) == 4


# --- leaving and calling off ---


def test_a_seat_left_before_the_start_is_open_again(service):
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    service.tables.take_seat(bob.token, game.id, {"seat": 2, "nonce": "x"}, words=EN)
    view = read(service.tables.leave(bob.token, game.id, words=EN))
    assert view["seats"][2]["player"] is None
    assert view["viewer"] is None
    assert refusal(lambda: service.tables.leave(bob.token, game.id, words=EN)).code == "not_seated"
    assert read(service.tables.take_seat(bob.token, game.id, {}, words=EN))["viewer"] == {"seat": 1}


def test_the_creator_may_leave_and_is_still_the_creator(service):
    game = Game.open(service, "creator", "open")
    service.tables.leave(game.creator.token, game.id, words=EN)
    assert [seat["player"] for seat in game.view()["seats"]] == [None, None]
    assert read(service.tables.take_seat(game.creator.token, game.id, {"bot": "random"}, words=EN))["status"] == "open"
    assert read(service.tables.abort(game.creator.token, game.id, words=EN))["status"] == "aborted"


def test_the_contribution_of_who_left_is_forgotten(service, log):
    bob, cid = guest(service), guest(service)
    game = Game.open(service, "creator", "open", "open")
    service.tables.take_seat(bob.token, game.id, {"seat": 1, "nonce": "b"}, words=EN)
    service.tables.leave(bob.token, game.id, words=EN)
    service.tables.take_seat(cid.token, game.id, {"seat": 1}, words=EN)
    service.tables.take_seat(bob.token, game.id, {"seat": 2, "nonce": "c"}, words=EN)
    nonces = log.read(game.id).snapshot.started.event.nonces
    assert [len(nonce) for nonce in nonces] == [0, 0, 64]


def test_resigning_takes_the_seat_out_and_the_rest_play_on(service):
    game = Game.begin(service, 3)
    view = read(service.tables.leave(game.token(1), game.id, words=EN))
    assert view["status"] == "active"
    assert (view["seats"][1]["in_round"], view["seats"][1]["left"]) == (False, True)
    assert view["viewer"] == {"seat": 1}
    again = service.tables.leave(game.token(1), game.id, words=EN)
    assert read(again) == view, "resigning twice is resigning"
    game.play(random.Random(1))
    assert game.view()["status"] == "finished"
    assert 1 not in game.view()["winners"]
    assert read(service.tables.leave(game.token(1), game.id, words=EN))["status"] == "finished"


def test_the_last_one_left_wins(service):
    game = Game.begin(service, 3)
    service.tables.leave(game.token(2), game.id, words=EN)
    view = read(service.tables.leave(game.token(0), game.id, words=EN))
    assert (view["status"], view["winners"]) == ("finished", [1])
    assert refusal(lambda: service.tables.leave(game.token(1), game.id, words=EN)).code == "game_over"


def test_the_creator_calls_a_game_off_before_it_starts(service):
    for game in (Game.open(service, "creator", "open"), Game.open(service, "open", "open")):
        assert (
            refusal(lambda game=game: service.tables.abort(guest(service).token, game.id, words=EN)).code
            == "not_creator"
        )
        view = read(service.tables.abort(game.creator.token, game.id, words=EN))
        assert (view["status"], view["winners"], view["to_act"], view["legal_actions"]) == ("aborted", [], None, [])
        assert view["finished_at"] is not None
        assert game.events()[-1]["type"] == "secret_revealed"
        assert (
            refusal(lambda game=game: service.tables.abort(game.creator.token, game.id, words=EN)).code == "game_over"
        )
    assert refusal(lambda: service.tables.abort(guest(service).token, "no-such-game", words=EN)).code == "not_found"


def test_a_game_that_has_begun_is_not_called_off(service, clock):
    acted, resigned = Game.begin(service, 3), Game.begin(service, 3)
    acted.step(random.Random(1))
    service.tables.leave(resigned.token(1), resigned.id, words=EN)
    timed_out = Game.begin(service, 3, clock={"seconds": 10, "on_timeout": "bot_plays"})
    clock.advance(11)
    later = Game.begin(service, 2)
    while later.view()["round"]["number"] == 1:
        later.step(random.Random(2))
    fresh, with_bots = Game.begin(service, 2), Game.open(service, "creator", "random", starter=0)
    sandbox = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 0}]})
    # Else a creator could look at two cards, and have cards dealt anew until good ones come.
    for game in (fresh, with_bots, sandbox, acted, resigned, timed_out, later):
        before = game.view()
        refused = refusal(lambda game=game: service.tables.abort(game.creator.token, game.id, words=EN))
        assert (refused.code, refused.reason) == ("illegal_action", "game_begun")
        assert game.view() == before
    service.administration.abort(fresh.id)
    assert fresh.view()["status"] == "aborted", "operators may"
    finished = Game.begin(service).play(random.Random(3), 12).cut_short()
    assert refusal(lambda: service.tables.abort(finished.creator.token, finished.id, words=EN)).code == "game_over"


# --- again ---


def again(service, guest, old):
    return read(service.tables.rematch(guest.token, old.id, words=EN))


def at_seats(view):
    """Who sits on each seat of a game, and who is invited to it in parentheses."""
    named = [(seat["player"], seat["invited"]) for seat in view["seats"]]
    return [player["name"] if player else invited and f"({invited['name']})" for player, invited in named]


def test_a_rematch_is_the_same_table_and_the_games_link_to_each_other(service):
    clock = {"seconds": 1000, "on_timeout": "forfeit"}
    old = Game.open(service, "open", "creator", "random", clock=clock, visibility="unlisted", starter=2, nonce="x")
    old.fill().play(random.Random(1))
    new = read(service.tables.rematch(old.guests[0].token, old.id, words=EN))
    before, now = old.view(0), read(service.games.view(old.token(0), new["id"], words=EN))
    assert now == new
    assert {name: new[name] for name in SAME_FOR_ALL} == {name: before[name] for name in SAME_FOR_ALL}
    assert (new["status"], at_seats(new)) == ("open", ["Guest 0", "(Ann)", "Nils"])
    assert (new["previous_game"], before["next_game"]) == (old.id, new["id"])
    assert (new["next_game"], before["previous_game"]) == (None, None)
    assert new["join_code"] != before["join_code"]
    assert new["commitment"] != before["commitment"]
    new = again(service, old.guests[1], old)
    assert [seat["player"] for seat in new["seats"]] == [seat["player"] for seat in before["seats"]]
    assert (new["status"], new["round"]["starter"], new["round"]["number"]) == ("active", 2, 1)
    assert [seat["tokens"] for seat in new["seats"]] == [0, 0, 0]


def test_a_sandbox_is_played_again_as_it_was(service):
    sandbox = {"rounds": [{"starter": 1, "order": ["spy", "guard", "guard", "guard", "priest", "baron"]}]}
    old = Game.begin(service, 2, sandbox=sandbox).play(random.Random(1))
    _, new = (again(service, old.guests[seat], old) for seat in (1, 0))
    assert new["sandbox"]
    assert new["seats"][0]["hand"] == ["priest"]


def test_all_rematches_asked_for_are_one_game(service, another, client):
    old = Game.begin(service, 4).play(random.Random(1))
    asking = [(another(), old.guests[i % 4]) for i in range(8)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda pair: again(*pair, old), asking))
    assert len({game["id"] for game in made}) == 1
    assert [game["viewer"]["seat"] for game in made] == [0, 1, 2, 3] * 2
    assert len(client.keys("billet:*:log")) == 2
    assert old.view()["next_game"] == made[0]["id"]
    new = Game(service, made[0]["id"], old.creator, old.guests)
    assert new.view()["status"] == "active"
    new.play(random.Random(2))
    assert again(service, old.guests[3], new)["id"] not in (old.id, new.id)
    assert again(service, old.guests[3], old)["id"] == new.id, "also when it has been played"


def test_nobody_is_seated_at_a_rematch_by_anybody_else(service):
    old = Game.open(service, "creator", "open", "open", "random").fill()
    service.tables.leave(old.token(2), old.id, words=EN)
    gone = old.guests.pop(2)
    old.play(random.Random(1))
    service.notifier.settle()
    invited = {guest_: service.notices.page(guest_.token)["cursor"] for guest_ in (old.guests[0], gone)}
    assert refusal(lambda: service.tables.rematch(gone.token, old.id, words=EN)).code == "not_seated"
    assert old.view()["next_game"] is None
    new = again(service, old.guests[1], old)
    assert at_seats(new) == ["(Ann)", "Guest 1", "(Guest 2)", "Paula"]
    service.notifier.settle()
    for guest_, cursor in invited.items():
        (notice,) = service.notices.page(guest_.token, after=cursor)["events"]
        assert (notice["type"], notice["game"], notice["player"]["name"]) == ("invited", new["id"], "Guest 1")
        assert new["id"] not in [item["id"] for item in service.lobby.mine(guest_.token)["items"]]
    declined = read(service.tables.leave(gone.token, new["id"], words=EN))
    assert at_seats(declined) == ["(Ann)", "Guest 1", None, "Paula"]
    assert at_seats(again(service, old.guests[0], old)) == ["Ann", "Guest 1", None, "Paula"]
    assert at_seats(again(service, gone, old)) == ["Ann", "Guest 1", None, "Paula"], "to look at, as all may"


def test_the_seat_of_a_player_who_is_erased_by_now_is_open_at_a_rematch(service):
    old = Game.open(service, "creator", "open", "open").fill().play(random.Random(1))
    service.administration.erase(old.guests[1].id)
    new = again(service, old.guests[0], old)
    assert at_seats(new) == ["Ann", None, "(Guest 2)"]
    service.tables.take_seat(guest(service).token, new["id"], {}, words=EN)
    assert read(service.tables.rematch(old.token(2), old.id, words=EN))["status"] == "active"


def test_who_is_not_wanted_at_an_unlisted_rematch_does_not_see_it(service):
    old = Game.open(service, "creator", "open", visibility="unlisted").fill().play(random.Random(1))
    new = again(service, old.guests[0], old)
    service.tables.clear_seat(old.token(0), new["id"], 1, words=EN)
    assert refusal(lambda: service.tables.rematch(old.token(1), old.id, words=EN)).code == "not_seated"
    assert at_seats(again(service, old.guests[0], old)) == ["Ann", None]


def test_rematches_end_with_those_who_take_part(service):
    """Calling one off leads to no further one to which the others are invited who have not come."""
    old = Game.begin(service).play(random.Random(1), 12).cut_short()
    new = again(service, old.guests[0], old)
    service.tables.abort(old.token(0), new["id"], words=EN)
    assert again(service, old.guests[0], old)["id"] == new["id"]
    after = read(service.tables.rematch(old.token(0), new["id"], words=EN))
    assert at_seats(after) == ["Ann", None]


def test_who_resigned_and_so_ended_a_game_may_ask_for_another(service):
    old = Game.begin(service)
    service.tables.leave(old.token(1), old.id, words=EN)
    assert at_seats(again(service, old.guests[1], old)) == ["(Ann)", "Guest 1"]


def test_a_rematch_counts_among_the_games_one_has_opened(redis_url):
    service = build(Settings(redis_url=redis_url, open_games=1))
    old = Game.begin(service).play(random.Random(1), 12).cut_short()
    service.tables.create(old.token(1), body("creator", "open"), words=EN)
    assert refusal(lambda: service.tables.rematch(old.token(1), old.id, words=EN)).limit == "open_games"
    assert at_seats(again(service, old.guests[0], old)) == ["Ann", "(Guest 1)"]
    assert again(service, old.guests[1], old)["status"] == "active"


def test_a_game_called_off_can_be_opened_again_with_its_open_seats(service):
    game = Game.open(service, "creator", "open", "random")
    service.tables.abort(game.creator.token, game.id, words=EN)
    opened = again(service, game.creator, game)
    assert opened["status"] == "open"
    assert kinds(opened) == ["human", None, "bot"]


def test_a_rematch_whose_link_was_lost_is_linked_by_the_next_call(service, another, client):
    old = Game.begin(service).play(random.Random(1), 12).cut_short()
    new = read(service.tables.rematch(old.token(0), old.id, "a key", words=EN))
    client.hdel(keys.meta(old.id), "next_game")
    assert old.view()["next_game"] is None
    another().tables.rematch(old.token(0), old.id, "a key", words=EN)
    assert old.view()["next_game"] == new["id"]


def test_a_rematch_among_bots_starts_at_once(service):
    game = Game.open(service, "random", "cautious").play(random.Random(1))
    new = Game(service, read(service.tables.rematch(game.creator.token, game.id, words=EN))["id"], game.creator, {})
    assert new.view()["status"] == "active"
    assert new.play(random.Random(1)).view()["status"] == "finished"
