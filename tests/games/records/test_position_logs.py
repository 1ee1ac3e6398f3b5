"""Logs of games that begin with a position: true ones are valid, and every change of the position is found.

The verifier in JavaScript follows their cards, and never calls them valid.
"""

import copy
import random

import pytest

from engine.logs.codec import read_event
from engine.positions import complete
from engine.rules import fold_log
from games.records.verification import verify
from tests.engine.random_games import OUTERMOST, TABLES
from tests.games.records.mutations import changed, places, sealed
from tests.games.records.position_logs import position_log
from tests.verifier.verifier import judged

SOME = [("standard", 2, 0), ("classic", 3, 1), ("premium", 3, 1), ("premium", 5, 0), ("lovecraft", 4, 1)]
"""Tables with seeds: an odd one leaves a part of the position to chance."""


def of_positions(log, path):
    """Whether a path leads into the position of the first round, as it was chosen or as it came about."""
    if path[0] != "events" or path[2] != "data":
        return False
    event = log["events"][path[1]]
    chosen = event["type"] == "game_created" and path[3:5] == ("sandbox_positions", 0)
    return chosen or (event["type"] == "round_started" and path[3] == "position" and event["data"]["number"] == 1)


def mutants(edition, seats, seed):
    log = position_log(edition, seats, seed, rounds=1)
    rng = random.Random(seed)
    for path in places(log):
        if of_positions(log, path):
            yield path, sealed(changed(log, path, rng))


@pytest.mark.parametrize("tables", [OUTERMOST, pytest.param(TABLES, marks=pytest.mark.soak)], ids=["some", "all"])
def test_true_logs_from_positions_are_valid(tables):
    logs = [position_log(*table, seed) for table in tables for seed in range(2)]
    assert [(log["edition"], log["seats"]) for log in logs if verify(log).divergence] == []
    followed = judged(logs)
    assert [one["text"] for one in followed if one["divergence"]] == []
    assert {one["valid"] for one in followed} == {False}
    for log in logs:
        (first,) = [one for one in log["events"] if one["type"] == "round_started" and one["data"]["number"] == 1]
        assert first["data"]["position"] is not None
        assert fold_log([read_event(one) for one in log["events"]]).winners


@pytest.mark.parametrize(("edition", "seats", "seed"), SOME)
def test_every_change_of_a_position_is_found(edition, seats, seed):
    found = [*mutants(edition, seats, seed)]
    assert len(found) > 20
    assert [path for path, log in found if verify(log).valid] == []


OTHER_FORMS = {
    "a place for each seat": {"tokens": [1], "turn": 0},
    "null for nothing": {"out": [], "turn": 0},
    "null for no card": {"discards": [[]] * 6, "turn": 0},
    "null for no insane token": {"tokens": [1] * 6, "insane_tokens": [0] * 6, "turn": 0},
    "ascending": {"out": [2, 1], "turn": 0},
    "once": {"out": [2, 2], "turn": 0},
    "whose turn": {"tokens": [1] * 6},
    "at the table": {"tokens": [1] * 6, "turn": 6},
}


def test_a_position_in_another_form_is_refused_even_for_a_round_that_was_never_played():
    log = position_log("premium", 6, 0)
    rounds = sum(event["type"] == "round_started" for event in log["events"])

    def with_one_more(position):
        made = copy.deepcopy(log)
        positions = made["events"][0]["data"]["sandbox_positions"]
        positions += [complete({})] * (rounds - len(positions)) + [complete(position)]
        return sealed(made)

    # Nobody can know whether it was chosen: no round tells of it.
    valid, *others = [with_one_more(one) for one in ({"tokens": [1] * 6, "turn": 0}, *OTHER_FORMS.values())]
    assert verify(valid).valid
    assert not any(verify(one).valid for one in others)
