"""Scoresheets: a log written down, as text and back, and played again to the same log."""

from dataclasses import replace

import pytest

from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.errors import IllegalAction, MalformedNotation, UnknownEdition
from engine.events import GameFinished, RoundStarted, SecretRevealed, fold
from engine.rules import fold_log, start
from engine.scoresheets.replay import record, repeat
from engine.scoresheets.scoresheet import Move, Scoresheet, SheetRound
from tests.engine.given import chance, given
from tests.engine.random_games import EVERY_TABLE, random_game
from tests.engine.random_positions import as_position, begun, random_state
from tests.engine.written.sheet_replay import replay
from tests.engine.written.sheet_text import parse_scoresheet, print_scoresheet

SHEET = """\
edition classic
seats 2
round 1 starter 0
deck king,guard*3,handmaid,priest,guard,baron,prince,countess,princess,baron,handmaid,guard,prince,priest
0 guard>1:priest
round 2 starter 0
deck king,guard*3,handmaid,priest,guard,baron,prince,countess,princess,baron,handmaid,guard,prince,priest
0 handmaid
# The clock played for seat 1.
1 priest clock

0 guard>1:king
1 leaves resigned
won 0
"""


def played(log):
    """Returns a log from its first deal on, without the secret."""
    first = next(i for i, event in enumerate(log) if isinstance(event, RoundStarted))
    return [event for event in log[first:] if not isinstance(event, SecretRevealed)]


@pytest.mark.many
@EVERY_TABLE
def test_a_game_comes_back_from_its_sheet(edition, seats):
    for seed in range(2):
        _, log = random_game(edition, seats, seed, leaving=0.03 * (seed % 2))
        text = print_scoresheet(record(log))

        assert parse_scoresheet(text) == record(log)
        assert played(replay(parse_scoresheet(text))) == played(log)


@EVERY_TABLE
def test_a_round_given_as_a_position_is_on_the_sheet(edition, seats):
    for seed in range(2):
        state = random_state(edition, seats, seed)
        sheet = record(begun(edition, seats, as_position(state), options=state.book.options))

        assert "\nposition hands " in print_scoresheet(sheet)
        assert parse_scoresheet(print_scoresheet(sheet)) == sheet


def test_a_game_that_goes_on_comes_back_too():
    _, log = random_game("standard", 3, 1)
    cut = [i for i, event in enumerate(log) if event.type == "turn_started"][20] + 2

    assert played(replay(record(log[:cut]))) == played(log[:cut])
    assert "won" not in print_scoresheet(record(log[:cut]))


@pytest.mark.parametrize(("edition", "seats"), [("premium", 5), ("lovecraft", 4), ("standard", 3)])
def test_each_move_has_the_same_effect_where_the_rounds_are_dealt_alike(edition, seats):
    for seed in range(4):
        _, log = random_game(edition, seats, seed, leaving=0.05)
        sheet = record(log)
        rounds = [{"starter": one.starter, "order": list(one.order)} for one in sheet.rounds]
        state = fold_log(log[: next(i for i, event in enumerate(log) if event.type == "game_started")])
        made = chance(99, rounds)
        happened = start(state, [""] * seats, made)
        fold(state, happened)
        for move in (move for one in sheet.rounds for move in one.moves):
            events = repeat(state, move, made)
            fold(state, events)
            happened += events
        alike = [event for event in played(log) if event.type != "seat_timed_out"]
        assert played(happened) == [
            replace(event, away=()) if isinstance(event, RoundStarted) else event for event in alike
        ]


def test_a_sheet_reads_like_this():
    sheet = parse_scoresheet(SHEET)

    assert sheet.edition == "classic"
    assert sheet.winners == (0,)
    assert [len(played.moves) for played in sheet.rounds] == [1, 4]
    assert sheet.rounds[1].moves[1:] == (
        Move(1, PlayCard("priest"), clock=True),
        Move(0, PlayCard("guard", (1,), "king")),
        Move(1, None, leaves="resigned"),
    )
    assert replay(sheet)[-1] == GameFinished((0,))
    assert parse_scoresheet(print_scoresheet(sheet)) == sheet


