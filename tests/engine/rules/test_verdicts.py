"""What decided a round, as `round_ended` says it: the numbers before and after, sums, and who was removed by what."""

import json

from engine.events import RoundEnded
from engine.logs.codec import read_event, store_event
from engine.views import WATCHER, redact
from tests.engine.editions.lovecraft_tables import (
    CARTER,
    CATS,
    HOUND,
    KEY,
    SIGN,
    TRAPEZOHEDRON,
    lovecraft,
)
from tests.engine.editions.premium_tables import premium
from tests.engine.given import given


def verdict(happened):
    """Returns the end of the round, which looks the same to everybody and when it is stored and read again."""
    (ended,) = [event for event in happened if isinstance(event, RoundEnded)]
    assert redact(ended, WATCHER) == ended
    assert read_event(json.loads(json.dumps(store_event(ended, "now")))) == ended
    return ended


def stands(seat, card, number, counted, changed_by=None, discard_sum=None):
    return {
        "seat": seat,
        "card": card,
        "number": number,
        "counted": counted,
        "changed_by": changed_by,
        "discard_sum": discard_sum,
    }


class TestTheLastSeat:
    def test_has_won_and_no_hand_is_told(self):
        table = given(hands=["guard king", "priest"], deck="spy")
        ended = verdict(table.play("guard", 1, names="priest"))

        assert (ended.winners, ended.decided_by, ended.card, ended.standings) == ((0,), "last_seat", None, ())


class TestTheHighestNumber:
    def test_is_told_with_every_hand_at_the_showdown(self):
        table = given(hands=["handmaid king", "priest", None, "guard"])
        ended = verdict(table.play("handmaid"))

        assert (ended.winners, ended.decided_by) == ((0,), "highest_number")
        assert ended.standings == (stands(0, "king", 7, 7), stands(1, "priest", 2, 2), stands(3, "guard", 1, 1))


class TestCounts:
    def test_change_a_number_which_is_told_before_and_after(self):
        table = premium(hands=["handmaid countess", "princess"], discards={0: "count count"})
        ended = verdict(table.play("handmaid"))

        assert (ended.winners, ended.decided_by) == ((0,), "highest_number")
        assert ended.standings == (stands(0, "countess", 7, 9, "count"), stands(1, "princess", 8, 8))


class TestThePrincess:
    def test_beats_a_bishop_whatever_his_counts(self):
        table = premium(hands=["handmaid bishop", "princess"], discards={0: "count"})
        ended = verdict(table.play("handmaid"))

        assert ended.standings == (stands(0, "bishop", 9, None, "princess"), stands(1, "princess", 8, 8))
        assert (ended.winners, ended.decided_by) == ((1,), "highest_number")


class TestTheSumOfDiscards:
    def test_decides_between_equal_numbers_and_is_told_of_those_alone(self):
        table = premium(hands=["handmaid king", "constable", "guard"], discards={0: "guard", 1: "princess"})
        ended = verdict(table.play("handmaid"))

        assert (ended.winners, ended.decided_by) == ((1,), "discard_sum")
        assert ended.standings == (
            stands(0, "king", 6, 6, discard_sum=5),
            stands(1, "constable", 6, 6, discard_sum=8),
            stands(2, "guard", 1, 1),
        )


class TestEqualNumbers:
    def test_remove_seats_whose_cards_then_count_nothing(self):
        ended = verdict(lovecraft((SIGN, KEY), TRAPEZOHEDRON, CATS, deck=()).play(SIGN))

        assert (ended.winners, ended.decided_by) == ((2,), "highest_number")
        assert ended.standings == (
            stands(0, KEY, 7, None),
            stands(1, TRAPEZOHEDRON, 7, None),
            stands(2, CATS, 2, 2),
        )


class TestACardThatWinsAtOnce:
    def test_is_named_and_no_hand_is_told(self):
        table = lovecraft((TRAPEZOHEDRON, CARTER), CATS, SIGN, discards={0: HOUND})
        ended = verdict(table.play(TRAPEZOHEDRON, face="insane"))

        assert (ended.winners, ended.reason, ended.decided_by) == ((0,), "card", "card")
        assert (ended.card, ended.standings) == (TRAPEZOHEDRON, ())
