"""Events and actions as plain data and back, through JSON, and the ways in which data can be wrong."""

import json

import pytest

from engine import rules
from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.errors import MalformedAction, MalformedEvent
from engine.events import CardPlayed, GameAborted, GameCreated, RoundStarted, TurnStarted
from engine.logs import codec
from engine.logs.codec import action_data, event_data, read_action, read_event, store_event
from engine.logs.upcasts import upcast, version_of
from tests.engine.random_games import EVERY_TABLE, random_game


def through_json(data):
    return json.loads(json.dumps(data))


class TestStoredEvents:
    @EVERY_TABLE
    def test_come_back_from_json(self, edition, seats):
        _, log = random_game(edition, seats, 1, leaving=0.02)

        stored = through_json([store_event(event, "2030-01-02T03:04:05Z") for event in log])
        assert [read_event(data) for data in stored] == log
        assert rules.fold_log([read_event(data) for data in stored]).version == len(log)

    def test_have_four_members(self):
        assert store_event(TurnStarted(2), "2030-01-02T03:04:05Z") == {
            "v": 1,
            "type": "turn_started",
            "at": "2030-01-02T03:04:05Z",
            "data": {"seat": 2},
        }

    def test_keep_what_was_chosen_for_a_sandbox(self):
        rounds = ({"starter": 0, "order": ["guard", "spy"]}, {})
        event = GameCreated(
            "g",
            "standard",
            {},
            2,
            "public",
            {"seconds": 60},
            1,
            "first player",
            None,
            "c",
            True,
            False,
            True,
            rounds,
            {"game": "f", "version": 9},
            ({"hands": [["guard", "spy"], []], "turn": 0},),
            {"id": "m", "number": 7},
            "m/3",
        )

        assert read_event(through_json(store_event(event, "now"))) == event

    def test_name_characters_and_numbers_apart(self):
        assert event_data(CardPlayed(0, "guard", (1,), "spy", None, None)) == {
            "seat": 0,
            "card": "guard",
            "targets": (1,),
            "guess": "spy",
            "guess_value": None,
            "face": None,
        }
        assert CardPlayed(0, "guard", (1,), "spy", None, None).named == "spy"
        assert CardPlayed(0, "guard", (1,), None, 0, None).named == 0

    def test_keep_what_has_no_fields(self):
        assert read_event(store_event(GameAborted("called_off"), "now")) == GameAborted("called_off")

    @pytest.mark.parametrize(
        "stored",
        [
            {},
            {"v": 1, "type": "no_such_event", "data": {}},
            {"v": 1, "type": ["turn_started"], "data": {"seat": 0}},
            {"v": 1, "type": "turn_started", "data": {}},
            {"v": 1, "type": "turn_started", "data": {"seat": 0, "more": 1}},
            {"v": 1, "type": "turn_started", "data": None},
            {"v": 1, "type": "turn_started"},
            {"type": "turn_started", "data": {"seat": 0}},
            {"v": 0, "type": "turn_started", "data": {"seat": 0}},
            {"v": 2, "type": "turn_started", "data": {"seat": 0}},
            {"v": "1", "type": "turn_started", "data": {"seat": 0}},
        ],
    )
    def test_that_are_none_are_refused(self, stored):
        with pytest.raises(MalformedEvent):
            read_event(stored)


STEPS = {
    ("turn_started", 1): lambda data: {"seat": data["player"]},
    ("turn_started", 2): lambda data: {"seat": data["seat"] - 1},
}


class TestUpcasts:
    def test_count_the_versions_of_an_event(self):
        assert version_of("turn_started", STEPS) == 3
        assert version_of("card_drawn", STEPS) == 1

    @pytest.mark.parametrize(("version", "data"), [(1, {"player": 3}), (2, {"seat": 3}), (3, {"seat": 2})])
    def test_take_every_step_from_the_stored_version(self, version, data):
        assert upcast("turn_started", version, data, STEPS) == {"seat": 2}

    @pytest.mark.parametrize("version", [0, 4])
    def test_refuse_versions_that_were_never_written(self, version):
        with pytest.raises(MalformedEvent):
            upcast("turn_started", version, {"seat": 2}, STEPS)

    def test_reach_the_events_that_are_read(self, monkeypatch):
        monkeypatch.setattr(codec, "upcast", lambda kind, version, data: {"seat": data["player"]})
        monkeypatch.setitem(codec._VERSIONS, "turn_started", 2)
        assert read_event({"v": 1, "type": "turn_started", "data": {"player": 3}}) == TurnStarted(3)

    def test_are_not_needed_before_the_first_release(self):
        assert {event["v"] for event in (store_event(TurnStarted(2), ""), store_event(GameAborted("x"), ""))} == {1}


