"""The eight cards that `standard`, `classic` and `premium` share, one class each, in every deck that has them."""

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
from tests.engine.editions.premium_tables import premium, small
from tests.engine.given import given
from tests.second_model.model.cards import deck_of, table_of


def standard(**situation):
    return given("standard", **situation)


def classic(**situation):
    return given("classic", **situation)


EVERY_DECK = pytest.mark.parametrize("deal", [standard, classic, small, premium])
TOKENS = {
    "standard": {2: 6, 3: 5, 4: 4, 5: 3, 6: 3},
    "classic": {2: 6, 3: 5, 4: 4},
    "premium": {2: 7, 3: 5, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4},
}
"""How many tokens win, by edition and seats."""


@pytest.mark.parametrize(
    ("edition", "seats", "tokens"), [(name, *row) for name, rows in TOKENS.items() for row in rows.items()]
)
class TestTheDeck:
    def test_holds_the_cards_of_the_rules(self, edition, seats, tokens):
        cards = EDITIONS[edition].cards_for(seats)
        assert {card.key: (card.value, card.copies) for card in cards} == table_of(edition, seats)
        assert Counter(rulebook(edition, seats, {}).deck) == Counter(deck_of(edition, seats))

    def test_is_played_for_so_many_tokens_and_shows_three_cards_to_two_seats(self, edition, seats, tokens):
        book = rulebook(edition, seats, {})
        assert (book.tokens_to_win, book.shown_aside) == (tokens, 3 if seats == 2 else 0)


class TestGuard:
    @EVERY_DECK
    def test_a_hit_knocks_the_seat_out(self, deal):
        table = deal(hands=["guard king", "priest", "baron"], deck="guard")
        named = ("priest", None) if deal in (standard, classic) else (None, 2)

        assert table.play("guard", 1, names=named[0] or named[1]) == [
            CardPlayed(0, "guard", (1,), *named, None),
            KnockedOut(1, ("priest",)),
            TurnStarted(2),
            CardDrawn(2, "guard", "deck"),
        ]
        assert table.discards(1) == "priest"

    def test_may_name_a_character_of_which_all_copies_are_visible(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy", discards={0: "countess"})

        assert PlayCard("guard", (1,), "countess") in table.legal()


class TestPriest:
    @EVERY_DECK
    def test_shows_a_hand_to_its_player_alone(self, deal):
        table = deal(hands=["priest king", "baron", "guard"], deck="guard")
        shown = table.play("priest", 1)[1]

        assert shown == HandShown(1, 0, ("baron",))
        assert redact(shown, 0) == redact(shown, 1) == shown
        assert redact(shown, 2) == redact(shown, WATCHER) == HandShown(1, 0, (None,))


class TestBaron:
    @EVERY_DECK
    def test_the_lower_is_out(self, deal):
        table = deal(hands=["baron king", "prince", "guard"], deck="guard")
        assert table.play("baron", 1)[1:3] == [
            HandsCompared(0, 1, ("king",), ("prince",)),
            KnockedOut(1, ("prince",)),
        ]

        table = deal(hands=["baron king", "princess", "guard"], deck="guard")
        assert table.play("baron", 1)[2] == KnockedOut(0, ("king",))


class TestHandmaid:
    @EVERY_DECK
    def test_protects_until_the_own_next_turn(self, deal):
        table = deal(hands=["handmaid king", "priest", "priest"], deck="guard guard priest")

        assert table.play("handmaid")[:2] == [CardPlayed(0, "handmaid", (), None, None, None), SeatProtected(0)]
        assert table.refused("priest", 0) == "target_protected"
        table.play("priest", 2)
        assert table.state.is_protected(0)
        table.play("priest", 1)
        assert not table.state.is_protected(0)
        assert table.state.to_act == 0


class TestPrince:
    @EVERY_DECK
    def test_a_seat_discards_its_hand_and_draws(self, deal):
        table = deal(hands=["prince guard", "countess", "guard"], deck="baron guard")

        assert table.play("prince", 1) == [
            CardPlayed(0, "prince", (1,), None, None, None),
            HandDiscarded(1, ("countess",)),
            CardDrawn(1, "baron", "deck"),
            TurnStarted(1),
            CardDrawn(1, "guard", "deck"),
        ]
        assert table.discards(1) == "countess"


class TestKing:
    @EVERY_DECK
    def test_swaps_hands_which_both_know_then(self, deal):
        table = deal(hands=["king guard", "priest", "baron"], deck="handmaid")
        traded = table.play("king", 1)[1]

        assert traded == HandsTraded(0, 1, ("priest",), ("guard",))
        assert redact(traded, 0) == redact(traded, 1) == traded
        assert redact(traded, 2) == HandsTraded(0, 1, (None,), (None,))
        assert (table.hand(0), table.hand(1)) == ("priest", "guard handmaid")
        assert view(table.log, 0).seats[1].hand == ["guard", None]


class TestCountess:
    @EVERY_DECK
    @pytest.mark.parametrize("other", ["king", "prince"])
    def test_must_be_played_beside(self, deal, other):
        for hand in (f"countess {other}", f"{other} countess"):
            table = deal(hands=[hand, "guard", "guard"], deck="guard")
            assert table.legal() == [PlayCard("countess")]
            assert table.refused(other, 1) == "must_play_countess"

    @EVERY_DECK
    def test_does_nothing_when_played(self, deal):
        table = deal(hands=["countess guard", "priest", "baron"], deck="guard")

        assert [type(event) for event in table.play("countess")] == [CardPlayed, TurnStarted, CardDrawn]


class TestPrincess:
    @EVERY_DECK
    def test_played_is_out_with_the_other_card(self, deal):
        table = deal(hands=["princess guard", "guard", "guard"], deck="guard")

        assert table.play("princess")[:3] == [
            CardPlayed(0, "princess", (), None, None, None),
            KnockedOut(0, ("guard",)),
            TurnStarted(1),
        ]
        assert table.discards(0) == "princess guard"
