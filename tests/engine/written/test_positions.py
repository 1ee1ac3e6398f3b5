"""Rounds that begin with a position: what lies where, what is drawn, and what cannot be."""

import random
from collections import Counter
from dataclasses import asdict

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.editions import rulebook
from engine.errors import ImpossiblePosition
from engine.events import CardDrawn, CardRevealed, KnockedOut, RoundEnded, RoundStarted, SeatLeft, TurnStarted, fold
from engine.positions import canonical, check_position, position_of
from engine.shuffle import LooseChance
from tests.engine.given import created, next_round
from tests.engine.random_games import EVERY_TABLE
from tests.engine.random_positions import as_position, begun, in_part, random_state

OF_THE_COURSE = ("version", "since", "round_number", "starter", "scores", "positions", "winners")
"""What a state knows of how it came about."""


def without_course(state):
    return {name: value for name, value in asdict(state).items() if name not in OF_THE_COURSE}


def state_of(log):
    return rules.fold_log(log)


def standard(**position):
    return state_of(begun("standard", 3, position))


@pytest.mark.many
@EVERY_TABLE
def test_a_position_taken_from_a_game_folds_to_the_state_it_was_taken_from(edition, seats):
    for seed in range(12):
        state = random_state(edition, seats, seed)
        log = begun(edition, seats, as_position(state), options=state.book.options)
        made = state_of(log)
        for one, other in zip(made.seats, state.seats, strict=True):
            one.player = other.player
        assert without_course(made) == without_course(state)
        assert position_of(log[2]) == as_position(state) | {"bound": state.bound} or state.bound is None


@pytest.mark.many
@EVERY_TABLE
def test_what_is_left_out_is_drawn_from_the_cards_that_are_not_named(edition, seats):
    for seed in range(12):
        rng = random.Random(seed)
        state = random_state(edition, seats, seed)
        position = in_part(as_position(state), rng)
        made = state_of(begun(edition, seats, position, seed, state.book.options))
        deck = Counter(made.book.deck)
        lying = Counter([*made.deck, *made.set_aside, *made.shown_aside])
        for seat in made.seats:
            lying += Counter([*seat.hand, *seat.discards])
        assert not lying - deck - Counter({"mi_go_braincase": 1})
        if "deck" not in position:
            assert sum((lying & deck).values()) == len(made.book.deck), "then all cards are somewhere"
        for seat in made.alive():
            assert len(made.seats[seat].hand) == (2 if seat == made.turn else 1)


def test_a_card_that_is_no_part_of_the_deck_lies_where_another_one_has_brought_it():
    hands = [["investigators", "silver_key"], ["mi_go_braincase"]]
    state = state_of(begun("lovecraft", 2, {"hands": hands, "discards": [["mi_go"], []]}))

    assert state.seats[1].hand == ["mi_go_braincase"]
    assert "mi_go_braincase" not in [*state.deck, *state.set_aside]


def test_the_seat_whose_turn_it_is_draws_unless_it_holds_two_cards():
    drawn = begun("standard", 3, {"hands": [["guard", "prince"]], "deck": ["king"]})
    draws = begun("standard", 3, {"hands": [["guard"]], "deck": ["prince", "king"], "turn": 0})
    for log in (drawn, draws):
        assert log[3:] == [TurnStarted(0), CardDrawn(0, "prince", "deck")]
        assert state_of(log).seats[0].hand == ["guard", "prince"]
        assert state_of(log).deck == ["king"]
    assert log[2].position is not None


def test_a_sanity_check_comes_before_the_draw_and_not_after_it():
    mad = {"discards": [["deep_ones"]], "deck": ["cats_of_ulthar", "elder_sign"]}
    before = begun("lovecraft", 3, {"hands": [["investigators"]], **mad})
    assert before[4:] == [CardRevealed(0, "cats_of_ulthar"), CardDrawn(0, "elder_sign", "deck")]
    after = begun("lovecraft", 3, {"hands": [["investigators", "silver_key"]], **mad})
    assert after[4:] == [CardDrawn(0, "silver_key", "deck")]


