"""Turns, rounds and games of the lovecraft edition (rules, "The cards of lovecraft"); cards have their own tests."""

import pytest

from engine.actions import GiveHands, PlayCard
from engine.editions import EDITIONS, rulebook
from engine.errors import UnknownEdition
from engine.events import (
    CardDrawn,
    CardReceived,
    CardResolved,
    CardRevealed,
    DecisionOpened,
    DecisionTaken,
    GameFinished,
    HandsCompared,
    HandsGiven,
    HandShown,
    HandsRevealed,
    HandTaken,
    KnockedOut,
    SeatLeft,
    SeatTimedOut,
    TokenAwarded,
    TurnStarted,
)
from engine.rules import legal_actions
from engine.views import redact_log, view
from tests.engine.editions.lovecraft_tables import (
    ARMITAGE,
    BRAINCASE,
    CARTER,
    CATS,
    CTHULHU,
    DEEP_ONES,
    HOUND,
    INVESTIGATORS,
    KEY,
    LIBER,
    MEAD,
    MI_GO,
    NECRONOMICON,
    NYARLATHOTEP,
    SIGN,
    TRAPEZOHEDRON,
    YITH,
    lovecraft,
    played,
    text,
)
from tests.engine.given import next_round, round_over, round_part


def types(happened):
    return [event.type for event in happened]


class TestTheTable:
    def test_is_for_two_to_six_seats(self):
        assert list(EDITIONS["lovecraft"].seats) == [2, 3, 4, 5, 6]
        for seats in (1, 7):
            with pytest.raises(UnknownEdition):
                rulebook("lovecraft", seats, {})

    @pytest.mark.parametrize(("seats", "pile"), [(2, 16), (3, 20), (4, 19), (5, 18), (6, 17)])
    def test_leaves_so_many_cards_to_draw(self, seats, pile):
        table = lovecraft((SIGN, INVESTIGATORS), *[CATS] * (seats - 1), deck=())
        deal = next_round(table.play(SIGN))

        assert len(deal.deck) == pile
        assert len(deal.shown_aside) == (5 if seats == 2 else 0)

    def test_has_one_option_with_the_default_first(self):
        assert EDITIONS["lovecraft"].options == {"liber_ivonis": ("showdown", "published")}
        assert rulebook("lovecraft", 2, {}).options == {"liber_ivonis": "showdown"}


