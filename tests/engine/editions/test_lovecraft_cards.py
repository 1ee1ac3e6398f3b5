"""The cards of the lovecraft edition, one class each, sane and insane (rules, "The cards of lovecraft").

What belongs to the turn, the round and the game is tested in `test_lovecraft_rounds`.
"""

import pytest

from engine.actions import GiveHands, PlayCard
from engine.editions import EDITIONS, rulebook
from engine.events import (
    CardDrawn,
    CardReceived,
    CardResolved,
    CardRevealed,
    DecisionOpened,
    DecisionTaken,
    GameFinished,
    HandDiscarded,
    HandsCompared,
    HandsGiven,
    HandShown,
    HandsRevealed,
    HandsTraded,
    HandTaken,
    KnockedOut,
    SeatMarked,
    SeatProtected,
    TokenAwarded,
    TurnStarted,
)
from engine.views import WATCHER, redact, view
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
from tests.engine.given import round_over, round_part

NUMBERS = (0, 2, 3, 4, 5, 6, 7, 8)
"""What may be named: every number but 1."""

FACES = {
    DEEP_ONES: (1,),
    MEAD: (1,),
    HOUND: (1,),
    LIBER: (),
    MI_GO: (1,),
    NYARLATHOTEP: (1,),
    TRAPEZOHEDRON: (),
    CTHULHU: (),
}
"""The cards with two effects, and whom their sane effect may choose."""


def next_turn(seat=1, card=SIGN):
    return [TurnStarted(seat), CardDrawn(seat, card, "deck")]


def hands_seen(table, viewer):
    """Returns the hands as a viewer knows them, by seat."""
    return [seat.hand for seat in view(table.log, viewer).seats]


class TestTheDeck:
    def test_holds_24_cards_and_the_braincase_beside_it(self):
        cards = EDITIONS["lovecraft"].cards_for(2)

        assert [(card.key, card.value, card.copies) for card in cards] == [
            (BRAINCASE, 0, 0),
            (INVESTIGATORS, 1, 5),
            (DEEP_ONES, 1, 1),
            (CATS, 2, 2),
            (MEAD, 2, 1),
            (YITH, 3, 2),
            (HOUND, 3, 1),
            (SIGN, 4, 2),
            (LIBER, 4, 1),
            (ARMITAGE, 5, 2),
            (MI_GO, 5, 1),
            (CARTER, 6, 1),
            (NYARLATHOTEP, 6, 1),
            (KEY, 7, 1),
            (TRAPEZOHEDRON, 7, 1),
            (NECRONOMICON, 8, 1),
            (CTHULHU, 8, 1),
        ]
        for seats in range(2, 7):
            deck = rulebook("lovecraft", seats, {}).deck
            assert len(deck) == 24
            assert BRAINCASE not in deck

    def test_has_eight_insanity_cards_and_the_braincase_is_the_ninth(self):
        assert rulebook("lovecraft", 2, {}).insanity == {BRAINCASE, *FACES}

    def test_every_card_has_a_class_of_its_own_here(self):
        for card in EDITIONS["lovecraft"].cards_for(2):
            assert "Test" + "".join(part.capitalize() for part in card.key.split("_")) in globals()


@pytest.mark.parametrize("card", FACES)
class TestTheTwoFaces:
    def test_the_first_insanity_card_is_used_sane(self, card):
        table = lovecraft((card, CATS), YITH, CATS)

        assert {action.face for action in table.legal() if action.card == card} == {"sane"}
        assert table.refused(card, *FACES[card], face="insane") == "face_not_allowed"
        assert table.refused(card, *FACES[card]) == "face_required"
        table.play(card, *FACES[card], names=2 if card == DEEP_ONES else None, face="sane")
        assert table.state.is_insane(0)

    def test_an_insane_seat_chooses(self, card):
        table = lovecraft((card, CATS), YITH, CATS, discards={0: BRAINCASE})

        assert {action.face for action in table.legal() if action.card == card} == {"sane", "insane"}

    def test_reaches_the_discards_only_after_its_effect(self, card):
        table = lovecraft((card, CATS), YITH, CATS)
        happened = table.play(card, *FACES[card], names=2 if card == DEEP_ONES else None, face="sane")

        assert CardResolved(0, card) in happened
        assert card in table.state.seats[0].discards
        assert table.state.in_play == []


def test_a_card_with_one_effect_has_no_face():
    table = lovecraft((CATS, SIGN), YITH, discards={0: HOUND})

    assert {action.face for action in table.legal()} == {None}
    assert table.refused(CATS, 1, face="sane") == "face_not_allowed"
    assert table.refused(SIGN, face="insane") == "face_not_allowed"


class TestMiGoBraincase:
    @pytest.mark.parametrize("discards", [{}, {0: HOUND}], ids=["sane", "insane"])
    def test_knocks_out_whoever_plays_it(self, discards):
        table = lovecraft((BRAINCASE, CATS), YITH, SIGN, discards=discards)

        assert table.play(BRAINCASE)[:3] == [
            played(BRAINCASE),
            KnockedOut(0, (CATS,)),
            CardResolved(0, BRAINCASE),
        ]

    def test_has_one_effect_only(self):
        table = lovecraft((BRAINCASE, CATS), YITH, SIGN, discards={0: HOUND})

        assert table.refused(BRAINCASE, face="insane") == "face_not_allowed"

    def test_discarded_by_force_is_harmless_but_an_insanity_card(self):
        table = lovecraft((ARMITAGE, CATS), BRAINCASE, SIGN, deck=(YITH, CATS, SIGN))

        assert table.play(ARMITAGE, 1)[1:] == [
            HandDiscarded(1, (BRAINCASE,)),
            CardDrawn(1, YITH, "deck"),
            CardResolved(0, ARMITAGE),
            TurnStarted(1),
            CardRevealed(1, CATS),
            CardDrawn(1, SIGN, "deck"),
        ]
        assert table.state.is_in_round(1)
        assert table.state.is_insane(1)

    def test_in_the_hand_makes_nobody_insane(self):
        table = lovecraft((BRAINCASE, HOUND), YITH, SIGN)

        assert table.refused(HOUND, 1, face="insane") == "face_not_allowed"

    def test_is_a_0(self):
        table = lovecraft((INVESTIGATORS, CATS), BRAINCASE, SIGN)

        assert KnockedOut(1, (BRAINCASE,)) in table.play(INVESTIGATORS, 1, names=0)