def test_a_check_that_knocks_the_seat_out_lets_the_next_one_play():
    position = {"hands": [["investigators"]], "discards": [["deep_ones"]], "deck": ["golden_mead", "elder_sign"]}
    log = begun("lovecraft", 3, position)
    assert KnockedOut(0, ("investigators",)) in log
    assert state_of(log).turn == 1


def test_a_check_that_finds_the_deck_empty_ends_the_round_and_the_next_is_dealt():
    hands = [["silver_key"], ["investigators"], ["elder_sign"]]
    log = begun("lovecraft", 3, {"hands": hands, "discards": [["deep_ones"]], "deck": ["cats_of_ulthar"]})
    assert [(event.winners, event.reason) for event in log if isinstance(event, RoundEnded)] == [((0,), "showdown")]
    assert next(event for event in log[3:] if isinstance(event, RoundStarted)).position is None


def test_whose_turn_it_is_follows_from_two_cards_or_from_who_is_in():
    assert standard(hands=[[], ["guard", "spy"]]).turn == 1
    assert standard(out=[0]).turn == 1
    assert standard(turn=2).turn == 2


def test_a_round_is_dealt_by_the_rules_where_the_list_has_nothing():
    first = created("standard", 3, positions=({}, {"hands": [["guard", "guard"]], "tokens": [3]}))
    state = rules.begin(first)
    chance = LooseChance(random.Random(1))
    started = rules.start(state, [""] * 3, chance)
    assert next_round(started).position is None
    fold(state, started)
    while state.round_number == 1:
        happened = rules.play(state, rules.legal_actions(state)[0], chance)
    assert next_round(happened).scores == (3, 0, 0), "the tokens are those of the position"


def test_a_later_position_keeps_the_tokens_unless_it_says_others():
    first = created("standard", 3, positions=({}, {"hands": [["guard", "guard"]]}))
    state = rules.begin(first)
    chance = LooseChance(random.Random(1))
    fold(state, rules.start(state, [""] * 3, chance))
    while state.round_number == 1:
        happened = rules.play(state, rules.legal_actions(state)[0], chance)
    assert sum(next_round(happened).scores) > 0


def test_a_later_position_is_passed_over_once_a_seat_has_left():
    first = created("standard", 3, positions=({}, {"hands": [["guard", "guard"]]}))
    state = rules.begin(first)
    chance = LooseChance(random.Random(1))
    fold(state, rules.start(state, [""] * 3, chance))
    left = rules.leave(state, 2, "resigned", chance)
    assert isinstance(left[0], SeatLeft)
    fold(state, left)
    while state.round_number == 1:
        happened = rules.play(state, rules.legal_actions(state)[0], chance)
    assert next_round(happened).position is None


def test_a_later_position_is_passed_over_where_it_deals_in_a_seat_that_does_not_play_for_the_tie():
    tied = {
        "hands": [["guard", "priest"], [], ["priest"]],
        "discards": [[], [], ["guard"]],
        "out": [1],
        "deck": [],
        "tokens": [4, 0, 4],
    }
    first = created("premium", 3, positions=(tied, {"hands": [[], ["guard"]]}))
    state = rules.begin(first)
    chance = LooseChance(random.Random(1))
    fold(state, rules.start(state, [""] * 3, chance))
    happened = rules.decide(state, 0, PlayCard("guard", (2,), 8), chance)
    assert next_round(happened).seats == (0, 2)
    assert next_round(happened).position is None


def test_a_position_in_which_the_tokens_have_won_is_refused():
    with pytest.raises(ImpossiblePosition, match="won"):
        check_position(rules.begin(created("premium", 3)), {"hands": [["guard", "guard"]], "tokens": [5, 4]})


