"""The moves of a log, made again in another game to the same effect."""

from dataclasses import replace

import pytest

from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.errors import IllegalAction, ImpossibleMove
from engine.events import RoundStarted, SecretRevealed, fold
from engine.logs.repeating import Move, played_rounds, repeat
from engine.rules import fold_log, legal_actions, start
from tests.engine.given import chance, given
from tests.engine.random_games import EVERY_TABLE, random_game
from tests.engine.random_positions import as_position, begun, random_state


def played(log):
    """Returns a log from its first deal on, without the secret and without clocks."""
    first = next(i for i, event in enumerate(log) if isinstance(event, RoundStarted))
    happened = [event for event in log[first:] if not isinstance(event, SecretRevealed)]
    return [
        replace(event, away=()) if isinstance(event, RoundStarted) else event
        for event in happened
        if event.type != "seat_timed_out"
    ]


@pytest.mark.many
@EVERY_TABLE
def test_each_move_has_the_same_effect_where_the_rounds_are_dealt_alike(edition, seats):
    for seed in range(2):
        _, log = random_game(edition, seats, seed, leaving=0.03 * (seed % 2))
        rounds = played_rounds(log)
        dealt = [{"starter": one.starter, "order": list(one.order)} for one in rounds]
        state = fold_log(log[: next(i for i, event in enumerate(log) if event.type == "game_started")])
        made = chance(99, dealt)
        happened = start(state, [""] * seats, made)
        fold(state, happened)
        for move in (move for one in rounds for move in one.moves):
            events = repeat(state, move, made)
            fold(state, events)
            happened += events
        assert played(happened) == played(log)


@EVERY_TABLE
def test_a_round_that_began_in_a_position_has_it_and_no_order(edition, seats):
    state = random_state(edition, seats, 1)
    first = played_rounds(begun(edition, seats, as_position(state), options=state.book.options))[0]

    assert first.order == ()
    assert first.position["hands"] == as_position(state)["hands"]


def moves_of(table):
    """Returns the moves of the first round on a table."""
    return played_rounds(table.log)[0].moves


def test_every_answer_is_a_move():
    table = given("premium", hands=["cardinal guard", "prince", "princess", None, None], deck="bishop count count")
    table.play("cardinal", 1, 2)
    table.act(PeekHand(2))
    table.play("bishop", 2, names=5)
    table.act(RedrawHand(True))
    assert [move.action for move in moves_of(table)] == [
        PlayCard("cardinal", (1, 2)),
        PeekHand(2),
        PlayCard("bishop", (2,), 5),
        RedrawHand(True),
    ]

    hands = ["nyarlathotep elder_sign", "cats_of_ulthar", "hound_of_tindalos"]
    table = given("lovecraft", hands=hands, deck="cats_of_ulthar cats_of_ulthar", discards={0: "deep_ones"})
    table.play("nyarlathotep", face="insane")
    table.act(GiveHands(((1, "hound_of_tindalos"), (2, "cats_of_ulthar"))))
    assert moves_of(table)[-1] == Move(0, GiveHands(((1, "hound_of_tindalos"), (2, "cats_of_ulthar"))))


def test_an_answer_without_effect_is_a_move():
    table = given("premium", hands=["bishop guard", "prince", "princess", None, None], deck="count count cardinal")
    table.play("bishop", 1, names=5)
    table.act(RedrawHand(False))
    assert moves_of(table)[-1] == Move(1, RedrawHand(False))


@pytest.mark.parametrize("move", [Move(0, PlayCard("guard", (1,), "king")), Move(0, None, "resigned")])
def test_acting_and_leaving_are_made_again(move):
    table = given(hands=["guard king", "spy", "priest"], deck="guard baron prince")
    state = table.state.copy()
    events = table.act(move.action) if move.leaves is None else table.leave(0)
    assert repeat(state, move, chance()) == events


def test_a_seat_that_leaves_cannot_have_redrawn():
    table = given("premium", hands=["bishop guard", "prince", "princess", None, None], deck="count count cardinal")
    table.play("bishop", 1, names=5)
    state = table.state

    with pytest.raises(ImpossibleMove, match="declines"):
        repeat(state, Move(1, RedrawHand(True), "resigned"), chance())
    assert repeat(state, Move(1, RedrawHand(False), "resigned"), chance()) == table.leave(1)


class TestAnAnswerTakenForASeatThatLeft:
    @staticmethod
    def asked():
        table = given(hands=["chancellor king", "spy", "priest"], deck="guard baron prince handmaid")
        table.play("chancellor")
        return table

    @pytest.mark.parametrize("bottom", [("guard", "baron"), ("baron", "guard")])
    def test_is_taken_again_whatever_chance_would_say(self, bottom):
        move = Move(0, KeepCard("king", bottom), "resigned")
        events = repeat(self.asked().state, move, chance())

        assert [event.cards for event in events if event.type in ("cards_returned", "seat_left")] == [bottom, ("king",)]
        assert played_rounds([*self.asked().log, *events])[0].moves[-1] == move

    def test_must_be_legal(self):
        with pytest.raises(IllegalAction, match="cards_do_not_match"):
            repeat(self.asked().state, Move(0, KeepCard("king", ("guard", "spy")), "resigned"), chance())

    def test_needs_a_question(self):
        table = given(hands=["guard king", "spy"], deck="guard baron")
        with pytest.raises(ImpossibleMove, match="nothing was asked"):
            repeat(table.state, Move(0, PlayCard("guard", (1,), "king"), "resigned"), chance())


class TestAnExtraPlayTakenForASeatThatLeft:
    """In the log it is a play like one of the seat's own, except that the seat leaves before the card is resolved."""

    @staticmethod
    def asked():
        hands = ["golden_mead deep_ones", "cats_of_ulthar", "elder_sign"]
        deck = "investigators mi_go silver_key great_race_of_yith"
        table = given("lovecraft", hands=hands, deck=deck, discards={0: "deep_ones"})
        table.play("golden_mead", 1, face="insane")
        return table

    def test_is_taken_again_before_the_seat_is_gone(self):
        table = self.asked()
        assert table.state.decision.kind == PlayCard.type
        play = next(action for action in legal_actions(table.state) if action.card == "investigators")
        move = Move(0, play, "resigned")
        events = repeat(table.state, move, chance())

        types = [event.type for event in events]
        assert "card_resolved" not in types[types.index("card_played") : types.index("seat_left")]
        assert played_rounds([*table.log, *events])[0].moves[-1] == move

    def test_is_not_mistaken_for_one_of_its_own_after_which_it_left(self):
        table = self.asked()
        play = next(action for action in legal_actions(table.state) if action.card == "investigators")
        table.act(play)
        table.leave(0)
        assert moves_of(table)[-2:] == (Move(0, play), Move(0, None, "resigned"))
