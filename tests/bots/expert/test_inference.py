"""What the course of a round tells about a hidden hand, as somebody at the table would reason."""

import pytest

from engine import views
from engine.actions import GiveHands
from engine.bots.expert.habits import shares
from engine.bots.expert.inference import CARELESS, ODDITY, weigh_hands
from engine.events import CardDrawn, CardPlayed, HandsGiven, TurnStarted
from engine.views import redact_log
from tests.engine.given import given
from tools.players.bot_games import this_round


def view(table, viewer):
    return views.view(table.log, viewer)


def seen(table, viewer):
    """Returns what a seat has seen of the round."""
    return this_round(redact_log(table.log, viewer))


def weights(table, viewer, of):
    """Returns what a seat makes of another's hand."""
    return weigh_hands(view(table, viewer), seen(table, viewer))[of]


def test_a_hand_nobody_has_played_from_may_be_anything():
    assert set(weights(given(hands=["guard priest", "king"]), 0, of=1).values()) == {1.0}


class TestAPlayedCard:
    def test_tells_that_what_one_would_rather_have_played_was_not_held(self):
        table = given(hands=["handmaid guard", "king", "baron"], deck="spy spy")
        table.play("handmaid")
        told = weights(table, 1, of=0)
        habit = shares(table.state.book, ODDITY)

        assert told["princess"] == max(told.values())
        assert told["priest"] / told["king"] == pytest.approx(
            habit[False, "handmaid", "priest"] / habit[False, "handmaid", "king"]
        )

    def test_rules_out_what_forces_the_countess(self):
        table = given(hands=["prince guard", "king", "baron"], deck="spy spy")
        table.play("prince", 2)

        assert weights(table, 1, of=0)["countess"] == 0.0

    def test_tells_nothing_of_a_hand_that_is_known(self):
        table = given(hands=["priest guard", "king", "baron"], deck="spy handmaid spy guard")
        table.play("priest", 1)
        table.play("spy")  # the King stays, and seat 0 knows it

        assert 1 not in weigh_hands(view(table, 0), seen(table, 0))


class TestAGuess:
    def test_that_missed_rules_its_card_out(self):
        table = given(hands=["guard guard", "king", "baron"], deck="spy spy")
        table.play("guard", 1, names="priest")

        assert weights(table, 2, of=1)["priest"] == 0.0
        assert weights(table, 2, of=1)["king"] > 0

    def test_by_number_rules_out_all_cards_of_it(self):
        table = given("premium", hands=["guard guard", "king", "baron", "priest", "priest"], deck="guard guard")
        table.play("guard", 1, names=2)
        told = weights(table, 2, of=1)

        assert told["priest"] == told["cardinal"] == 0.0


class TestAComparison:
    def test_that_the_winner_survived_rules_out_what_is_not_higher(self):
        table = given(hands=["baron king", "priest", "spy"], deck="guard guard")
        table.play("baron", 1)
        told = weights(table, 2, of=0)

        assert told["spy"] == told["guard"] == told["priest"] == 0.0
        assert told["king"] > 0

    def test_that_the_one_chosen_survived_too(self):
        table = given(hands=["baron priest", "king", "spy"], deck="guard guard")
        table.play("baron", 1)

        assert weights(table, 2, of=1)["priest"] == 0.0
        assert weights(table, 2, of=1)["king"] > 0

    def test_that_the_lower_wins_rules_out_what_is_not_lower(self):
        table = given("premium", hands=["dowager_queen guard", "king", "baron", "priest", "priest"], deck="guard guard")
        table.play("dowager_queen", 1)
        told = weights(table, 2, of=0)

        assert told["king"] == told["princess"] == 0.0
        assert told["guard"] > 0


class TestHandsThatMove:
    def test_a_trade_swaps_what_is_known(self):
        table = given(hands=["guard guard", "handmaid", "king"], deck="king spy spy")
        table.play("guard", 2, names="princess")  # seat 2 holds none
        table.play("king", 2)

        assert weights(table, 0, of=1)["princess"] == 0.0

    def test_the_best_of_three_is_likely_a_good_one(self):
        table = given(hands=["chancellor guard", "handmaid", "king"], deck="princess spy spy")
        table.play("chancellor")
        table.keep("princess", bottom="guard spy")
        told = weights(table, 1, of=0)

        assert told["princess"] > told["guard"] >= CARELESS

    def test_hands_given_anew_may_be_anything(self):
        table = given(
            "lovecraft",
            hands=["nyarlathotep cats_of_ulthar", "investigators", "mi_go"],
            deck="investigators deep_ones cats_of_ulthar deep_ones",
            discards={0: "deep_ones"},
        )
        table.play("nyarlathotep", face="insane")
        table.act(GiveHands(((1, "mi_go"), (2, "investigators"))))

        assert set(weights(table, 2, of=0).values()) != {1.0}, "it kept something rather than play it"
        assert set(weigh_hands(view(table, 2), [*seen(table, 2), HandsGiven(0, (1,), (None,) * 3)])[1].values()) == {
            1.0
        }


def test_a_guess_that_was_wrong_is_given_up():
    """Every card was named in vain, which cannot be: then the hand may be anything again."""
    table = given(hands=["guard guard", "king", "baron"], deck="spy " * 10)
    events = seen(table, 2)
    for card in table.state.book.cards:
        events += [CardPlayed(0, "guard", (1,), card, None, None), CardDrawn(0, "guard", "deck"), TurnStarted(0)]

    assert set(weigh_hands(view(table, 2), events)[1].values()) == {1.0}