def test_tokens_may_make_a_tie_break_round_of_the_seats_that_have_enough():
    state = state_of(begun("premium", 3, {"tokens": [5, 0, 5], "hands": [["guard"]]}))
    assert state.tie_break
    assert state.dealt == (0, 2)
    assert state.alive() == (0, 2)


IMPOSSIBLE = [
    ({"hands": [["priest"], ["priest"], ["priest"]]}, "", "excess"),
    ({"deck": ["bishop"]}, "", "no_such_card"),
    ({"hands": [[], [], [], ["guard"]]}, "hands", "seats"),
    ({"tokens": [0, 0, 0, 0]}, "tokens", "seats"),
    ({"turn": 3}, "turn", "seat"),
    ({"out": [3]}, "out", "seat"),
    ({"protected": [7]}, "protected", "seat"),
    ({"bound": 5}, "bound", "seat"),
    ({"marks": [{"card": "jester", "seat": 0, "target": 3}]}, "marks", "seat"),
    ({"hands": [["guard", "spy", "king"]]}, "hands.0", "hand"),
    ({"hands": [["guard", "spy"], ["king", "baron"]]}, "hands.1", "hand"),
    ({"hands": [["guard", "spy"]], "turn": 1}, "hands.0", "hand"),
    ({"hands": [["guard"], [], ["spy"]], "out": [2]}, "hands.2", "hand_of_out"),
    ({"out": [1, 2]}, "out", "alone"),
    ({"out": [1], "turn": 1}, "turn", "out"),
    ({"out": [1], "protected": [1]}, "protected", "out"),
    ({"protected": [0]}, "protected", "turn"),
    ({"out": [2, 2]}, "out.1", "twice"),
    ({"protected": [1, 2, 1]}, "protected.2", "twice"),
    ({"discards": [["princess"]]}, "discards.0", "fatal"),
    ({"shown_aside": ["guard"]}, "shown_aside", "shown"),
    ({"deck": []}, "deck", "nothing_to_draw"),
    ({"hands": [["guard"]], "deck": []}, "deck", "nothing_to_draw"),
    ({"tokens": [5]}, "tokens", "won"),
    ({"insane_tokens": [1]}, "insane_tokens", "one_kind"),
    ({"tokens": [1], "insane_tokens": [1]}, "insane_tokens", "one_kind"),
    ({"bound": 1}, "bound", "nothing_binds"),
    ({"marks": [{"card": "jester", "seat": 0, "target": 1}]}, "marks.0.card", "no_mark"),
]


@pytest.mark.parametrize(("position", "field", "reason"), IMPOSSIBLE)
def test_what_cannot_be_is_refused(position, field, reason):
    with pytest.raises(ImpossiblePosition) as refused:
        check_position(rules.begin(created("standard", 3)), position)
    assert (refused.value.field, refused.value.reason) == (field, reason)


OF_OTHERS = [
    ("premium", {"marks": [{"card": "guard", "seat": 0, "target": 1}]}, "marks.0.card", "no_mark"),
    ("premium", {"marks": [{"card": "jester", "seat": 0, "target": 1}]}, "marks.0.seat", "mark_of_nobody"),
    (
        "premium",
        {"marks": [{"card": "jester", "seat": 0, "target": 0}], "discards": [["jester"]]},
        "marks.0.target",
        "marked",
    ),
    (
        "premium",
        {"marks": [{"card": "jester", "seat": 0, "target": 1}] * 2, "discards": [["jester"]]},
        "marks.1.card",
        "mark_twice",
    ),
    ("premium", {"tokens": [4, 4], "discards": [[], [], ["guard"]]}, "discards.2", "hand_of_out"),
    ("lovecraft", {"deck": ["mi_go_braincase"], "discards": [["mi_go"]]}, "deck", "beside"),
    ("lovecraft", {"set_aside": "mi_go_braincase", "discards": [["mi_go"]]}, "set_aside", "beside"),
    ("lovecraft", {"hands": [["mi_go_braincase"]]}, "", "not_given"),
    ("lovecraft", {"discards": [["cthulhu"]]}, "discards.0", "fatal"),
    ("lovecraft", {"insane_tokens": [1]}, "insane_tokens", "insane"),
    ("lovecraft", {"tokens": [1], "insane_tokens": [2]}, "insane_tokens", "insane"),
    ("lovecraft", {"marks": [{"card": "liber_ivonis", "seat": 0, "target": 1}]}, "marks.0.seat", "mark_of_nobody"),
]