class TestInvestigators:
    def test_a_hit_knocks_the_seat_out(self):
        table = lovecraft((INVESTIGATORS, CATS), YITH, SIGN)

        assert table.play(INVESTIGATORS, 1, names=3) == [
            played(INVESTIGATORS, 1, names=3),
            KnockedOut(1, (YITH,)),
            CardResolved(0, INVESTIGATORS),
            *next_turn(2),
        ]

    def test_a_miss_does_nothing(self):
        table = lovecraft((INVESTIGATORS, CATS), YITH, SIGN)

        assert table.play(INVESTIGATORS, 1, names=4) == [
            played(INVESTIGATORS, 1, names=4),
            CardResolved(0, INVESTIGATORS),
            *next_turn(),
        ]

    @pytest.mark.parametrize("card", [YITH, HOUND])
    def test_a_number_hits_every_card_that_bears_it(self, card):
        table = lovecraft((INVESTIGATORS, CATS), card, SIGN)

        assert KnockedOut(1, (card,)) in table.play(INVESTIGATORS, 1, names=3)

    def test_may_name_every_number_but_1(self):
        table = lovecraft((INVESTIGATORS, CATS), YITH, SIGN)

        assert {action.guess for action in table.legal() if action.card == INVESTIGATORS} == set(NUMBERS)
        assert table.refused(INVESTIGATORS, 1, names=1) == "guess_not_allowed"
        assert table.refused(INVESTIGATORS, 1, names=9) == "guess_not_allowed"
        assert table.refused(INVESTIGATORS, 1, names=YITH) == "guess_not_allowed"
        assert table.refused(INVESTIGATORS, 1) == "guess_required"

    def test_chooses_another_seat(self):
        table = lovecraft((INVESTIGATORS, CATS), YITH, SIGN)

        assert table.refused(INVESTIGATORS, 0, names=2) == "target_self"
        assert table.refused(INVESTIGATORS) == "target_required"

    def test_does_nothing_when_nobody_can_be_chosen(self):
        table = lovecraft((INVESTIGATORS, CATS), YITH, SIGN, protected=[1, 2])

        assert table.refused(INVESTIGATORS, 1, names=3) == "target_protected"
        assert table.play(INVESTIGATORS) == [played(INVESTIGATORS), CardResolved(0, INVESTIGATORS), *next_turn()]


class TestDeepOnes:
    def test_sane_is_like_the_investigators(self):
        table = lovecraft((DEEP_ONES, CATS), YITH, SIGN)

        assert {action.guess for action in table.legal() if action.card == DEEP_ONES} == set(NUMBERS)
        assert table.play(DEEP_ONES, 1, names=3, face="sane") == [
            played(DEEP_ONES, 1, names=3, face="sane"),
            KnockedOut(1, (YITH,)),
            CardResolved(0, DEEP_ONES),
            *next_turn(2),
        ]

    def test_sane_does_not_find_a_1(self):
        table = lovecraft((DEEP_ONES, CATS), INVESTIGATORS, SIGN, discards={0: HOUND})

        assert table.play(DEEP_ONES, 1, names=3, face="sane")[1] == CardResolved(0, DEEP_ONES)

    def test_insane_finds_a_1_whatever_is_named(self):
        table = lovecraft((DEEP_ONES, CATS), INVESTIGATORS, SIGN, discards={0: HOUND})

        assert table.play(DEEP_ONES, 1, names=5, face="insane")[:3] == [
            played(DEEP_ONES, 1, names=5, face="insane"),
            KnockedOut(1, (INVESTIGATORS,)),
            CardResolved(0, DEEP_ONES),
        ]

    def test_insane_otherwise_the_number_counts(self):
        table = lovecraft((DEEP_ONES, CATS), YITH, SIGN, discards={0: HOUND})

        assert table.play(DEEP_ONES, 1, names=3, face="insane")[1] == KnockedOut(1, (YITH,))

    def test_insane_may_miss(self):
        table = lovecraft((DEEP_ONES, CATS), YITH, SIGN, discards={0: HOUND})

        assert table.play(DEEP_ONES, 1, names=5, face="insane")[1] == CardResolved(0, DEEP_ONES)
        assert table.state.is_in_round(1)

    def test_insane_names_a_number_too_and_not_1(self):
        table = lovecraft((DEEP_ONES, CATS), YITH, SIGN, discards={0: HOUND})

        assert table.refused(DEEP_ONES, 1, face="insane") == "guess_required"
        assert table.refused(DEEP_ONES, 1, names=1, face="insane") == "guess_not_allowed"

    @pytest.mark.parametrize("face", ["sane", "insane"])
    def test_does_nothing_when_nobody_can_be_chosen(self, face):
        table = lovecraft((DEEP_ONES, CATS), INVESTIGATORS, SIGN, discards={0: HOUND}, protected=[1, 2])

        assert table.play(DEEP_ONES, face=face) == [
            played(DEEP_ONES, face=face),
            CardResolved(0, DEEP_ONES),
            *next_turn(),
        ]


