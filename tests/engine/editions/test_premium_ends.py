"""How rounds and games of the premium edition end: showdown, check for the end, tie-break rounds.

Rules, "How a game of premium ends".
"""

import pytest

from engine.actions import PeekHand, RedrawHand
from engine.events import (
    CardPlayed,
    DecisionOpened,
    DecisionTaken,
    GameFinished,
    HandDiscarded,
    HandsRevealed,
    HandsTraded,
    KnockedOut,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    TokenAwarded,
    TurnStarted,
)
from tests.engine.editions.premium_tables import premium, small
from tests.engine.given import given, next_round, round_over, round_part

BOTH_DECKS = pytest.mark.parametrize("deal", [small, premium])


def winners(happened):
    """Returns the seats that won the round."""
    return next(event.winners for event in happened if isinstance(event, RoundEnded))


class TestTheShowdown:
    @BOTH_DECKS
    def test_is_won_by_the_highest_hand(self, deal):
        table = deal(hands=["handmaid king", "countess", "prince"], discards={0: "prince", 2: "prince king"})

        assert winners(table.play("handmaid")) == (1,)

    @BOTH_DECKS
    def test_a_tie_goes_to_the_highest_sum_of_the_own_discards(self, deal):
        hands = ["guard prince", "prince", "priest"]
        table = deal(hands=hands, discards={0: "handmaid", 1: "baron baron", 2: "king countess"}, protected=[1, 2])

        assert winners(table.play("guard")) == (1,)
        assert table.tokens()[:3] == [0, 1, 0]

    @BOTH_DECKS
    def test_seats_that_are_tied_then_too_all_win(self, deal):
        hands = ["guard prince", "prince", "priest"]
        table = deal(hands=hands, discards={0: "handmaid", 1: "priest baron"}, protected=[1, 2])
        happened = table.play("guard")

        assert winners(happened) == (0, 1)
        assert [event for event in round_part(happened) if isinstance(event, TokenAwarded)] == [
            TokenAwarded(0, "round", "favor"),
            TokenAwarded(1, "round", "favor"),
        ]
        assert next_round(happened).seats == tuple(range(len(table.state.seats)))

    def test_a_count_among_the_discards_is_worth_5_there(self):
        hands = ["handmaid countess", "princess", "priest"]
        for discards, won in (("king guard", (0,)), ("king baron", (0, 1)), ("king handmaid", (1,))):
            table = premium(hands=hands, discards={0: "count", 1: discards})
            assert winners(table.play("handmaid")) == won, "4 + 5 against 6 and another card"


class TestTheCheckForTheEnd:
    """Whose token ends the game, and when."""

    def test_a_knock_out_that_leaves_one_seat_pays_constable_round_and_jester_before_it(self):
        hands = ["guard", "prince", "jester count"]
        table = premium(hands=hands, turn=2, deck="guard count king", discards={1: "constable"}, tokens=[3, 3, 3])
        table.play("jester", 0)
        table.play("guard", 2, names=5)
        table.play("count")
        happened = table.play("guard", 1, names=5)
        assert round_part(happened) == [
            CardPlayed(0, "guard", (1,), None, 5, None),
            KnockedOut(1, ("prince",)),
            TokenAwarded(1, "constable", "favor"),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
            TokenAwarded(2, "jester", "favor"),
        ]
        assert table.tokens() == [4, 4, 4, 0, 0]
        assert next_round(happened).seats == (0, 1, 2)

    def test_a_knock_out_that_leaves_one_seat_may_be_won_by_the_one_that_is_out(self):
        table = premium(hands=["guard count", "prince"], deck="king", discards={1: "constable"}, tokens=[2, 3])

        assert table.play("guard", 1, names=5)[-4:] == [
            TokenAwarded(1, "constable", "favor"),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
            GameFinished((1,)),
        ]

    @pytest.mark.parametrize("deck", ["king", ""])
    def test_a_knock_out_that_leaves_more_ends_the_game_at_once_for_the_constables_owner(self, deck):
        hands = ["guard count", "prince", "princess"]
        table = premium(hands=hands, deck=deck, discards={1: "constable"}, tokens=[3, 3, 3])

        assert table.play("guard", 1, names=5)[1:] == [
            KnockedOut(1, ("prince",)),
            TokenAwarded(1, "constable", "favor"),
            GameFinished((1,)),
        ]

    def test_below_the_target_the_round_goes_on(self):
        hands = ["guard count", "prince", "princess"]
        table = premium(hands=hands, deck="king", discards={1: "constable"}, tokens=[3, 2, 3])

        assert table.play("guard", 1, names=5)[3] == TurnStarted(2)

    def test_tokens_of_a_bishop_and_of_the_knock_out_that_follows_add_up(self):
        table = premium(hands=["bishop guard", "princess"], deck="king", discards={1: "constable"}, tokens=[2, 3])
        table.play("bishop", 1, names=8)
        happened = table.act(RedrawHand(True))

        assert round_part(happened) == [
            DecisionTaken(1, "bishop", "redraw_hand"),
            HandDiscarded(1, ("princess",)),
            KnockedOut(1, ()),
            TokenAwarded(1, "constable", "favor"),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
        ]
        assert next_round(happened).seats == (0, 1), "4 and 4"

    def test_a_redraw_may_win_the_game_for_the_seat_that_is_out(self):
        table = premium(
            hands=["bishop guard", "princess", "king"], deck="king", discards={1: "constable"}, tokens=[2, 3, 0]
        )
        table.play("bishop", 1, names=8)

        assert table.act(RedrawHand(True))[-1] == GameFinished((1,))

    def test_a_seat_that_has_left_wins_nothing_by_what_it_played(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="count", tokens=[3, 0, 0])
        table.play("jester", 1)
        table.leave(0)
        happened = table.play("count")

        assert winners(happened) == (1,)
        assert table.tokens() == [3, 1, 0, 0, 0]
        assert next_round(happened).seats == (1, 2, 3, 4)


