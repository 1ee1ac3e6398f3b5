"""Deals drawn for a view: the seat that has it could not tell them from the truth."""

import random
from collections import Counter

import pytest

from engine import views
from engine.bots import BOTS
from engine.bots.counting import unseen_cards
from engine.bots.expert.deals import Deals
from engine.bots.expert.inference import weigh_hands
from tests.engine.editions.lovecraft_tables import BRAINCASE
from tests.engine.given import given, seen_by_the_seat_to_act
from tests.engine.random_games import EVERY_TABLE
from tools.players.bot_games import new_game, questions


def places(state):
    return [state.deck, state.set_aside, *[seat.hand for seat in state.seats]]


@pytest.mark.many
@EVERY_TABLE
def test_a_deal_holds_every_card_once_and_leaves_what_the_seat_knows(edition, seats):
    for seed in range(2):
        rng = random.Random(seed)
        game = new_game(edition, seats, seed)
        for asked in questions(game, [BOTS["random"]] * seats, rng):
            check(deal_of(asked, rng), game.state, asked.view)


def deal_of(asked, rng):
    return Deals(asked.view, unseen_cards(asked.view), weigh_hands(asked.view, asked.events)).draw(rng)


def check(deal, state, view):
    """Checks that a deal has the cards that there are, and those that the view knows where it knows them."""
    lying = [card for pile in places(deal) for card in pile]
    assert Counter(lying) == Counter([card for pile in places(state) for card in pile])
    for known, dealt in zip(places(view), places(deal), strict=True):
        assert len(known) == len(dealt)
        assert all(card in (None, there) for card, there in zip(known, dealt, strict=True))


def test_the_braincase_is_in_a_hidden_hand_after_nyarlathotep_gave_it_on_out_of_sight():
    """It begins beside the deck, so that counting what was in the deck does not find it."""
    game = new_game("lovecraft", 5, seed=1195)
    rng = random.Random(1195)
    met = 0
    for asked in questions(game, [BOTS["random"]] * 5, rng):
        view = asked.view
        holders = [seat for seat in view.alive() if BRAINCASE in game.state.seats[seat].hand]
        if holders and None in view.seats[holders[0]].hand:
            met += 1
            deals = [deal_of(asked, random.Random(number)) for number in range(50)]
            for deal in deals:
                check(deal, game.state, view)
            hidden = [seat for seat in view.alive() if None in view.seats[seat].hand]
            dealt = {seat for deal in deals for seat in view.alive() if BRAINCASE in deal.seats[seat].hand}
            assert dealt == set(hidden), "in any of them, and nowhere else"
            assert BOTS["expert"](asked, random.Random(1)) in asked.legal
    assert met


def test_hands_are_drawn_by_weight():
    view = seen_by_the_seat_to_act(given(hands=["guard priest", "king"], deck="baron spy"))
    unseen = unseen_cards(view)
    weights = dict.fromkeys(unseen, 0.0) | {"king": 3.0, "countess": 1.0}
    deals = Deals(view, unseen, {1: weights})
    rng = random.Random(1)
    held = Counter(deals.draw(rng).seats[1].hand[0] for _ in range(400))

    assert set(held) == {"king", "countess"}
    assert 250 < held["king"] < 350, "three of four, within more than five standard deviations"


def test_hands_that_nothing_would_fit_hold_anything():
    view = seen_by_the_seat_to_act(given(hands=["guard priest", "king"], deck="baron spy"))
    unseen = unseen_cards(view)
    deal = Deals(view, unseen, {1: dict.fromkeys(unseen, 0.0)}).draw(random.Random(1))

    assert deal.seats[1].hand[0] in unseen


def test_a_hand_may_be_known_in_part():
    table = given(hands=["priest guard", "king"], deck="baron spy")
    table.play("priest", 1)
    view = views.view(table.log, 0)
    assert view.seats[1].hand == ["king", None]
    unseen = unseen_cards(view)
    deals = Deals(view, unseen, {1: dict.fromkeys(unseen, 0.0) | {"baron": 1.0}})

    assert deals.draw(random.Random(1)).seats[1].hand == ["king", "baron"]