class TestCatsOfUlthar:
    def test_shows_a_hand_to_the_player_alone(self):
        table = lovecraft((CATS, SIGN), YITH, SIGN)
        happened = table.play(CATS, 1)

        assert happened[:3] == [played(CATS, 1), HandShown(1, 0, (YITH,)), CardResolved(0, CATS)]
        assert redact(happened[1], 2) == HandShown(1, 0, (None,))
        assert view(table.log, 0).seats[1].hand[0] == YITH
        assert view(table.log, 2).seats[1].hand[0] is None

    def test_chooses_another_seat(self):
        table = lovecraft((CATS, SIGN), YITH, SIGN, protected=[1])

        assert {action.targets for action in table.legal() if action.card == CATS} == {(2,)}

    def test_does_nothing_when_nobody_can_be_chosen(self):
        table = lovecraft((CATS, SIGN), YITH, SIGN, protected=[1, 2])

        assert table.play(CATS)[:2] == [played(CATS), CardResolved(0, CATS)]


class TestGoldenMead:
    def insane(self, deck=(INVESTIGATORS, CATS, SIGN), **situation):
        return lovecraft((MEAD, SIGN), YITH, CATS, deck=deck, discards={0: HOUND}, **situation)

    def test_sane_only_looks(self):
        table = lovecraft((MEAD, SIGN), YITH, CATS)

        assert table.play(MEAD, 1, face="sane") == [
            played(MEAD, 1, face="sane"),
            HandShown(1, 0, (YITH,)),
            CardResolved(0, MEAD),
            *next_turn(),
        ]

    def test_insane_looks_draws_and_asks_which_card_to_play_next(self):
        table = self.insane()

        assert table.play(MEAD, 1, face="insane") == [
            played(MEAD, 1, face="insane"),
            HandShown(1, 0, (YITH,)),
            CardDrawn(0, INVESTIGATORS, "deck"),
            DecisionOpened(0, MEAD, "play_card", ()),
        ]
        assert table.state.in_play == [MEAD]
        assert table.state.to_act == 0
        assert table.legal_cards() == [SIGN, INVESTIGATORS]
        assert table.refused_action(GiveHands(())) == "wrong_action"
        assert table.refused_action(PlayCard(CATS, (1,)), seat=2) == "not_your_turn"
        assert table.refused(MEAD, 1, face="insane") == "card_not_in_hand"

    def test_insane_plays_one_more_card_in_full_before_it_is_over(self):
        table = self.insane()
        table.play(MEAD, 1, face="insane")

        assert table.play(INVESTIGATORS, 1, names=3) == [
            DecisionTaken(0, MEAD, "play_card"),
            played(INVESTIGATORS, 1, names=3),
            KnockedOut(1, (YITH,)),
            CardResolved(0, INVESTIGATORS),
            CardResolved(0, MEAD),
            *next_turn(2, CATS),
        ]
        assert table.discards(0) == text((HOUND, INVESTIGATORS, MEAD))
        assert table.hand(0) == SIGN

    def test_insane_on_an_empty_deck_only_looks(self):
        table = self.insane(deck=())

        assert round_part(table.play(MEAD, 1, face="insane"))[:4] == [
            played(MEAD, 1, face="insane"),
            HandShown(1, 0, (YITH,)),
            CardResolved(0, MEAD),
            HandsRevealed((SIGN, YITH, CATS)),
        ]

    def test_insane_may_draw_the_last_card_and_the_round_ends_after_the_turn(self):
        table = self.insane(deck=INVESTIGATORS)
        table.play(MEAD, 1, face="insane")

        assert round_part(table.play(INVESTIGATORS, 1, names=8))[-3:] == [
            HandsRevealed((SIGN, YITH, CATS)),
            round_over(1, (0,), "showdown"),
            TokenAwarded(0, "round", "insane"),
        ]

    @pytest.mark.parametrize("face", ["sane", "insane"])
    def test_does_nothing_when_nobody_can_be_chosen(self, face):
        table = self.insane(protected=[1, 2])

        assert table.play(MEAD, face=face)[:3] == [
            played(MEAD, face=face),
            CardResolved(0, MEAD),
            TurnStarted(1),
        ]
        assert table.hand(0) == SIGN


class TestGreatRaceOfYith:
    def test_the_lower_is_out(self):
        table = lovecraft((YITH, SIGN), CATS, SIGN)

        assert table.play(YITH, 1)[:4] == [
            played(YITH, 1),
            HandsCompared(0, 1, (SIGN,), (CATS,)),
            KnockedOut(1, (CATS,)),
            CardResolved(0, YITH),
        ]

    def test_the_lower_may_be_the_player(self):
        table = lovecraft((YITH, CATS), SIGN, SIGN)

        assert table.play(YITH, 1)[2:4] == [KnockedOut(0, (CATS,)), CardResolved(0, YITH)]
        assert table.discards(0) == text((CATS, YITH))

    def test_a_tie_does_nothing_but_both_know_both_hands(self):
        table = lovecraft((YITH, CATS), MEAD, SIGN)
        happened = table.play(YITH, 1)

        assert happened[2] == CardResolved(0, YITH)
        assert redact(happened[1], 2) == HandsCompared(0, 1, (None,), (None,))
        assert hands_seen(table, 0)[1] == [MEAD, None]
        assert hands_seen(table, 1)[0] == [CATS]
        assert hands_seen(table, 2)[:2] == [[None], [None, None]]

    def test_the_winners_card_stays_between_the_two(self):
        table = lovecraft((YITH, SIGN), CATS, SIGN)
        table.play(YITH, 1)

        assert hands_seen(table, 1)[0] == [SIGN]
        assert hands_seen(table, WATCHER)[0] == [None]

    def test_does_nothing_when_nobody_can_be_chosen(self):
        table = lovecraft((YITH, SIGN), CATS, SIGN, protected=[1, 2])

        assert table.play(YITH)[:2] == [played(YITH), CardResolved(0, YITH)]


