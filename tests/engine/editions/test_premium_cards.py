"""The cards of the premium edition that both decks have, one class each (rules, "The cards of premium").

Most of it runs at two tables: one of three seats with the smaller deck, and one of five with the larger. The other
cards are in `test_premium_added_cards`, `test_premium_decisions` and `test_premium_sycophant`, the ends of games in
`test_premium_ends`.
"""

from collections import Counter

import pytest

from engine.actions import PlayCard
from engine.editions import EDITIONS, rulebook
from engine.events import (
    CardDrawn,
    CardPlayed,
    HandDiscarded,
    HandsCompared,
    HandShown,
    HandsTraded,
    KnockedOut,
    SeatProtected,
    TurnStarted,
)
from engine.views import WATCHER, redact, view
from tests.engine.editions.premium_tables import premium, small, targets_of
from tests.second_model.model.cards import deck_of, table_of

BOTH_DECKS = pytest.mark.parametrize("deal", [small, premium])


class TestTheDeck:
    @pytest.mark.parametrize("seats", range(2, 9))
    def test_holds_the_cards_of_the_rules(self, seats):
        cards = EDITIONS["premium"].cards_for(seats)
        assert {card.key: (card.value, card.copies) for card in cards} == table_of("premium", seats)
        assert Counter(rulebook("premium", seats, {}).deck) == Counter(deck_of("premium", seats))

    def test_shows_three_cards_beside_it_to_two_seats_only(self):
        assert [rulebook("premium", seats, {}).shown_aside for seats in range(2, 9)] == [3, 0, 0, 0, 0, 0, 0]

    def test_is_played_for_fewer_tokens_the_more_seats_there_are(self):
        assert [rulebook("premium", seats, {}).tokens_to_win for seats in range(2, 9)] == [7, 5, 4, 4, 4, 4, 4]


class TestGuard:
    @BOTH_DECKS
    def test_a_hit_knocks_the_seat_out(self, deal):
        table = deal(hands=["guard king", "priest", "baron"], deck="guard")

        assert table.play("guard", 1, names=2) == [
            CardPlayed(0, "guard", (1,), None, 2, None),
            KnockedOut(1, ("priest",)),
            TurnStarted(2),
            CardDrawn(2, "guard", "deck"),
        ]
        assert table.discards(1) == "priest"


class TestPriest:
    @BOTH_DECKS
    def test_shows_a_hand_to_its_player_alone(self, deal):
        table = deal(hands=["priest king", "baron", "guard"], deck="guard")
        shown = table.play("priest", 1)[1]

        assert shown == HandShown(1, 0, ("baron",))
        assert redact(shown, 0) == redact(shown, 1) == shown
        assert redact(shown, 2) == redact(shown, WATCHER) == HandShown(1, 0, (None,))


class TestBaron:
    @BOTH_DECKS
    def test_the_lower_is_out(self, deal):
        table = deal(hands=["baron king", "prince", "guard"], deck="guard")
        assert table.play("baron", 1)[1:3] == [
            HandsCompared(0, 1, ("king",), ("prince",)),
            KnockedOut(1, ("prince",)),
        ]

        table = deal(hands=["baron king", "princess", "guard"], deck="guard")
        assert table.play("baron", 1)[2] == KnockedOut(0, ("king",))


class TestHandmaid:
    @BOTH_DECKS
    def test_protects_until_the_own_next_turn(self, deal):
        table = deal(hands=["handmaid king", "guard", "guard"], deck="guard guard priest")

        assert table.play("handmaid")[1] == SeatProtected(0)
        assert targets_of(table, "guard") == [(2,)]
        table.play("guard", 2, names=2)
        table.play("guard", 1, names=2)
        assert not table.state.is_protected(0)


class TestPrince:
    @BOTH_DECKS
    def test_a_seat_discards_and_draws(self, deal):
        table = deal(hands=["prince guard", "countess", "guard"], deck="baron guard")

        assert table.play("prince", 1)[1:4] == [
            HandDiscarded(1, ("countess",)),
            CardDrawn(1, "baron", "deck"),
            TurnStarted(1),
        ]


class TestKing:
    @BOTH_DECKS
    def test_swaps_hands_which_both_know_then(self, deal):
        table = deal(hands=["king guard", "priest", "baron"], deck="handmaid")
        traded = table.play("king", 1)[1]

        assert traded == HandsTraded(0, 1, ("priest",), ("guard",))
        assert redact(traded, 0) == redact(traded, 1) == traded
        assert redact(traded, 2) == HandsTraded(0, 1, (None,), (None,))
        assert (table.hand(0), table.hand(1)) == ("priest", "guard handmaid")
        assert view(table.log, 0).seats[1].hand == ["guard", None]


class TestCountess:
    @BOTH_DECKS
    @pytest.mark.parametrize("other", ["king", "prince"])
    def test_must_be_played_beside(self, deal, other):
        for hand in (f"countess {other}", f"{other} countess"):
            table = deal(hands=[hand, "guard", "guard"], deck="guard")
            assert table.legal() == [PlayCard("countess")]
            assert table.refused(other, 1) == "must_play_countess"


class TestPrincess:
    @BOTH_DECKS
    def test_played_is_out(self, deal):
        table = deal(hands=["princess guard", "guard", "guard"], deck="guard")

        assert table.play("princess")[:3] == [
            CardPlayed(0, "princess", (), None, None, None),
            KnockedOut(0, ("guard",)),
            TurnStarted(1),
        ]
