"""The cards of the `premium` edition (rules, section 4), one class each."""

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
    RoundEnded,
    SeatBound,
    SeatLeft,
    SeatMarked,
    TokenAwarded,
    TurnStarted,
)
from engine.views import redact
from tests.engine.given import given, next_round, round_part


def premium(*, hands, tokens=None, **situation):
    """Returns a table of five, so that all 32 cards are in play; seats that are not listed are out of the round."""
    more = 5 - len(hands)
    scores = [*tokens, *[0] * more] if tokens else None
    return given("premium", hands=[*hands, *[None] * more], tokens=scores, **situation)


class TestBishop:
    """A token at once, and a decision by the seat that was hit."""

    def hit(self, **situation):
        return premium(hands=["bishop guard", "prince", "princess"], deck="count count cardinal", **situation)

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

    def test_the_seat_may_keep(self):
        table = self.hit()
        table.play("bishop", 1, names=5)

        assert table.act(RedrawHand(False)) == [
            DecisionTaken(1, "bishop", "redraw_hand"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_a_discarded_princess_is_out_without_drawing(self):
        table = self.hit()
        table.play("bishop", 2, names=8)

        assert table.act(RedrawHand(True))[1:4] == [HandDiscarded(2, ("princess",)), KnockedOut(2, ()), TurnStarted(1)]

    def test_a_token_that_reaches_the_target_ends_the_game_before_the_decision(self):
        table = self.hit(tokens=[3, 0, 0])

        assert table.play("bishop", 1, names=5)[1:] == [TokenAwarded(0, "bishop", "favor"), GameFinished((0,))]
        assert table.legal() == []

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


class TestCardinal:
    """Two targets, the own seat allowed, and a look at one of them."""

    def test_swaps_two_hands_and_offers_a_look(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="count")

        assert table.play("cardinal", 1, 2) == [
            CardPlayed(0, "cardinal", (1, 2), None, None, None),
            HandsTraded(1, 2, ("princess",), ("prince",)),
            DecisionOpened(0, "cardinal", "peek_hand", (1, 2)),
        ]
        assert table.legal() == [PeekHand(), PeekHand(1), PeekHand(2)]
        assert table.refused_action(PeekHand(0)) == "seat_not_offered"
        assert table.act(PeekHand(2))[:2] == [
            DecisionTaken(0, "cardinal", "peek_hand"),
            HandShown(2, 0, ("prince",)),
        ]

    def test_its_player_does_not_see_what_two_others_swap(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="count")
        traded = table.play("cardinal", 1, 2)[1]

        assert redact(traded, 0) == HandsTraded(1, 2, (None,), (None,))
        assert redact(traded, 1) == redact(traded, 2) == traded

    def test_may_look_at_neither(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="count")
        table.play("cardinal", 0, 1)

        assert table.act(PeekHand())[1] == TurnStarted(1)

    def test_needs_two_seats(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="count", protected=[1, 2])

        assert [action for action in table.legal() if action.card == "cardinal"] == [PlayCard("cardinal")]
        assert table.refused("cardinal", 0) == "target_count"
        assert table.play("cardinal")[1] == TurnStarted(1)

    def test_refuses_one_seat_twice_or_too_many(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="count")

        assert table.refused("cardinal", 1, 1) == "target_repeated"
        assert table.refused("cardinal", 0, 1, 2) == "target_count"
        assert table.refused("cardinal", 2, 1) == "target_order"
        assert table.refused("cardinal") == "target_required"

    def test_does_not_offer_a_seat_that_has_left(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="count")
        table.play("cardinal", 1, 2)
        table.leave(1)

        assert table.legal() == [PeekHand(), PeekHand(2)]

    def test_looks_at_nobody_when_its_player_leaves(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="count")
        table.play("cardinal", 1, 2)

        assert table.leave(0) == [
            DecisionTaken(0, "cardinal", "peek_hand"),
            SeatLeft(0, ("guard",), "resigned"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_the_round_is_over_when_only_its_player_is_left_in_it(self):
        table = premium(hands=["cardinal guard", "prince", None], deck="count")
        table.play("cardinal", 0, 1)

        assert round_part(table.leave(1)) == [
            SeatLeft(1, ("guard",), "resigned"),
            RoundEnded(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
        ]


class TestBaroness:
    """One or two targets."""

    def test_looks_at_one_or_two_hands(self):
        table = premium(hands=["baroness guard", "prince", "princess"], deck="count")

        plays = [action.targets for action in table.legal() if action.card == "baroness"]
        assert plays == [(1,), (2,), (1, 2)]
        assert table.play("baroness", 1, 2)[1:3] == [HandShown(1, 0, ("prince",)), HandShown(2, 0, ("princess",))]


class TestAssassin:
    """A card in hand that turns a guess away."""

    def test_knocks_out_the_guards_player_whatever_was_named(self):
        table = premium(hands=["guard count", "assassin", "princess"], deck="prince count")

        assert table.play("guard", 1, names=5) == [
            CardPlayed(0, "guard", (1,), None, 5, None),
            KnockedOut(0, ("count",)),
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "prince", "deck"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_is_replaced_from_the_card_set_aside_when_the_deck_is_empty(self):
        table = premium(hands=["guard count", "assassin", "princess"], set_aside="handmaid")

        assert table.play("guard", 1, names=5)[3] == CardDrawn(1, "handmaid", "set_aside")

    def test_elsewhere_a_guess_works_as_ever(self):
        table = premium(hands=["guard count", "count", "princess"], deck="prince")

        assert table.play("guard", 1, names=5)[1] == KnockedOut(1, ("count",))
        assert table.state.to_act == 2


class TestSycophant:
    """The next card that chooses must choose the seat."""

    def bound_to(self, seat, second="guard bishop", **situation):
        hands = ["sycophant count", second.split()[0], "prince"]
        table = premium(hands=hands, deck=f"{second.split()[1]} prince prince", **situation)
        assert table.play("sycophant", seat)[1] == SeatBound(seat)
        return table

    def test_narrows_the_choice_to_the_seat(self):
        table = self.bound_to(2)

        assert {action.targets for action in table.legal()} == {(2,)}
        assert table.refused("guard", 0, names=5) == "target_bound"
        assert table.refused("guard") == "target_required"

    def test_a_card_that_cannot_choose_the_seat_has_no_effect(self):
        table = self.bound_to(1)

        assert table.legal() == [PlayCard("guard"), PlayCard("bishop")]
        assert table.refused("guard", 2, names=5) == "target_bound"
        assert table.play("guard")[1] == TurnStarted(2)

    def test_ends_with_the_next_card(self):
        table = self.bound_to(1)
        table.play("guard")

        assert {action.targets for action in table.legal()} == {(0,), (1,), (2,)}

    def test_ends_with_a_card_that_chooses_nobody(self):
        table = self.bound_to(2, "count guard")
        table.play("count")

        assert table.state.bound is None

    def test_a_prince_must_hit_oneself_when_oneself_is_bound(self):
        table = self.bound_to(1, "prince count")

        assert PlayCard("prince", (1,)) in table.legal()
        assert table.refused("prince", 2) == "target_bound"

    def test_a_choice_of_two_must_include_the_seat(self):
        table = self.bound_to(2, "cardinal baroness")

        chosen = {(action.card, action.targets) for action in table.legal()}
        assert chosen == {
            ("cardinal", (0, 2)),
            ("cardinal", (1, 2)),
            ("baroness", (2,)),
            ("baroness", (0, 2)),
        }

    def test_another_sycophant_must_bind_the_same_seat(self):
        table = self.bound_to(2, "sycophant count")

        assert [action.targets for action in table.legal() if action.card == "sycophant"] == [(2,)]

    def test_is_lifted_when_the_seat_leaves(self):
        table = self.bound_to(2)
        table.leave(2)

        assert table.state.bound is None
        assert {action.targets for action in table.legal()} == {(0,)}

    def test_stays_when_another_seat_leaves(self):
        table = self.bound_to(2)
        table.leave(0)

        assert table.state.bound == 2


class TestJester:
    """A mark for the round, paid at its end."""

    def test_pays_its_player_when_the_marked_seat_wins(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="")

        assert round_part(table.play("jester", 1)) == [
            CardPlayed(0, "jester", (1,), None, None, None),
            SeatMarked("jester", 0, 1),
            HandsRevealed(("guard", "bishop", "prince", None, None)),
            RoundEnded(1, (1,), "showdown"),
            TokenAwarded(1, "round", "favor"),
            TokenAwarded(0, "jester", "favor"),
        ]

    def test_pays_nothing_when_another_seat_wins(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="")

        assert TokenAwarded(0, "jester", "favor") not in table.play("jester", 2)

    def test_pays_a_player_that_is_out(self):
        table = premium(hands=["jester count", "bishop", "handmaid"], deck="guard prince")
        table.play("jester", 1)
        assert table.play("guard", 0, names=5)[1] == KnockedOut(0, ("count",))

        assert TokenAwarded(0, "jester", "favor") in table.play("handmaid")

    def test_pays_nothing_to_a_player_that_has_left(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="count")
        table.play("jester", 1)
        table.leave(0)

        assert TokenAwarded(0, "jester", "favor") not in table.play("count")
        assert table.tokens() == [0, 1, 0, 0, 0]

    def test_is_forgotten_in_the_next_round(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="")
        table.play("jester", 1)

        assert table.state.marks == {}


class TestConstable:
    """A card in the discards that pays when its owner is knocked out."""

    def test_pays_when_it_lay_in_the_discards(self):
        table = premium(hands=["guard count", "prince", "princess"], deck="count", discards={1: "constable"})

        assert table.play("guard", 1, names=5)[1:3] == [
            KnockedOut(1, ("prince",)),
            TokenAwarded(1, "constable", "favor"),
        ]

    def test_pays_nothing_from_the_hand(self):
        table = premium(hands=["guard count", "constable", "princess"], deck="count")

        assert table.play("guard", 1, names=6)[1:3] == [KnockedOut(1, ("constable",)), TurnStarted(2)]

    def test_pays_nothing_when_its_owner_leaves(self):
        table = premium(hands=["guard count", "prince", "princess"], deck="count", discards={1: "constable"})

        assert table.leave(1) == [SeatLeft(1, ("prince",), "resigned")]

    def test_may_win_the_game_while_others_play(self):
        table = premium(
            hands=["guard count", "prince", "princess"], deck="count", discards={1: "constable"}, tokens=[0, 3, 0]
        )

        assert table.play("guard", 1, names=5)[-1] == GameFinished((1,))


class TestCount:
    """A showdown with a rule of its own."""

    def test_adds_to_the_number_and_a_tie_goes_to_the_higher_discards(self):
        table = premium(hands=["countess prince", "princess", "guard"], discards={0: "count count"}, deck="")
        assert RoundEnded(1, (1,), "showdown") in table.play("countess")

        table = premium(hands=["guard countess", "princess", "guard"], discards={0: "count"}, protected=[1, 2])
        assert RoundEnded(1, (0,), "showdown") in table.play("guard")


class TestTieBreakRounds:
    """Several seats at the target: rounds of those seats alone, until one is ahead."""

    def tied(self):
        table = premium(hands=["jester guard", "princess", "prince"], deck="", tokens=[3, 3, 0])
        return table, table.play("jester", 1)

    def test_deal_in_only_the_seats_at_the_target(self):
        table, happened = self.tied()

        assert table.tokens() == [4, 4, 0, 0, 0]
        assert next_round(happened).seats == (0, 1)
        assert next_round(happened).hands[2] is None
        assert not table.state.is_in_round(2)

    def test_begin_with_the_last_winner_if_it_takes_part(self):
        _, happened = self.tied()

        assert next_round(happened).starter == 1

    def test_never_begin_with_a_winner_that_does_not_take_part(self):
        for seed in range(20):
            hands = ["jester guard", "handmaid", "princess", "princess"]
            table = premium(hands=hands, tokens=[3, 0, 3, 0], deck="", seed=seed)
            happened = table.play("jester", 2)
            assert RoundEnded(1, (2, 3), "showdown") in happened
            assert next_round(happened).seats == (0, 2)
            assert next_round(happened).starter == 2

    def test_end_the_game_when_one_is_ahead(self):
        table = premium(hands=["guard count", "prince", None], deck="count", tokens=[4, 4, 0])

        assert table.play("guard", 1, names=5)[-1] == GameFinished((0,))