class TestHoundOfTindalos:
    def test_sane_is_like_the_great_race(self):
        table = lovecraft((HOUND, SIGN), CATS, SIGN)

        assert table.play(HOUND, 1, face="sane")[:4] == [
            played(HOUND, 1, face="sane"),
            HandsCompared(0, 1, (SIGN,), (CATS,)),
            KnockedOut(1, (CATS,)),
            CardResolved(0, HOUND),
        ]

    def test_insane_knocks_out_a_sane_seat_whatever_it_holds(self):
        table = lovecraft((HOUND, CATS), CTHULHU, SIGN, discards={0: MI_GO})

        assert table.play(HOUND, 1, face="insane")[:3] == [
            played(HOUND, 1, face="insane"),
            KnockedOut(1, (CTHULHU,)),
            CardResolved(0, HOUND),
        ]

    def test_insane_does_nothing_to_an_insane_seat(self):
        table = lovecraft((HOUND, SIGN), CATS, SIGN, discards={0: MI_GO, 1: DEEP_ONES})

        assert table.play(HOUND, 1, face="insane")[:2] == [
            played(HOUND, 1, face="insane"),
            CardResolved(0, HOUND),
        ]
        assert table.state.is_in_round(1)

    def test_insane_may_choose_an_insane_seat_beside_a_sane_one(self):
        table = lovecraft((HOUND, SIGN), CATS, SIGN, discards={0: MI_GO, 1: DEEP_ONES})

        assert {action.targets for action in table.legal() if action.face == "insane"} == {(1,), (2,)}

    @pytest.mark.parametrize("face", ["sane", "insane"])
    def test_does_nothing_when_nobody_can_be_chosen(self, face):
        table = lovecraft((HOUND, SIGN), CATS, SIGN, discards={0: MI_GO}, protected=[1, 2])

        assert table.play(HOUND, face=face)[:2] == [played(HOUND, face=face), CardResolved(0, HOUND)]


class TestElderSign:
    def test_protects_until_the_own_next_turn(self):
        table = lovecraft((SIGN, CATS), YITH)

        assert table.play(SIGN)[:3] == [played(SIGN), SeatProtected(0), CardResolved(0, SIGN)]
        assert table.refused(YITH, 0) == "target_protected"
        table.play(YITH)
        assert not table.state.is_protected(0)

    def test_is_no_help_against_the_own_sanity_check(self):
        table = lovecraft((SIGN, CATS), CATS, discards={0: HOUND}, deck=(CATS, MI_GO, CATS))
        table.play(SIGN)

        assert KnockedOut(0, (CATS,)) in table.play(CATS)


class TestLiberIvonis:
    def reader(self, *others, **situation):
        """Seat 0 has played it insane, holding a 2."""
        table = lovecraft((LIBER, CATS), *others, discards={0: HOUND}, **situation)
        return table, table.play(LIBER, face="insane")

    def test_sane_protects_until_the_own_next_turn(self):
        table = lovecraft((LIBER, CATS), YITH, SIGN)

        assert table.play(LIBER, face="sane")[:3] == [
            played(LIBER, face="sane"),
            SeatProtected(0),
            CardResolved(0, LIBER),
        ]
        assert table.state.marks == {}

    def test_insane_marks_its_player_and_protects_nobody(self):
        table, happened = self.reader(YITH, SIGN)

        assert happened[:3] == [
            played(LIBER, face="insane"),
            SeatMarked(LIBER, 0, 0),
            CardResolved(0, LIBER),
        ]
        assert not table.state.is_protected(0)

    @pytest.mark.parametrize(
        ("reading", "winner", "token"),
        [("showdown", 0, "insane"), ("published", 2, "sane")],
        ids=["showdown", "published"],
    )
    def test_insane_is_not_removed_by_equal_numbers_but_in_the_published_wording(self, reading, winner, token):
        _, happened = self.reader(MEAD, INVESTIGATORS, deck=(), options={"liber_ivonis": reading})

        assert round_part(happened)[3:] == [
            HandsRevealed((CATS, MEAD, INVESTIGATORS)),
            round_over(1, (winner,), "showdown"),
            TokenAwarded(winner, "round", token),
        ]

    def test_insane_removes_the_equal_number_of_another(self):
        _, happened = self.reader(MEAD, YITH, deck=())

        assert round_over(1, (2,), "showdown") in happened

    def test_sane_is_removed_by_equal_numbers(self):
        table = lovecraft((LIBER, CATS), MEAD, deck=(), discards={0: HOUND})

        assert round_over(1, (), "showdown") in table.play(LIBER, face="sane")

    def test_is_forgotten_with_the_round(self):
        table, _ = self.reader(MEAD, INVESTIGATORS, deck=())

        assert table.state.round_number == 2
        assert table.state.marks == {}

    @pytest.mark.parametrize(("reading", "spared"), [("showdown", False), ("published", True)])
    class TestBeforeTheShowdown:
        """What spares its player there only by the published wording."""

        def table(self, reading, hand, *others, **situation):
            table = lovecraft((LIBER, hand), *others, discards={0: HOUND}, options={LIBER: reading}, **situation)
            table.play(LIBER, face="insane")
            return table

        def test_a_card_of_another(self, reading, spared):
            table = self.table(reading, CATS, INVESTIGATORS, SIGN)
            table.play(INVESTIGATORS, 0, names=2)

            assert table.state.is_in_round(0) is spared

        def test_a_comparison(self, reading, spared):
            table = self.table(reading, CATS, YITH, SIGN)
            table.play(YITH, 0)

            assert table.state.is_in_round(0) is spared
            assert table.state.is_in_round(1)

        def test_a_necronomicon_discarded_by_force_which_is_then_replaced(self, reading, spared):
            table = self.table(reading, NECRONOMICON, ARMITAGE, SIGN, deck=(CATS, YITH, CATS, SIGN))
            happened = table.play(ARMITAGE, 0)

            assert table.state.is_in_round(0) is spared
            assert (CardDrawn(0, YITH, "deck") in happened) is spared

        def test_a_sanity_check_which_then_reveals_to_its_end(self, reading, spared):
            table = self.table(reading, CATS, CATS, SIGN, deck=(CATS, CATS, NECRONOMICON, MI_GO, CATS, CATS))
            table.play(CATS, 2)
            happened = table.play(SIGN)

            assert table.state.is_in_round(0) is spared
            assert [event.card for event in happened if event.type == "card_revealed"] == (
                [NECRONOMICON, MI_GO] if spared else [NECRONOMICON]
            )

        @pytest.mark.parametrize("card", [BRAINCASE, NECRONOMICON])
        def test_the_own_card(self, reading, spared, card):
            table = self.table(reading, card, CATS, SIGN, deck=(CATS, SIGN, CATS, SIGN, CATS, SIGN))
            table.play(CATS, 2)
            table.play(SIGN)
            table.play(card)

            assert table.state.is_in_round(0) is spared

        def test_not_from_leaving(self, reading, spared):
            table = self.table(reading, CATS, INVESTIGATORS, SIGN)
            table.leave(0)

            assert not table.state.is_in_round(0)


