"""Every step of a log is stored with what caused it, and follows from it again."""

import orjson
import pytest

from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.bots import BOTS
from engine.logs import codec
from games.bots.turns import STAND_IN
from games.causes import (
    Abort,
    Act,
    ComeBack,
    Decline,
    Invite,
    Join,
    Leave,
    Open,
    Remove,
    Thought,
    TimeOut,
    Withdraw,
    read_cause,
    store_cause,
)
from tests.games.steps_again import steps_again
from tests.service.at_table import EN, Game

BOT_PLAYS = {"seconds": 10, "on_timeout": "bot_plays"}
FORFEIT = {"seconds": 10, "on_timeout": "forfeit"}


def test_the_nonces_of_those_who_join_are_kept_as_the_shuffle_takes_them(service, log):
    game = Game.open(service, "creator", "open", nonce="mine")
    service.tables.take_seat(game.creator.token, game.id, {"bot": "random", "nonce": "its"}, words=EN)
    service.tables.leave(game.token(0), game.id, words=EN)
    opened, joined, left = steps_again(log, game.id)
    assert opened.joining[0].nonce == log.read(game.id).snapshot.nonces[0]
    assert (joined.player, joined.nonce) == ("bot-random", log.read(game.id).snapshot.nonces[1])
    assert left == Leave(0)


def test_a_player_who_gets_up_and_a_table_that_is_called_off_follow_too(service, log):
    game = Game.open(service, "creator", "open", "open")
    service.tables.leave(game.token(0), game.id, words=EN)
    service.tables.abort(game.creator.token, game.id, words=EN)
    assert steps_again(log, game.id) == [Open((Join(0, game.creator.id, ""),)), Leave(0), Abort()]


def test_a_seat_that_forfeits_leaves_by_its_clock_and_one_that_resigns_by_itself(service, clock, log):
    game = Game.begin(service, 3, clock=FORFEIT, sandbox={"rounds": [{"starter": 1}]})
    clock.advance(10)
    service.play.time_out(game.id, 0)
    service.tables.leave(game.token(0), game.id, words=EN)
    assert steps_again(log, game.id)[-2:] == [TimeOut(1), Leave(0)]


def test_an_action_is_kept_with_its_seat_and_a_bots_with_how_it_was_found(service, clock, log):
    rounds = [{"starter": 0, "order": ["king", "handmaid", "spy", "prince", "guard", "countess"]}]
    game = Game.open(service, "creator", "cautious", "open", clock=BOT_PLAYS, sandbox={"rounds": rounds}).fill()
    action = {"type": "play_card", "card": "handmaid", "targets": []}
    game.act(0, action)
    service.play.bot_turns(game.id, 0)
    clock.advance(10)
    service.play.time_out(game.id, 0)
    service.tables.leave(game.token(0), game.id, words=EN)
    service.tables.leave(game.token(2), game.id, words=EN)
    mine, bots, late = steps_again(log, game.id)[2:5]
    assert mine == Act(0, codec.read_action(action))
    assert (bots.seat, bots.thought.bot, bots.thought.version) == (1, "cautious", BOTS["cautious"].version)
    assert (late.seat, late.thought.bot) == (2, STAND_IN)
    assert isinstance(late, TimeOut)


def test_the_causes_of_a_game_that_goes_on_are_not_read(service, log):
    game = Game.begin(service)
    with pytest.raises(ValueError, match="before it has ended"):
        log.causes(log.read(game.id).snapshot)


@pytest.mark.parametrize(
    "cause",
    [
        Open((Join(0, "ann", "00ff"), Join(2, "bot-random", ""))),
        Open((Join(0, "ann", ""),), (Invite(1, "ben"), Invite(2, "cleo"))),
        Join(1, "ben", ""),
        Invite(1, "ben"),
        Decline(1, "ben", "later"),
        Withdraw(1, "ben"),
        Leave(3),
        Remove(1, "ben"),
        Abort(),
        Act(0, PlayCard("guard", (1,), "priest", None)),
        Act(1, PlayCard("mi_go", (), 5, "insane"), Thought("expert", 1, 200, 17)),
        Act(1, RedrawHand(True)),
        TimeOut(4, KeepCard("king", ("guard", "spy")), Thought("cautious", 1)),
        TimeOut(4, PeekHand(None)),
        TimeOut(4, GiveHands(((0, "king"), (1, "spy")))),
        TimeOut(2),
        ComeBack(3),
    ],
    ids=repr,
)
def test_causes_are_written_and_read_alike(cause):
    assert read_cause(orjson.loads(orjson.dumps(store_cause(cause)))) == cause
