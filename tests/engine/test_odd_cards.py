"""Cards of the toy editions: the mechanisms that odd cards need are in the core, the cards are a few lines each."""

import pytest

from engine.actions import GiveHands, PeekHand, PlayCard, RedrawHand
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardReceived,
    CardResolved,
    CardRevealed,
    DecisionOpened,
    DecisionTaken,
    GameFinished,
    HandDiscarded,
    HandsCompared,
    HandsGiven,
    HandShown,
    HandsRevealed,
    HandsTraded,
    HandTaken,
    KnockedOut,
    RoundEnded,
    SeatBound,
    SeatLeft,
    SeatMarked,
    TokenAwarded,
    TurnStarted,
)
from engine.views import redact, view
from tests.engine.given import given, next_round, round_part

pytestmark = pytest.mark.usefixtures("odd_editions")


def marks(**situation):
    return given("odd_marks", **situation)


def madness(**situation):
    return given("odd_madness", **situation)


class TestBishop:
    """A token at once, and a decision by the seat that was hit."""

    def hit(self, **situation):
        return marks(hands=["bishop guard", "prince", "princess"], deck="count count cardinal", **situation)

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
        table = self.hit(tokens=[2, 0, 0])

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
        table = marks(hands=["cardinal guard", "prince", "princess"], deck="count")

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
        table = marks(hands=["cardinal guard", "prince", "princess"], deck="count")
        traded = table.play("cardinal", 1, 2)[1]

        assert redact(traded, 0) == HandsTraded(1, 2, (None,), (None,))
        assert redact(traded, 1) == redact(traded, 2) == traded

    def test_may_look_at_neither(self):
        table = marks(hands=["cardinal guard", "prince", "princess"], deck="count")
        table.play("cardinal", 0, 1)

        assert table.act(PeekHand())[1] == TurnStarted(1)

    def test_needs_two_seats(self):
        table = marks(hands=["cardinal guard", "prince", "princess"], deck="count", protected=[1, 2])

        assert [action for action in table.legal() if action.card == "cardinal"] == [PlayCard("cardinal")]
        assert table.refused("cardinal", 0) == "target_count"
        assert table.play("cardinal")[1] == TurnStarted(1)

    def test_refuses_one_seat_twice_or_too_many(self):
        table = marks(hands=["cardinal guard", "prince", "princess"], deck="count")

        assert table.refused("cardinal", 1, 1) == "target_repeated"
        assert table.refused("cardinal", 0, 1, 2) == "target_count"
        assert table.refused("cardinal", 2, 1) == "target_order"
        assert table.refused("cardinal") == "target_required"

    def test_does_not_offer_a_seat_that_has_left(self):
        table = marks(hands=["cardinal guard", "prince", "princess"], deck="count")
        table.play("cardinal", 1, 2)
        table.leave(1)

        assert table.legal() == [PeekHand(), PeekHand(2)]

    def test_looks_at_nobody_when_its_player_leaves(self):
        table = marks(hands=["cardinal guard", "prince", "princess"], deck="count")
        table.play("cardinal", 1, 2)

        assert table.leave(0) == [
            DecisionTaken(0, "cardinal", "peek_hand"),
            SeatLeft(0, ("guard",), "resigned"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_the_round_is_over_when_only_its_player_is_left_in_it(self):
        table = marks(hands=["cardinal guard", "prince", None], deck="count")
        table.play("cardinal", 0, 1)

        assert round_part(table.leave(1)) == [
            SeatLeft(1, ("guard",), "resigned"),
            RoundEnded(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
        ]


class TestBaroness:
    """One or two targets."""

    def test_looks_at_one_or_two_hands(self):
        table = marks(hands=["baroness guard", "prince", "princess"], deck="count")

        plays = [action.targets for action in table.legal() if action.card == "baroness"]
        assert plays == [(1,), (2,), (1, 2)]
        assert table.play("baroness", 1, 2)[1:3] == [HandShown(1, 0, ("prince",)), HandShown(2, 0, ("princess",))]


class TestAssassin:
    """A card in hand that turns a guess away."""

    def test_knocks_out_the_guards_player_whatever_was_named(self):
        table = marks(hands=["guard count", "assassin", "princess"], deck="prince count")

        assert table.play("guard", 1, names=5) == [
            CardPlayed(0, "guard", (1,), None, 5, None),
            KnockedOut(0, ("count",)),
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "prince", "deck"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_is_replaced_from_the_card_set_aside_when_the_deck_is_empty(self):
        table = marks(hands=["guard count", "assassin", "princess"], set_aside="handmaid")

        assert table.play("guard", 1, names=5)[3] == CardDrawn(1, "handmaid", "set_aside")

    def test_elsewhere_a_guess_works_as_ever(self):
        table = marks(hands=["guard count", "count", "princess"], deck="prince")

        assert table.play("guard", 1, names=5)[1] == KnockedOut(1, ("count",))
        assert table.state.to_act == 2


class TestSycophant:
    """The next card that chooses must choose the seat."""

    def bound_to(self, seat, second="guard bishop", **situation):
        hands = ["sycophant count", second.split()[0], "prince"]
        table = marks(hands=hands, deck=f"{second.split()[1]} prince prince", **situation)
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
        table = marks(hands=["jester guard", "bishop", "prince"], deck="")

        assert round_part(table.play("jester", 1)) == [
            CardPlayed(0, "jester", (1,), None, None, None),
            SeatMarked("jester", 0, 1),
            HandsRevealed(("guard", "bishop", "prince")),
            RoundEnded(1, (1,), "showdown"),
            TokenAwarded(1, "round", "favor"),
            TokenAwarded(0, "jester", "favor"),
        ]

    def test_pays_nothing_when_another_seat_wins(self):
        table = marks(hands=["jester guard", "bishop", "prince"], deck="")

        assert TokenAwarded(0, "jester", "favor") not in table.play("jester", 2)

    def test_pays_a_player_that_is_out(self):
        table = marks(hands=["jester count", "bishop", "handmaid"], deck="guard prince")
        table.play("jester", 1)
        assert table.play("guard", 0, names=5)[1] == KnockedOut(0, ("count",))

        assert TokenAwarded(0, "jester", "favor") in table.play("handmaid")

    def test_pays_nothing_to_a_player_that_has_left(self):
        table = marks(hands=["jester guard", "bishop", "prince"], deck="count")
        table.play("jester", 1)
        table.leave(0)

        assert TokenAwarded(0, "jester", "favor") not in table.play("count")
        assert table.tokens() == [0, 1, 0]

    def test_is_forgotten_in_the_next_round(self):
        table = marks(hands=["jester guard", "bishop", "prince"], deck="")
        table.play("jester", 1)

        assert table.state.marks == {}


class TestConstable:
    """A card in the discards that pays when its owner is knocked out."""

    def test_pays_when_it_lay_in_the_discards(self):
        table = marks(hands=["guard count", "prince", "princess"], deck="count", discards={1: "constable"})

        assert table.play("guard", 1, names=5)[1:3] == [
            KnockedOut(1, ("prince",)),
            TokenAwarded(1, "constable", "favor"),
        ]

    def test_pays_nothing_from_the_hand(self):
        table = marks(hands=["guard count", "constable", "princess"], deck="count")

        assert table.play("guard", 1, names=6)[1:3] == [KnockedOut(1, ("constable",)), TurnStarted(2)]

    def test_pays_nothing_when_its_owner_leaves(self):
        table = marks(hands=["guard count", "prince", "princess"], deck="count", discards={1: "constable"})

        assert table.leave(1) == [SeatLeft(1, ("prince",), "resigned")]

    def test_may_win_the_game_while_others_play(self):
        table = marks(
            hands=["guard count", "prince", "princess"], deck="count", discards={1: "constable"}, tokens=[0, 2, 0]
        )

        assert table.play("guard", 1, names=5)[-1] == GameFinished((1,))


class TestCount:
    """A showdown with a rule of its own."""

    def test_adds_to_the_number_and_a_tie_goes_to_the_higher_discards(self):
        table = marks(hands=["countess prince", "princess", "guard"], discards={0: "count count"}, deck="")
        assert RoundEnded(1, (1,), "showdown") in table.play("countess")

        table = marks(hands=["guard countess", "princess", "guard"], discards={0: "count"}, protected=[1, 2])
        assert RoundEnded(1, (0,), "showdown") in table.play("guard")


class TestTieBreakRounds:
    """Several seats at the target: rounds of those seats alone, until one is ahead."""

    def tied(self):
        table = marks(hands=["jester guard", "princess", "prince"], deck="", tokens=[2, 2, 0])
        return table, table.play("jester", 1)

    def test_deal_in_only_the_seats_at_the_target(self):
        table, happened = self.tied()

        assert table.tokens() == [3, 3, 0]
        assert next_round(happened).seats == (0, 1)
        assert next_round(happened).hands[2] is None
        assert not table.state.is_in_round(2)

    def test_begin_with_the_last_winner_if_it_takes_part(self):
        _, happened = self.tied()

        assert next_round(happened).starter == 1

    def test_never_begin_with_a_winner_that_does_not_take_part(self):
        for seed in range(20):
            hands = ["jester guard", "handmaid", "princess", "princess"]
            table = marks(hands=hands, tokens=[2, 0, 2, 0], deck="", seed=seed)
            happened = table.play("jester", 2)
            assert RoundEnded(1, (2, 3), "showdown") in happened
            assert next_round(happened).seats == (0, 2)
            assert next_round(happened).starter == 2

    def test_end_the_game_when_one_is_ahead(self):
        table = marks(hands=["guard count", "prince", None], deck="count", tokens=[3, 3, 0])

        assert table.play("guard", 1, names=5)[-1] == GameFinished((0,))


class TestGoldenMead:
    """A second face, a look, a draw, and one more card before the first is over."""

    def insane(self, **situation):
        return madness(hands=["golden_mead elder_sign", "cats", "hound"], discards={0: "hound"}, **situation)

    def test_sane_only_looks(self):
        table = madness(hands=["golden_mead elder_sign", "cats", "hound"], deck="cats cats")

        assert table.play("golden_mead", 1, face="sane") == [
            CardPlayed(0, "golden_mead", (1,), None, None, "sane"),
            HandShown(1, 0, ("cats",)),
            CardResolved(0, "golden_mead"),
            TurnStarted(1),
            CardDrawn(1, "cats", "deck"),
        ]

    def test_the_insane_face_needs_an_insane_seat(self):
        table = madness(hands=["golden_mead elder_sign", "cats", "hound"], deck="cats cats")

        assert table.refused("golden_mead", 1, face="insane") == "face_not_allowed"
        assert table.refused("golden_mead", 1) == "face_required"
        assert table.refused("elder_sign", face="sane") == "face_not_allowed"

    def test_insane_plays_one_more_card_in_full_before_it_is_over(self):
        table = self.insane(deck="investigators cats armitage")

        assert table.play("golden_mead", 1, face="insane") == [
            CardPlayed(0, "golden_mead", (1,), None, None, "insane"),
            HandShown(1, 0, ("cats",)),
            CardDrawn(0, "investigators", "deck"),
            DecisionOpened(0, "golden_mead", "play_card", ()),
        ]
        assert table.state.in_play == ["golden_mead"]
        assert set(table.legal_cards()) == {"elder_sign", "investigators"}
        assert table.refused_action(PeekHand()) == "wrong_action"
        assert table.play("investigators", 1, names=2) == [
            DecisionTaken(0, "golden_mead", "play_card"),
            CardPlayed(0, "investigators", (1,), None, 2, None),
            KnockedOut(1, ("cats",)),
            CardResolved(0, "investigators"),
            CardResolved(0, "golden_mead"),
            TurnStarted(2),
            CardDrawn(2, "cats", "deck"),
        ]
        assert table.discards(0) == "hound investigators golden_mead"

    def test_on_an_empty_deck_only_looks(self):
        table = self.insane(deck="")

        assert round_part(table.play("golden_mead", 1, face="insane"))[:3] == [
            CardPlayed(0, "golden_mead", (1,), None, None, "insane"),
            HandShown(1, 0, ("cats",)),
            CardResolved(0, "golden_mead"),
        ]

    def test_the_extra_card_is_not_played_when_the_seat_leaves(self):
        table = self.insane(deck="investigators cats armitage")
        table.play("golden_mead", 1, face="insane")

        assert table.leave(0)[:3] == [
            DecisionTaken(0, "golden_mead", "play_card"),
            SeatLeft(0, ("investigators", "elder_sign"), "resigned"),
            CardResolved(0, "golden_mead"),
        ]


class TestSanityCheck:
    """What an edition does before a turn's draw."""

    def checked(self, deck, discards="hound deep_ones"):
        table = madness(hands=["elder_sign cats", "armitage", "cats"], discards={1: discards}, deck=deck)
        return round_part(table.play("elder_sign"))[3:]

    def test_reveals_as_many_cards_as_there_is_madness(self):
        assert self.checked("cats armitage great_race cats") == [
            TurnStarted(1),
            CardRevealed(1, "cats"),
            CardRevealed(1, "armitage"),
            CardDrawn(1, "great_race", "deck"),
        ]

    def test_more_madness_knocks_the_seat_out_at_once_and_the_next_one_plays(self):
        assert self.checked("cthulhu armitage great_race") == [
            TurnStarted(1),
            CardRevealed(1, "cthulhu"),
            KnockedOut(1, ("armitage",)),
            TurnStarted(2),
            CardDrawn(2, "armitage", "deck"),
        ]

    def test_the_round_ends_when_the_deck_runs_out(self):
        assert self.checked("great_race") == [
            TurnStarted(1),
            CardRevealed(1, "great_race"),
            HandsRevealed(("cats", "armitage", "cats")),
            RoundEnded(1, (1,), "showdown"),
            TokenAwarded(1, "round", "insane"),
        ]

    def test_a_knock_out_by_the_last_card_ends_the_round_with_the_rest(self):
        assert self.checked("necronomicon", "hound")[1:4] == [
            CardRevealed(1, "necronomicon"),
            KnockedOut(1, ("armitage",)),
            HandsRevealed(("cats", None, "cats")),
        ]


class TestTokensOfTwoKinds:
    def test_the_card_just_played_makes_the_token_insane(self):
        table = madness(hands=["hound armitage", "cats"], deck="")
        happened = round_part(table.play("hound", 1, face="sane"))

        assert happened[1:4] == [
            HandsCompared(0, 1, ("armitage",), ("cats",)),
            KnockedOut(1, ("cats",)),
            CardResolved(0, "hound"),
        ]
        assert happened[-1] == TokenAwarded(0, "round", "insane")
        assert (table.state.seats[0].tokens, table.state.seats[0].insane_tokens) == (1, 1)

    def test_two_sane_tokens_win_the_game(self):
        table = madness(hands=["elder_sign cats", "investigators"], deck="", tokens=[1, 0])

        assert table.play("elder_sign")[-1] == GameFinished((0,))


class TestShowdownWithoutWinner:
    def test_pays_nobody_and_the_same_seat_starts_again(self):
        table = madness(hands=["elder_sign cats", "cats", None], deck="", starter=2)
        happened = table.play("elder_sign")

        assert RoundEnded(1, (), "showdown") in happened
        assert next_round(happened).starter == 2

    def test_a_starter_that_has_left_is_replaced_by_a_seat_that_plays(self):
        table = madness(hands=["elder_sign cats", "cats", None], deck="", starter=2, left=[2])

        assert next_round(table.play("elder_sign")).starter in (0, 1)


class TestInstantWins:
    def test_a_card_may_win_the_round(self):
        table = madness(hands=["trapezohedron armitage", "cats", "cats"], deck="cats", discards={0: "hound"})

        assert round_part(table.play("trapezohedron", face="insane")) == [
            CardPlayed(0, "trapezohedron", (), None, None, "insane"),
            CardResolved(0, "trapezohedron"),
            RoundEnded(1, (0,), "card"),
            TokenAwarded(0, "round", "insane"),
        ]

    def test_a_card_may_win_the_game(self):
        table = madness(hands=["cthulhu cats", "cats", "cats"], deck="cats", discards={0: "hound deep_ones"})

        assert table.play("cthulhu", face="insane") == [
            CardPlayed(0, "cthulhu", (), None, None, "insane"),
            CardResolved(0, "cthulhu"),
            GameFinished((0,)),
        ]

    def test_the_same_card_with_less_madness_is_the_end(self):
        table = madness(hands=["cthulhu cats", "cats", "cats"], deck="cats", discards={0: "hound"})

        assert KnockedOut(0, ("cats",)) in table.play("cthulhu", face="insane")


class TestForcedCards:
    def test_two_that_force_each_other_leave_the_choice(self):
        table = madness(hands=["silver_key trapezohedron", "cats", "cats"], deck="cats")

        assert table.legal_cards() == ["silver_key", "trapezohedron"]

    def test_the_reason_names_the_card_to_play(self):
        table = madness(hands=["trapezohedron armitage", "cats", "cats"], deck="cats")

        assert table.refused("armitage", 1) == "must_play_trapezohedron"

    def test_an_insane_seat_is_free(self):
        table = madness(hands=["trapezohedron armitage", "cats", "cats"], deck="cats", discards={0: "hound"})

        assert table.legal_cards() == ["trapezohedron", "armitage"]


class TestHound:
    def test_insane_knocks_out_a_sane_seat(self):
        table = madness(hands=["hound cats", "armitage", "cats"], deck="cats", discards={0: "mi_go"})

        assert KnockedOut(1, ("armitage",)) in table.play("hound", 1, face="insane")

    def test_insane_does_nothing_to_an_insane_seat(self):
        table = madness(hands=["hound cats", "armitage", "cats"], deck="cats", discards={0: "mi_go", 1: "deep_ones"})

        assert table.play("hound", 1, face="insane")[1] == CardResolved(0, "hound")


class TestDeepOnes:
    def test_insane_finds_a_one_whatever_is_named(self):
        table = madness(hands=["deep_ones cats", "investigators", "cats"], deck="cats", discards={0: "mi_go"})

        assert table.play("deep_ones", 1, names=5, face="insane")[1] == KnockedOut(1, ("investigators",))

    def test_insane_otherwise_counts_the_number(self):
        table = madness(hands=["deep_ones cats", "armitage", "cats"], deck="cats", discards={0: "mi_go"})

        assert table.play("deep_ones", 1, names=5, face="insane")[1] == KnockedOut(1, ("armitage",))


class TestMiGo:
    """Takes a hand, gives a card from beside the deck, and plays on."""

    def taken(self, target="necronomicon"):
        table = madness(hands=["mi_go cats", target, "hound"], deck="cats cats", discards={0: "hound"})
        return table, table.play("mi_go", 1, face="insane")

    def test_takes_a_hand_and_gives_the_braincase(self):
        table, happened = self.taken()

        assert happened[1:] == [
            HandTaken(0, 1, ("necronomicon",)),
            CardReceived(1, "braincase"),
            DecisionOpened(0, "mi_go", "play_card", ()),
        ]
        assert (table.hand(0), table.hand(1)) == ("cats necronomicon", "braincase")

    def test_only_the_two_know_the_card(self):
        table, happened = self.taken()

        assert redact(happened[1], 2) == HandTaken(0, 1, (None,))
        assert view(table.log, 1).seats[0].hand == [None, "necronomicon"]
        assert view(table.log, 2).seats[0].hand == [None, None]
        assert view(table.log, 2).seats[1].hand == ["braincase"]

    def test_the_extra_card_has_its_full_effect(self):
        table, _ = self.taken()
        happened = table.play("necronomicon")

        assert happened[1:5] == [
            CardPlayed(0, "necronomicon", (), None, None, None),
            CardResolved(0, "necronomicon"),
            KnockedOut(0, ("cats",)),
            CardResolved(0, "mi_go"),
        ]

    def test_the_braincase_is_out_when_played(self):
        table = madness(hands=["braincase cats", "cats", "cats"], deck="cats")

        assert table.play("braincase")[1] == KnockedOut(0, ("cats",))

    def test_the_braincase_is_madness_when_discarded(self):
        table = madness(hands=["armitage cats", "braincase", "cats"], deck="cats cats cats")
        table.play("armitage", 1)

        assert table.state.is_in_round(1)
        assert table.state.is_insane(1)


class TestNyarlathotep:
    """Collects hands and deals them out again."""

    def collected(self, **situation):
        table = madness(
            hands=["nyarlathotep elder_sign", "cats", "hound", "armitage"],
            deck="cats cats",
            discards={0: "deep_ones"},
            **situation,
        )
        table.play("nyarlathotep", face="insane")
        return table

    def test_gives_one_card_back_to_each_seat(self):
        table = self.collected(protected=[3])

        assert table.legal() == [
            GiveHands(((1, "cats"), (2, "hound"))),
            GiveHands(((1, "hound"), (2, "cats"))),
        ]
        assert table.refused_action(GiveHands(((1, "cats"),))) == "cards_do_not_match"
        assert table.act(GiveHands(((1, "hound"), (2, "cats"))))[:2] == [
            DecisionTaken(0, "nyarlathotep", "give_hands"),
            HandsGiven(0, (1, 2), (None, "hound", "cats", None)),
        ]
        assert (table.hand(2), table.hand(3)) == ("cats", "armitage")

    def test_each_seat_sees_its_own_card_and_the_giver_all(self):
        table = self.collected(protected=[3])
        table.act(GiveHands(((1, "hound"), (2, "cats"))))

        assert [seat.hand for seat in view(table.log, 0).seats[1:]] == [["hound", None], ["cats"], [None]]
        assert [seat.hand for seat in view(table.log, 1).seats[1:]] == [["hound", "cats"], [None], [None]]
        assert [seat.hand for seat in view(table.log, 3).seats[1:]] == [[None, None], [None], ["armitage"]]

    def test_leaves_out_a_seat_that_has_left(self):
        table = self.collected()
        table.leave(2)

        assert {action.hands for action in table.legal()} == {
            ((1, "cats"), (3, "armitage")),
            ((1, "armitage"), (3, "cats")),
        }

    def test_chance_gives_when_its_player_leaves(self):
        table = self.collected()
        happened = table.leave(0)

        assert isinstance(happened[1], HandsGiven)
        assert happened[2] == SeatLeft(0, ("elder_sign",), "resigned")

    def test_nobody_to_collect_from_is_no_question(self):
        table = self.collected(protected=[1, 2, 3])

        assert table.state.decision is None


class TestLiberIvonis:
    """A mark with a meaning at the showdown, and one that spares its player, by option."""

    def test_is_not_removed_by_equal_numbers(self):
        table = madness(hands=["liber_ivonis cats", "cats"], deck="", discards={0: "hound"})

        assert RoundEnded(1, (0,), "showdown") in table.play("liber_ivonis", face="insane")

    @pytest.mark.parametrize(("reading", "in_round"), [("showdown", False), ("published", True)])
    def test_spares_its_player_only_where_the_option_says_so(self, reading, in_round):
        table = madness(
            hands=["liber_ivonis cats", "investigators", "cats"],
            deck="elder_sign armitage",
            discards={0: "hound"},
            options={"liber_ivonis": reading},
        )
        table.play("liber_ivonis", face="insane")
        table.play("investigators", 0, names=2)

        assert table.state.is_in_round(0) is in_round