ACTIONS = [
    (PlayCard("spy"), {"type": "play_card", "card": "spy", "targets": []}),
    (
        PlayCard("guard", (1,), "king"),
        {"type": "play_card", "card": "guard", "targets": [1], "guess": "king"},
    ),
    (PlayCard("guard", (1,), 0), {"type": "play_card", "card": "guard", "targets": [1], "guess_value": 0}),
    (
        PlayCard("hound", (1,), None, "sane"),
        {"type": "play_card", "card": "hound", "targets": [1], "face": "sane"},
    ),
    (KeepCard("spy", ("king", "guard")), {"type": "keep_card", "keep": "spy", "bottom": ["king", "guard"]}),
    (RedrawHand(True), {"type": "redraw_hand", "redraw": True}),
    (PeekHand(), {"type": "peek_hand"}),
    (PeekHand(0), {"type": "peek_hand", "seat": 0}),
    (
        GiveHands(((1, "cats"), (2, "hound"))),
        {"type": "give_hands", "hands": [{"seat": 1, "card": "cats"}, {"seat": 2, "card": "hound"}]},
    ),
]


class TestActions:
    @pytest.mark.parametrize(("action", "data"), ACTIONS)
    def test_are_plain_data_with_what_is_absent_left_out(self, action, data):
        assert action_data(action) == data
        assert read_action(through_json(data)) == action

    @pytest.mark.many
    @EVERY_TABLE
    def test_that_are_legal_come_back_from_json(self, edition, seats):
        def watch(state, seat, action, happened):
            for legal in rules.legal_actions(state):
                assert read_action(through_json(action_data(legal))) == legal

        random_game(edition, seats, 1, watch=watch)

    def test_may_leave_out_their_targets(self):
        assert read_action({"type": "play_card", "card": "spy"}) == PlayCard("spy")

    def test_take_seats_in_any_order(self):
        assert read_action({"type": "play_card", "card": "cardinal", "targets": [2, 0]}) == PlayCard("cardinal", (0, 2))
        hands = [{"seat": 2, "card": "hound"}, {"seat": 1, "card": "cats"}]
        assert read_action({"type": "give_hands", "hands": hands}) == GiveHands(((1, "cats"), (2, "hound")))

    def test_are_read_without_touching_the_data(self):
        data = {"type": "redraw_hand", "redraw": True}
        read_action(data)
        assert data == {"type": "redraw_hand", "redraw": True}

    @pytest.mark.parametrize(
        ("data", "complaint"),
        [
            ({}, "unknown action type None"),
            ({"type": "resign"}, "unknown action type 'resign'"),
            ({"type": ["play_card"], "card": "spy"}, "unknown action type"),
            ({"type": "play_card"}, "not a play_card: 'card' is missing"),
            ({"type": "play_card", "card": None}, "None is not a text"),
            ({"type": "play_card", "card": 1}, "1 is not a text"),
            ({"type": "play_card", "card": "guard", "targets": 1}, "1 is not a list"),
            ({"type": "play_card", "card": "guard", "targets": "1"}, "'1' is not a list"),
            ({"type": "play_card", "card": "guard", "targets": [True]}, "True is not an integer"),
            ({"type": "play_card", "card": "guard", "targets": ["1"]}, "'1' is not an integer"),
            ({"type": "play_card", "card": "guard", "targets": [1], "guess": 5}, "5 is not a text"),
            ({"type": "play_card", "card": "guard", "targets": [1], "guess": None}, "None is not a text"),
            ({"type": "play_card", "card": "guard", "guess_value": "5"}, "'5' is not an integer"),
            ({"type": "play_card", "card": "guard", "guess": "spy", "guess_value": 5}, "either a card or a number"),
            ({"type": "play_card", "card": "guard", "face": 1}, "1 is not a text"),
            ({"type": "play_card", "card": "guard", "target": 1}, "unknown fields: target"),
            ({"type": "keep_card", "keep": "spy"}, "not a keep_card: 'bottom'"),
            ({"type": "keep_card", "keep": "spy", "bottom": "guard"}, "'guard' is not a list"),
            ({"type": "keep_card", "keep": "spy", "bottom": [1]}, "1 is not a text"),
            ({"type": "redraw_hand"}, "not a redraw_hand: 'redraw'"),
            ({"type": "redraw_hand", "redraw": 1}, "1 is neither true nor false"),
            ({"type": "redraw_hand", "redraw": True, "seat": 1}, "unknown fields: seat"),
            ({"type": "peek_hand", "seat": None}, "None is not an integer"),
            ({"type": "give_hands", "hands": [[1, "cats"]]}, "is not a seat and a card"),
            ({"type": "give_hands", "hands": [{"seat": 1}]}, "is not a seat and a card"),
            ({"type": "give_hands", "hands": [{"seat": 1, "card": "cats", "x": 1}]}, "is not a seat and a card"),
            ({"type": "give_hands", "hands": [{"seat": "1", "card": "cats"}]}, "'1' is not an integer"),
            ({"type": "give_hands", "hands": {}}, "{} is not a list"),
        ],
    )
    def test_that_are_none_are_refused(self, data, complaint):
        with pytest.raises(MalformedAction, match=complaint):
            read_action(data)


def test_the_codec_knows_every_event_of_a_deal():
    event = RoundStarted(
        1, 0, (0, 1), (0, 0), (0, 0), (), ("spy", None), (None,), None, ("priest",), None, (), (), None
    )

    assert codec.read_event(through_json(store_event(event, "now"))) == event
