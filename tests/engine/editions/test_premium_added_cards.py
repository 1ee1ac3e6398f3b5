"""The cards that the premium edition has from five seats on, one class each (rules, "The cards of premium").

Three of them have a file of their own: `test_premium_decisions` and `test_premium_sycophant`.
"""

import pytest

from engine.actions import PlayCard, RedrawHand
from engine.cards import Targets
from engine.editions import EDITIONS
from engine.events import (
    CardDrawn,
    CardPlayed,
    GameFinished,
    HandDiscarded,
    HandsCompared,
    HandShown,
    HandsRevealed,
    KnockedOut,
    SeatLeft,
    SeatMarked,
    TokenAwarded,
    TurnStarted,
)
from engine.views import WATCHER, redact
from tests.engine.editions.premium_tables import CHOOSERS, premium, targets_of
from tests.engine.given import round_over, round_part


class TestAssassin:
    """In hand only: whoever plays a Guard on it is out."""

    @pytest.mark.parametrize("number", [0, 2, 3, 4, 5, 6, 7, 8, 9])
    def test_knocks_out_the_guards_player_whatever_was_named(self, number):
        table = premium(hands=["guard count", "assassin", "princess"], deck="prince count")

        assert table.play("guard", 1, names=number) == [
            CardPlayed(0, "guard", (1,), None, number, None),
            KnockedOut(0, ("count",)),
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "prince", "deck"),
            TurnStarted(1),
            CardDrawn(1, "count", "deck"),
        ]

    def test_is_replaced_from_the_card_set_aside_when_the_deck_is_empty(self):
        table = premium(hands=["guard count", "assassin", "princess"], set_aside="handmaid")

        assert round_part(table.play("guard", 1, names=5))[3:5] == [
            CardDrawn(1, "handmaid", "set_aside"),
            HandsRevealed((None, "handmaid", "princess", None, None)),
        ]

    def test_is_replaced_also_when_it_leaves_one_seat(self):
        table = premium(hands=["guard count", "assassin"], deck="prince")

        assert round_part(table.play("guard", 1, names=2)) == [
            CardPlayed(0, "guard", (1,), None, 2, None),
            KnockedOut(0, ("count",)),
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "prince", "deck"),
            round_over(1, (1,), "last_seat"),
            TokenAwarded(1, "round", "favor"),
        ]

    def test_and_the_constable_of_the_guards_player_pay_together(self):
        table = premium(hands=["guard count", "assassin", "princess"], deck="prince", discards={0: "constable"})

        assert table.play("guard", 1, names=2)[1:4] == [
            KnockedOut(0, ("count",)),
            TokenAwarded(0, "constable", "favor"),
            HandDiscarded(1, ("assassin",)),
        ]

    def test_is_discarded_before_a_constable_that_it_paid_ends_the_game(self):
        table = premium(
            hands=["guard count", "assassin", "princess"], deck="prince", discards={0: "constable"}, tokens=[3, 0, 0]
        )

        assert table.play("guard", 1, names=2)[3:] == [
            HandDiscarded(1, ("assassin",)),
            CardDrawn(1, "prince", "deck"),
            GameFinished((0,)),
        ]

    def test_does_not_work_against_the_bishop(self):
        for number, reason in ((0, ["bishop"]), (5, [])):
            table = premium(hands=["bishop count", "assassin", "princess"], deck="prince")
            happened = table.play("bishop", 1, names=number)
            assert [event.reason for event in happened if isinstance(event, TokenAwarded)] == reason
            assert table.state.is_in_round(0)
            assert "assassin" in table.hand(1)

    def test_does_not_work_from_the_discards(self):
        table = premium(hands=["guard count", "prince", "princess"], deck="prince", discards={1: "assassin"})

        assert table.play("guard", 1, names=5)[1] == KnockedOut(1, ("prince",))

    def test_does_not_help_the_guards_player(self):
        table = premium(hands=["guard assassin", "prince", "princess"], deck="prince")

        assert table.play("guard", 1, names=5)[1] == KnockedOut(1, ("prince",))
        assert table.hand(0) == "assassin"

    def test_has_no_effect_when_played_or_discarded_by_force(self):
        table = premium(hands=["assassin prince", "guard", "princess"], deck="count")
        assert table.play("assassin")[1] == TurnStarted(1)

        table = premium(hands=["prince guard", "assassin", "princess"], deck="count count")
        assert table.play("prince", 1)[1:3] == [HandDiscarded(1, ("assassin",)), CardDrawn(1, "count", "deck")]

    def test_is_lower_than_all_others_in_a_comparison(self):
        table = premium(hands=["baron guard", "assassin", "princess"], deck="count")

        assert table.play("baron", 1)[2] == KnockedOut(1, ("assassin",))


