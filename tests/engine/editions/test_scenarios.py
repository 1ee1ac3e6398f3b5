"""The worked scenarios (rules, "Scenarios"), each under its own name."""

import pytest

from engine.actions import PlayCard, RedrawHand
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardReceived,
    CardResolved,
    CardRevealed,
    CardsReturned,
    DecisionOpened,
    DecisionTaken,
    GameFinished,
    HandDiscarded,
    HandsCompared,
    HandsRevealed,
    HandTaken,
    KnockedOut,
    TokenAwarded,
    TurnStarted,
)
from tests.engine.editions.lovecraft_tables import (
    ARMITAGE,
    BRAINCASE,
    CARTER,
    CATS,
    CTHULHU,
    DEEP_ONES,
    HOUND,
    INVESTIGATORS,
    KEY,
    LIBER,
    MEAD,
    MI_GO,
    NECRONOMICON,
    NYARLATHOTEP,
    SIGN,
    TRAPEZOHEDRON,
    YITH,
    lovecraft,
    text,
)
from tests.engine.editions.premium_tables import numbers_of, premium, targets_of
from tests.engine.given import given, next_round, round_over, round_part


class TestScenario1AChancellorWithOneCardLeft:
    def test_draws_it_returns_one_and_the_round_goes_on(self):
        table = given(hands=["chancellor princess", "baron", "priest"], deck="guard")

        assert table.play("chancellor") == [
            CardPlayed(0, "chancellor", (), None, None, None),
            CardDrawn(0, "guard", "deck"),
            DecisionOpened(0, "chancellor", "keep_card", ()),
        ]
        assert table.keep("guard", bottom="princess") == [
            DecisionTaken(0, "chancellor", "keep_card"),
            CardsReturned(0, ("princess",)),
            TurnStarted(1),
            CardDrawn(1, "princess", "deck"),
        ]
        assert table.state.is_in_round(0)
        assert table.hand(0) == "guard"
        assert table.state.to_act == 1


class TestScenario2APrinceOnAnEmptyDeck:
    def test_gives_the_card_set_aside_which_counts_at_the_showdown(self):
        table = given(hands=["prince baron", "guard"], deck="", set_aside="countess")

        assert round_part(table.play("prince", 1)) == [
            CardPlayed(0, "prince", (1,), None, None, None),
            HandDiscarded(1, ("guard",)),
            CardDrawn(1, "countess", "set_aside"),
            HandsRevealed(("baron", "countess")),
            round_over(1, (1,), "showdown"),
            TokenAwarded(1, "round", "favor"),
        ]


class TestScenario3WhenSeatsAreProtected:
    def test_the_prince_must_hit_oneself_when_all_others_are_protected(self):
        table = given(hands=["prince princess", "guard", "guard"], deck="spy", protected=[1, 2])

        assert table.legal() == [PlayCard("prince", (0,)), PlayCard("princess")]
        assert table.play("prince", 0)[:3] == [
            CardPlayed(0, "prince", (0,), None, None, None),
            HandDiscarded(0, ("princess",)),
            KnockedOut(0, ()),
        ]

    def test_a_guard_without_target_is_legal_and_void_and_naming_a_protected_seat_is_refused(self):
        table = given(hands=["guard priest", "guard", "guard"], deck="spy", protected=[1, 2])

        assert table.legal() == [PlayCard("guard"), PlayCard("priest")]
        assert table.refused("guard", 1, names="priest") == "target_protected"
        assert table.play("guard") == [
            CardPlayed(0, "guard", (), None, None, None),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]

    def test_a_guard_without_target_is_refused_while_somebody_can_be_chosen(self):
        table = given(hands=["guard priest", "guard", "guard"], deck="spy", protected=[1])

        assert table.refused("guard") == "target_required"
        assert {action.targets for action in table.legal()} == {(2,)}


class TestScenario4TheCountess:
    def test_must_be_played_beside_the_king(self):
        table = given(hands=["countess king", "guard", "guard"], deck="spy")

        assert table.legal() == [PlayCard("countess")]
        assert table.refused("king", 1) == "must_play_countess"

    def test_must_be_played_beside_a_prince(self):
        table = given(hands=["countess prince", "guard", "guard"], deck="spy")

        assert table.legal() == [PlayCard("countess")]
        assert table.refused("prince", 1) == "must_play_countess"

    def test_is_free_beside_a_chancellor(self):
        table = given(hands=["countess chancellor", "guard", "guard"], deck="spy")

        assert table.legal() == [PlayCard("countess"), PlayCard("chancellor")]

    def test_is_free_beside_the_princess(self):
        table = given(hands=["countess princess", "guard", "guard"], deck="spy")

        assert table.legal() == [PlayCard("countess"), PlayCard("princess")]

    def test_does_not_constrain_what_a_chancellor_keeps(self):
        table = given(hands=["chancellor countess", "guard", "guard"], deck="king priest")
        table.play("chancellor")

        assert {action.keep for action in table.legal()} == {"countess", "king", "priest"}


