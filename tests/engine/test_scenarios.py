"""The worked scenarios of the rules (section 7), each under its own name."""

from engine.actions import PlayCard, RedrawHand
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsReturned,
    DecisionOpened,
    DecisionTaken,
    GameFinished,
    HandDiscarded,
    HandsRevealed,
    KnockedOut,
    RoundEnded,
    TokenAwarded,
    TurnStarted,
)
from tests.engine.given import given, next_round, round_part


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
            RoundEnded(1, (1,), "showdown"),
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
            RoundEnded(1, (0,), "last_seat"),
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
            RoundEnded(1, (1,), "showdown"),
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
            assert RoundEnded(1, (0, 1), "showdown") in happened
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
        assert table.refused("guard", 2, names=5) == "target_bound"
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
        assert RoundEnded(1, (0,), "showdown") in self.showdown("countess", "bishop prince countess")

    def test_the_king_with_two_ties_her_and_the_discard_sums_decide(self):
        assert RoundEnded(1, (0,), "showdown") in self.showdown("king", "bishop handmaid")  # 14 against 13
        assert RoundEnded(1, (0, 1), "showdown") in self.showdown("king", "bishop prince")
        assert RoundEnded(1, (1,), "showdown") in self.showdown("king", "bishop constable")