class TestJester:
    """A mark for the round, paid at its end."""

    def test_marks_another_seat(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="count")

        assert targets_of(table, "jester") == [(1,), (2,)]
        assert table.refused("jester", 0) == "target_self"
        assert table.play("jester", 1)[:2] == [
            CardPlayed(0, "jester", (1,), None, None, None),
            SeatMarked("jester", 0, 1),
        ]
        assert table.state.marks == {"jester": (0, 1)}

    def test_pays_when_the_marked_seat_wins(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="")

        assert round_part(table.play("jester", 1))[2:] == [
            HandsRevealed(("guard", "bishop", "prince", None, None)),
            round_over(1, (1,), "showdown"),
            TokenAwarded(1, "round", "favor"),
            TokenAwarded(0, "jester", "favor"),
        ]

    def test_pays_when_the_marked_seat_is_the_last(self):
        table = premium(hands=["jester count", "guard", None], deck="guard")
        table.play("jester", 1)

        assert round_part(table.play("guard", 0, names=5))[-3:] == [
            round_over(1, (1,), "last_seat"),
            TokenAwarded(1, "round", "favor"),
            TokenAwarded(0, "jester", "favor"),
        ]

    def test_pays_when_the_marked_seat_wins_with_another(self):
        table = premium(hands=["jester guard", "prince", "count"], deck="")

        assert round_part(table.play("jester", 2))[-4:] == [
            round_over(1, (1, 2), "showdown"),
            TokenAwarded(1, "round", "favor"),
            TokenAwarded(2, "round", "favor"),
            TokenAwarded(0, "jester", "favor"),
        ]

    def test_pays_beside_the_token_of_a_round_that_its_player_won_too(self):
        table = premium(hands=["jester prince", "count", "guard"], deck="")
        table.play("jester", 1)

        assert table.tokens() == [2, 1, 0, 0, 0]

    def test_pays_nothing_when_another_seat_wins(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="")
        table.play("jester", 2)

        assert table.tokens() == [0, 1, 0, 0, 0]

    def test_pays_a_player_that_is_out(self):
        table = premium(hands=["jester count", "bishop", "handmaid"], deck="guard prince")
        table.play("jester", 1)
        assert table.play("guard", 0, names=5)[1] == KnockedOut(0, ("count",))
        table.play("handmaid")

        assert table.tokens() == [1, 1, 0, 0, 0]

    def test_wins_the_game_at_the_end_of_the_round(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="", tokens=[3, 0, 0])

        assert table.play("jester", 1)[-3:] == [
            TokenAwarded(1, "round", "favor"),
            TokenAwarded(0, "jester", "favor"),
            GameFinished((0,)),
        ]

    def test_pays_nothing_to_a_player_that_has_left(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="count")
        table.play("jester", 1)
        table.leave(0)
        table.play("count")

        assert table.tokens() == [0, 1, 0, 0, 0]

    def test_pays_nothing_for_a_seat_that_has_left(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="count handmaid")
        table.play("jester", 1)
        table.leave(1)
        table.play("handmaid")

        assert table.tokens() == [0, 0, 1, 0, 0]

    def test_discarded_by_force_marks_nobody(self):
        table = premium(hands=["prince guard", "jester", "bishop"], deck="count count")
        table.play("prince", 1)

        assert table.state.marks == {}

    def test_marks_nobody_when_all_others_are_protected(self):
        table = premium(hands=["jester guard", "prince", "bishop"], deck="count count", protected=[1, 2])
        table.play("jester")

        assert table.state.marks == {}

    def test_is_forgotten_in_the_next_round(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="")
        table.play("jester", 1)

        assert table.state.marks == {}


class TestBaroness:
    """One or two hands, chosen when she is played."""

    def test_chooses_one_or_two_others(self):
        table = premium(hands=["baroness guard", "prince", "princess", "king"], deck="count")

        assert targets_of(table, "baroness") == [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3)]
        assert table.refused("baroness", 0, 1) == "target_self"
        assert table.refused("baroness", 1, 2, 3) == "target_count"
        assert table.refused("baroness", 1, 1) == "target_repeated"
        assert table.refused("baroness", 2, 1) == "target_order"

    def test_shows_one(self):
        table = premium(hands=["baroness guard", "prince", "princess"], deck="count")

        assert table.play("baroness", 2)[1:3] == [HandShown(2, 0, ("princess",)), TurnStarted(1)]

    def test_shows_two_to_her_player_alone(self):
        table = premium(hands=["baroness guard", "prince", "princess"], deck="count")
        happened = table.play("baroness", 1, 2)

        assert happened[1:4] == [HandShown(1, 0, ("prince",)), HandShown(2, 0, ("princess",)), TurnStarted(1)]
        assert redact(happened[2], 1) == HandShown(2, 0, (None,))
        assert redact(happened[1], 2) == HandShown(1, 0, (None,))

    def test_may_look_at_one_where_only_one_can_be_chosen(self):
        table = premium(hands=["baroness guard", "prince", "princess"], deck="count", protected=[2])

        assert targets_of(table, "baroness") == [(1,)]

    def test_is_void_when_all_others_are_protected(self):
        table = premium(hands=["baroness guard", "prince", "princess"], deck="count", protected=[1, 2])

        assert targets_of(table, "baroness") == [()]
        assert table.play("baroness")[1] == TurnStarted(1)