class TestTheSanityCheck:
    def checked(self, deck, discards=(HOUND, DEEP_ONES), hands=(ARMITAGE, CATS), **situation):
        """Returns what happens from seat 1's turn on, which begins with a check."""
        table = lovecraft((SIGN, CATS), *hands, discards={1: discards}, deck=deck, **situation)
        self.table = table
        return round_part(table.play(SIGN))[3:]

    def test_is_for_insane_seats_only(self):
        assert self.checked((CATS, YITH), discards=(NECRONOMICON, CATS)) == [
            TurnStarted(1),
            CardDrawn(1, CATS, "deck"),
        ]

    def test_reveals_as_many_cards_as_there_are_insanity_cards_in_the_discards(self):
        assert self.checked((CATS, ARMITAGE, YITH, CATS)) == [
            TurnStarted(1),
            CardRevealed(1, CATS),
            CardRevealed(1, ARMITAGE),
            CardDrawn(1, YITH, "deck"),
        ]
        assert self.table.discards(1) == text((HOUND, DEEP_ONES, CATS, ARMITAGE))

    def test_does_not_count_other_cards_it_has_revealed_before(self):
        assert self.checked((CATS, YITH, SIGN), discards=(HOUND, CATS, ARMITAGE, NECRONOMICON))[1:] == [
            CardRevealed(1, CATS),
            CardDrawn(1, YITH, "deck"),
        ]

    def test_counts_before_it_reveals(self):
        # Only a seat that nothing knocks out goes on after an insanity card.
        table = lovecraft(
            (LIBER, CATS),
            (SIGN),
            deck=(YITH, MI_GO, CATS, SIGN, CATS),
            discards={0: HOUND},
            options={LIBER: "published"},
        )
        table.play(LIBER, face="insane")

        assert table.play(YITH, 0)[-4:] == [
            TurnStarted(0),
            CardRevealed(0, MI_GO),
            CardRevealed(0, CATS),
            CardDrawn(0, SIGN, "deck"),
        ]

    @pytest.mark.parametrize("card", [DEEP_ONES, MEAD, HOUND, LIBER, MI_GO, NYARLATHOTEP, TRAPEZOHEDRON, CTHULHU])
    def test_an_insanity_card_knocks_the_seat_out_at_once_and_no_more_are_revealed(self, card):
        assert self.checked((card, ARMITAGE, YITH), discards=(BRAINCASE, DEEP_ONES)) == [
            TurnStarted(1),
            CardRevealed(1, card),
            KnockedOut(1, (ARMITAGE,)),
            TurnStarted(2),
            CardDrawn(2, ARMITAGE, "deck"),
        ]
        assert self.table.discards(1) == text((BRAINCASE, DEEP_ONES, card, ARMITAGE))

    def test_so_does_the_necronomicon(self):
        assert self.checked((CATS, NECRONOMICON, YITH)) == [
            TurnStarted(1),
            CardRevealed(1, CATS),
            CardRevealed(1, NECRONOMICON),
            KnockedOut(1, (ARMITAGE,)),
            TurnStarted(2),
            CardDrawn(2, YITH, "deck"),
        ]

    def test_that_runs_out_of_cards_ends_the_round_and_the_seat_takes_part_in_the_showdown(self):
        assert self.checked(YITH) == [
            TurnStarted(1),
            CardRevealed(1, YITH),
            HandsRevealed((CATS, ARMITAGE, CATS)),
            round_over(1, (1,), "showdown"),
            TokenAwarded(1, "round", "insane"),
        ]

    def test_that_leaves_nothing_to_draw_ends_the_round_too(self):
        assert self.checked((YITH, SIGN))[1:4] == [
            CardRevealed(1, YITH),
            CardRevealed(1, SIGN),
            HandsRevealed((CATS, ARMITAGE, CATS)),
        ]

    def test_that_knocks_out_with_the_last_card_leaves_the_showdown_to_the_rest(self):
        assert self.checked(NECRONOMICON, hands=(ARMITAGE, SIGN))[1:] == [
            CardRevealed(1, NECRONOMICON),
            KnockedOut(1, (ARMITAGE,)),
            HandsRevealed((CATS, None, SIGN)),
            round_over(1, (2,), "showdown"),
            TokenAwarded(2, "round", "sane"),
        ]

    def test_that_leaves_one_seat_ends_the_round(self):
        assert self.checked((NECRONOMICON, CATS), hands=(ARMITAGE, None))[1:] == [
            CardRevealed(1, NECRONOMICON),
            KnockedOut(1, (ARMITAGE,)),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "sane"),
        ]

    def test_comes_after_the_end_of_the_protection_and_before_the_draw(self):
        happened = self.checked((CATS, SIGN, YITH), protected=[1])

        assert types(happened) == ["turn_started", "card_revealed", "card_revealed", "card_drawn"]
        assert not self.table.state.is_protected(1)


