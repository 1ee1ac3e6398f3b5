"""Stored logs of every edition, version and rules: whatever comes, they end as they ended, and follow from causes."""

import json
from functools import cache

import pytest

from engine.editions import EDITIONS
from engine.rules import RULES_VERSION
from games.records.portable import as_ndjson, parsed
from games.records.verification import verify
from tests.engine.written.golden_files import ADVICE, agreeing
from tests.golden.tables import TABLES
from tests.golden.whole_games import LOGS, end_of, stored_logs, whole_logs
from tests.verifier.verifier import run

STORED = stored_logs()
COUNT_UP = (
    "an action has another outcome now: count `revision` of the edition or RULES_VERSION up, run `python -m "
    "tests.golden.generate`, and leave the stored logs as they are"
)


def named(path):
    return f"{path.parent.name}-{path.stem}"


@cache
def verdict_of(path):
    return verify(parsed(path.read_bytes()))


def broken_rule(verdict):
    """Returns where a log made by the present rules does not follow from them, or None."""
    return None if verdict.valid else f"{COUNT_UP}; {verdict}"


@pytest.mark.parametrize("name", STORED)
def test_a_stored_log_ends_as_it_ended_for_every_viewer(name):
    stored = json.loads((LOGS / "ends" / f"{name}.json").read_text(encoding="utf-8"))
    assert agreeing(end_of(STORED[name]), stored) == stored


def test_there_is_an_end_for_each_stored_log_and_no_other():
    assert {path.stem for path in (LOGS / "ends").iterdir()} == {*STORED}, ADVICE


def test_the_present_rules_have_stored_games_of_every_edition():
    assert {path.stem for path in whole_logs(f"rules{RULES_VERSION}")} == {f"{e}-{s}" for e, s in TABLES}, ADVICE
    assert {path.stem for path in whole_logs("no_causes")} == {f"{edition}-3" for edition in EDITIONS}


@pytest.mark.parametrize("path", whole_logs(f"rules{RULES_VERSION}"), ids=named)
def test_the_present_rules_lead_to_what_they_led_to(path):
    assert broken_rule(verdict_of(path)) is None


@pytest.mark.parametrize("path", whole_logs("rules*"), ids=named)
def test_stored_games_are_never_false_and_say_by_which_rules_they_were_played(path):
    log, verdict = parsed(path.read_bytes()), verdict_of(path)
    assert path.parent.name == f"rules{log['rules_version']}"
    assert verdict.divergence is None
    assert bool(verdict.unchecked) == (log["rules_version"] != RULES_VERSION)


@pytest.mark.parametrize("path", whole_logs("no_causes"), ids=named)
def test_of_games_from_before_causes_were_kept_the_deals_are_true_and_the_rest_is_open(path):
    log = parsed(path.read_bytes())
    assert {event["v"] for event in log["events"]} == {1}
    verdict = verify(log)
    assert verdict.divergence is None
    assert [one.why.key for one in verdict.unchecked] == ["log.no_causes"]


@pytest.mark.parametrize("path", whole_logs("committed"), ids=named)
def test_stored_games_by_commit_and_reveal_are_true(path):
    log = parsed(path.read_bytes())
    types = [event["type"] for event in log["events"]]
    assert {"reveal_started", "nonce_revealed", "game_started"} <= {*types}
    verdict = verify(log)
    assert verdict.divergence is None
    assert bool(verdict.unchecked) == (log["rules_version"] != RULES_VERSION)


def test_all_are_read_and_written_alike_and_never_false_for_the_verifier_in_javascript():
    logs = [parsed(path.read_bytes()) for path in whole_logs()]
    assert [as_ndjson(log) for log in logs] == [path.read_bytes() for path in whole_logs()]
    done = run("--json", *whole_logs())
    assert not done.stderr
    for log, line in zip(logs, done.stdout.splitlines(), strict=True):
        verdict = json.loads(line)
        known = log["rules_version"] in (None, RULES_VERSION)
        assert (verdict["valid"], verdict["divergence"], verdict["unchecked"] == []) == (known, None, known), line