class TestCount:
    """In the own discards it adds one at the showdown."""

    def test_has_no_effect_when_played(self):
        table = premium(hands=["count guard", "prince", "princess"], deck="priest")

        assert table.play("count")[1] == TurnStarted(1)

    @pytest.mark.parametrize(("counts", "winners"), [("", (1,)), ("count", (0,)), ("count count", (0,))])
    def test_adds_one_each_for_cards_that_were_played(self, counts, winners):
        table = premium(hands=["handmaid prince", "king", "guard"], discards={0: counts, 1: "constable"}, deck="")
        happened = table.play("handmaid")

        # With one Count they tie, and 4 + 5 beat the 6 that the other has discarded.
        assert round_over(1, winners, "showdown") in happened

    def test_adds_one_when_it_was_discarded_by_force(self):
        table = premium(hands=["prince king", "count", "guard"], set_aside="countess", deck="")

        assert round_over(1, (1,), "showdown") in table.play("prince", 1)

        table = premium(hands=["prince countess", "count", "guard"], set_aside="king", deck="", discards={1: "count"})
        assert table.refused("prince", 1) == "must_play_countess"
        table = premium(hands=["prince dowager_queen", "count", "guard"], set_aside="king", discards={1: "count"})
        assert round_over(1, (1,), "showdown") in table.play("prince", 1), "6 + 2 beat 7"

    def test_adds_nothing_from_the_hand_or_to_others(self):
        table = premium(hands=["guard count", "king", "priest"], discards={2: "count"}, protected=[1, 2], deck="")

        assert round_over(1, (1,), "showdown") in table.play("guard")

    def test_does_not_count_in_a_barons_comparison(self):
        table = premium(hands=["baron prince", "king", "guard"], discards={0: "count count"}, deck="priest")

        assert table.play("baron", 1)[2] == KnockedOut(0, ("prince",))

    def test_does_not_count_in_a_dowager_queens_comparison(self):
        table = premium(hands=["dowager_queen prince", "king", "guard"], discards={0: "count count"}, deck="priest")

        assert table.play("dowager_queen", 1)[2] == KnockedOut(1, ("king",))

    def test_does_not_change_what_a_guard_hits(self):
        table = premium(hands=["guard prince", "king", "guard"], discards={1: "count"}, deck="priest")

        assert table.play("guard", 1, names=7)[1] == TurnStarted(1)