class TestProfessorHenryArmitage:
    def test_discards_a_hand_and_draws(self):
        table = lovecraft((ARMITAGE, CATS), INVESTIGATORS, SIGN, deck=(YITH, SIGN))

        assert table.play(ARMITAGE, 1) == [
            played(ARMITAGE, 1),
            HandDiscarded(1, (INVESTIGATORS,)),
            CardDrawn(1, YITH, "deck"),
            CardResolved(0, ARMITAGE),
            *next_turn(),
        ]

    def test_may_choose_oneself(self):
        table = lovecraft((ARMITAGE, CATS), INVESTIGATORS, SIGN, deck=(YITH, SIGN))

        assert table.play(ARMITAGE, 0)[1:4] == [
            HandDiscarded(0, (CATS,)),
            CardDrawn(0, YITH, "deck"),
            CardResolved(0, ARMITAGE),
        ]
        assert table.discards(0) == text((CATS, ARMITAGE))

    @pytest.mark.parametrize("card", [NECRONOMICON, CTHULHU])
    def test_the_necronomicon_and_cthulhu_are_the_end_without_a_draw(self, card):
        table = lovecraft((ARMITAGE, CATS), card, SIGN)

        assert table.play(ARMITAGE, 1) == [
            played(ARMITAGE, 1),
            HandDiscarded(1, (card,)),
            KnockedOut(1, ()),
            CardResolved(0, ARMITAGE),
            *next_turn(2),
        ]

    def test_must_choose_oneself_when_all_others_are_protected(self):
        table = lovecraft((ARMITAGE, NECRONOMICON), CATS, SIGN, protected=[1, 2])

        assert table.legal() == [PlayCard(ARMITAGE, (0,)), PlayCard(NECRONOMICON)]
        assert table.play(ARMITAGE, 0)[1:4] == [
            HandDiscarded(0, (NECRONOMICON,)),
            KnockedOut(0, ()),
            CardResolved(0, ARMITAGE),
        ]

    def test_on_an_empty_deck_gives_the_card_set_aside(self):
        table = lovecraft((ARMITAGE, CATS), INVESTIGATORS, deck=(), set_aside=YITH)

        assert round_part(table.play(ARMITAGE, 1))[2:5] == [
            CardDrawn(1, YITH, "set_aside"),
            CardResolved(0, ARMITAGE),
            HandsRevealed((CATS, YITH)),
        ]

    def test_an_insanity_card_discarded_makes_its_owner_insane(self):
        table = lovecraft((ARMITAGE, HOUND), INVESTIGATORS, SIGN)
        table.play(ARMITAGE, 0)

        assert table.state.is_insane(0)