class TestTieBreakRounds:
    """Several seats at the target: rounds of those seats alone, until one is ahead."""

    def tied(self, **situation):
        """The marked seat wins the last round before the target, and with it its marker reaches it too."""
        table = premium(hands=["jester guard", "princess", "prince"], deck="", tokens=[3, 3, 0], **situation)
        return table, table.play("jester", 1)

    def test_deal_in_only_the_seats_at_the_target(self):
        table, happened = self.tied()

        assert table.tokens() == [4, 4, 0, 0, 0]
        deal = next_round(happened)
        assert deal.seats == table.state.alive() == (0, 1)
        assert deal.hands[2:] == (None, None, None)
        assert deal.left == ()

    def test_use_the_deck_of_the_game(self):
        table, happened = self.tied()
        deal = next_round(happened)

        assert sorted([deal.set_aside, *deal.hands[:2], *deal.deck]) == sorted(table.state.book.deck)
        assert len(deal.deck) == len(table.state.book.deck) - 1 - 2
        assert deal.shown_aside == ()

    def test_of_two_seats_with_the_small_deck_show_three_cards_again(self):
        table = given("premium", hands=["handmaid king", "king"], discards={1: "handmaid"}, tokens=[6, 6])
        happened = table.play("handmaid")

        assert table.tokens() == [7, 7]
        deal = next_round(happened)
        assert deal.seats == (0, 1)
        assert len(deal.shown_aside) == 3
        assert len(deal.deck) == 10

    def test_count_whoever_is_at_the_target_or_above_it(self):
        table = premium(hands=["jester prince", "count", "guard"], deck="", tokens=[3, 3, 0])
        happened = table.play("jester", 1)

        assert table.tokens() == [5, 4, 0, 0, 0]
        assert next_round(happened).seats == (0, 1)

    def test_begin_with_the_last_winner_if_it_takes_part(self):
        for seed in range(20):
            _, happened = self.tied(seed=seed)
            assert next_round(happened).starter == 1

    def test_never_begin_with_a_winner_that_does_not_take_part(self):
        for seed in range(20):
            hands = ["jester guard", "handmaid", "princess", "princess"]
            table = premium(hands=hands, tokens=[3, 0, 3, 0], deck="", seed=seed)
            happened = table.play("jester", 2)
            assert winners(happened) == (2, 3)
            assert next_round(happened).seats == (0, 2)
            assert next_round(happened).starter == 2

    def test_begin_with_any_of_their_seats_if_no_winner_takes_part(self):
        starters = set()
        for seed in range(20):
            table = premium(
                hands=["guard", "prince", "jester count"],
                turn=2,
                deck="guard count king",
                discards={1: "constable"},
                tokens=[0, 3, 3],
                seed=seed,
            )
            table.play("jester", 0)
            table.play("guard", 2, names=5)
            table.play("count")
            happened = table.play("guard", 1, names=5)
            assert winners(happened) == (0,)
            assert next_round(happened).seats == (1, 2)
            starters.add(next_round(happened).starter)
        assert starters == {1, 2}

    def test_end_the_game_when_one_is_ahead(self):
        table = premium(hands=["guard count", "prince", None], deck="count", tokens=[4, 4, 0])

        assert table.play("guard", 1, names=5)[-1] == GameFinished((0,))

    def test_are_won_by_the_first_that_gains_a_token_also_from_behind(self):
        table = premium(hands=["handmaid priest", "king", None], tokens=[5, 4, 0])

        assert table.play("handmaid")[-2:] == [TokenAwarded(1, "round", "favor"), GameFinished((1,))]

    def test_are_won_by_a_bishop_at_once(self):
        table = premium(hands=["bishop count", "prince", "king"], deck="count", tokens=[4, 4, 4])

        assert table.play("bishop", 1, names=5)[1:] == [TokenAwarded(0, "bishop", "favor"), GameFinished((0,))]

    def test_are_won_by_a_constable_at_once_while_others_are_in(self):
        hands = ["guard count", "prince", "king"]
        table = premium(hands=hands, deck="count", discards={1: "constable"}, tokens=[4, 4, 4])

        assert table.play("guard", 1, names=5)[-1] == GameFinished((1,))

    def test_are_repeated_by_those_that_gain_at_one_check(self):
        table = premium(
            hands=["guard count", "prince", None], deck="count", discards={1: "constable"}, tokens=[4, 4, 4]
        )
        happened = table.play("guard", 1, names=5)

        assert table.tokens() == [5, 5, 4, 0, 0]
        assert next_round(happened).seats == (0, 1)
        assert next_round(happened).starter == 0

    def test_are_repeated_by_those_that_tie_again(self):
        table = premium(hands=["handmaid king", "king", "priest"], discards={1: "handmaid"}, tokens=[4, 5, 4])
        happened = table.play("handmaid")

        assert table.tokens() == [5, 6, 4, 0, 0]
        assert next_round(happened).seats == (0, 1)

    def test_go_on_until_one_is_ahead(self):
        table, happened = self.tied(
            next_rounds=[
                {"order": ["guard", "king", "constable", "guard", "handmaid"]},
                {"order": ["king", "guard", "prince", "guard", "guard"]},
            ]
        )
        assert happened[-2:][0] == TurnStarted(1)
        assert (table.hand(0), table.hand(1)) == ("king", "constable guard")
        happened = table.play("guard", 0, names=6)

        assert happened[-1] == GameFinished((1,))
        assert not any(isinstance(event, RoundStarted) for event in happened)
        assert table.tokens() == [4, 5, 0, 0, 0]

    def test_leave_the_other_seats_out_of_everything(self):
        table, _ = self.tied(next_rounds=[{"order": ["guard", "king", "prince", "guard", "handmaid"]}])

        assert {action.targets for action in table.legal() if action.card == "guard"} == {(0,)}
        assert table.refused("guard", 2, names=5) == "target_out"
        assert table.leave(2) == [SeatLeft(2, (), "resigned")]
        assert table.state.to_act == 1

    @pytest.mark.parametrize("leaves", [0, 1])
    def test_are_won_by_the_last_seat_when_the_others_leave(self, leaves):
        table, _ = self.tied()
        stays = 1 - leaves
        happened = table.leave(leaves)

        assert happened[1:] == [
            round_over(2, (stays,), "last_seat"),
            TokenAwarded(stays, "round", "favor"),
            GameFinished((stays,)),
        ]

    def test_of_three_go_on_when_one_leaves(self):
        table = premium(hands=["guard count", "prince", "king"], deck="handmaid", tokens=[4, 4, 4])
        assert table.leave(0)[1:2] == [TurnStarted(1)]

        assert table.play("handmaid")[-2:] == [TokenAwarded(2, "round", "favor"), GameFinished((2,))]

    def test_are_not_dealt_to_a_seat_at_the_target_that_has_left(self):
        table = premium(hands=["handmaid king", "king", "king"], discards={1: "handmaid"}, deck="", tokens=[4, 4, 4])
        table.leave(2)
        happened = table.play("handmaid")

        assert next_round(happened).seats == (0, 1)
        assert next_round(happened).left == (2,)

    def test_answer_a_decision_of_a_seat_that_leaves(self):
        table = premium(hands=["cardinal guard", "prince", "princess"], deck="count", tokens=[4, 4, 4])
        assert table.play("cardinal", 1, 2)[1:] == [
            HandsTraded(1, 2, ("princess",), ("prince",)),
            DecisionOpened(0, "cardinal", "peek_hand", (1, 2)),
        ]
        assert table.leave(1) == [SeatLeft(1, ("princess",), "resigned")]
        assert table.legal() == [PeekHand(), PeekHand(2)]

        assert table.leave(0) == [
            DecisionTaken(0, "cardinal", "peek_hand"),
            SeatLeft(0, ("guard",), "resigned"),
            round_over(1, (2,), "last_seat"),
            TokenAwarded(2, "round", "favor"),
            GameFinished((2,)),
        ]

    def test_reveal_only_the_hands_of_their_seats(self):
        table = premium(hands=["handmaid priest", "king"], tokens=[4, 4])

        assert table.play("handmaid")[2] == HandsRevealed(("priest", "king", None, None, None))