class TestConstable:
    """In the discards of a seat that is knocked out it pays a token."""

    def lying(self, hands, seat, **situation):
        deck = situation.pop("deck", "count count")
        return premium(hands=hands, deck=deck, discards={seat: "constable"}, **situation)

    def test_has_no_effect_when_played(self):
        table = premium(hands=["constable guard", "prince", "princess"], deck="priest")

        assert table.play("constable")[1] == TurnStarted(1)

    @pytest.mark.parametrize(
        ("hands", "seat", "play"),
        [
            (["guard count", "prince", "princess"], 1, PlayCard("guard", (1,), 5)),
            (["guard count", "assassin", "princess"], 0, PlayCard("guard", (1,), 5)),
            (["baron count", "priest", "princess"], 1, PlayCard("baron", (1,))),
            (["baron count", "bishop", "princess"], 0, PlayCard("baron", (1,))),
            (["dowager_queen count", "king", "princess"], 1, PlayCard("dowager_queen", (1,))),
            (["dowager_queen count", "guard", "princess"], 0, PlayCard("dowager_queen", (1,))),
            (["prince count", "princess", "king"], 1, PlayCard("prince", (1,))),
            (["prince princess", "count", "king"], 0, PlayCard("prince", (0,))),
            (["princess count", "prince", "king"], 0, PlayCard("princess")),
        ],
        ids=["guard", "assassin", "baron", "own_baron", "dowager", "own_dowager", "prince", "own_prince", "princess"],
    )
    def test_pays_however_the_seat_goes_out(self, hands, seat, play):
        table = self.lying(hands, seat)
        happened = table.act(play)
        out = next(i for i, event in enumerate(happened) if isinstance(event, KnockedOut))

        assert happened[out].seat == seat
        assert happened[out + 1] == TokenAwarded(seat, "constable", "favor")
        assert table.tokens()[seat] == sum(table.tokens()) == 1

    def test_pays_for_a_princess_discarded_after_a_bishop(self):
        table = self.lying(["bishop count", "princess", "king"], 1)
        table.play("bishop", 1, names=8)

        assert table.act(RedrawHand(True))[1:4] == [
            HandDiscarded(1, ("princess",)),
            KnockedOut(1, ()),
            TokenAwarded(1, "constable", "favor"),
        ]

    def test_pays_when_it_came_there_by_force(self):
        table = premium(hands=["prince guard", "constable", "king"], deck="priest count guard count")
        table.play("prince", 1)
        table.play("count")
        assert table.play("guard", 1, names=2)[1:3] == [
            KnockedOut(1, ("priest",)),
            TokenAwarded(1, "constable", "favor"),
        ]

    def test_pays_nothing_from_the_hand(self):
        table = premium(hands=["guard count", "constable", "princess"], deck="count")
        assert table.play("guard", 1, names=6)[1:3] == [KnockedOut(1, ("constable",)), TurnStarted(2)]

        table = premium(hands=["princess constable", "guard", "guard"], deck="count")
        assert table.play("princess")[1:3] == [KnockedOut(0, ("constable",)), TurnStarted(1)]

    def test_pays_nothing_to_a_seat_that_stays_in(self):
        table = self.lying(["handmaid count", "prince", "princess"], 0, deck="")
        table.play("handmaid")

        assert table.tokens() == [0, 0, 1, 0, 0]

    @pytest.mark.parametrize("reason", ["resigned", "timed_out"])
    def test_pays_nothing_when_its_owner_leaves(self, reason):
        table = self.lying(["guard count", "prince", "princess"], 1)

        assert table.leave(1, reason) == [SeatLeft(1, ("prince",), reason)]
        assert table.tokens() == [0] * 5


class TestDowagerQueen:
    """A comparison in which the higher is out."""

    def test_the_higher_is_out(self):
        table = premium(hands=["dowager_queen guard", "prince", "king"], deck="count")
        assert table.play("dowager_queen", 1)[1:3] == [
            HandsCompared(0, 1, ("guard",), ("prince",)),
            KnockedOut(1, ("prince",)),
        ]

        table = premium(hands=["dowager_queen princess", "prince", "king"], deck="count")
        assert table.play("dowager_queen", 1)[2] == KnockedOut(0, ("princess",))

    def test_a_tie_does_nothing(self):
        table = premium(hands=["dowager_queen countess", "prince", "king"], deck="count")
        assert table.play("dowager_queen", 1)[2] == KnockedOut(0, ("countess",))

        table = premium(hands=["dowager_queen count", "prince", "king"], deck="count")
        assert table.play("dowager_queen", 1)[2] == TurnStarted(1)

    def test_is_compared_in_secret(self):
        table = premium(hands=["dowager_queen guard", "prince", "king"], deck="count")
        compared = table.play("dowager_queen", 1)[1]

        assert redact(compared, 2) == redact(compared, WATCHER) == HandsCompared(0, 1, (None,), (None,))

    def test_neither_forces_nor_is_forced_by_the_countess(self):
        table = premium(hands=["dowager_queen countess", "prince", "king"], deck="count")
        assert table.legal_cards() == ["dowager_queen", "countess"]

        for royal in ("king", "prince"):
            table = premium(hands=[f"dowager_queen {royal}", "guard", "guard"], deck="count")
            assert table.legal_cards() == ["dowager_queen", royal]

    def test_chooses_another_seat(self):
        table = premium(hands=["dowager_queen guard", "prince", "king"], deck="count")

        assert targets_of(table, "dowager_queen") == [(1,), (2,)]


class TestTheCardsThatChoose:
    def test_choose_as_their_rows_say(self):
        chosen = {card.key: card.targets for card in EDITIONS["premium"].cards_for(8) if card.targets.most}
        anybody = {"prince", "sycophant"}

        assert chosen.pop("cardinal") == Targets(2, 2, own=True)
        assert chosen.pop("baroness") == Targets(1, 2)
        assert chosen == {card: Targets(1, 1, own=card in anybody) for card in chosen}

    @pytest.mark.parametrize("card", CHOOSERS)
    def test_must_choose_while_they_can(self, card):
        table = premium(hands=[f"{card} count", "handmaid", "handmaid"], deck="count", protected=[1])

        assert table.refused(card) == "target_required"