class TestTheShowdown:
    def shown(self, *hands, **situation):
        """Returns how the round ends: seat 0 plays an Elder Sign, and the deck is empty."""
        table = lovecraft((SIGN, hands[0]), *hands[1:], deck=(), **situation)
        happened = table.play(SIGN)
        (ended,) = [event for event in happened if event.type == "round_ended"]
        return ended.winners, happened

    def test_the_highest_number_wins(self):
        assert self.shown(CATS, YITH, INVESTIGATORS)[0] == (1,)

    def test_equal_numbers_remove_each_other(self):
        assert self.shown(KEY, TRAPEZOHEDRON, YITH)[0] == (2,)
        assert self.shown(CATS, ARMITAGE, MI_GO, YITH)[0] == (3,)

    def test_equal_numbers_below_the_highest_change_nothing(self):
        assert self.shown(CATS, MEAD, YITH)[0] == (2,)

    def test_three_equal_numbers_are_all_removed(self):
        assert self.shown(INVESTIGATORS, INVESTIGATORS, DEEP_ONES, BRAINCASE)[0] == (3,)

    def test_nobody_wins_if_all_are_removed_and_no_token_is_given(self):
        winners, happened = self.shown(CARTER, NYARLATHOTEP, CATS, MEAD)

        assert winners == ()
        assert "token_awarded" not in types(happened)

    def test_without_a_winner_the_same_seat_starts_again(self):
        for starter in (0, 1, 2):
            _, happened = self.shown(CATS, MEAD, None, starter=starter)
            assert next_round(happened).starter == starter

    def test_without_a_winner_and_with_its_starter_gone_one_of_the_rest_starts(self):
        starters = {
            next_round(self.shown(CATS, MEAD, None, starter=2, left=[2], seed=seed)[1]).starter for seed in range(20)
        }

        assert starters == {0, 1}

    def test_the_winner_starts_the_next_round(self):
        assert next_round(self.shown(CATS, YITH, INVESTIGATORS)[1]).starter == 1


class TestTokens:
    def test_are_sane_for_a_winner_without_insanity_cards(self):
        table = lovecraft((SIGN, YITH), CATS, deck=(), discards={0: NECRONOMICON, 1: HOUND})

        assert TokenAwarded(0, "round", "sane") in table.play(SIGN)

    def test_are_insane_for_a_winner_with_one_however_it_came_there(self):
        table = lovecraft((SIGN, CATS), YITH, deck=(), discards={1: BRAINCASE})

        assert TokenAwarded(1, "round", "insane") in table.play(SIGN)
        assert (table.state.seats[1].tokens, table.state.seats[1].insane_tokens) == (1, 1)

    def test_the_card_just_played_counts(self):
        table = lovecraft((DEEP_ONES, CATS), YITH)

        assert round_part(table.play(DEEP_ONES, 1, names=3, face="sane"))[1:] == [
            KnockedOut(1, (YITH,)),
            CardResolved(0, DEEP_ONES),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "insane"),
        ]

    def test_the_card_in_hand_does_not_count(self):
        table = lovecraft((SIGN, HOUND), CATS, deck=())

        assert TokenAwarded(0, "round", "sane") in table.play(SIGN)


class TestTheEndOfTheGame:
    def won(self, sane, insane, discards=None):
        """Seat 0, with so many tokens, wins a round; whether that ends the game."""
        table = lovecraft(
            (SIGN, YITH), CATS, deck=(), tokens=[sane + insane, 0], insane_tokens=[insane, 0], discards=discards
        )
        happened = table.play(SIGN)
        assert round_over(1, (0,), "showdown") in happened
        return GameFinished((0,)) in happened

    def test_comes_with_the_second_sane_token(self):
        assert not self.won(0, 0)
        assert self.won(1, 0)
        assert self.won(1, 2)

    def test_comes_with_the_third_insane_token(self):
        assert not self.won(0, 1, {0: HOUND})
        assert self.won(0, 2, {0: HOUND})

    def test_does_not_come_with_three_tokens_of_both_kinds(self):
        assert not self.won(1, 1, {0: HOUND})
        assert not self.won(0, 2)

    def test_is_the_same_at_every_table(self):
        for seats in range(2, 7):
            book = rulebook("lovecraft", seats, {})
            assert (book.tokens_to_win, book.insane_tokens_to_win) == (2, 3)

    def test_cannot_be_won_by_a_seat_that_has_left(self):
        table = lovecraft((SIGN, YITH), CATS, INVESTIGATORS, deck=(), tokens=[0, 0, 2], left=[2])

        assert "game_finished" not in types(table.play(SIGN))