class TestMiGo:
    def taken(self, target=NECRONOMICON, **situation):
        table = lovecraft((MI_GO, CATS), target, YITH, discards={0: HOUND}, **situation)
        return table, table.play(MI_GO, 1, face="insane")

    def test_sane_is_like_the_professor(self):
        table = lovecraft((MI_GO, CATS), INVESTIGATORS, SIGN, deck=(YITH, SIGN))

        assert table.play(MI_GO, 1, face="sane")[:4] == [
            played(MI_GO, 1, face="sane"),
            HandDiscarded(1, (INVESTIGATORS,)),
            CardDrawn(1, YITH, "deck"),
            CardResolved(0, MI_GO),
        ]

    def test_sane_may_choose_oneself_and_insane_may_not(self):
        table = lovecraft((MI_GO, CATS), INVESTIGATORS, SIGN, discards={0: HOUND})

        assert [action.targets for action in table.legal() if action.face == "sane"] == [(0,), (1,), (2,)]
        assert [action.targets for action in table.legal() if action.face == "insane"] == [(1,), (2,)]
        assert table.refused(MI_GO, 0, face="insane") == "target_self"

    def test_insane_takes_a_card_gives_the_braincase_and_asks_for_one_more_play(self):
        table, happened = self.taken()

        assert happened == [
            played(MI_GO, 1, face="insane"),
            HandTaken(0, 1, (NECRONOMICON,)),
            CardReceived(1, BRAINCASE),
            DecisionOpened(0, MI_GO, "play_card", ()),
        ]
        assert table.hand(0) == text((CATS, NECRONOMICON))
        assert table.hand(1) == BRAINCASE
        assert table.legal_cards() == [CATS, NECRONOMICON]

    def test_insane_only_the_two_know_the_card_and_all_know_the_braincase(self):
        table, happened = self.taken()

        assert redact(happened[1], 1) == happened[1]
        assert redact(happened[1], 2) == HandTaken(0, 1, (None,))
        assert hands_seen(table, 0) == [[CATS, NECRONOMICON], [BRAINCASE], [None]]
        assert hands_seen(table, 1) == [[None, NECRONOMICON], [BRAINCASE], [None]]
        assert hands_seen(table, 2) == [[None, None], [BRAINCASE], [YITH]]
        assert hands_seen(table, WATCHER) == [[None, None], [BRAINCASE], [None]]

    def test_insane_the_victim_knows_the_card_until_it_is_played(self):
        table, _ = self.taken()
        table.play(CATS, 1)
        assert hands_seen(table, 1)[0] == [NECRONOMICON]

        table, _ = self.taken(target=SIGN)
        table.play(SIGN)
        assert hands_seen(table, 1)[0] == [None]

    def test_insane_takes_along_what_others_know_of_the_card(self):
        table = lovecraft(MI_GO, YITH, (CATS, SIGN), turn=2, discards={0: HOUND})
        table.play(CATS, 1)
        table.play(MI_GO, 1, face="insane")

        assert hands_seen(table, 2)[:2] == [[None, YITH], [BRAINCASE]]
        assert hands_seen(table, WATCHER)[:2] == [[None, None], [BRAINCASE]]

    def test_insane_plays_one_more_card_in_full(self):
        table, _ = self.taken()

        assert table.play(CATS, 1)[:5] == [
            DecisionTaken(0, MI_GO, "play_card"),
            played(CATS, 1),
            HandShown(1, 0, (BRAINCASE,)),
            CardResolved(0, CATS),
            CardResolved(0, MI_GO),
        ]
        assert table.discards(0) == text((HOUND, CATS, MI_GO))

    def test_insane_the_necronomicon_played_next_is_the_end(self):
        table, _ = self.taken()

        assert table.play(NECRONOMICON)[:5] == [
            DecisionTaken(0, MI_GO, "play_card"),
            played(NECRONOMICON),
            CardResolved(0, NECRONOMICON),
            KnockedOut(0, (CATS,)),
            CardResolved(0, MI_GO),
        ]
        assert table.discards(0) == text((HOUND, NECRONOMICON, CATS, MI_GO))

    def test_sane_must_choose_oneself_and_insane_does_nothing_when_all_others_are_protected(self):
        table = lovecraft((MI_GO, CATS), INVESTIGATORS, SIGN, discards={0: HOUND}, protected=[1, 2])

        assert [(action.face, action.targets) for action in table.legal() if action.card == MI_GO] == [
            ("sane", (0,)),
            ("insane", ()),
        ]
        assert table.play(MI_GO, face="insane")[:3] == [
            played(MI_GO, face="insane"),
            CardResolved(0, MI_GO),
            TurnStarted(1),
        ]
        assert table.hand(0) == CATS


class TestRandolphCarter:
    def test_swaps_hands_and_both_know_both(self):
        table = lovecraft((CARTER, CATS), YITH, SIGN)
        happened = table.play(CARTER, 1)

        assert happened[:3] == [played(CARTER, 1), HandsTraded(0, 1, (YITH,), (CATS,)), CardResolved(0, CARTER)]
        assert redact(happened[1], 2) == HandsTraded(0, 1, (None,), (None,))
        assert hands_seen(table, 0)[:2] == [[YITH], [CATS, None]]
        assert hands_seen(table, 1)[:2] == [[YITH], [CATS, SIGN]]
        assert hands_seen(table, 2)[:2] == [[None], [None, None]]

    def test_the_braincase_is_known_wherever_it_goes(self):
        table = lovecraft((MI_GO, CARTER), YITH, SIGN, discards={0: HOUND}, deck=(SIGN, CATS))
        table.play(MI_GO, 1, face="insane")
        table.play(CARTER, 1)

        assert hands_seen(table, 2)[:2] == [[BRAINCASE], [None, None]]

    def test_does_nothing_when_nobody_can_be_chosen(self):
        table = lovecraft((CARTER, CATS), YITH, SIGN, protected=[1, 2])

        assert table.play(CARTER)[:2] == [played(CARTER), CardResolved(0, CARTER)]


