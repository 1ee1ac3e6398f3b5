"""The stored logs: whatever comes, they end as they ended, and each step follows from its cause.

What a release has written stays readable for ever, so this is the test that holds its logs.
"""

import json
from functools import cache

import pytest

from engine.events import EVENTS
from engine.rules import RULES_VERSION
from games.records.portable import as_ndjson, parsed
from games.records.verification import verify
from tests.engine.written.golden_files import ADVICE, agreeing
from tests.golden.tables import TABLES
from tests.golden.whole_games import LOGS, SEEDED, end_of, path_of_end, paths, released_paths
from tests.verifier.verifier import judged

PRESENT = f"rules{RULES_VERSION}"
COUNT_UP = (
    "an action has another outcome now: if a release has the old one, count RULES_VERSION up; else delete what differs "
    "in tests/golden/logs. Then run `python -m tests.golden.generate`"
)
EVERY = [*paths(), *released_paths()]
EVERY_LOG = pytest.mark.parametrize("path", EVERY, ids=lambda path: "-".join((*path.parts[-3:-1], path.stem)))


@cache
def log_in(path):
    return parsed(path.read_bytes())


def broken_rule(verdict):
    """Returns where a log made by the present rules does not follow from them, or None."""
    return None if verdict.divergence is None else f"{COUNT_UP}; {verdict}"


def test_the_present_rules_have_a_log_of_each_kind_and_every_log_has_an_end():
    kinds = {f"{edition}-{seats}" for edition, seats in TABLES} | {*SEEDED, "aborted-classic-2"}
    assert {path.stem for path in paths(PRESENT)} == kinds, ADVICE
    assert {event["type"] for path in paths(PRESENT) for event in log_in(path)["events"]} == {*EVENTS}
    assert {*(LOGS / "ends").iterdir()} == {path_of_end(path) for path in paths()}, ADVICE


@EVERY_LOG
def test_a_log_ends_as_it_ended_for_every_viewer(path):
    stored = json.loads(path_of_end(path).read_text(encoding="utf-8"))
    assert agreeing(end_of(log_in(path)["events"]), stored) == stored


@EVERY_LOG
def test_its_rules_lead_to_what_they_led_to_and_no_others_judge_it(path):
    verdict = verify(log_in(path))
    assert path.parent.name == f"rules{log_in(path)['rules_version']}"
    assert broken_rule(verdict) is None
    assert verdict.valid == (path.parent.name == PRESENT)


def test_all_are_read_and_written_alike_and_never_false_for_the_verifier_in_javascript():
    assert [as_ndjson(log_in(path)) for path in EVERY] == [path.read_bytes() for path in EVERY]
    for path, verdict in zip(EVERY, judged([log_in(path) for path in EVERY]), strict=True):
        assert (verdict["valid"], verdict["divergence"]) == (path.parent.name == PRESENT, None), path
