"""The cards of the standard edition, one class each (rules, "The cards of standard and classic")."""

from collections import Counter

import pytest

from engine.actions import KeepCard, PlayCard
from engine.editions import EDITIONS, rulebook
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsReturned,
    DecisionOpened,
    DecisionTaken,
    HandDiscarded,
    HandsCompared,
    HandShown,
    HandsTraded,
    KnockedOut,
    SeatProtected,
    TokenAwarded,
    TurnStarted,
)
from engine.views import redact, view
from tests.engine.given import given, round_over, round_part
from tests.second_model.model.cards import deck_of, table_of

SPY_TOKEN = "spy"


def spy_tokens(happened):
    return [event.seat for event in happened if isinstance(event, TokenAwarded) and event.reason == SPY_TOKEN]


class TestTheDeck:
    def test_holds_the_21_cards_of_the_rules(self):
        cards = EDITIONS["standard"].cards_for(2)
        assert {card.key: (card.value, card.copies) for card in cards} == table_of("standard", 2)

        deck = rulebook("standard", 2, {}).deck
        assert len(deck) == 21
        assert Counter(deck) == Counter(deck_of("standard", 2))

    @pytest.mark.parametrize(("seats", "tokens"), [(2, 6), (3, 5), (4, 4), (5, 3), (6, 3)])
    def test_asks_for_fewer_tokens_the_more_seats_there_are(self, seats, tokens):
        assert rulebook("standard", seats, {}).tokens_to_win == tokens


class TestSpy:
    def test_does_nothing_when_played(self):
        table = given(hands=["spy guard", "priest", "baron"], deck="king")

        assert table.play("spy") == [
            CardPlayed(0, "spy", (), None, None, None),
            TurnStarted(1),
            CardDrawn(1, "king", "deck"),
        ]

    def test_pays_the_only_seat_still_in_that_has_played_one(self):
        table = given(hands=["countess guard", "priest", "baron"], discards={1: "spy"})

        assert spy_tokens(table.play("countess")) == [1]

    def test_pays_a_seat_that_discarded_one_by_force(self):
        table = given(hands=["prince guard", "spy", "baron"], set_aside="king")

        assert spy_tokens(table.play("prince", 1)) == [1]

    def test_pays_nobody_if_two_seats_have_one(self):
        table = given(hands=["countess guard", "priest", "baron"], discards={0: "spy", 1: "spy"})

        assert spy_tokens(table.play("countess")) == []

    def test_does_not_count_in_the_hand(self):
        table = given(hands=["countess spy", "priest", "baron"])

        assert spy_tokens(table.play("countess")) == []

    def test_counts_when_it_is_the_last_card_of_the_round(self):
        table = given(hands=["spy guard", "priest", "baron"])

        assert spy_tokens(table.play("spy")) == [0]

    def test_of_a_seat_that_is_out_neither_counts_nor_blocks(self):
        table = given(hands=["countess guard", None, "baron"], discards={0: "spy", 1: "spy"})

        assert spy_tokens(table.play("countess")) == [0]

    def test_of_a_seat_that_is_out_is_not_paid(self):
        table = given(hands=["countess guard", None, "baron"], discards={1: "spy"})

        assert spy_tokens(table.play("countess")) == []

    def test_of_a_seat_that_has_left_neither_counts_nor_blocks(self):
        table = given(hands=["countess guard", "priest", "baron"], discards={0: "spy", 1: "spy"})
        table.leave(1)

        assert spy_tokens(table.play("countess")) == [0]

    def test_knocked_out_from_the_hand_does_not_count(self):
        table = given(hands=["guard handmaid", "spy"], deck="priest")

        assert spy_tokens(table.play("guard", 1, names="spy")) == []

    def test_pays_once_for_both(self):
        table = given(hands=["countess guard", "priest", "baron"], discards={1: "spy spy"})

        assert spy_tokens(table.play("countess")) == [1]