class TestNyarlathotep:
    def collected(self, *hands, **situation):
        others = hands or (CATS, HOUND, ARMITAGE)
        table = lovecraft((NYARLATHOTEP, SIGN), *others, discards={0: DEEP_ONES}, **situation)
        return table, table.play(NYARLATHOTEP, face="insane")

    def give(self, table, *cards, seats=(1, 2, 3)):
        return table.act(GiveHands(tuple(zip(seats, cards, strict=False))))

    def test_sane_is_like_randolph_carter(self):
        table = lovecraft((NYARLATHOTEP, CATS), YITH, SIGN)

        assert table.play(NYARLATHOTEP, 1, face="sane")[:3] == [
            played(NYARLATHOTEP, 1, face="sane"),
            HandsTraded(0, 1, (YITH,), (CATS,)),
            CardResolved(0, NYARLATHOTEP),
        ]

    def test_insane_sees_the_hands_of_all_others_and_asks_who_gets_which(self):
        table, happened = self.collected()

        assert happened == [
            played(NYARLATHOTEP, face="insane"),
            HandShown(1, 0, (CATS,)),
            HandShown(2, 0, (HOUND,)),
            HandShown(3, 0, (ARMITAGE,)),
            DecisionOpened(0, NYARLATHOTEP, "give_hands", (1, 2, 3)),
        ]
        assert table.state.to_act == 0
        assert len(table.legal()) == 6
        assert table.refused(SIGN) == "wrong_action"

    def test_insane_chooses_no_seat_when_it_is_played(self):
        table = lovecraft((NYARLATHOTEP, SIGN), CATS, HOUND, discards={0: DEEP_ONES})

        assert table.refused(NYARLATHOTEP, 1, face="insane") == "target_not_allowed"

    def test_insane_gives_one_card_back_to_each(self):
        table, _ = self.collected()

        assert self.give(table, HOUND, ARMITAGE, CATS)[:3] == [
            DecisionTaken(0, NYARLATHOTEP, "give_hands"),
            HandsGiven(0, (1, 2, 3), (None, HOUND, ARMITAGE, CATS)),
            CardResolved(0, NYARLATHOTEP),
        ]
        assert [table.hand(seat) for seat in (0, 2, 3)] == [SIGN, ARMITAGE, CATS]

    def test_insane_must_give_exactly_the_cards_collected_one_to_each(self):
        table, _ = self.collected()

        for hands in [
            ((1, HOUND), (2, CATS)),
            ((1, HOUND), (2, HOUND), (3, ARMITAGE)),
            ((2, CATS), (1, HOUND), (3, ARMITAGE)),
            ((1, SIGN), (2, CATS), (3, ARMITAGE)),
            ((0, HOUND), (1, CATS), (2, ARMITAGE)),
        ]:
            assert table.refused_action(GiveHands(hands)) == "cards_do_not_match"

    def test_insane_equal_cards_make_no_difference_who_gets_which(self):
        table, _ = self.collected(CATS, CATS, YITH)

        assert len(table.legal()) == 3

    def test_insane_leaves_out_protected_seats_and_those_that_are_out(self):
        table, happened = self.collected(CATS, HOUND, ARMITAGE, None, protected=[3])

        assert happened[-1] == DecisionOpened(0, NYARLATHOTEP, "give_hands", (1, 2))
        assert table.legal() == [GiveHands(((1, CATS), (2, HOUND))), GiveHands(((1, HOUND), (2, CATS)))]
        self.give(table, HOUND, CATS, seats=(1, 2))
        assert (table.hand(2), table.hand(3)) == (CATS, ARMITAGE)

    def test_insane_with_one_other_only_gives_its_card_back(self):
        table, happened = self.collected(CATS, HOUND, protected=[2])

        assert happened[1:] == [HandShown(1, 0, (CATS,)), DecisionOpened(0, NYARLATHOTEP, "give_hands", (1,))]
        assert table.legal() == [GiveHands(((1, CATS),))]

    def test_insane_does_nothing_when_nobody_can_be_chosen(self):
        table, happened = self.collected(CATS, HOUND, protected=[1, 2])

        assert happened[:3] == [
            played(NYARLATHOTEP, face="insane"),
            CardResolved(0, NYARLATHOTEP),
            TurnStarted(1),
        ]
        assert table.state.decision is None

    def test_insane_while_it_is_asked_its_player_alone_has_seen_the_hands(self):
        table, _ = self.collected()

        assert hands_seen(table, 0) == [[SIGN], [CATS], [HOUND], [ARMITAGE]]
        assert hands_seen(table, 2) == [[None], [None], [HOUND], [None]]
        assert hands_seen(table, WATCHER) == [[None]] * 4

    def test_insane_its_player_knows_all_hands_and_each_seat_its_own(self):
        table, _ = self.collected(CATS, HOUND, ARMITAGE, deck=(SIGN, SIGN))
        self.give(table, HOUND, ARMITAGE, CATS)

        assert hands_seen(table, 0) == [[SIGN], [HOUND, None], [ARMITAGE], [CATS]]
        assert hands_seen(table, 1) == [[None], [HOUND, SIGN], [None], [None]]
        assert hands_seen(table, 2) == [[None], [None, None], [ARMITAGE], [None]]
        assert hands_seen(table, WATCHER) == [[None], [None, None], [None], [None]]

    def test_insane_of_two_seats_each_knows_the_others_card_if_its_own_is_another_now(self):
        table, _ = self.collected(CATS, HOUND, ARMITAGE, protected=[3])
        self.give(table, HOUND, CATS, seats=(1, 2))

        assert hands_seen(table, 1)[2] == [CATS]
        assert hands_seen(table, 2)[1] == [HOUND, None]
        assert hands_seen(table, 3)[1:3] == [[None, None], [None]]

    def test_insane_of_two_seats_neither_knows_the_others_card_if_nothing_seems_to_have_changed(self):
        for other in (CATS, HOUND):
            table, _ = self.collected(CATS, other, ARMITAGE, protected=[3])
            self.give(table, CATS, other, seats=(1, 2))

            assert hands_seen(table, 1)[2] == [None]

    def test_insane_what_a_third_seat_knew_of_a_hand_is_lost(self):
        table = lovecraft(
            NYARLATHOTEP, YITH, (CATS, SIGN), ARMITAGE, turn=2, protected=[2], discards={0: HOUND}, deck=[CATS] * 4
        )
        table.play(CATS, 1)
        assert hands_seen(table, 2)[1] == [YITH]
        table.play(CATS, 0)
        table.play(NYARLATHOTEP, face="insane")
        self.give(table, YITH, ARMITAGE, seats=(1, 3))

        assert hands_seen(table, 2)[1] == [None, None]

    def test_insane_what_a_third_seat_knew_stays_true_if_the_card_must_come_back(self):
        table = lovecraft(NYARLATHOTEP, YITH, (CATS, SIGN), turn=2, protected=[2], discards={0: HOUND})
        table.play(CATS, 1)
        table.play(NYARLATHOTEP, face="insane")
        self.give(table, YITH, seats=(1,))

        assert hands_seen(table, 2)[1] == [YITH, None]


