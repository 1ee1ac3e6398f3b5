"""The cards of the premium edition that both decks have, one class each (rules, "The cards of premium").

Most of it runs at two tables: one of three seats with the deck of 16 cards, and one of five with 32. The other cards
are in `test_premium_added_cards`, `test_premium_decisions` and `test_premium_sycophant`, the ends of games in
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
from tests.engine.editions.premium_tables import CHOOSERS, NUMBERS, numbers_of, premium, small, targets_of
from tests.engine.given import given
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

    @BOTH_DECKS
    def test_a_miss_does_nothing(self, deal):
        table = deal(hands=["guard king", "priest", "baron"], deck="guard")

        assert table.play("guard", 1, names=3)[1] == TurnStarted(1)

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_names_2_to_8_with_up_to_four_seats(self, seats):
        table = given("premium", hands=["guard king", *["priest"] * (seats - 1)])

        assert numbers_of(table, "guard") == [2, 3, 4, 5, 6, 7, 8]
        for number in (0, 1, 9, 10, -1, "priest"):
            assert table.refused("guard", 1, names=number) == "guess_not_allowed"

    @pytest.mark.parametrize("seats", [5, 6, 7, 8])
    def test_names_0_and_2_to_9_with_five_seats_or_more(self, seats):
        table = given("premium", hands=["guard king", *["priest"] * (seats - 1)])

        assert numbers_of(table, "guard") == [0, 2, 3, 4, 5, 6, 7, 8, 9]
        for number in (1, 10, -1, "priest", "guard"):
            assert table.refused("guard", 1, names=number) == "guess_not_allowed"
        assert table.refused("guard", 1) == "guess_required"

    @pytest.mark.parametrize("card", sorted({*NUMBERS} - {"assassin", "guard"}))
    def test_a_number_hits_every_card_of_it(self, card):
        for number in sorted({*NUMBERS.values()} - {1}):
            table = premium(hands=["guard king", card, "priest"], deck="guard guard")
            happened = table.play("guard", 1, names=number)
            assert (KnockedOut(1, (card,)) in happened) == (number == NUMBERS[card])

    def test_another_guard_is_never_hit(self):
        for number in (0, 2, 3, 4, 5, 6, 7, 8, 9):
            table = premium(hands=["guard king", "guard", "priest"], deck="guard")
            assert table.play("guard", 1, names=number)[1] == TurnStarted(1)

    @BOTH_DECKS
    def test_is_void_when_all_others_are_protected(self, deal):
        table = deal(hands=["guard handmaid", "priest", "baron"], deck="guard", protected=[1, 2])

        assert table.legal() == [PlayCard("guard"), PlayCard("handmaid")]
        assert table.refused("guard", 1, names=2) == "target_protected"
        assert table.refused("guard", 0, names=2) == "target_self"


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

    @BOTH_DECKS
    def test_a_tie_does_nothing(self, deal):
        table = deal(hands=["baron prince", "prince", "guard"], deck="guard")

        assert table.play("baron", 1)[2] == TurnStarted(1)

    @BOTH_DECKS
    def test_the_winners_card_stays_between_the_two(self, deal):
        table = deal(hands=["baron king", "prince", "guard"], deck="guard")
        compared = table.play("baron", 1)[1]

        assert redact(compared, 2) == HandsCompared(0, 1, (None,), (None,))
        assert view(table.log, 2).seats[0].hand == [None]
        assert view(table.log, 1).seats[0].hand == ["king"]

    def test_two_cards_of_one_number_tie(self):
        table = premium(hands=["baron count", "prince", "guard"], deck="guard")

        assert table.play("baron", 1)[2] == TurnStarted(1)


class TestHandmaid:
    @BOTH_DECKS
    def test_protects_until_the_own_next_turn(self, deal):
        table = deal(hands=["handmaid king", "guard", "guard"], deck="guard guard priest")

        assert table.play("handmaid")[1] == SeatProtected(0)
        assert targets_of(table, "guard") == [(2,)]
        table.play("guard", 2, names=2)
        table.play("guard", 1, names=2)
        assert not table.state.is_protected(0)

    @pytest.mark.parametrize("card", CHOOSERS)
    def test_keeps_every_card_that_chooses_away(self, card):
        table = premium(hands=[f"{card} count", "prince", "princess", "king"], protected=[2])

        chosen = targets_of(table, card)
        assert chosen != [()]
        assert not any(2 in targets for targets in chosen)

    @BOTH_DECKS
    def test_discarded_by_force_protects_nobody(self, deal):
        table = deal(hands=["prince guard", "handmaid", "guard"], deck="baron guard")
        table.play("prince", 1)

        assert not table.state.is_protected(1)


class TestPrince:
    @BOTH_DECKS
    def test_a_seat_discards_and_draws(self, deal):
        table = deal(hands=["prince guard", "countess", "guard"], deck="baron guard")

        assert table.play("prince", 1)[1:4] == [
            HandDiscarded(1, ("countess",)),
            CardDrawn(1, "baron", "deck"),
            TurnStarted(1),
        ]

    @BOTH_DECKS
    def test_may_choose_its_own_seat(self, deal):
        table = deal(hands=["prince guard", "countess", "guard"], deck="baron guard")

        assert table.play("prince", 0)[1:3] == [HandDiscarded(0, ("guard",)), CardDrawn(0, "baron", "deck")]

    @BOTH_DECKS
    def test_a_discarded_princess_is_out_without_drawing(self, deal):
        table = deal(hands=["prince guard", "princess", "guard"], deck="baron guard")

        assert table.play("prince", 1)[1:4] == [HandDiscarded(1, ("princess",)), KnockedOut(1, ()), TurnStarted(2)]

    @BOTH_DECKS
    def test_must_choose_its_own_seat_when_all_others_are_protected(self, deal):
        table = deal(hands=["prince princess", "guard", "guard"], deck="baron", protected=[1, 2])

        assert set(table.legal()) == {PlayCard("prince", (0,)), PlayCard("princess")}
        assert table.play("prince", 0)[1:3] == [HandDiscarded(0, ("princess",)), KnockedOut(0, ())]

    @BOTH_DECKS
    def test_on_an_empty_deck_gives_the_card_set_aside(self, deal):
        table = deal(hands=["prince guard", "countess", "guard"], deck="", set_aside="king")

        assert table.play("prince", 1)[2] == CardDrawn(1, "king", "set_aside")


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

    @pytest.mark.parametrize("other", sorted({*NUMBERS} - {"king", "prince", "countess"}))
    def test_is_free_beside(self, other):
        table = premium(hands=[f"countess {other}", "guard", "guard"], deck="guard")

        assert table.legal_cards() == ["countess", other]

    def test_does_not_show_what_lay_beside_her(self):
        logs = []
        for other in ("king", "prince", "guard"):
            table = premium(hands=[f"{other} countess", "guard", "guard"], deck="guard")
            table.play("countess")
            logs.append([redact(event, 1) for event in table.log if not isinstance(event, CardDrawn)])
        assert logs[0] == logs[1] == logs[2]


class TestPrincess:
    @BOTH_DECKS
    def test_played_is_out(self, deal):
        table = deal(hands=["princess guard", "guard", "guard"], deck="guard")

        assert table.play("princess")[:3] == [
            CardPlayed(0, "princess", (), None, None, None),
            KnockedOut(0, ("guard",)),
            TurnStarted(1),
        ]
