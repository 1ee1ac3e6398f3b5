"""Every reason for which an action is refused has its case here, and the test at the end counts them."""

import pytest

from engine import errors, rules
from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from tests.engine.given import created, given


def standard(hands=("guard king", "priest", "baron"), deck="spy spy", **situation):
    return given(hands=list(hands), deck=deck, **situation)


def chancellor():
    table = standard(["chancellor guard", "priest", "baron"], deck="king spy prince")
    table.play("chancellor")
    return table


def cardinal():
    table = given("premium", hands=["cardinal guard", "prince", "princess", None, None], deck="count")
    table.play("cardinal", 1, 2)
    return table


def nyarlathotep():
    hands = ["nyarlathotep elder_sign", "cats_of_ulthar", "hound_of_tindalos"]
    table = given("lovecraft", hands=hands, deck="cats_of_ulthar cats_of_ulthar", discards={0: "deep_ones"})
    table.play("nyarlathotep", face="insane")
    return table


def over():
    table = given(hands=["spy king", "priest"], tokens=[5, 0])
    table.play("spy")
    return table


def bound():
    table = given("premium", hands=["sycophant guard", "guard", "princess", None, None], deck="count count")
    table.play("sycophant", 2)
    return table


def faces():
    return given("lovecraft", hands=["hound_of_tindalos elder_sign", "elder_sign", "elder_sign"], deck="elder_sign")


def cardinal_in_hand():
    return given("premium", hands=["cardinal guard", "prince", "princess", None, None], deck="count")


def two_faces_forced():
    return given("lovecraft", hands=["silver_key mi_go", "cats_of_ulthar"], deck="cats_of_ulthar")


CASES = [
    (errors.GAME_OVER, over, 0, PlayCard("king", (1,))),
    (errors.NOT_YOUR_TURN, standard, 1, PlayCard("priest", (0,))),
    (errors.NOT_YOUR_TURN, standard, 7, PlayCard("guard", (1,), "king")),
    (errors.WRONG_ACTION, standard, 0, KeepCard("guard", ("king",))),
    (errors.WRONG_ACTION, standard, 0, RedrawHand(True)),
    (errors.WRONG_ACTION, chancellor, 0, PlayCard("guard", (1,), "king")),
    (errors.WRONG_ACTION, chancellor, 0, PeekHand()),
    (errors.CARD_NOT_IN_HAND, standard, 0, PlayCard("princess")),
    (errors.CARD_NOT_IN_HAND, standard, 0, PlayCard("joker")),
    (errors.CARD_NOT_IN_HAND, chancellor, 0, KeepCard("prince", ("king", "spy"))),
    (errors.CARDS_DO_NOT_MATCH, chancellor, 0, KeepCard("guard", ("king",))),
    (errors.CARDS_DO_NOT_MATCH, chancellor, 0, KeepCard("guard", ("guard", "king"))),
    (errors.CARDS_DO_NOT_MATCH, nyarlathotep, 0, GiveHands(((1, "cats_of_ulthar"), (2, "cats_of_ulthar")))),
    ("must_play_countess", lambda: standard(["countess king", "priest"]), 0, PlayCard("king", (1,))),
    ("must_play_silver_key", two_faces_forced, 0, PlayCard("mi_go", (1,), face="sane")),
    (errors.TARGET_REQUIRED, standard, 0, PlayCard("guard", (), "king")),
    (errors.TARGET_NOT_ALLOWED, lambda: standard(["spy king", "priest"]), 0, PlayCard("spy", (1,))),
    (errors.TARGET_COUNT, standard, 0, PlayCard("guard", (1, 2), "king")),
    (errors.TARGET_UNKNOWN, standard, 0, PlayCard("guard", (3,), "king")),
    (errors.TARGET_UNKNOWN, standard, 0, PlayCard("guard", (-1,), "king")),
    (errors.TARGET_REPEATED, cardinal_in_hand, 0, PlayCard("cardinal", (1, 1))),
    (errors.TARGET_ORDER, cardinal_in_hand, 0, PlayCard("cardinal", (2, 1))),
    (errors.TARGET_SELF, standard, 0, PlayCard("guard", (0,), "king")),
    (errors.TARGET_OUT, lambda: standard(["guard king", None, "baron"]), 0, PlayCard("guard", (1,), "king")),
    (errors.TARGET_PROTECTED, lambda: standard(protected=[1]), 0, PlayCard("guard", (1,), "king")),
    (errors.TARGET_BOUND, bound, 1, PlayCard("guard", (0,), 5)),
    (errors.GUESS_REQUIRED, standard, 0, PlayCard("guard", (1,))),
    (errors.GUESS_NOT_ALLOWED, standard, 0, PlayCard("guard", (1,), "guard")),
    (errors.GUESS_NOT_ALLOWED, standard, 0, PlayCard("guard", (1,), "joker")),
    (errors.GUESS_NOT_ALLOWED, standard, 0, PlayCard("guard", (1,), 5)),
    (errors.GUESS_NOT_ALLOWED, standard, 0, PlayCard("king", (1,), "guard")),
    (errors.GUESS_NOT_ALLOWED, lambda: standard(protected=[1, 2]), 0, PlayCard("guard", (), "king")),
    (errors.FACE_REQUIRED, faces, 0, PlayCard("hound_of_tindalos", (1,))),
    (errors.FACE_NOT_ALLOWED, faces, 0, PlayCard("hound_of_tindalos", (1,), face="insane")),
    (errors.FACE_NOT_ALLOWED, standard, 0, PlayCard("king", (1,), face="sane")),
    (errors.SEAT_NOT_OFFERED, cardinal, 0, PeekHand(0)),
]


@pytest.mark.parametrize(("reason", "situation", "seat", "action"), CASES)
def test_an_action_is_refused_for(reason, situation, seat, action):
    assert situation().refused_action(action, seat) == reason


def test_a_game_that_has_not_started_refuses_all_actions():
    state = rules.begin(created())

    assert rules.refusal(state, 0, PlayCard("guard", (1,), "king")) == errors.GAME_NOT_STARTED


def test_an_error_says_its_reason():
    assert str(errors.IllegalAction("target_out")) == "target_out"


def test_every_reason_has_a_case():
    # The reasons of positions, a tuple, have cases of their own (test_positions.py).
    reasons = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, str)}
    tested = {reason for reason, *_ in CASES if not reason.startswith(errors.MUST_PLAY)}
    # These two are refused elsewhere: above, and where a seat leaves (test_leaving.py).
    assert reasons == tested | {errors.MUST_PLAY, errors.GAME_NOT_STARTED, errors.SEAT_LEFT}
