"""The two cards that the standard edition alone has (rules, "The cards of standard and classic")."""

from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsReturned,
    DecisionOpened,
    DecisionTaken,
    TokenAwarded,
    TurnStarted,
)
from tests.engine.given import given

SPY_TOKEN = "spy"


def spy_tokens(happened):
    return [event.seat for event in happened if isinstance(event, TokenAwarded) and event.reason == SPY_TOKEN]


class TestSpy:
    def test_does_nothing_when_played(self):
        table = given(hands=["spy guard", "priest", "baron"], deck="king")

        assert table.play("spy") == [
            CardPlayed(0, "spy", (), None, None, None),
            TurnStarted(1),
            CardDrawn(1, "king", "deck"),
        ]

    def test_of_a_seat_that_is_out_neither_counts_nor_blocks(self):
        table = given(hands=["countess guard", None, "baron"], discards={0: "spy", 1: "spy"})

        assert spy_tokens(table.play("countess")) == [0]


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