class TestGuard:
    def test_a_hit_knocks_the_seat_out(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy spy")

        assert table.play("guard", 1, names="priest") == [
            CardPlayed(0, "guard", (1,), "priest", None, None),
            KnockedOut(1, ("priest",)),
            TurnStarted(2),
            CardDrawn(2, "spy", "deck"),
        ]
        assert table.discards(1) == "priest"

    def test_a_miss_does_nothing(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy spy")

        assert table.play("guard", 1, names="baron") == [
            CardPlayed(0, "guard", (1,), "baron", None, None),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]

    def test_may_name_every_character_but_itself(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy")
        guesses = {action.guess for action in table.legal() if action.card == "guard"}

        assert guesses == set(table.state.book.cards) - {"guard"}
        assert table.refused("guard", 1, names="guard") == "guess_not_allowed"

    def test_may_name_a_character_of_which_all_copies_are_visible(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy", discards={0: "countess"})

        assert PlayCard("guard", (1,), "countess") in table.legal()

    def test_cannot_choose_its_own_seat(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy")

        assert table.refused("guard", 0, names="king") == "target_self"

    def test_must_name_something(self):
        table = given(hands=["guard king", "priest", "baron"], deck="spy")

        assert table.refused("guard", 1) == "guess_required"


class TestPriest:
    def test_shows_a_hand_to_its_player_alone(self):
        table = given(hands=["priest king", "guard", "baron"], deck="spy spy")
        happened = table.play("priest", 1)

        assert happened[:2] == [CardPlayed(0, "priest", (1,), None, None, None), HandShown(1, 0, ("guard",))]
        assert redact(happened[1], viewer=0) == HandShown(1, 0, ("guard",))
        assert redact(happened[1], viewer=2) == HandShown(1, 0, (None,))

    def test_is_remembered_until_the_card_is_played(self):
        table = given(hands=["priest king", "guard", "baron"], deck="spy spy spy")
        table.play("priest", 1)
        assert view(table.log, 0).seats[1].hand == ["guard", None]
        assert view(table.log, 2).seats[1].hand == [None, None]

        table.play("spy")
        assert view(table.log, 0).seats[1].hand == ["guard"]

    def test_is_forgotten_when_the_card_is_played(self):
        table = given(hands=["priest king", "guard", "baron"], deck="spy spy spy")
        table.play("priest", 1)
        table.play("guard", 2, names="king")

        assert view(table.log, 0).seats[1].hand == [None]

    def test_without_target_shows_nothing(self):
        table = given(hands=["priest king", "guard", "baron"], deck="spy", protected=[1, 2])

        assert table.play("priest") == [
            CardPlayed(0, "priest", (), None, None, None),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]


class TestBaron:
    def test_the_lower_target_is_out(self):
        table = given(hands=["baron king", "guard", "priest"], deck="spy spy")

        assert table.play("baron", 1)[:3] == [
            CardPlayed(0, "baron", (1,), None, None, None),
            HandsCompared(0, 1, ("king",), ("guard",)),
            KnockedOut(1, ("guard",)),
        ]

    def test_the_lower_player_is_out(self):
        table = given(hands=["baron guard", "king", "priest"], deck="spy spy")

        assert table.play("baron", 1)[:3] == [
            CardPlayed(0, "baron", (1,), None, None, None),
            HandsCompared(0, 1, ("guard",), ("king",)),
            KnockedOut(0, ("guard",)),
        ]

    def test_a_tie_does_nothing(self):
        table = given(hands=["baron king", "king", "priest"], deck="spy spy")

        assert table.play("baron", 1) == [
            CardPlayed(0, "baron", (1,), None, None, None),
            HandsCompared(0, 1, ("king",), ("king",)),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]

    def test_the_winners_card_stays_known_to_the_two_only(self):
        table = given(hands=["baron guard", "king", "priest"], deck="spy spy")
        table.play("baron", 1)

        assert view(table.log, 0).seats[1].hand == ["king", None]
        assert view(table.log, 2).seats[1].hand == [None, None]

    def test_the_losers_card_becomes_public(self):
        table = given(hands=["baron guard", "king", "priest"], deck="spy spy")
        table.play("baron", 1)

        assert view(table.log, 2).seats[0].discards == ["baron", "guard"]


class TestHandmaid:
    def test_protects_until_the_own_next_turn(self):
        table = given(hands=["handmaid king", "guard", "guard"], deck="spy spy spy spy")

        assert table.play("handmaid") == [
            CardPlayed(0, "handmaid", (), None, None, None),
            SeatProtected(0),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]
        assert table.refused("guard", 0, names="king") == "target_protected"
        table.play("spy")
        assert table.state.is_protected(0)
        table.play("spy")
        assert not table.state.is_protected(0)
        assert table.state.to_act == 0

    def test_does_not_protect_from_its_own_players_cards(self):
        table = given(hands=["prince king", "handmaid", "guard"], deck="spy spy spy spy")
        table.play("prince", 1)
        assert table.hand(1) == "spy spy"
        assert not table.state.is_protected(1)


class TestPrince:
    def test_another_seat_discards_its_hand_and_draws(self):
        table = given(hands=["prince guard", "king", "baron"], deck="spy priest")

        assert table.play("prince", 1) == [
            CardPlayed(0, "prince", (1,), None, None, None),
            HandDiscarded(1, ("king",)),
            CardDrawn(1, "spy", "deck"),
            TurnStarted(1),
            CardDrawn(1, "priest", "deck"),
        ]
        assert table.discards(1) == "king"

    def test_may_choose_its_own_seat(self):
        table = given(hands=["prince guard", "king", "baron"], deck="spy priest")
        table.play("prince", 0)

        assert table.hand(0) == "spy"
        assert table.discards(0) == "prince guard"

    def test_a_discarded_princess_is_out_without_drawing(self):
        table = given(hands=["prince guard", "princess", "baron"], deck="spy priest")

        assert table.play("prince", 1) == [
            CardPlayed(0, "prince", (1,), None, None, None),
            HandDiscarded(1, ("princess",)),
            KnockedOut(1, ()),
            TurnStarted(2),
            CardDrawn(2, "spy", "deck"),
        ]
        assert table.discards(1) == "princess"

    def test_a_discarded_handmaid_does_not_protect(self):
        table = given(hands=["prince guard", "handmaid", "baron"], deck="spy priest")
        table.play("prince", 1)

        assert not table.state.is_protected(1)

    def test_must_choose_oneself_when_all_others_are_protected(self):
        table = given(hands=["prince guard", "king", "baron"], deck="spy", protected=[1, 2])

        assert [action for action in table.legal() if action.card == "prince"] == [PlayCard("prince", (0,))]

    def test_on_an_empty_deck_gives_the_card_set_aside(self):
        table = given(hands=["prince guard", "priest", "baron"], deck="", set_aside="king")

        assert table.play("prince", 1)[2] == CardDrawn(1, "king", "set_aside")

    def test_on_an_empty_deck_a_discarded_princess_leaves_the_card_set_aside(self):
        table = given(hands=["prince guard", "princess", "baron"], deck="", set_aside="king")
        happened = round_part(table.play("prince", 1))

        assert not [event for event in happened if isinstance(event, CardDrawn)]


class TestChancellor:
    def test_draws_two_keeps_one_and_returns_two(self):
        table = given(hands=["chancellor guard", "priest", "baron"], deck="king spy prince")

        assert table.play("chancellor") == [
            CardPlayed(0, "chancellor", (), None, None, None),
            CardDrawn(0, "king", "deck"),
            CardDrawn(0, "spy", "deck"),
            DecisionOpened(0, "chancellor", "keep_card", ()),
        ]
        assert table.keep("king", bottom="spy guard") == [
            DecisionTaken(0, "chancellor", "keep_card"),
            CardsReturned(0, ("spy", "guard")),
            TurnStarted(1),
            CardDrawn(1, "prince", "deck"),
        ]
        assert table.hand(0) == "king"
        assert table.state.deck == ["spy", "guard"]

    def test_leaves_every_choice_and_order_open(self):
        table = given(hands=["chancellor guard", "priest", "baron"], deck="king spy prince")
        table.play("chancellor")

        assert len(table.legal()) == 6
        assert KeepCard("guard", ("king", "spy")) in table.legal()

    def test_offers_equal_cards_once(self):
        table = given(hands=["chancellor guard", "priest", "baron"], deck="guard spy prince")
        table.play("chancellor")

        assert table.legal() == [
            KeepCard("guard", ("guard", "spy")),
            KeepCard("guard", ("spy", "guard")),
            KeepCard("spy", ("guard", "guard")),
        ]

    def test_with_one_card_left_draws_it_and_returns_one(self):
        table = given(hands=["chancellor guard", "priest", "baron"], deck="king")
        table.play("chancellor")

        assert table.legal() == [KeepCard("guard", ("king",)), KeepCard("king", ("guard",))]
        assert table.keep("king", bottom="guard")[-1] == CardDrawn(1, "guard", "deck")

    def test_on_an_empty_deck_has_no_effect_and_the_round_ends(self):
        table = given(hands=["chancellor guard", "priest", "baron"], deck="")
        happened = table.play("chancellor")

        assert not [event for event in happened if isinstance(event, DecisionOpened)]
        assert round_over(1, (2,), "showdown") in happened

    def test_a_princess_put_back_is_not_discarded(self):
        table = given(hands=["chancellor princess", "priest", "baron"], deck="king spy prince")
        table.play("chancellor")
        table.keep("king", bottom="princess spy")

        assert table.state.is_in_round(0)
        assert table.discards(0) == "chancellor"

    def test_only_its_player_may_answer(self):
        table = given(hands=["chancellor guard", "priest", "baron"], deck="king spy prince")
        table.play("chancellor")

        assert table.state.to_act == 0
        assert table.refused_action(KeepCard("guard", ("king", "spy")), seat=1) == "not_your_turn"

    def test_the_answer_is_secret(self):
        table = given(hands=["chancellor guard", "priest", "baron"], deck="king spy prince")
        table.play("chancellor")
        table.keep("king", bottom="spy guard")

        assert view(table.log, 0).deck == ["spy", "guard"]
        assert view(table.log, 1).deck == [None, None]
        assert view(table.log, 1).seats[0].hand == [None]

    def test_its_player_knows_the_cards_under_the_deck_when_others_draw_them(self):
        table = given(hands=["chancellor guard", "priest", "spy"], deck="king")
        table.play("chancellor")
        table.keep("king", bottom="guard")

        assert view(table.log, 0).seats[1].hand == [None, "guard"]
        assert view(table.log, 2).seats[1].hand == [None, None]

    def test_makes_a_hand_unknown_that_others_had_seen(self):
        table = given(hands=["priest king", "chancellor", "baron"], deck="guard spy prince spy")
        table.play("priest", 1)
        table.play("chancellor")
        assert view(table.log, 0).seats[1].hand == [None, None, None]
        table.keep("prince", bottom="spy guard")

        assert view(table.log, 0).seats[1].hand == [None]


class TestKing:
    def test_swaps_hands(self):
        table = given(hands=["king guard", "priest", "baron"], deck="spy")

        assert table.play("king", 1) == [
            CardPlayed(0, "king", (1,), None, None, None),
            HandsTraded(0, 1, ("priest",), ("guard",)),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]
        assert (table.hand(0), table.hand(1)) == ("priest", "guard spy")

    def test_both_know_both_cards_afterwards(self):
        table = given(hands=["king guard", "priest", "baron"], deck="spy")
        table.play("king", 1)

        assert view(table.log, 0).seats[1].hand == ["guard", None]
        assert view(table.log, 1).seats[0].hand == ["priest"]
        assert view(table.log, 2).seats[0].hand == [None]

    def test_a_third_seat_follows_a_card_it_has_seen(self):
        table = given(hands=["priest baron", "handmaid", "countess"], deck="king spy spy spy")
        table.play("priest", 1)
        assert view(table.log, 0).seats[1].hand == ["handmaid", None]
        table.play("king", 2)

        assert view(table.log, 0).seats[2].hand == ["handmaid", None]
        assert view(table.log, 0).seats[1].hand == [None]


class TestCountess:
    def test_does_nothing_when_played(self):
        table = given(hands=["countess guard", "priest", "baron"], deck="spy")

        assert table.play("countess") == [
            CardPlayed(0, "countess", (), None, None, None),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]

    @pytest.mark.parametrize("other", ["king", "prince"])
    @pytest.mark.parametrize("order", ["countess {}", "{} countess"])
    def test_must_be_played_beside_the_king_or_a_prince(self, other, order):
        table = given(hands=[order.format(other), "guard", "guard"], deck="spy")

        assert table.legal() == [PlayCard("countess")]
        assert table.refused(other, 1) == "must_play_countess"

    @pytest.mark.parametrize("other", ["spy", "guard", "priest", "baron", "handmaid", "chancellor", "princess"])
    def test_may_be_kept_beside_any_other(self, other):
        table = given(hands=[f"countess {other}", "guard", "guard"], deck="spy")

        assert set(table.legal_cards()) == {"countess", other}

    def test_does_not_show_whether_it_was_forced(self):
        forced = given(hands=["countess king", "guard", "guard"], deck="spy")
        free = given(hands=["countess spy", "guard", "guard"], deck="spy")
        forced.play("countess")
        free.play("countess")

        redacted = [[redact(event, 1) for event in table.log] for table in (forced, free)]
        assert redacted[0] == redacted[1]


class TestPrincess:
    def test_played_is_out_with_the_other_card(self):
        table = given(hands=["princess guard", "priest", "baron"], deck="spy")

        assert table.play("princess") == [
            CardPlayed(0, "princess", (), None, None, None),
            KnockedOut(0, ("guard",)),
            TurnStarted(1),
            CardDrawn(1, "spy", "deck"),
        ]
        assert table.discards(0) == "princess guard"

    def test_may_be_played(self):
        table = given(hands=["princess guard", "priest", "baron"], deck="spy")

        assert PlayCard("princess") in table.legal()

    def test_played_with_two_seats_left_ends_the_round(self):
        table = given(hands=["princess guard", "priest"], deck="spy")

        assert round_over(1, (1,), "last_seat") in table.play("princess")

    def test_traded_away_stays_in(self):
        table = given(hands=["king princess", "guard", "baron"], deck="spy")
        table.play("king", 1)

        assert table.hand(1) == "princess spy"
        assert table.state.is_in_round(0)