class TestAnExtraPlay:
    """One more card by Golden Mead or Mi-Go, before the card that allows it is over."""

    def mead(self, hand, drawn, *others, pile=HOUND, **situation):
        """Seat 0 has played Golden Mead insane on seat 1, and holds a card beside the one it has drawn."""
        deck = (drawn, SIGN, CATS, SIGN, CATS)
        table = lovecraft((MEAD, hand), *(others or (CATS, YITH)), deck=deck, discards={0: pile}, **situation)
        table.play(MEAD, 1, face="insane")
        return table

    def mi_go(self, hand, taken, *others, **situation):
        """Seat 0 has played Mi-Go insane on seat 1."""
        table = lovecraft((MI_GO, hand), taken, *(others or (YITH,)), discards={0: HOUND}, **situation)
        table.play(MI_GO, 1, face="insane")
        return table

    def test_does_not_see_the_card_that_allowed_it_in_the_discards(self):
        table = self.mead(CATS, CTHULHU)

        assert table.play(CTHULHU, face="insane")[:5] == [
            DecisionTaken(0, MEAD, "play_card"),
            played(CTHULHU, face="insane"),
            CardResolved(0, CTHULHU),
            KnockedOut(0, (CATS,)),
            CardResolved(0, MEAD),
        ]

    def test_does_not_see_two_of_them_either(self):
        table = self.mead(CTHULHU, MI_GO)
        table.play(MI_GO, 1, face="insane")

        assert KnockedOut(0, (CATS,)) in table.play(CTHULHU, face="insane")

    def test_may_win_the_game(self):
        table = self.mead(CATS, CTHULHU, pile=(HOUND, BRAINCASE))

        assert table.play(CTHULHU, face="insane") == [
            DecisionTaken(0, MEAD, "play_card"),
            played(CTHULHU, face="insane"),
            CardResolved(0, CTHULHU),
            CardResolved(0, MEAD),
            GameFinished((0,)),
        ]

    def test_may_win_the_round(self):
        table = self.mead(ARMITAGE, TRAPEZOHEDRON)

        assert round_part(table.play(TRAPEZOHEDRON, face="insane")) == [
            DecisionTaken(0, MEAD, "play_card"),
            played(TRAPEZOHEDRON, face="insane"),
            CardResolved(0, TRAPEZOHEDRON),
            CardResolved(0, MEAD),
            round_over(1, (0,), "card"),
            TokenAwarded(0, "round", "insane"),
        ]

    def test_may_knock_out_its_player(self):
        table = self.mead(CATS, YITH, SIGN, ARMITAGE)

        assert table.play(YITH, 1)[1:6] == [
            played(YITH, 1),
            HandsCompared(0, 1, (CATS,), (SIGN,)),
            KnockedOut(0, (CATS,)),
            CardResolved(0, YITH),
            CardResolved(0, MEAD),
        ]
        assert table.discards(0) == text((HOUND, CATS, YITH, MEAD))
        assert table.state.to_act == 1

    def test_may_knock_out_the_last_other_seat(self):
        table = self.mead(SIGN, INVESTIGATORS, CATS, None)

        assert round_part(table.play(INVESTIGATORS, 1, names=2))[2:] == [
            KnockedOut(1, (CATS,)),
            CardResolved(0, INVESTIGATORS),
            CardResolved(0, MEAD),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "insane"),
        ]

    def test_may_protect(self):
        table = self.mead(CATS, SIGN)
        table.play(SIGN)

        assert table.state.is_protected(0)

    def test_may_be_played_sane_or_insane(self):
        table = self.mead(SIGN, LIBER)

        assert {action.face for action in table.legal() if action.card == LIBER} == {"sane", "insane"}

    def test_has_no_target_when_nobody_can_be_chosen_any_more(self):
        table = self.mead(SIGN, CATS, CATS, YITH, protected=[2])
        table.leave(1)

        assert PlayCard(CATS) in table.legal()
        assert table.refused(CATS, 2) == "target_protected"

    def test_obeys_the_sevens(self):
        assert self.mead(ARMITAGE, KEY).legal() == [PlayCard(KEY)]
        assert self.mead(KEY, TRAPEZOHEDRON).legal_cards() == [KEY, TRAPEZOHEDRON]
        assert self.mead(SIGN, KEY).legal_cards() == [SIGN, KEY]
        assert self.mead(ARMITAGE, TRAPEZOHEDRON).legal_cards() == [ARMITAGE, TRAPEZOHEDRON]
        assert self.mi_go(ARMITAGE, KEY).legal() == [PlayCard(KEY)]
        assert self.mi_go(TRAPEZOHEDRON, KEY).legal_cards() == [TRAPEZOHEDRON, KEY]
        assert self.mi_go(TRAPEZOHEDRON, NECRONOMICON).legal_cards() == [TRAPEZOHEDRON, NECRONOMICON]
        assert self.mead(ARMITAGE, KEY).refused(ARMITAGE, 1) == "must_play_silver_key"

    def test_may_allow_another_one_and_then_collect_hands(self):
        table = self.mead(NYARLATHOTEP, MI_GO)
        assert table.play(MI_GO, 1, face="insane") == [
            DecisionTaken(0, MEAD, "play_card"),
            played(MI_GO, 1, face="insane"),
            HandTaken(0, 1, (CATS,)),
            CardReceived(1, BRAINCASE),
            DecisionOpened(0, MI_GO, "play_card", ()),
        ]
        assert table.play(NYARLATHOTEP, face="insane") == [
            DecisionTaken(0, MI_GO, "play_card"),
            played(NYARLATHOTEP, face="insane"),
            HandShown(1, 0, (BRAINCASE,)),
            HandShown(2, 0, (YITH,)),
            DecisionOpened(0, NYARLATHOTEP, "give_hands", (1, 2)),
        ]
        assert table.state.in_play == [MEAD, MI_GO, NYARLATHOTEP]
        assert table.act(GiveHands(((1, YITH), (2, BRAINCASE))))[:6] == [
            DecisionTaken(0, NYARLATHOTEP, "give_hands"),
            HandsGiven(0, (1, 2), (None, YITH, BRAINCASE)),
            CardResolved(0, NYARLATHOTEP),
            CardResolved(0, MI_GO),
            CardResolved(0, MEAD),
            TurnStarted(1),
        ]
        assert table.discards(0) == text((HOUND, NYARLATHOTEP, MI_GO, MEAD))
        assert table.hand(0) == CATS

    def test_is_found_in_the_own_view_and_hidden_from_the_others(self):
        logs = []
        for hand, drawn in [(YITH, ARMITAGE), (ARMITAGE, KEY)]:
            table = self.mead(hand, drawn)
            assert list(legal_actions(view(table.log, 0))) == table.legal()
            logs.append([event for event in redact_log(table.log, 2) if event.type != "round_started"])
        assert logs[0] == logs[1]

    def test_is_taken_by_the_clock(self):
        table = self.mead(SIGN, CATS)

        assert table.time_out(PlayCard(SIGN))[:3] == [
            SeatTimedOut(0),
            DecisionTaken(0, MEAD, "play_card"),
            played(SIGN),
        ]
        table = self.mi_go(CATS, SIGN)
        assert table.time_out(PlayCard(CATS, (1,)))[:3] == [
            SeatTimedOut(0),
            DecisionTaken(0, MI_GO, "play_card"),
            played(CATS, 1),
        ]


