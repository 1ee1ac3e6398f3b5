"""The cards of the lovecraft edition, one class each, sane and insane (rules, "The cards of lovecraft").

What belongs to the turn, the round and the game is tested in `test_lovecraft_rounds`.
"""

import pytest

from engine.actions import GiveHands, PlayCard
from engine.editions import EDITIONS, rulebook
from engine.events import (
    CardDrawn,
    CardResolved,
    DecisionOpened,
    DecisionTaken,
    HandDiscarded,
    HandsCompared,
    HandShown,
    HandsRevealed,
    HandsTraded,
    KnockedOut,
    SeatProtected,
    TokenAwarded,
    TurnStarted,
)
from engine.views import redact, view
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


class TestMiGoBraincase:
    @pytest.mark.parametrize("discards", [{}, {0: HOUND}], ids=["sane", "insane"])
    def test_knocks_out_whoever_plays_it(self, discards):
        table = lovecraft((BRAINCASE, CATS), YITH, SIGN, discards=discards)

        assert table.play(BRAINCASE)[:3] == [
            played(BRAINCASE),
            KnockedOut(0, (CATS,)),
            CardResolved(0, BRAINCASE),
        ]


class TestInvestigators:
    def test_a_hit_knocks_the_seat_out(self):
        table = lovecraft((INVESTIGATORS, CATS), YITH, SIGN)

        assert table.play(INVESTIGATORS, 1, names=3) == [
            played(INVESTIGATORS, 1, names=3),
            KnockedOut(1, (YITH,)),
            CardResolved(0, INVESTIGATORS),
            *next_turn(2),
        ]


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

    def test_insane_finds_a_1_whatever_is_named(self):
        table = lovecraft((DEEP_ONES, CATS), INVESTIGATORS, SIGN, discards={0: HOUND})

        assert table.play(DEEP_ONES, 1, names=5, face="insane")[:3] == [
            played(DEEP_ONES, 1, names=5, face="insane"),
            KnockedOut(1, (INVESTIGATORS,)),
            CardResolved(0, DEEP_ONES),
        ]


class TestCatsOfUlthar:
    def test_shows_a_hand_to_the_player_alone(self):
        table = lovecraft((CATS, SIGN), YITH, SIGN)
        happened = table.play(CATS, 1)

        assert happened[:3] == [played(CATS, 1), HandShown(1, 0, (YITH,)), CardResolved(0, CATS)]
        assert redact(happened[1], 2) == HandShown(1, 0, (None,))
        assert view(table.log, 0).seats[1].hand[0] == YITH
        assert view(table.log, 2).seats[1].hand[0] is None


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


class TestHoundOfTindalos:
    def test_sane_is_like_the_great_race(self):
        table = lovecraft((HOUND, SIGN), CATS, SIGN)

        assert table.play(HOUND, 1, face="sane")[:4] == [
            played(HOUND, 1, face="sane"),
            HandsCompared(0, 1, (SIGN,), (CATS,)),
            KnockedOut(1, (CATS,)),
            CardResolved(0, HOUND),
        ]


class TestElderSign:
    def test_protects_until_the_own_next_turn(self):
        table = lovecraft((SIGN, CATS), YITH)

        assert table.play(SIGN)[:3] == [played(SIGN), SeatProtected(0), CardResolved(0, SIGN)]
        assert table.refused(YITH, 0) == "target_protected"
        table.play(YITH)
        assert not table.state.is_protected(0)


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

    def test_must_choose_oneself_when_all_others_are_protected(self):
        table = lovecraft((ARMITAGE, NECRONOMICON), CATS, SIGN, protected=[1, 2])

        assert table.legal() == [PlayCard(ARMITAGE, (0,)), PlayCard(NECRONOMICON)]
        assert table.play(ARMITAGE, 0)[1:4] == [
            HandDiscarded(0, (NECRONOMICON,)),
            KnockedOut(0, ()),
            CardResolved(0, ARMITAGE),
        ]


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


class TestRandolphCarter:
    def test_swaps_hands_and_both_know_both(self):
        table = lovecraft((CARTER, CATS), YITH, SIGN)
        happened = table.play(CARTER, 1)

        assert happened[:3] == [played(CARTER, 1), HandsTraded(0, 1, (YITH,), (CATS,)), CardResolved(0, CARTER)]
        assert redact(happened[1], 2) == HandsTraded(0, 1, (None,), (None,))
        assert hands_seen(table, 0)[:2] == [[YITH], [CATS, None]]
        assert hands_seen(table, 1)[:2] == [[YITH], [CATS, SIGN]]
        assert hands_seen(table, 2)[:2] == [[None], [None, None]]


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

    def test_insane_does_nothing_when_nobody_can_be_chosen(self):
        table, happened = self.collected(CATS, HOUND, protected=[1, 2])

        assert happened[:3] == [
            played(NYARLATHOTEP, face="insane"),
            CardResolved(0, NYARLATHOTEP),
            TurnStarted(1),
        ]
        assert table.state.decision is None


class TestSilverKey:
    @pytest.mark.parametrize("discards", [{}, {0: HOUND}], ids=["sane", "insane"])
    @pytest.mark.parametrize("other", [ARMITAGE, MI_GO, CARTER, NYARLATHOTEP, NECRONOMICON, CTHULHU])
    def test_must_be_played_beside_a_card_above_4(self, other, discards):
        table = lovecraft((KEY, other), CATS, SIGN, discards=discards)

        assert table.legal() == [PlayCard(KEY)]
        assert table.refused(other) == "must_play_silver_key"


class TestShiningTrapezohedron:
    @pytest.mark.parametrize("other", [ARMITAGE, CARTER, NECRONOMICON])
    def test_must_be_played_beside_a_card_above_4_while_sane(self, other):
        table = lovecraft((TRAPEZOHEDRON, other), CATS, SIGN)

        assert table.legal() == [PlayCard(TRAPEZOHEDRON, face="sane")]
        assert table.refused(other) == "must_play_shining_trapezohedron"


class TestNecronomicon:
    @pytest.mark.parametrize("discards", [{}, {0: HOUND}], ids=["sane", "insane"])
    def test_played_is_the_end(self, discards):
        table = lovecraft((NECRONOMICON, CATS), YITH, SIGN, discards=discards)

        assert table.play(NECRONOMICON)[:3] == [
            played(NECRONOMICON),
            CardResolved(0, NECRONOMICON),
            KnockedOut(0, (CATS,)),
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
