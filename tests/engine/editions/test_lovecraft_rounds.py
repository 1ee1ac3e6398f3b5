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

    def test_that_runs_out_of_cards_ends_the_round_and_the_seat_takes_part_in_the_showdown(self):
        assert self.checked(YITH) == [
            TurnStarted(1),
            CardRevealed(1, YITH),
            HandsRevealed((CATS, ARMITAGE, CATS)),
            round_over(1, (1,), "showdown"),
            TokenAwarded(1, "round", "insane"),
        ]


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


class TestTokens:
    def test_are_sane_for_a_winner_without_insanity_cards(self):
        table = lovecraft((SIGN, YITH), CATS, deck=(), discards={0: NECRONOMICON, 1: HOUND})

        assert TokenAwarded(0, "round", "sane") in table.play(SIGN)

    def test_are_insane_for_a_winner_with_one_however_it_came_there(self):
        table = lovecraft((SIGN, CATS), YITH, deck=(), discards={1: BRAINCASE})

        assert TokenAwarded(1, "round", "insane") in table.play(SIGN)
        assert (table.state.seats[1].tokens, table.state.seats[1].insane_tokens) == (1, 1)


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
