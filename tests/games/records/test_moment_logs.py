"""Logs of every moment of `docs/cards`: true ones are valid, and changed ones are not."""

import random

import pytest

from billet.logs import verify as billet_verify
from billet.logs.files import FoundLog
from engine.editions import EDITIONS
from games.records.portable import as_json
from games.records.verification import verify
from games.texts.catalogue import catalogue
from tests.games.records.moment_stories import MOMENTS, log_of
from tests.games.records.mutations import changed, is_testimony, kind_of, mixed_up, places, sampled, sealed
from tests.verifier.verifier import judged

EVERY_EDITION = pytest.mark.parametrize("edition", EDITIONS)


@pytest.fixture(scope="module")
def logs():
    """The log of each moment, by its name."""
    return {moment["name"]: log_of(moment) for moment in MOMENTS}


def of(logs, edition):
    return {name: log for name, log in logs.items() if log["edition"] == edition}


def every_other(logs, edition):
    """Returns the logs of half of the moments of an edition: what is changed in one is drawn by chance."""
    return [*of(logs, edition).items()][::2]


@EVERY_EDITION
def test_true_logs_of_moments_are_valid(logs, edition):
    own = of(logs, edition)
    assert [name for name, log in own.items() if not verify(log).valid] == []
    followed = dict(zip(own, judged([*own.values()]), strict=True))
    assert [(name, one["text"]) for name, one in followed.items() if one["divergence"]] == []


def test_the_command_finds_them_valid_and_none_that_is_changed(logs):
    logs = dict([*logs.items()][::8])
    found = [FoundLog(name, as_json(log)) for name, log in logs.items()]
    false = [
        FoundLog(one.name, as_json({**log, "secret": "0" * 64})) for one, log in zip(found, logs.values(), strict=True)
    ]
    words = catalogue("en")
    *_, summary, _ = billet_verify.run(found, 1, words)
    assert f"{len(logs)} of {len(logs)} logs are valid" in summary
    assert not any(billet_verify.judged(one).valid for one in false)


@EVERY_EDITION
def test_a_change_is_found_under_a_new_digest_too(logs, edition):
    mutants, forged = [], []
    for name, log in every_other(logs, edition):
        rng = random.Random(name)
        path = rng.choice([path for path in sampled(log, 1000, name) if not is_testimony(log, path)])
        mutants.append((f"{name} {path}", changed(log, path, rng)))
        if kind_of(log, path) != ("digest",):
            forged.append((f"{name} {path}", sealed(mutants[-1][1])))
        what, mixed = rng.choice([one for one in mixed_up(log, rng) if one[1]["events"] != log["events"]])
        mutants.append((f"{name} {what}", mixed))
    assert [name for name, log in mutants + forged if verify(log).valid] == []


@EVERY_EDITION
def test_a_forged_position_is_found(logs, edition):
    mutants = []
    for name, log in every_other(logs, edition):
        rng = random.Random(name)
        inside = [path for path in places(log) if path[0] == "events" and "position" in "".join(map(str, path[2:]))]
        path = rng.choice(inside)
        mutants.append((f"{name} {path}", sealed(changed(log, path, rng))))
    assert [name for name, log in mutants if verify(log).valid] == []