class TestScenario5BothSpiesOfOneSeat:
    def test_pay_one_token_beside_the_one_of_the_round(self):
        table = given(hands=["guard baron", "priest"], deck="king", discards={0: "spy spy"})

        assert round_part(table.play("guard", 1, names="priest")) == [
            CardPlayed(0, "guard", (1,), "priest", None, None),
            KnockedOut(1, ("priest",)),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
            TokenAwarded(0, "spy", "favor"),
        ]
        assert table.tokens() == [2, 0]


class TestScenario6RoundAndSpyTokensAreCheckedTogether:
    def test_so_two_seats_win_the_game_at_once(self):
        table = given(hands=["countess guard", "king", "priest"], discards={0: "spy"}, tokens=[4, 4, 0])

        assert table.play("countess") == [
            CardPlayed(0, "countess", (), None, None, None),
            HandsRevealed(("guard", "king", "priest")),
            round_over(1, (1,), "showdown"),
            TokenAwarded(1, "round", "favor"),
            TokenAwarded(0, "spy", "favor"),
            GameFinished((0, 1)),
        ]


class TestScenario7ATieAtTheShowdown:
    def test_pays_all_tied_seats_and_one_of_exactly_those_starts(self):
        starters = set()
        for seed in range(20):
            table = given(hands=["countess prince", "prince", "baron", "guard"], seed=seed)
            happened = table.play("countess")
            assert round_over(1, (0, 1), "showdown") in happened
            assert table.tokens() == [1, 1, 0, 0]
            starters.add(next_round(happened).starter)
        assert starters == {0, 1}


class TestScenario8AGuardOnTheAssassin:
    def test_is_the_end_of_its_player_whatever_the_number(self):
        table = given(
            "premium", hands=["guard count", "assassin", "priest", "baron", "handmaid"], deck="cardinal prince"
        )

        assert table.play("guard", 1, names=0) == [
            CardPlayed(0, "guard", (1,), None, 0, None),
            KnockedOut(0, ("count",)),
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "cardinal", "deck"),
            TurnStarted(1),
            CardDrawn(1, "prince", "deck"),
        ]
        assert table.discards(0) == "guard count"
        assert table.state.is_in_round(1)


class TestScenario9TheBishopIsRight:
    def test_so_the_guessed_seat_decides_before_the_next_turn(self):
        table = given(
            "premium",
            hands=["bishop guard", "priest", "dowager_queen", "baron", "handmaid"],
            deck="count cardinal",
            tokens=[2, 0, 0, 0, 0],
        )

        assert table.play("bishop", 2, names=7) == [
            CardPlayed(0, "bishop", (2,), None, 7, None),
            TokenAwarded(0, "bishop", "favor"),
            DecisionOpened(2, "bishop", "redraw_hand", ()),
        ]
        assert table.tokens() == [3, 0, 0, 0, 0]
        assert table.state.to_act == 2
        for seat in (0, 1, 3, 4):
            assert table.refused_action(RedrawHand(True), seat=seat) == "not_your_turn"
        assert table.act(RedrawHand(True)) == [
            DecisionTaken(2, "bishop", "redraw_hand"),
            HandDiscarded(2, ("dowager_queen",)),
            CardDrawn(2, "count", "deck"),
            TurnStarted(1),
            CardDrawn(1, "cardinal", "deck"),
        ]


class TestScenario10TheSycophantBindsTheNextPlayer:
    def test_to_oneself_so_a_guard_has_no_effect_and_the_seat_after_is_free(self):
        hands = ["sycophant count", "guard", "guard", "baron", "handmaid"]
        table = given("premium", hands=hands, deck="king priest count")
        table.play("sycophant", 1)

        assert table.legal() == [PlayCard("guard"), PlayCard("king")]
        assert table.refused("guard", 2, names=5) == "target_not_allowed"
        assert table.play("guard") == [
            CardPlayed(1, "guard", (), None, None, None),
            TurnStarted(2),
            CardDrawn(2, "priest", "deck"),
        ]
        assert {action.targets for action in table.legal()} == {(0,), (1,), (3,), (4,)}


class TestScenario11TheCountsAtTheShowdown:
    def showdown(self, hand, discards):
        hands = [f"handmaid {hand}", "princess", "guard", "baron", "priest"]
        table = given("premium", hands=hands, discards={0: "count count", 1: discards})
        return table.play("handmaid")

    def test_the_countess_with_two_beats_the_princess(self):
        assert round_over(1, (0,), "showdown") in self.showdown("countess", "bishop prince countess")

    def test_the_king_with_two_ties_her_and_the_discard_sums_decide(self):
        assert round_over(1, (0,), "showdown") in self.showdown("king", "bishop handmaid")  # 14 against 13
        assert round_over(1, (0, 1), "showdown") in self.showdown("king", "bishop prince")
        assert round_over(1, (1,), "showdown") in self.showdown("king", "bishop constable")