def test_options_are_on_the_sheet():
    sheet = Scoresheet("lovecraft", 2, (), options={"liber_ivonis": "published"})

    assert print_scoresheet(sheet) == "edition lovecraft\nseats 2\noption liber_ivonis published\n"
    assert parse_scoresheet(print_scoresheet(sheet)) == sheet


def test_an_answer_taken_for_a_seat_that_left_is_on_the_sheet():
    move = Move(0, KeepCard("king", ("guard", "spy")), leaves="resigned")
    sheet = Scoresheet("standard", 2, (SheetRound(0, ("spy",), (move,)),))

    assert print_scoresheet(sheet).splitlines()[-1] == "0 keep king/guard,spy leaves resigned"
    assert parse_scoresheet(print_scoresheet(sheet)) == sheet


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("edition classic\n", ""),
        ("seats 2", "seats two"),
        ("round 2", "round 3"),
        ("round 1 starter 0\n", "round 1\n"),
        ("deck king", "cards king"),
        ("deck king,", "deck king,,"),
        ("0 handmaid\n", "0\n"),
        ("0 handmaid\n", "0 hand maid\n"),
        ("0 handmaid\n", "handmaid\n"),
        ("1 leaves resigned", "1 leaves slowly"),
        ("won 0", "won 0,"),
        ("won 0", "won nobody"),
        ("won 0\n", "won 0\n0 guard>1:king\n"),
    ],
)
def test_a_text_that_is_no_sheet_is_refused(old, new):
    assert old in SHEET
    with pytest.raises(MalformedNotation):
        parse_scoresheet(SHEET.replace(old, new))


def test_an_empty_text_is_no_sheet():
    with pytest.raises(MalformedNotation):
        parse_scoresheet("")


@pytest.mark.parametrize(
    ("old", "new", "error", "complaint"),
    [
        ("edition classic", "edition whist", UnknownEdition, "no edition 'whist'"),
        ("seats 2", "seats 5", UnknownEdition, "2 to 4 seats"),
        ("king,guard*3", "guard*4", MalformedNotation, "round 1 is not dealt from the table's deck"),
        ("0 handmaid", "0 princess", IllegalAction, "card_not_in_hand"),
        ("0 handmaid", "1 handmaid", IllegalAction, "not_your_turn"),
        ("1 priest clock", "1 priest>0 clock", IllegalAction, "target_protected"),
        ("0 guard>1:king", "0 guard>1:king leaves resigned", MalformedNotation, "nothing was asked"),
        ("0 guard>1:priest\n", "", MalformedNotation, "round 2 is not being played at '0 handmaid'"),
        ("0 guard>1:priest\n", "0 guard>1:priest\n1 priest>0\n", MalformedNotation, "round 1 is not being played"),
        ("won 0", "won 1", MalformedNotation, "have won"),
        ("won 0\n", "", MalformedNotation, "have won"),
        ("1 leaves resigned\n", "", MalformedNotation, "have won"),
    ],
)
def test_a_sheet_against_the_rules_is_refused(old, new, error, complaint):
    assert old in SHEET
    with pytest.raises(error, match=complaint):
        replay(parse_scoresheet(SHEET.replace(old, new, 1)))


def test_every_answer_is_written_down():
    table = given("premium", hands=["cardinal guard", "prince", "princess", None, None], deck="bishop count count")
    table.play("cardinal", 1, 2)
    table.act(PeekHand(2))
    table.play("bishop", 2, names=5)
    table.act(RedrawHand(True))
    assert [move.action for move in record(table.log).rounds[0].moves] == [
        PlayCard("cardinal", (1, 2)),
        PeekHand(2),
        PlayCard("bishop", (2,), 5),
        RedrawHand(True),
    ]

    hands = ["nyarlathotep elder_sign", "cats_of_ulthar", "hound_of_tindalos"]
    table = given("lovecraft", hands=hands, deck="cats_of_ulthar cats_of_ulthar", discards={0: "deep_ones"})
    table.play("nyarlathotep", face="insane")
    table.act(GiveHands(((1, "hound_of_tindalos"), (2, "cats_of_ulthar"))))
    assert record(table.log).rounds[0].moves[-1] == Move(
        0, GiveHands(((1, "hound_of_tindalos"), (2, "cats_of_ulthar")))
    )


