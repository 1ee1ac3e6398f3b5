"""How rounds and games of the premium edition end: showdown, check for the end, tie-break rounds.

Rules, "How a game of premium ends".
"""

import pytest

from engine.events import (
    CardPlayed,
    GameFinished,
    KnockedOut,
    RoundEnded,
    TokenAwarded,
)
from tests.engine.editions.premium_tables import premium
from tests.engine.given import next_round, round_over, round_part


def winners(happened):
    """Returns the seats that won the round."""
    return next(event.winners for event in happened if isinstance(event, RoundEnded))


class TestTheCheckForTheEnd:
    """Whose token ends the game, and when."""

    def test_a_knock_out_that_leaves_one_seat_pays_constable_round_and_jester_before_it(self):
        hands = ["guard", "prince", "jester count"]
        table = premium(hands=hands, turn=2, deck="guard count king", discards={1: "constable"}, tokens=[3, 3, 3])
        table.play("jester", 0)
        table.play("guard", 2, names=5)
        table.play("count")
        happened = table.play("guard", 1, names=5)
        assert round_part(happened) == [
            CardPlayed(0, "guard", (1,), None, 5, None),
            KnockedOut(1, ("prince",)),
            TokenAwarded(1, "constable", "favor"),
            round_over(1, (0,), "last_seat"),
            TokenAwarded(0, "round", "favor"),
            TokenAwarded(2, "jester", "favor"),
        ]
        assert table.tokens() == [4, 4, 4, 0, 0]
        assert next_round(happened).seats == (0, 1, 2)

    @pytest.mark.parametrize("deck", ["king", ""])
    def test_a_knock_out_that_leaves_more_ends_the_game_at_once_for_the_constables_owner(self, deck):
        hands = ["guard count", "prince", "princess"]
        table = premium(hands=hands, deck=deck, discards={1: "constable"}, tokens=[3, 3, 3])

        assert table.play("guard", 1, names=5)[1:] == [
            KnockedOut(1, ("prince",)),
            TokenAwarded(1, "constable", "favor"),
            GameFinished((1,)),
        ]

    def test_a_seat_that_has_left_wins_nothing_by_what_it_played(self):
        table = premium(hands=["jester guard", "bishop", "prince"], deck="count", tokens=[3, 0, 0])
        table.play("jester", 1)
        table.leave(0)
        happened = table.play("count")

        assert winners(happened) == (1,)
        assert table.tokens() == [3, 1, 0, 0, 0]
        assert next_round(happened).seats == (1, 2, 3, 4)


class TestTieBreakRounds:
    """Several seats at the target: rounds of those seats alone, until one is ahead."""

    def tied(self, **situation):
        """The marked seat wins the last round before the target, and with it its marker reaches it too."""
        table = premium(hands=["jester guard", "princess", "prince"], deck="", tokens=[3, 3, 0], **situation)
        return table, table.play("jester", 1)

    def test_use_the_deck_of_the_game(self):
        table, happened = self.tied()
        deal = next_round(happened)

        assert sorted([deal.set_aside, *deal.hands[:2], *deal.deck]) == sorted(table.state.book.deck)
        assert len(deal.deck) == len(table.state.book.deck) - 1 - 2
        assert deal.shown_aside == ()

    def test_count_whoever_is_at_the_target_or_above_it(self):
        table = premium(hands=["jester prince", "count", "guard"], deck="", tokens=[3, 3, 0])
        happened = table.play("jester", 1)

        assert table.tokens() == [5, 4, 0, 0, 0]
        assert next_round(happened).seats == (0, 1)

    def test_begin_with_any_of_their_seats_if_no_winner_takes_part(self):
        starters = set()
        for seed in range(20):
            table = premium(
                hands=["guard", "prince", "jester count"],
                turn=2,
                deck="guard count king",
                discards={1: "constable"},
                tokens=[0, 3, 3],
                seed=seed,
            )
            table.play("jester", 0)
            table.play("guard", 2, names=5)
            table.play("count")
            happened = table.play("guard", 1, names=5)
            assert winners(happened) == (0,)
            assert next_round(happened).seats == (1, 2)
            starters.add(next_round(happened).starter)
        assert starters == {1, 2}

    def test_are_won_by_the_first_that_gains_a_token_also_from_behind(self):
        table = premium(hands=["handmaid priest", "king", None], tokens=[5, 4, 0])

        assert table.play("handmaid")[-2:] == [TokenAwarded(1, "round", "favor"), GameFinished((1,))]

    def test_are_repeated_by_those_that_gain_at_one_check(self):
        table = premium(
            hands=["guard count", "prince", None], deck="count", discards={1: "constable"}, tokens=[4, 4, 4]
        )
        happened = table.play("guard", 1, names=5)

        assert table.tokens() == [5, 5, 4, 0, 0]
        assert next_round(happened).seats == (0, 1)
        assert next_round(happened).starter == 0