class TestScenario12TheFirstInsanityCard:
    def test_is_used_sane_but_makes_the_token_insane(self):
        table = lovecraft((HOUND, ARMITAGE), CATS)

        assert table.refused(HOUND, 1, face="insane") == "face_not_allowed"
        assert round_part(table.play(HOUND, 1, face="sane")) == [
            CardPlayed(0, HOUND, (1,), None, None, "sane"),
            HandsCompared(0, 1, (ARMITAGE,), (CATS,)),
            KnockedOut(1, (CATS,)),
            CardResolved(0, HOUND),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "insane"),
        ]


class TestScenario13ASanityCheckOfTwo:
    def check(self, deck):
        table = lovecraft((SIGN, YITH), ARMITAGE, CATS, discards={1: (DEEP_ONES, MEAD)}, deck=deck)
        return table, round_part(table.play(SIGN))[4:]

    def test_puts_both_cards_on_the_pile_and_the_necronomicon_is_the_end_without_a_draw(self):
        table, happened = self.check((CATS, NECRONOMICON, SIGN))

        assert happened == [
            CardRevealed(1, CATS),
            CardRevealed(1, NECRONOMICON),
            KnockedOut(1, (ARMITAGE,)),
            TurnStarted(2),
            CardDrawn(2, SIGN, "deck"),
        ]
        assert table.discards(1) == text((DEEP_ONES, MEAD, CATS, NECRONOMICON, ARMITAGE))

    def test_with_one_card_left_ends_the_round_with_a_showdown(self):
        _, happened = self.check(CATS)

        assert happened == [
            CardRevealed(1, CATS),
            HandsRevealed((YITH, ARMITAGE, CATS)),
            round_over(1, (1,), "showdown"),
            TokenAwarded(1, "round", "insane"),
        ]


class TestScenario14EqualNumbersAtTheShowdown:
    def test_remove_each_other_and_the_highest_left_wins(self):
        table = lovecraft((SIGN, KEY), TRAPEZOHEDRON, YITH, CATS, deck=())

        assert round_part(table.play(SIGN))[3:] == [
            HandsRevealed((KEY, TRAPEZOHEDRON, YITH, CATS)),
            round_over(1, (2,), "showdown"),
            TokenAwarded(2, "round", "sane"),
        ]

    def test_leave_nobody_if_there_are_no_others(self):
        table = lovecraft((SIGN, CARTER), NYARLATHOTEP, deck=())
        happened = table.play(SIGN)

        assert round_part(happened)[-1] == round_over(1, (), "showdown")
        assert next_round(happened).starter == 0
        assert table.tokens() == [0, 0]


class TestScenario15CthulhuInsane:
    def test_with_exactly_two_insanity_cards_in_the_pile_wins_the_game(self):
        table = lovecraft((CTHULHU, CATS), YITH, SIGN, discards={0: (HOUND, BRAINCASE)})

        assert table.play(CTHULHU, face="insane")[-1] == GameFinished((0,))

    def test_with_one_is_out(self):
        table = lovecraft((CTHULHU, CATS), YITH, SIGN, discards={0: HOUND})

        assert KnockedOut(0, (CATS,)) in table.play(CTHULHU, face="insane")


class TestScenario16MiGoTakesTheNecronomicon:
    def test_then_has_two_cards_and_must_play_one_more_and_the_other_holds_the_braincase(self):
        table = lovecraft((MI_GO, CATS), NECRONOMICON, SIGN, discards={0: HOUND})

        assert table.play(MI_GO, 1, face="insane") == [
            CardPlayed(0, MI_GO, (1,), None, None, "insane"),
            HandTaken(0, 1, (NECRONOMICON,)),
            CardReceived(1, BRAINCASE),
            DecisionOpened(0, MI_GO, "play_card", ()),
        ]
        assert (table.hand(0), table.hand(1)) == (text((CATS, NECRONOMICON)), BRAINCASE)
        assert table.state.to_act == 0
        assert table.legal() == [PlayCard(CATS, (1,)), PlayCard(CATS, (2,)), PlayCard(NECRONOMICON)]


