"""Whole games with the client: replays and logs, had once the game has ended; what was changed is not verified."""

import json
from itertools import islice

import pytest


def test_a_log_is_kept_and_verified(billet_client, register):
    ann, ben = register("Ann"), register("Ben")
    game = ann.create("standard", ["creator", "open"])
    ben.join(game)
    with pytest.raises(billet_client.GameNotFinished):
        ann.log(game)
    ben.leave(game)
    log = ann.log(game)
    assert ben.verify(log).valid
    kept = json.loads(json.dumps(log.to_dict()))
    assert kept["game"] == game.id
    verdict = ben.verify({**kept, "secret": "0" * 64})
    assert not verdict.valid
    assert (verdict.divergence.check, verdict.divergence.version) == ("commitment", 1)


def test_a_game_is_gone_through_as_a_seat_saw_it(billet_client, register):
    ann, ben = register("Ann"), register("Ben")
    game = ann.create("standard", ["creator", "open"])
    begun = ben.join(game)
    live = list(islice(ben.events(game, text=True), begun.version))
    with pytest.raises(billet_client.GameNotFinished):
        next(ann.replay(game, as_=1))
    ben.leave(game)
    assert list(ann.replay(game, as_=1, at=begun.version, text=True)) == live
    whole = list(ann.replay(game, as_="all"))
    assert whole[-1].type_ == "secret_revealed"
    for by in ("stream", "poll"):
        assert [event for frame in ann.frames(game, as_="all", by=by) for event in frame.events] == whole
    marks = ann.rounds(game)
    (only,) = marks.rounds
    assert (marks.finished, live[only.version - 1].type_) == (True, "round_started")
    assert [live[turn.version - 1].type_ for turn in only.turns] == ["turn_started"]
    (turn,) = only.turns
    then = ann.view(game, at=turn.act_version, as_=turn.seat)
    assert (turn.act_version, then.to_act) == (begun.version, turn.seat)
    fork = ann.fork(game, turn.act_version, seat=turn.seat)
    assert [legal.action for legal in fork.legal_actions] == [legal.action for legal in then.legal_actions] != []
    assert ann.act(fork, fork.legal_actions[0]).events[0].type_ == "card_played"


def test_aids_say_what_to_do_and_what_can_be_known(billet_client, register):
    ann, ben = register("Ann"), register("Ben")
    game = ann.create("standard", ["creator", "open"], starter=0)
    begun = ben.join(game)
    said = ann.hint(game)
    assert said.action in [legal.action for legal in ann.view(game).legal_actions]
    assert ben.view(game).seats[0].hints == 1
    with pytest.raises(billet_client.NotYourTurn):
        ben.hint(game)
    ann.act(game.id, said.action)
    assert ben.deductions(game, at=begun.version).version == begun.version
    (own,) = ben.deductions(game, at=begun.version).seats[1].cards
    assert (own.card, own.probability) == (ben.view(game, at=begun.version).seats[1].hand[0], 1)