class Drawing:
    """A chance that draws certain answers first, then always the first one."""

    def __init__(self, chance, *places):
        self._chance, self._places = chance, iter(places)

    def answer(self, count, version):
        return next(self._places, 0)

    def __getattr__(self, name):
        return getattr(self._chance, name)


def leave_with(table, action):
    """The seat to act leaves, and chance draws an action for it."""
    table.chance = Drawing(table.chance, table.legal().index(action))
    return table.leave(0)


class TestLeavingDuringAnExtraPlay:
    """A legal play is drawn and carried out before the seat is gone; whatever it would win is lost."""

    def asked(self, drawn=YITH, *others, hand=SIGN, pile=HOUND, **situation):
        deck = (drawn, SIGN, CATS, SIGN, CATS)
        table = lovecraft((MEAD, hand), *(others or (CATS, ARMITAGE)), deck=deck, discards={0: pile}, **situation)
        table.play(MEAD, 1, face="insane")
        return table

    def test_chance_draws_a_legal_play(self):
        drawn = set()
        for seed in range(40):
            table = self.asked(seed=seed)
            legal = table.legal()
            happened = table.leave(0)
            assert happened[0] == DecisionTaken(0, MEAD, "play_card")
            drawn.add(PlayCard(happened[1].card, happened[1].targets))
        assert drawn == set(legal)

    def test_it_is_carried_out_and_all_cards_reach_the_discards(self):
        table = self.asked(YITH, CATS, ARMITAGE, CATS)

        assert leave_with(table, PlayCard(YITH, (1,))) == [
            DecisionTaken(0, MEAD, "play_card"),
            played(YITH, 1),
            HandsCompared(0, 1, (SIGN,), (CATS,)),
            KnockedOut(1, (CATS,)),
            SeatLeft(0, (SIGN,), "resigned"),
            CardResolved(0, YITH),
            CardResolved(0, MEAD),
            TurnStarted(2),
            CardDrawn(2, SIGN, "deck"),
        ]
        assert table.discards(0) == text((HOUND, SIGN, YITH, MEAD))
        assert table.state.in_play == []

    def test_it_may_knock_out_the_seat_itself_first(self):
        table = self.asked(YITH, SIGN, ARMITAGE, hand=CATS)

        assert leave_with(table, PlayCard(YITH, (1,)))[3:5] == [KnockedOut(0, (CATS,)), SeatLeft(0, (), "resigned")]

    def test_a_necronomicon_has_nobody_left_to_knock_out(self):
        table = self.asked(NECRONOMICON)

        assert leave_with(table, PlayCard(NECRONOMICON))[1:6] == [
            played(NECRONOMICON),
            SeatLeft(0, (SIGN,), "resigned"),
            CardResolved(0, NECRONOMICON),
            CardResolved(0, MEAD),
            TurnStarted(1),
        ]

    def test_a_round_is_not_won(self):
        table = self.asked(TRAPEZOHEDRON, hand=ARMITAGE)
        happened = leave_with(table, PlayCard(TRAPEZOHEDRON, face="insane"))

        assert happened[2] == SeatLeft(0, (ARMITAGE,), "resigned")
        assert table.state.round_number == 1
        assert table.state.to_act == 1

    def test_a_game_is_not_won(self):
        table = self.asked(CTHULHU, pile=(HOUND, BRAINCASE))
        happened = leave_with(table, PlayCard(CTHULHU, face="insane"))

        assert not {"game_finished", "round_ended", "knocked_out"} & set(types(happened))
        assert table.state.to_act == 1

    def test_the_last_seat_it_leaves_in_the_round_wins_it(self):
        table = self.asked(YITH, CATS, ARMITAGE, None)

        assert round_part(leave_with(table, PlayCard(YITH, (1,))))[-2:] == [
            round_over(1, (2,), "last_seat"),
            TokenAwarded(2, "round", "sane"),
        ]

    def test_nobody_wins_a_round_in_which_it_leaves_nobody(self):
        table = self.asked(YITH, CATS, None, starter=1)
        happened = leave_with(table, PlayCard(YITH, (1,)))

        assert round_part(happened)[-4:] == [
            SeatLeft(0, (SIGN,), "resigned"),
            CardResolved(0, YITH),
            CardResolved(0, MEAD),
            round_over(1, (), "last_seat"),
        ]
        assert round_part(happened)[-1].decided_by == "nobody_left"
        assert next_round(happened).starter == 1
        assert next_round(happened).seats == (1, 2)

    def test_another_question_is_answered_too(self):
        table = self.asked(NYARLATHOTEP)

        assert types(leave_with(table, PlayCard(NYARLATHOTEP, face="insane")))[:7] == [
            "decision_taken",
            "card_played",
            "hand_shown",
            "hand_shown",
            "decision_opened",
            "decision_taken",
            "hands_given",
        ]
        assert table.discards(0) == text((HOUND, SIGN, NYARLATHOTEP, MEAD))

    def test_and_so_is_another_extra_play(self):
        table = self.asked(MI_GO)
        happened = leave_with(table, PlayCard(MI_GO, (1,), face="insane"))

        assert types(happened).count("decision_taken") == 2
        assert types(happened).index("seat_left") < types(happened).index("card_resolved")
        assert table.hand(1).split()[0] == BRAINCASE or not table.state.is_in_round(1)
        assert table.state.in_play == []

    def test_wins_the_game_for_the_last_seat_in_it(self):
        table = self.asked(YITH, CATS)

        assert leave_with(table, PlayCard(YITH, (1,)))[-1] == GameFinished((1,))
        assert table.state.decision is None

    def test_another_seat_that_leaves_cannot_be_chosen_any_more(self):
        table = self.asked()

        assert table.leave(1) == [SeatLeft(1, (CATS,), "resigned")]
        assert table.state.to_act == 0
        assert {action.targets for action in table.legal() if action.card == YITH} == {(2,)}

    def test_the_last_other_seat_that_leaves_ends_the_round_and_the_question(self):
        table = self.asked(YITH, CATS, None)

        assert round_part(table.leave(1)) == [
            SeatLeft(1, (CATS,), "resigned"),
            CardResolved(0, MEAD),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "insane"),
        ]
        assert table.state.decision is None

    def test_the_victim_of_a_mi_go_lays_down_the_braincase(self):
        table = lovecraft((MI_GO, CATS), NECRONOMICON, YITH, discards={0: HOUND})
        table.play(MI_GO, 1, face="insane")

        assert table.leave(1) == [SeatLeft(1, (BRAINCASE,), "resigned")]
        assert table.hand(0) == text((CATS, NECRONOMICON))

    @pytest.mark.parametrize(("hand", "taken"), [(CATS, YITH), (YITH, CATS)])
    def test_a_hand_of_two_is_laid_down_by_number(self, hand, taken):
        table = lovecraft((hand, taken), SIGN, SIGN)

        assert table.leave(0)[0] == SeatLeft(0, (CATS, YITH), "resigned")


