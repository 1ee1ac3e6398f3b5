"""Whole logs with the client: had once the game has ended, verified as they came, and not once they were changed."""

import json

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
