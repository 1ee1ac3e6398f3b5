"""Sandbox games: decks and starters are as their creator chose, the rest is shuffled."""

import random
from collections import Counter

import pytest

from engine.editions import rulebook
from engine.shuffle import nonce_digest
from games.errors import Refused
from games.records.portable import as_json, parsed
from games.records.verification import verify
from games.texts.catalogue import catalogue
from tests.engine.random_positions import as_position, in_part, random_state
from tests.service.at_table import EN, Game, read, said

NONCE = "6f1c0d5e9a3b47828e5d1f6a90c3b7e4"
TABLES = [("standard", seats) for seats in range(2, 7)] + [("classic", seats) for seats in range(2, 5)]


OF_ONE_GAME = ("game_created", "seat_taken", "game_started", "secret_revealed")
"""Events that name players, ids or secrets."""


def whole_deck(edition, seats):
    """Returns the deck of a table in an order of the test's own."""
    deck = list(rulebook(edition, seats, {}).deck)
    random.Random(f"{edition}{seats}").shuffle(deck)
    return deck


def dealt(game, number=1):
    """Returns how a round of an ended game was dealt: set aside, shown aside, hands, draw pile."""
    rounds = [entry for entry in events_as_all(game) if entry["type"] == "round_started"]
    data = rounds[number - 1]["data"]
    return [data["set_aside"], *data["shown_aside"], *[card for card in data["hands"] if card], *data["deck"]]


def events_as_all(game):
    log = game.service.games._log
    return [{"type": entry.event.type, "data": vars_of(entry.event)} for entry in log.entries(game.id, 0)]


def vars_of(event):
    return {name: getattr(event, name) for name in event.fields}


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_whole_deck_lies_as_it_was_given(service, edition, seats):
    order = whole_deck(edition, seats)
    game = Game.begin(service, seats, edition=edition, sandbox={"rounds": [{"starter": seats - 1, "order": order}]})
    shown = 3 if seats == 2 else 0
    assert dealt(game) == order
    view = game.view()
    assert view["sandbox"]
    assert view["round"]["shown_aside"] == order[1 : 1 + shown]
    assert view["round"]["starter"] == view["to_act"] == seats - 1
    for seat in range(seats):
        assert game.view(seat)["seats"][seat]["hand"][0] == order[1 + shown + seat], "seat 0 first, whoever begins"
    assert game.view(seats - 1)["seats"][seats - 1]["hand"][1] == order[1 + shown + seats], "the top of the draw pile"


@pytest.mark.parametrize(
    ("edition", "seats", "count"), [("standard", 2, 0), ("standard", 6, 1), ("classic", 2, 3), ("classic", 4, 7)]
)
def test_a_prefix_is_completed_by_shuffling(service, edition, seats, count):
    order = whole_deck(edition, seats)
    decks = []
    for _ in range(3):
        game = Game.begin(service, seats, edition=edition, sandbox={"rounds": [{"order": order[:count]}]})
        decks.append(dealt(game))
        assert decks[-1][:count] == order[:count]
        assert Counter(decks[-1]) == Counter(order)
    assert decks[0] != decks[1] or decks[1] != decks[2]


def test_each_round_is_as_it_was_chosen_and_those_beyond_the_list_are_shuffled(service):
    first, third = whole_deck("standard", 3), whole_deck("standard", 3)[::-1]
    rounds = [{"starter": 2, "order": first}, {"starter": 0}, {"order": third[:5]}, {}]
    game = Game.begin(service, 3, sandbox={"rounds": rounds})
    assert (dealt(game), game.view()["round"]["starter"]) == (first, 2)
    game.play(random.Random(1))
    starts = [entry["data"] for entry in events_as_all(game) if entry["type"] == "round_started"]
    assert len(starts) >= 3
    assert starts[1]["starter"] == 0, "whoever won the round before"
    assert dealt(game, 3)[:5] == third[:5]


def test_a_sandbox_may_leave_every_round_to_the_rules(service):
    for sandbox in ({"rounds": [{}]}, {"positions": [{}]}):
        game = Game.begin(service, 2, sandbox=sandbox)
        assert game.view()["sandbox"]
        assert game.play(random.Random(1)).view()["status"] == "finished"


REFUSED = [
    ({"sandbox": {}}, "sandbox"),
    ({"sandbox": {"rounds": []}}, "sandbox.rounds"),
    ({"sandbox": {"positions": []}}, "sandbox.positions"),
    ({"sandbox": {"rounds": [{"starter": 3}]}}, "sandbox.rounds.0.starter"),
    ({"sandbox": {"rounds": [{"starter": 1}]}, "starter": 0}, "starter"),
    ({"sandbox": {"positions": [{"turn": 1}]}, "starter": 0}, "starter"),
    ({"sandbox": {"rounds": [{"starter": 1}], "positions": [{"turn": 1}]}}, "sandbox.positions.0"),
    ({"sandbox": {"positions": [{}, {"deck": ["bishop"]}]}}, "sandbox.positions.1"),
    ({"sandbox": {"positions": [{"discards": [["princess"]]}]}}, "sandbox.positions.0.discards.0"),
]


