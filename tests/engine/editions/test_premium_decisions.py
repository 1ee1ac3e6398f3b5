"""The two premium cards that ask somebody something, the Cardinal and the Bishop (rules, "The cards of premium")."""

import pytest

from engine.actions import PeekHand, PlayCard, RedrawHand
from engine.events import (
    CardDrawn,
    CardPlayed,
    DecisionOpened,
    DecisionTaken,
    GameFinished,
    HandDiscarded,
    HandShown,
    HandsRevealed,
    HandsTraded,
    KnockedOut,
    SeatLeft,
    SeatTimedOut,
    TokenAwarded,
    TurnStarted,
)
from engine.views import WATCHER, redact, view
from tests.engine.editions.premium_tables import NUMBERS, numbers_of, premium, targets_of
from tests.engine.given import given, round_over, round_part, timed_out


class TestCardinal:
    """Two hands change places, then its player may look at one of them."""

    def table(self, **situation):
        return premium(hands=["cardinal guard", "prince", "princess"], deck="count", **situation)

    def test_swaps_two_hands_and_then_asks(self):
        table = self.table()

        assert table.play("cardinal", 1, 2) == [
            CardPlayed(0, "cardinal", (1, 2), None, None, None),
            HandsTraded(1, 2, ("princess",), ("prince",)),
            DecisionOpened(0, "cardinal", "peek_hand", (1, 2)),
        ]
        assert table.state.to_act == 0
        assert table.legal() == [PeekHand(), PeekHand(1), PeekHand(2)]
        assert table.refused_action(PeekHand(0)) == "seat_not_offered"
        assert table.refused_action(PeekHand(1), seat=1) == "not_your_turn"

    @pytest.mark.parametrize(
        ("seat", "shown"),
        [(1, [HandShown(1, 0, ("princess",))]), (2, [HandShown(2, 0, ("prince",))]), (None, [])],
    )
    def test_shows_the_first_the_second_or_none(self, seat, shown):
        table = self.table()
        table.play("cardinal", 1, 2)

        assert table.act(PeekHand(seat)) == [
            DecisionTaken(0, "cardinal", "peek_hand"),
            *shown,
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_may_choose_its_own_seat(self):
        table = self.table()

        assert targets_of(table, "cardinal") == [(0, 1), (0, 2), (1, 2)]
        assert table.play("cardinal", 0, 2)[1:] == [
            HandsTraded(0, 2, ("princess",), ("guard",)),
            DecisionOpened(0, "cardinal", "peek_hand", (0, 2)),
        ]
        assert table.legal() == [PeekHand(), PeekHand(0), PeekHand(2)]

    def test_two_others_know_both_hands_and_its_player_neither(self):
        table = self.table()
        traded = table.play("cardinal", 1, 2)[1]

        for outsider in (0, 3, WATCHER):
            assert redact(traded, outsider) == HandsTraded(1, 2, (None,), (None,))
            assert [seat.hand for seat in view(table.log, outsider).seats[1:3]] == [[None], [None]]
        for seat in (1, 2):
            assert [seat.hand for seat in view(table.log, seat).seats[1:3]] == [["princess"], ["prince"]]

    def test_a_look_tells_its_player_what_the_other_hand_is_only_if_it_knew_it(self):
        table = self.table()
        table.play("cardinal", 1, 2)
        shown = table.act(PeekHand(2))[1]

        assert redact(shown, 1) == redact(shown, WATCHER) == HandShown(2, 0, (None,))
        seen = view(table.log, 0)
        assert (seen.seats[1].hand, seen.seats[2].hand) == ([None, None], ["prince"])

    def test_hands_that_were_known_stay_known(self):
        table = premium(hands=["priest count", "prince", "princess"], deck="cardinal guard")
        table.play("priest", 2)
        table.play("cardinal", 1, 2)

        seen = view(table.log, 0)
        assert (seen.seats[1].hand, seen.seats[2].hand) == (["princess"], [None])

    def test_its_own_seat_and_one_other_are_two(self):
        table = self.table(protected=[1])

        assert targets_of(table, "cardinal") == [(0, 2)]

    def test_has_no_effect_with_fewer_than_two_seats(self):
        table = self.table(protected=[1, 2])

        assert targets_of(table, "cardinal") == [()]
        assert table.refused("cardinal", 0) == "target_count"
        assert table.refused("cardinal", 0, 1) == "target_protected"
        assert table.play("cardinal")[1] == TurnStarted(1)

    def test_refuses_other_choices(self):
        table = self.table()

        assert table.refused("cardinal", 1, 1) == "target_repeated"
        assert table.refused("cardinal", 1) == "target_count"
        assert table.refused("cardinal", 0, 1, 2) == "target_count"
        assert table.refused("cardinal", 2, 1) == "target_order"
        assert table.refused("cardinal", 1, 3) == "target_out"
        assert table.refused("cardinal") == "target_required"

    def test_in_the_last_turn_asks_before_the_showdown(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="")
        assert isinstance(table.play("cardinal", 0, 2)[-1], DecisionOpened)

        assert round_part(table.act(PeekHand()))[1:3] == [
            HandsRevealed(("princess", "prince", "guard", None, None)),
            round_over(1, (0,), "showdown"),
        ]

    def test_looks_at_none_when_time_is_up(self):
        table = self.table()
        table.play("cardinal", 1, 2)

        assert timed_out(table.state, 0, table.legal()[0], table.chance)[:3] == [
            SeatTimedOut(0),
            DecisionTaken(0, "cardinal", "peek_hand"),
            TurnStarted(1),
        ]

    def test_looks_at_none_when_its_player_leaves(self):
        table = self.table()
        table.play("cardinal", 1, 2)

        assert table.leave(0, "timed_out") == [
            DecisionTaken(0, "cardinal", "peek_hand"),
            SeatLeft(0, ("guard",), "timed_out"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_does_not_offer_seats_that_have_left(self):
        table = premium(hands=["cardinal guard", "prince", "princess", "king"], deck="count")
        table.play("cardinal", 1, 2)
        assert table.leave(1) == [SeatLeft(1, ("princess",), "resigned")]
        assert table.legal() == [PeekHand(), PeekHand(2)]
        assert table.refused_action(PeekHand(1)) == "seat_not_offered"

        table.leave(2)
        assert table.legal() == [PeekHand()]
        assert table.act(PeekHand())[1] == TurnStarted(3)

    def test_is_not_answered_any_more_when_only_its_player_is_left_in_the_round(self):
        table = premium(hands=["cardinal guard", "prince", None], deck="count")
        table.play("cardinal", 0, 1)

        assert round_part(table.leave(1)) == [
            SeatLeft(1, ("guard",), "resigned"),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
        ]
        assert table.state.decision is None


class TestBishop:
    """A token at once, and a decision by the seat that was hit."""

    def hit(self, **situation):
        deck = situation.pop("deck", "count count cardinal")
        return premium(hands=["bishop guard", "prince", "princess"], deck=deck, **situation)

    @pytest.mark.parametrize("seats", [5, 6, 7, 8])
    def test_names_any_number_but_1(self, seats):
        table = given("premium", hands=["bishop king", *["priest"] * (seats - 1)])

        assert numbers_of(table, "bishop") == [0, 2, 3, 4, 5, 6, 7, 8, 9]
        assert table.refused("bishop", 1, names=1) == "guess_not_allowed"
        assert table.refused("bishop", 1, names="priest") == "guess_not_allowed"
        assert table.refused("bishop", 1) == "guess_required"
        assert table.refused("bishop", 0, names=6) == "target_self"

    @pytest.mark.parametrize("card", sorted({*NUMBERS} - {"bishop"}))
    def test_a_number_hits_every_card_of_it(self, card):
        for number in (0, 2, 3, 4, 5, 6, 7, 8, 9):
            table = premium(hands=["bishop count", card, "priest"], deck="guard guard")
            happened = table.play("bishop", 1, names=number)
            assert (TokenAwarded(0, "bishop", "favor") in happened) == (number == NUMBERS[card])

    def test_a_hit_pays_and_asks_the_seat_that_was_hit(self):
        table = self.hit()

        assert table.play("bishop", 1, names=5) == [
            CardPlayed(0, "bishop", (1,), None, 5, None),
            TokenAwarded(0, "bishop", "favor"),
            DecisionOpened(1, "bishop", "redraw_hand", ()),
        ]
        assert table.state.to_act == 1
        assert table.legal() == [RedrawHand(False), RedrawHand(True)]
        assert table.refused_action(PlayCard("guard"), seat=0) == "not_your_turn"
        assert table.refused("prince", 1) == "wrong_action"

    def test_a_miss_does_nothing(self):
        table = self.hit()

        assert table.play("bishop", 1, names=6)[1] == TurnStarted(1)
        assert table.tokens() == [0] * 5

    def test_the_seat_may_keep(self):
        table = self.hit()
        table.play("bishop", 1, names=5)

        assert table.act(RedrawHand(False)) == [
            DecisionTaken(1, "bishop", "redraw_hand"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_the_seat_may_redraw(self):
        table = self.hit()
        table.play("bishop", 1, names=5)

        assert table.act(RedrawHand(True)) == [
            DecisionTaken(1, "bishop", "redraw_hand"),
            HandDiscarded(1, ("prince",)),
            CardDrawn(1, "count", "deck"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_a_discarded_princess_is_out_without_drawing(self):
        table = self.hit()
        table.play("bishop", 2, names=8)

        assert table.act(RedrawHand(True))[1:4] == [HandDiscarded(2, ("princess",)), KnockedOut(2, ()), TurnStarted(1)]

    @pytest.mark.parametrize("card", ["jester", "handmaid", "sycophant", "assassin"])
    def test_a_discarded_card_has_no_effect(self, card):
        table = premium(hands=["bishop guard", card, "prince"], deck="count count count")
        table.play("bishop", 1, names=NUMBERS[card])
        table.act(RedrawHand(True))

        assert table.discards(1) == card
        assert (table.state.marks, table.state.bound, table.state.protected) == ({}, None, 0)

    def test_goes_on_after_its_players_turn(self):
        table = self.hit()
        table.play("bishop", 2, names=8)

        assert table.act(RedrawHand(False))[1] == TurnStarted(1)

    def test_on_an_empty_deck_gives_the_card_set_aside_before_the_showdown(self):
        table = self.hit(deck="", set_aside="handmaid")
        table.play("bishop", 1, names=5)

        assert round_part(table.act(RedrawHand(True)))[1:4] == [
            HandDiscarded(1, ("prince",)),
            CardDrawn(1, "handmaid", "set_aside"),
            HandsRevealed(("guard", "handmaid", "princess", None, None)),
        ]

    def test_a_token_that_reaches_the_target_ends_the_game_before_the_decision(self):
        for deck in ("count", ""):
            table = self.hit(deck=deck, tokens=[3, 0, 0])
            assert table.play("bishop", 1, names=5)[1:] == [TokenAwarded(0, "bishop", "favor"), GameFinished((0,))]
            assert table.state.decision is None
            assert table.legal() == []

    def test_keeps_when_time_is_up(self):
        table = self.hit()
        table.play("bishop", 1, names=5)

        assert timed_out(table.state, 1, table.legal()[0], table.chance)[:3] == [
            SeatTimedOut(1),
            DecisionTaken(1, "bishop", "redraw_hand"),
            TurnStarted(1),
        ]

    def test_a_seat_that_leaves_while_it_is_asked_keeps_its_hand_first(self):
        table = self.hit()
        table.play("bishop", 1, names=5)

        assert table.leave(1) == [
            DecisionTaken(1, "bishop", "redraw_hand"),
            SeatLeft(1, ("prince",), "resigned"),
            TurnStarted(2),
            CardDrawn(2, "count", "deck"),
        ]

    def test_the_decision_goes_on_when_the_bishops_player_leaves(self):
        table = self.hit()
        table.play("bishop", 1, names=5)

        assert table.leave(0) == [SeatLeft(0, ("guard",), "resigned")]
        assert table.state.to_act == 1
        assert table.act(RedrawHand(False))[1:] == [TurnStarted(1), CardDrawn(1, "count", "deck")]

    def test_the_decision_goes_on_when_the_bishops_player_leaves_in_the_last_turn(self):
        table = self.hit(deck="", set_aside="guard")
        table.play("bishop", 1, names=5)
        assert table.leave(0) == [SeatLeft(0, ("guard",), "resigned")]

        assert round_part(table.act(RedrawHand(True)))[2:5] == [
            CardDrawn(1, "guard", "set_aside"),
            HandsRevealed((None, "guard", "princess", None, None)),
            round_over(1, (2,), "showdown"),
        ]

    def test_the_decision_goes_on_when_somebody_else_leaves(self):
        table = self.hit()
        table.play("bishop", 1, names=5)

        assert table.leave(2) == [SeatLeft(2, ("princess",), "resigned")]
        assert table.state.to_act == 1

    def test_the_decision_lapses_when_only_its_seat_is_left_in_the_round(self):
        table = self.hit()
        table.play("bishop", 1, names=5)
        table.leave(2)

        assert round_part(table.leave(0)) == [
            SeatLeft(0, ("guard",), "resigned"),
            round_over(1, (1,), "last_seat"),
            TokenAwarded(1, "round", "favor"),
        ]
        assert table.state.decision is None

    def test_the_decision_lapses_when_only_its_seat_is_left_in_the_game(self):
        table = self.hit()
        table.play("bishop", 1, names=5)
        for seat in (4, 3, 2):
            table.leave(seat)

        assert table.leave(0) == [SeatLeft(0, ("guard",), "resigned"), GameFinished((1,))]
        assert table.state.decision is None

    def test_counts_9_in_comparisons(self):
        table = premium(hands=["baron princess", "bishop", "guard"], deck="count")
        assert table.play("baron", 1)[2] == KnockedOut(0, ("princess",))

        table = premium(hands=["dowager_queen princess", "bishop", "guard"], deck="count")
        assert table.play("dowager_queen", 1)[2] == KnockedOut(1, ("bishop",))

    def test_counts_9_for_a_guard(self):
        table = premium(hands=["guard princess", "bishop", "guard"], deck="count")

        assert table.play("guard", 1, names=9)[1] == KnockedOut(1, ("bishop",))

    def test_counts_9_at_a_showdown_without_the_princess(self):
        table = premium(hands=["handmaid bishop", "countess", "king"], discards={1: "count count", 2: "count"}, deck="")

        # 9 each, and the Counts of seat 1 add up to more than the Handmaid.
        assert round_over(1, (1,), "showdown") in table.play("handmaid")

        table = premium(hands=["handmaid bishop", "countess", "king"], discards={1: "count"}, deck="")
        assert round_over(1, (0,), "showdown") in table.play("handmaid")

    @pytest.mark.parametrize("counts", ["", "count", "count count"])
    def test_is_beaten_by_the_princess_at_the_showdown_whatever_the_counts(self, counts):
        table = premium(hands=["handmaid bishop", "princess", "king"], discards={0: counts}, deck="")

        assert round_over(1, (1,), "showdown") in table.play("handmaid")

    def test_is_beaten_by_the_princess_when_there_are_no_others(self):
        table = premium(hands=["handmaid bishop", "princess"], discards={0: "count count"}, deck="")

        assert round_over(1, (1,), "showdown") in table.play("handmaid")

    def test_beaten_by_the_princess_leaves_her_to_beat_the_others(self):
        hands = ["handmaid bishop", "princess", "countess"]
        table = premium(hands=hands, discards={2: "count count"}, deck="")

        assert round_over(1, (2,), "showdown") in table.play("handmaid")

    def test_is_not_beaten_by_a_princess_that_is_out_of_the_round(self):
        table = premium(hands=["handmaid bishop", "king", None], discards={2: "princess"}, deck="")

        assert round_over(1, (0,), "showdown") in table.play("handmaid")