class TestLeavingWhileHandsAreCollected:
    def asked(self, *others, **situation):
        hands = others or (CATS, HOUND, ARMITAGE)
        table = lovecraft((NYARLATHOTEP, SIGN), *hands, discards={0: DEEP_ONES}, **situation)
        table.play(NYARLATHOTEP, face="insane")
        return table

    def test_chance_gives_them_back(self):
        given_back = set()
        for seed in range(40):
            table = self.asked(seed=seed)
            happened = table.leave(0)
            assert types(happened)[:4] == ["decision_taken", "hands_given", "seat_left", "card_resolved"]
            given_back.add(happened[1].hands[1:])
        assert len(given_back) == 6

    def test_a_seat_that_leaves_keeps_its_card_and_the_others_get_theirs(self):
        table = self.asked()
        table.leave(2)

        assert set(table.legal()) == {
            GiveHands(((1, CATS), (3, ARMITAGE))),
            GiveHands(((1, ARMITAGE), (3, CATS))),
        }
        assert table.discards(2) == HOUND

    def test_there_may_be_nothing_left_to_give(self):
        table = self.asked(CATS, HOUND, protected=[2])
        table.leave(1)

        assert table.legal() == [GiveHands(())]
        assert table.act(GiveHands(()))[:4] == [
            DecisionTaken(0, NYARLATHOTEP, "give_hands"),
            HandsGiven(0, (), (None, None, None)),
            CardResolved(0, NYARLATHOTEP),
            TurnStarted(2),
        ]

    def test_the_last_other_seat_that_leaves_ends_the_round(self):
        table = self.asked(CATS, None)

        assert round_part(table.leave(1))[-2:] == [
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "insane"),
        ]

    def test_the_clock_gives_them_back(self):
        table = self.asked(CATS, HOUND)

        assert table.time_out(GiveHands(((1, HOUND), (2, CATS))))[:3] == [
            SeatTimedOut(0),
            DecisionTaken(0, NYARLATHOTEP, "give_hands"),
            HandsGiven(0, (1, 2), (None, HOUND, CATS)),
        ]