@pytest.mark.parametrize(("more", "field"), REFUSED)
def test_what_cannot_be_is_refused_by_field(service, more, field):
    with pytest.raises(Refused) as refused:
        Game.open(service, "creator", "open", "open", **more)
    assert [fault.field for fault in refused.value.faults] == [field]


def test_a_refusal_names_the_excess(service):
    position = {"hands": [["priest"], ["priest"]], "deck": ["priest"]}
    with pytest.raises(Refused) as refused:
        Game.open(service, "creator", "open", sandbox={"positions": [position]})
    assert said(refused.value)[1] == "sandbox.positions.0: The position has 3 of `priest`, the deck holds 2."
    assert "3-mal, der Stapel hat 2" in said(refused.value, catalogue("de"))[1]


PRINCESS_ASIDE = {"hands": [["guard", "prince"], ["handmaid"]], "protected": [1], "deck": [], "set_aside": "princess"}


def test_empty_deck_prince_on_oneself_and_the_princess_aside_take_one_call(service):
    game = Game.open(service, "creator", "creator", sandbox={"positions": [PRINCESS_ASIDE]})
    prince = {"type": "play_card", "card": "prince", "targets": [0]}
    assert prince in game.legal(0)
    happened = game.act(0, prince)["events"]
    drawn = next(event for event in happened if event["type"] == "card_drawn")
    assert (drawn["data"]["card"], drawn["data"]["source"]) == ("princess", "set_aside")
    ended = next(event for event in happened if event["type"] == "round_ended")
    assert ended["data"]["winners"] == [0]


def test_a_position_is_hidden_while_the_game_runs_and_what_lies_open_in_it_is_not(service):
    position = {**PRINCESS_ASIDE, "discards": [["guard"], ["spy", "guard"]]}
    game = Game.begin(service, 2, sandbox={"positions": [position]})
    for viewer in (None, 1):
        log = game.events(viewer)
        assert log[0]["data"]["sandbox_positions"] == [None]
        begun = next(event["data"] for event in log if event["type"] == "round_started")
        assert begun["position"]["discards"] == position["discards"]
        assert (begun["hands"][0], begun["set_aside"]) == (None, None)


def test_its_creator_plays_several_seats_and_sees_everything_while_it_runs(service):
    game = Game.open(service, "creator", "creator", "open", sandbox={"positions": [{"hands": [["guard", "spy"]]}]})
    game.fill()
    assert game.view(0, as_="all")["round"]["set_aside"] is not None
    assert all(seat["hand"] for seat in game.view(0, as_=2)["seats"][2:])
    assert game.view(0, as_=1)["viewer"] == {"seat": 1}
    acted = game.act(0, {"type": "play_card", "card": "spy", "targets": []})
    assert acted["game"]["viewer"] == {"seat": 0}
    mine = game.legal(1)[0]
    with pytest.raises(Refused) as refused:
        game.act(0, mine, as_seat=0)
    assert refused.value.code == "not_your_turn"
    with pytest.raises(Refused) as refused:
        game.act(0, mine, as_seat=2)
    assert refused.value.code == "not_seated"
    assert game.act(0, mine, as_seat=1)["game"]["viewer"] == {"seat": 1}


def test_its_creator_is_told_of_all_their_seats(service):
    game = Game.open(service, "creator", "creator", "open", sandbox={"positions": [{"hands": [["princess", "spy"]]}]})
    cursor = service.notices.page(game.creator.token)["cursor"]
    game.fill()
    service.notifier.settle()
    told = service.notices.page(game.creator.token, after=cursor)["events"]
    about = {one["type"]: (one["seat"], one["seats"]) for one in told}
    assert about == {"seat_taken": (2, [2]), "game_started": (0, [0, 1]), "your_turn": (0, [0])}


def test_a_seat_that_a_refusal_names_is_counted_as_people_count(service):
    with pytest.raises(Refused) as refused:
        Game.open(service, *["creator"] * 3, sandbox={"positions": [{"out": [1], "hands": [["guard"], ["spy"]]}]})
    (fault,) = refused.value.faults
    assert (fault.field, fault.detail.written(EN)[:6]) == ("sandbox.positions.0.hands.1", "Seat 2")


def test_a_nonce_is_of_the_first_of_several_seats_and_starts_the_game_when_it_is_revealed(service):
    nonce_hash = nonce_digest(NONCE)
    game = Game.open(service, "creator", "creator", "open", sandbox={"rounds": [{}]}, nonce_hash=nonce_hash).fill()
    assert game.view()["reveal"]["seats"] == [0]
    service.tables.reveal(game.creator.token, game.id, NONCE, words=EN)
    assert game.view()["status"] == "active"