class TestSilverKey:
    @pytest.mark.parametrize("discards", [{}, {0: HOUND}], ids=["sane", "insane"])
    @pytest.mark.parametrize("other", [ARMITAGE, MI_GO, CARTER, NYARLATHOTEP, NECRONOMICON, CTHULHU])
    def test_must_be_played_beside_a_card_above_4(self, other, discards):
        table = lovecraft((KEY, other), CATS, SIGN, discards=discards)

        assert table.legal() == [PlayCard(KEY)]
        assert table.refused(other) == "must_play_silver_key"

    @pytest.mark.parametrize("other", [BRAINCASE, INVESTIGATORS, CATS, YITH, SIGN, LIBER])
    def test_is_free_beside_a_card_up_to_4(self, other):
        table = lovecraft((KEY, other), CATS, SIGN)

        assert table.legal_cards() == [KEY, other]

    def test_has_no_effect(self):
        table = lovecraft((KEY, CATS), CATS, SIGN)

        assert table.play(KEY) == [played(KEY), CardResolved(0, KEY), *next_turn()]


class TestShiningTrapezohedron:
    @pytest.mark.parametrize("other", [ARMITAGE, CARTER, NECRONOMICON])
    def test_must_be_played_beside_a_card_above_4_while_sane(self, other):
        table = lovecraft((TRAPEZOHEDRON, other), CATS, SIGN)

        assert table.legal() == [PlayCard(TRAPEZOHEDRON, face="sane")]
        assert table.refused(other) == "must_play_shining_trapezohedron"

    @pytest.mark.parametrize("other", [ARMITAGE, CARTER, NECRONOMICON])
    def test_an_insane_seat_need_not(self, other):
        table = lovecraft((TRAPEZOHEDRON, other), CATS, SIGN, discards={0: HOUND})

        assert table.legal_cards() == [TRAPEZOHEDRON, other]

    @pytest.mark.parametrize("discards", [{}, {0: HOUND}], ids=["sane", "insane"])
    def test_sane_has_no_effect(self, discards):
        table = lovecraft((TRAPEZOHEDRON, ARMITAGE), CATS, SIGN, discards=discards)

        assert table.play(TRAPEZOHEDRON, face="sane")[:3] == [
            played(TRAPEZOHEDRON, face="sane"),
            CardResolved(0, TRAPEZOHEDRON),
            TurnStarted(1),
        ]

    @pytest.mark.parametrize("other", [ARMITAGE, CARTER, NECRONOMICON, CTHULHU])
    def test_insane_beside_a_card_above_4_wins_the_round_at_once(self, other):
        table = lovecraft((TRAPEZOHEDRON, other), CATS, SIGN, discards={0: HOUND})

        assert round_part(table.play(TRAPEZOHEDRON, face="insane")) == [
            played(TRAPEZOHEDRON, face="insane"),
            CardResolved(0, TRAPEZOHEDRON),
            round_over(1, (0,), "card"),
            TokenAwarded(0, "round", "insane"),
        ]

    @pytest.mark.parametrize("other", [BRAINCASE, YITH, SIGN])
    def test_insane_beside_a_card_up_to_4_has_no_effect(self, other):
        table = lovecraft((TRAPEZOHEDRON, other), CATS, SIGN, discards={0: HOUND})

        assert table.play(TRAPEZOHEDRON, face="insane")[:3] == [
            played(TRAPEZOHEDRON, face="insane"),
            CardResolved(0, TRAPEZOHEDRON),
            TurnStarted(1),
        ]


class TestNecronomicon:
    @pytest.mark.parametrize("discards", [{}, {0: HOUND}], ids=["sane", "insane"])
    def test_played_is_the_end(self, discards):
        table = lovecraft((NECRONOMICON, CATS), YITH, SIGN, discards=discards)

        assert table.play(NECRONOMICON)[:3] == [
            played(NECRONOMICON),
            CardResolved(0, NECRONOMICON),
            KnockedOut(0, (CATS,)),
        ]

    def test_is_no_insanity_card(self):
        table = lovecraft((CATS, YITH), SIGN, SIGN, discards={0: NECRONOMICON})

        assert not table.state.is_insane(0)

    def test_counts_8_at_the_showdown(self):
        table = lovecraft((SIGN, NECRONOMICON), KEY, TRAPEZOHEDRON, deck=())

        assert round_over(1, (0,), "showdown") in table.play(SIGN)

    def test_from_a_hand_that_is_out_has_no_effect(self):
        table = lovecraft((INVESTIGATORS, CATS), NECRONOMICON, SIGN)

        assert [event for event in table.play(INVESTIGATORS, 1, names=8) if event.type == "knocked_out"] == [
            KnockedOut(1, (NECRONOMICON,))
        ]


class TestCthulhu:
    @pytest.mark.parametrize("discards", [{}, {0: (HOUND, MEAD)}], ids=["sane", "insane"])
    def test_sane_is_the_end(self, discards):
        table = lovecraft((CTHULHU, CATS), YITH, SIGN, discards=discards)

        assert table.play(CTHULHU, face="sane")[:3] == [
            played(CTHULHU, face="sane"),
            CardResolved(0, CTHULHU),
            KnockedOut(0, (CATS,)),
        ]

    @pytest.mark.parametrize("others", [(HOUND, MEAD), (HOUND, MEAD, BRAINCASE)])
    def test_insane_with_two_insanity_cards_wins_the_game_at_once(self, others):
        table = lovecraft((CTHULHU, CATS), YITH, SIGN, discards={0: others})

        assert table.play(CTHULHU, face="insane") == [
            played(CTHULHU, face="insane"),
            CardResolved(0, CTHULHU),
            GameFinished((0,)),
        ]
        assert table.tokens() == [0, 0, 0]

    @pytest.mark.parametrize("others", [HOUND, (HOUND, NECRONOMICON, CATS)])
    def test_insane_with_fewer_is_the_end(self, others):
        table = lovecraft((CTHULHU, CATS), YITH, SIGN, discards={0: others})

        assert table.play(CTHULHU, face="insane")[:3] == [
            played(CTHULHU, face="insane"),
            CardResolved(0, CTHULHU),
            KnockedOut(0, (CATS,)),
        ]
