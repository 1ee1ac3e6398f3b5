"""Logs of every moment of `docs/cards`: true ones are valid, and changed ones are not."""

import pytest

from engine.editions import EDITIONS
from games.records.verification import verify
from tests.games.records.moment_stories import MOMENTS, log_of
from tests.verifier.verifier import judged

EVERY_EDITION = pytest.mark.parametrize("edition", EDITIONS)


@pytest.fixture(scope="module")
def logs():
    """The log of each moment, by its name."""
    return {moment["name"]: log_of(moment) for moment in MOMENTS}


def of(logs, edition):
    return {name: log for name, log in logs.items() if log["edition"] == edition}


@EVERY_EDITION
def test_true_logs_of_moments_are_valid(logs, edition):
    own = of(logs, edition)
    assert [name for name, log in own.items() if not verify(log).valid] == []
    followed = dict(zip(own, judged([*own.values()]), strict=True))
    assert [(name, one["text"]) for name, one in followed.items() if one["divergence"]] == []