def test_one_who_has_several_seats_leaves_them_one_by_one_while_the_game_runs(service):
    game = Game.open(service, "creator", "creator", "creator", "open", sandbox={"rounds": [{}]}).fill()
    for seat in (1, 2):
        service.tables.leave(game.creator.token, game.id, from_seat=seat, words=EN)
    assert [seat["left"] for seat in game.view()["seats"]] == [False, True, True, False]


def test_nobody_else_sees_more_of_a_sandbox_or_sits_on_several_seats(service):
    game = Game.begin(service, 3, sandbox={"positions": [PRINCESS_ASIDE]})
    for viewer in (None, 1):
        with pytest.raises(Refused) as refused:
            game.view(viewer, as_="all")
        assert refused.value.code == "game_not_finished"
        assert "only the player who opened this sandbox" in refused.value.detail.written(EN)
    with pytest.raises(Refused) as refused:
        Game.open(service, "creator", "creator", "open")
    assert [fault.field for fault in refused.value.faults] == ["seats"]


@pytest.mark.parametrize("first", [0, 1])
def test_a_rematch_shows_everything_to_the_creator_of_the_sandbox_alone_whoever_asks_first(service, first):
    position = PRINCESS_ASIDE | {"tokens": [4, 4, 4]}
    game = Game.open(service, "creator", "open", "creator", sandbox={"positions": [position]}).fill()
    game.play(random.Random(1))
    asking = [game.guests[first], game.guests[1 - first]]
    for one in asking:
        again = read(service.tables.rematch(one.token, game.id, words=EN))
    for seat in range(3):
        if again["seats"][seat]["player"] is None:
            with pytest.raises(Refused):
                service.tables.take_seat(game.guests[1].token, again["id"], {"seat": seat, "bot": "random"}, words=EN)
            service.tables.take_seat(game.creator.token, again["id"], {"seat": seat, "nonce": "x"}, words=EN)
    rematch = Game(service, again["id"], game.creator, game.guests)
    assert rematch.view(1)["status"] == "active"
    assert rematch.view(0, as_="all")["round"]["set_aside"] == "princess"
    for as_ in ("all", 0):
        with pytest.raises(Refused) as refused:
            rematch.view(1, as_=as_)
        assert refused.value.code == "game_not_finished"
    assert rematch.events(1)[0]["data"]["sandbox_positions"] == [None]
    rematch.play(random.Random(2))
    assert verify(parsed(as_json(service.games.log(None, rematch.id)))).valid


def test_a_position_may_end_the_game_as_it_begins(service):
    position = {
        "hands": [["investigators"], ["elder_sign"]],
        "discards": [["deep_ones"]],
        "deck": ["golden_mead", "cats_of_ulthar"],
        "tokens": [0, 1],
    }
    game = Game.open(service, "creator", "creator", edition="lovecraft", sandbox={"positions": [position]})
    assert (game.view(0)["status"], game.view(0)["winners"]) == ("finished", [1])


@pytest.mark.parametrize(("edition", "seats"), [("standard", 2), ("premium", 5), ("lovecraft", 3)])
def test_games_from_positions_are_forked_played_again_and_verified(service, edition, seats):
    state = random_state(edition, seats, 1)
    position = in_part(as_position(state), random.Random(1))
    kinds = ["creator"] * (seats - 1) + ["cautious"]
    game = Game.open(
        service, *kinds, edition=edition, options=state.book.options, sandbox={"positions": [position]}
    ).play(random.Random(1))
    assert game.view()["status"] == "finished"
    assert verify(parsed(as_json(service.games.log(game.creator.token, game.id)))).valid
    again = read(service.tables.rematch(game.creator.token, game.id, words=EN))
    assert again["seats"][seats - 1]["player"]["kind"] == "bot"
    begun = next(one for one in events_as_all(game) if one["type"] == "round_started")
    assert begun["data"]["position"] is not None
    last = game.view()["version"] - 1
    fork = read(service.tables.fork(game.creator.token, game.id, {"version": last, "seat": 0}, words=EN))
    assert fork["status"] == "active"


def test_the_same_sandbox_played_the_same_way_is_the_same_game(service):
    decks = [{"starter": 0, "order": whole_deck("standard", 2)} for _ in range(30)]
    courses = []
    for _ in range(2):
        game = Game.begin(service, 2, sandbox={"rounds": decks})
        while (seat := game.to_act()) is not None:
            game.act(seat, game.legal(seat)[0])
        courses.append([entry for entry in events_as_all(game) if entry["type"] not in OF_ONE_GAME])
    assert courses[0] == courses[1]