@pytest.mark.parametrize(("edition", "position", "field", "reason"), OF_OTHERS)
def test_what_cannot_be_in_other_editions_is_refused(edition, position, field, reason):
    with pytest.raises(ImpossiblePosition) as refused:
        check_position(rules.begin(created(edition, 5)), position)
    assert (refused.value.field, refused.value.reason) == (field, reason)


def test_more_cards_than_there_are_cannot_be_drawn():
    deck = list(rulebook("standard", 3, {}).deck)
    with pytest.raises(ImpossiblePosition, match="too_few"):
        check_position(rules.begin(created("standard", 3)), {"deck": deck[:19], "hands": [["princess", "countess"]]})
    with pytest.raises(ImpossiblePosition, match="nothing_to_draw"):
        check_position(rules.begin(created("standard", 3)), {"discards": [deck[:6], deck[6:12], deck[12:17]]})


def test_who_has_read_liber_ivonis_as_published_may_have_the_necronomicon_in_front_of_them():
    position = {
        "discards": [["liber_ivonis", "necronomicon"]],
        "marks": [{"card": "liber_ivonis", "seat": 0, "target": 0}],
    }
    published = rules.begin(created("lovecraft", 3, {"liber_ivonis": "published"}))
    assert check_position(published, position).turn == 0
    with pytest.raises(ImpossiblePosition, match="fatal"):
        check_position(rules.begin(created("lovecraft", 3, {"liber_ivonis": "showdown"})), position)


class TestCanonicalPositions:
    """What `game_created` keeps: equal positions are equal there."""

    def test_an_empty_position_says_nothing(self):
        assert {*canonical(standard(turn=0).book, {}).values()} == {None}

    @EVERY_TABLE
    def test_are_kept_as_they_are_and_begin_the_same_round(self, edition, seats):
        for seed in range(10):
            state = random_state(edition, seats, seed)
            position = as_position(state)
            part = canonical(state.book, in_part(position, random.Random(seed)))
            assert canonical(state.book, part) == part
            kept = canonical(state.book, position)
            assert canonical(state.book, kept) == kept
            given = {name: value for name, value in kept.items() if value is not None}
            assert begun(edition, seats, given)[2] == begun(edition, seats, position)[2]

    def test_what_chance_has_no_choice_in_is_said(self):
        kept = canonical(*leaving("guard", "guard", hands=["spy", "king", "princess"], turn=0))

        assert (kept["set_aside"], kept["deck"]) == ("guard", ["guard"])

    def test_a_deck_is_empty_where_chance_deals_every_card_elsewhere(self):
        kept = canonical(*leaving("guard", "prince", hands=["spy guard", "princess"]))

        assert kept["deck"] == []
        assert kept["set_aside"] is None

    def test_hands_that_chance_has_no_choice_in_are_said(self):
        kept = canonical(*leaving("guard", "guard", "guard", hands=["spy"], deck=["princess"]))

        assert kept["hands"] == [["spy"], ["guard"], ["guard"]]
        assert kept["set_aside"] == "guard"


def leaving(*cards, hands, **position):
    """Returns a rulebook and a position of three seats that names every card of the deck except some."""
    book = standard(turn=0).book
    hands = [hand.split() for hand in hands]
    elsewhere = [card for hand in hands for card in hand] + position.get("deck", []) + [*cards]
    discards = Counter(book.deck) - Counter(elsewhere)
    return book, {"hands": hands, "discards": [[], [*discards.elements()]], **position}