def test_a_seat_that_leaves_cannot_have_redrawn():
    table = given("premium", hands=["bishop guard", "prince", "princess", None, None], deck="count count cardinal")
    table.play("bishop", 1, names=5)
    state = table.state

    with pytest.raises(MalformedNotation, match="declines, at '1 redraw leaves resigned'"):
        repeat(state, Move(1, RedrawHand(True), leaves="resigned"), chance())
    assert repeat(state, Move(1, RedrawHand(False), leaves="resigned"), chance()) == table.leave(1)


class TestAnAnswerTakenForASeatThatLeft:
    SHEET = """\
edition standard
seats 2
round 1 starter 0
deck spy,guard*3,chancellor,priest,guard,baron,king,spy,guard*2,priest,baron,handmaid*2,prince*2,{rest}
0 chancellor
0 keep king/guard,baron leaves resigned
won 1
""".format(rest="chancellor,countess,princess")

    def test_is_taken_again(self):
        log = replay(parse_scoresheet(self.SHEET))

        assert record(log) == parse_scoresheet(self.SHEET)
        assert [event.cards for event in log if event.type in ("cards_returned", "seat_left")] == [
            ("guard", "baron"),
            ("king",),
        ]

    def test_is_taken_again_whatever_chance_would_say(self):
        sheet = parse_scoresheet(self.SHEET)
        log = replay(sheet)
        asked = next(i for i, event in enumerate(log) if event.type == "decision_opened") + 1
        made = repeat(fold_log(log[:asked]), sheet.rounds[0].moves[-1], chance())
        assert made == log[asked:]

    def test_must_be_legal(self):
        with pytest.raises(IllegalAction, match="cards_do_not_match"):
            replay(parse_scoresheet(self.SHEET.replace("guard,baron leaves", "guard,spy leaves")))


class TestAnExtraPlayTakenForASeatThatLeft:
    """In the log it is a play like one of the seat's own, except that the seat leaves before the card is resolved."""

    SHEET = """\
edition lovecraft
seats 3
option liber_ivonis showdown
round 1 starter 0
deck randolph_carter,deep_ones,elder_sign*2,golden_mead,cats_of_ulthar*2,great_race_of_yith,{rest}
0 deep_ones.sane>1:8
1 cats_of_ulthar>2
2 cats_of_ulthar>1
0 golden_mead.insane>1
0 investigators>1:4 leaves resigned
""".format(
        rest="investigators,mi_go,nyarlathotep,silver_key,great_race_of_yith,investigators*4,hound_of_tindalos,"
        "liber_ivonis,professor_henry_armitage*2,shining_trapezohedron,necronomicon,cthulhu"
    )

    @pytest.mark.parametrize(
        ("play", "answers"),
        [
            ("investigators>1:8 leaves resigned", 1),
            ("mi_go.sane>2 leaves resigned", 1),
            ("mi_go.insane>2\n0 elder_sign leaves resigned", 2),
        ],
    )
    def test_is_taken_again_before_the_seat_is_gone(self, play, answers):
        sheet = parse_scoresheet(self.SHEET.replace("investigators>1:4 leaves resigned", play))
        log = replay(sheet)

        assert record(log) == sheet
        after = [event.type for event in log[-20:]]
        assert after.count("decision_taken") == answers
        assert "card_resolved" not in after[after.index("decision_taken") : after.index("seat_left")]

    def test_is_not_mistaken_for_one_of_its_own_after_which_it_left(self):
        text = self.SHEET.replace("investigators>1:4 leaves resigned", "investigators>1:8\n0 leaves resigned")

        assert print_scoresheet(record(replay(parse_scoresheet(text)))) == text


def test_a_sheet_must_hold_every_round_that_begins():
    sheet = parse_scoresheet(SHEET)

    with pytest.raises(MalformedNotation, match="round 2 is not on the sheet"):
        replay(Scoresheet(sheet.edition, sheet.seats, sheet.rounds[:1]))
