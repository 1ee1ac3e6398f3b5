"""Who has seen whose hand, from the full events of a playout and from what one seat saw of a real round."""

from engine import views
from engine.bots.expert.sightings import in_deal, seen_in_round, take_in
from engine.views import redact_log
from tests.engine.given import given
from tools.players.bot_games import this_round


def seen_by(table, viewer):
    return seen_in_round(this_round(redact_log(table.log, viewer)))


def test_a_shown_hand_is_seen_by_who_looks():
    table = given(hands=["priest guard", "king", "baron"], deck="spy spy")
    seen = {}
    take_in(seen, table.play("priest", 1))

    assert seen == {(0, 1): "king"}


def test_hands_that_are_compared_are_seen_by_both():
    table = given(hands=["baron king", "spy", "guard"], deck="spy spy")
    seen = {}
    take_in(seen, table.play("baron", 1))

    assert seen == {(0, 1): "spy", (1, 0): "king"}


def test_what_is_known_of_a_hand_follows_it_when_it_is_traded():
    table = given(hands=["priest guard", "handmaid", "baron"], deck="king princess spy spy")
    table.play("priest", 1)
    table.play("king", 2)

    assert seen_by(table, 0) == {(0, 2): "handmaid", (1, 2): None, (2, 1): None}
    assert seen_by(table, 1) == {(0, 2): "handmaid", (1, 2): "handmaid", (2, 1): "baron"}


class TestACardThatOthersHaveSeen:
    def test_is_the_one_that_lies_there_in_a_deal(self):
        table = given(hands=["priest guard", "king", "baron"], deck="spy spy")
        table.play("priest", 1)
        seen = seen_by(table, 2)
        assert seen == {(0, 1): None}
        deal = views.view(table.log, 2)
        deal.seats[1].hand[0] = "countess"

        assert in_deal(seen, deal) == {(0, 1): "countess"}

    def test_is_of_no_use_once_its_owner_has_played(self):
        table = given(hands=["priest guard", "king", "baron"], deck="spy spy")
        table.play("priest", 1)
        table.play("spy")

        assert seen_by(table, 2) == {}
        assert seen_by(table, 0) == {(0, 1): "king"}

    def test_is_unknown_where_there_is_no_hand(self):
        table = given(hands=["priest guard", "king", "baron"], deck="spy spy")
        table.play("priest", 1)
        deal = views.view(table.log, 2)
        deal.seats[1].hand = []

        assert in_deal(seen_by(table, 2), deal) == {(0, 1): None}
