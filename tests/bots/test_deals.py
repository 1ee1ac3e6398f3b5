"""Deals drawn for a view: the seat that has it could not tell them from the truth."""

import random
from collections import Counter

import pytest

from engine import views
from engine.bots import BOTS
from engine.bots.counting import unseen_cards
from engine.bots.deals import Deals
from engine.bots.inference import weigh_hands
from tests.bots.tables import TABLES, new_game, questions, seen_by_the_seat_to_act
from tests.engine.given import given


def places(state):
    return [state.deck, state.set_aside, *[seat.hand for seat in state.seats]]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_deal_holds_every_card_once_and_leaves_what_the_seat_knows(edition, seats):
    for seed in range(3):
        rng = random.Random(seed)
        game = new_game(edition, seats, seed)
        for asked in questions(game, [BOTS["random"]] * seats, rng):
            view = asked.view
            deal = Deals(view, unseen_cards(view), weigh_hands(view, asked.events)).draw(rng)
            lying = [card for pile in places(deal) for card in pile]
            assert Counter(lying) == Counter([card for pile in places(game.state) for card in pile])
            for known, dealt in zip(places(view), places(deal), strict=True):
                assert len(known) == len(dealt)
                assert all(card in (None, there) for card, there in zip(known, dealt, strict=True))


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