class TestScenario17BothSevensInsane:
    def test_leave_the_choice_and_the_insane_face_wins(self):
        table = lovecraft((KEY, TRAPEZOHEDRON), CATS, SIGN, discards={0: HOUND})

        assert table.legal() == [
            PlayCard(KEY),
            PlayCard(TRAPEZOHEDRON, face="sane"),
            PlayCard(TRAPEZOHEDRON, face="insane"),
        ]
        assert round_over(1, (0,), "card") in table.play(TRAPEZOHEDRON, face="insane")

    def test_leave_a_sane_seat_the_choice_without_the_insane_face(self):
        table = lovecraft((KEY, TRAPEZOHEDRON), CATS, SIGN)

        assert table.legal() == [PlayCard(KEY), PlayCard(TRAPEZOHEDRON, face="sane")]


class TestScenario18LiberIvonisAsPublished:
    def reader(self, *others, **situation):
        table = lovecraft((LIBER, CATS), *others, discards={0: HOUND}, options={LIBER: "published"}, **situation)
        return table, table.play(LIBER, face="insane")

    def test_spares_before_the_showdown(self):
        table, _ = self.reader(INVESTIGATORS, SIGN)
        table.play(INVESTIGATORS, 0, names=2)

        assert table.state.is_in_round(0)

    def test_and_there_equal_numbers_remove_the_seat(self):
        _, happened = self.reader(MEAD, INVESTIGATORS, deck=())

        assert round_over(1, (2,), "showdown") in happened


class TestScenario19AReplacementFromAnEmptyDeckOfLovecraft:
    @pytest.mark.parametrize(("card", "face"), [(ARMITAGE, None), (MI_GO, "sane")])
    def test_is_the_card_set_aside(self, card, face):
        table = lovecraft((card, CATS), YITH, DEEP_ONES, deck=(), set_aside=CARTER)

        assert CardDrawn(1, CARTER, "set_aside") in table.play(card, 1, face=face)


class TestScenario20ATieOfTheHighestNumbers:
    def test_leaves_the_round_to_a_lower_one_that_is_alone(self):
        table = lovecraft((SIGN, NECRONOMICON), CTHULHU, DEEP_ONES, deck=())

        assert round_over(1, (2,), "showdown") in table.play(SIGN)


class TestScenario21WhatABishopMayDo:
    def test_is_to_choose_another_seat_and_any_number_but_1(self):
        table = premium(hands=["bishop count", "guard", "princess"], deck="prince")

        assert targets_of(table, "bishop") == [(1,), (2,)]
        assert numbers_of(table, "bishop") == [0, 2, 3, 4, 5, 6, 7, 8, 9]
        assert table.refused("bishop", 0, names=5) == "target_self"
        assert table.refused("bishop", 1, names=1) == "guess_not_allowed"


class TestScenario22AConstableInTheHand:
    def test_pays_nothing_to_the_seat_that_goes_out_with_it(self):
        table = premium(hands=["guard count", "constable", "princess"], deck="prince")

        assert KnockedOut(1, ("constable",)) in table.play("guard", 1, names=6)
        assert table.tokens() == [0, 0, 0, 0, 0]

    def test_pays_nothing_either_when_a_seat_goes_out_by_discarding_beside_it(self):
        table = premium(hands=["princess constable", "guard", "priest"], deck="prince")

        assert KnockedOut(0, ("constable",)) in table.play("princess")
        assert table.tokens() == [0, 0, 0, 0, 0]


class TestScenario23TheAssassinIsNotAsked:
    def test_but_shown_discarded_and_replaced_in_the_same_step(self):
        table = premium(hands=["guard princess", "assassin", "king"], deck="prince count")

        assert table.play("guard", 1, names=8)[1:4] == [
            KnockedOut(0, ("princess",)),
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "prince", "deck"),
        ]


class TestScenario24ATieBreakRoundOfASmallTable:
    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_is_played_by_the_seats_at_the_target_alone(self, seats):
        target = {2: 7, 3: 5, 4: 4}[seats]
        others = [None] * (seats - 2)
        table = given(
            "premium",
            hands=["handmaid king", "king", *others],
            discards={1: "handmaid"},
            tokens=[target - 1, target - 1, *[0] * (seats - 2)],
        )
        happened = table.play("handmaid")

        assert table.tokens() == [target, target, *[0] * (seats - 2)]
        assert next_round(happened).seats == (0, 1)
        assert table.state.tie_break is (seats > 2)


class TestScenario25ASanityCheckOfThree:
    def test_stops_at_the_card_that_knocks_the_seat_out(self):
        table = lovecraft(
            (CATS, SIGN),
            YITH,
            SIGN,
            deck=(CATS, MEAD, NECRONOMICON, YITH, CATS),
            discards={1: (HOUND, DEEP_ONES, MI_GO)},
        )

        assert table.play(SIGN)[3:] == [
            TurnStarted(1),
            CardRevealed(1, CATS),
            CardRevealed(1, MEAD),
            KnockedOut(1, (YITH,)),
            TurnStarted(2),
            CardDrawn(2, NECRONOMICON, "deck"),
        ]
