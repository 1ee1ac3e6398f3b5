"""Plays of the `premium` edition that anybody at the table would expect of a player who counts cards."""

import pytest

from engine.actions import PeekHand, PlayCard, RedrawHand
from tests.bots.cautious.choices import choice, choices
from tests.engine.given import given

DECK = "guard guard handmaid prince king countess"


def premium(*hands, **situation):
    """Returns a table of five, so that the larger deck is in play; seats that are not listed are out of the round."""
    more = 5 - len(hands)
    tokens = situation.pop("tokens", None)
    scores = [*tokens, *[0] * more] if tokens else None
    return given("premium", hands=[*hands, *[None] * more], tokens=scores, **{"deck": DECK, **situation})


def having_looked(keeps, draws, one, other, deck=DECK, **situation):
    """Returns a table where seat 0 has looked at the hands of seats 1 and 2 with a Baroness and has its next turn."""
    table = premium(
        f"baroness {keeps}",
        one,
        other,
        deck=" ".join(["count"] * (1 + (other is not None)) + [draws, deck]),
        **situation,
    )
    others = [seat for seat, hand in ((1, one), (2, other)) if hand is not None]
    table.play("baroness", *others)
    for _ in others:
        table.play("count")
    return table


class TestTheGuard:
    def test_names_the_number_it_has_seen(self):
        assert choice(having_looked("guard", "handmaid", "king", "guard")) == PlayCard("guard", (1,), 6)

    def test_leaves_a_seat_with_the_assassin_alone(self):
        assert {play.targets for play in choices(having_looked("guard", "guard", "assassin", "guard"))} == {(2,)}


class TestTheAssassin:
    def test_is_kept_before_a_rival_that_will_play_a_guard_on_it(self):
        table = having_looked("assassin", "cardinal", "guard", "guard", deck="guard guard guard guard guard")

        assert {play.card for play in choices(table)} == {"cardinal"}


class TestThePrincess:
    @pytest.mark.parametrize(
        "other", ["guard", "baron", "dowager_queen", "cardinal", "jester", "sycophant", "count", "constable", "bishop"]
    )
    def test_is_not_played(self, other):
        assert {play.card for play in choices(premium(f"{other} princess", "guard", "prince"))} == {other}


class TestTheBishop:
    def test_wins_the_game_if_it_can(self):
        table = having_looked("bishop", "guard", "king", "princess", tokens=[3, 3, 3])

        # Either hit wins.
        assert choices(table) == [PlayCard("bishop", (1,), 6), PlayCard("bishop", (2,), 8)]

    def test_is_beaten_by_the_princess_in_the_last_turn(self):
        table = having_looked("bishop", "countess", "princess", "guard", deck="", protected=())

        assert choice(table) == PlayCard("bishop", (1,), 8)

    def test_makes_nobody_throw_the_princess_away(self):
        assert choice(self.decision("princess")) == RedrawHand(False)

    def test_makes_a_low_hand_that_everybody_knows_be_replaced(self):
        assert choice(self.decision("priest")) == RedrawHand(True)

    def decision(self, hand, deck="guard count prince handmaid", **more):
        table = premium("bishop guard", hand, "priest", deck=deck, **more)
        table.play("bishop", 1, names=table.state.book.values[hand])
        return table


class TestTheCardinal:
    def test_takes_a_high_card_that_it_has_seen_when_the_round_is_about_to_end(self):
        assert choice(having_looked("cardinal", "guard", "princess", "guard", deck="")) == PlayCard("cardinal", (0, 1))

    def test_looks_at_the_hand_it_does_not_know(self):
        table = premium("priest cardinal", "king", "handmaid", "prince", deck=f"count count count guard {DECK}")
        table.play("priest", 1)
        table.play("count")
        table.play("count")
        table.play("count")
        table.play("cardinal", 1, 2)

        # The King that was seen lies at seat 2 now.
        assert choice(table) == PeekHand(1)


class TestTheJester:
    def test_marks_the_likely_winner(self):
        table = having_looked("jester", "guard", "princess", "guard", deck="")

        assert choice(table) == PlayCard("jester", (1,))


class TestTheBaroness:
    def test_looks_at_as_many_hands_as_it_may(self):
        table = premium("baroness princess", "priest", "prince", deck=DECK)

        assert choice(table) == PlayCard("baroness", (1, 2))


class TestTheDowagerQueen:
    def test_is_played_beside_a_low_card(self):
        assert choice(having_looked("dowager_queen", "cardinal", "king", None)) == PlayCard("dowager_queen", (1,))


class TestTheSycophant:
    def test_is_not_for_oneself(self):
        table = premium("sycophant count", "guard", "prince", discards={0: "count"})

        assert PlayCard("sycophant", (0,)) not in choices(table)


class TestTheLastTurn:
    def test_counts_the_counts(self):
        # The Countess with two Counts ties with the Princess with one, and has the higher sum.
        table = having_looked("count", "countess", "princess", "guard", deck="", discards={0: "count"})

        assert choice(table) == PlayCard("count")
