"""A true log is valid; whatever is changed in one is found, or is something that nothing follows from."""

import json
import random

import pytest

from engine.editions import EDITIONS
from engine.rules import RULES_VERSION
from games.records.verdicts import as_data
from games.records.verification import COMMITMENT, verify
from games.steps import SKEW_MS
from games.texts.catalogue import LANGUAGES, catalogue
from games.times import ms_of, text_of
from tests.engine.random_games import EVERY_TABLE
from tests.games.records.mutations import (
    by_other_rules,
    changed,
    is_testimony,
    mixed_up,
    renumbered,
    sampled,
    sealed,
)
from tests.games.whole_logs import CLOCKS
from tests.games.whole_logs import read_log as log_of


@EVERY_TABLE
def test_true_logs_are_valid(edition, seats):
    for seed in range(len(CLOCKS)):
        verdict = verify(log_of(edition, seats, seed))
        assert verdict.valid, verdict


@EVERY_TABLE
def test_whatever_is_changed_at_one_place_is_found(edition, seats):
    log = log_of(edition, seats, seats)
    rng = random.Random(seats)
    for path in sampled(log, 8, seats):
        mutant = changed(log, path, rng)
        assert not verify(mutant).valid, path
        if path != ("digest",):
            assert is_testimony(log, path) or not verify(sealed(mutant)).valid, path


def test_of_a_valid_log_it_is_said_what_nothing_else_in_it_depends_on():
    log = log_of("standard", 3, 0)
    thought = next(event for event in log["events"] if "thought" in (event["cause"] or ()))
    unproven = ("package_version", "at", "visibility", "starter", "sandbox", "rated", "aids", "thought")
    assert verify(log).unproven == unproven
    thought["cause"]["thought"]["think_ms"] += 1
    log["package_version"] += "x"
    verdict = verify(sealed(log))
    assert (verdict.valid, verdict.unproven) == (True, unproven)
    assert verify(log).unproven == ()


@EVERY_TABLE
def test_whatever_may_be_changed_unnoticed_is_said_to_be_unproven(edition, seats):
    log = log_of(edition, seats, seats)
    unproven = verify(log).unproven
    rng = random.Random(seats)
    for path in [path for path in sampled(log, 1000, seats) if is_testimony(log, path)]:
        verdict = verify(sealed(changed(log, path, rng)))
        if verdict.valid:  # a member that the log left out is listed for the log that has it
            assert [name for name in (*unproven, *verdict.unproven) if name in path], path


@pytest.mark.parametrize("edition", EDITIONS)
def test_events_that_are_left_out_added_or_mixed_up_are_found_whatever_the_digest(edition):
    log = log_of(edition, 3, 1)
    rng = random.Random(edition)
    for what, mutant in mixed_up(log, rng):
        assert not verify(mutant).valid, what
        assert not verify(sealed(mutant)).valid, what


def place(verdict):
    found = verdict.divergence
    return found.check, found.version, found.why.key


def test_the_first_divergence_is_named():
    log = log_of("standard", 3, 0)
    played = next(i for i, event in enumerate(log["events"]) if event["type"] == "card_played")
    card = log["events"][played]["data"]["card"]
    mutant = json.loads(json.dumps(log))
    for later in mutant["events"][played:]:
        if later["type"] == "card_played":
            later["data"]["card"] = "princess" if card != "princess" else "guard"
    divergence = verify(mutant).divergence
    assert (divergence.check, divergence.version) == ("steps", played + 1)
    assert divergence.expected["data"]["card"] == card
    assert divergence.found == {name: mutant["events"][played][name] for name in ("type", "data")}


def test_the_order_of_names_does_not_matter_and_true_is_not_1():
    log = log_of("standard", 3, 0)

    def turned(value):
        if isinstance(value, dict):
            return {name: turned(inner) for name, inner in reversed(value.items())}
        return [turned(inner) for inner in value] if isinstance(value, list) else value

    assert verify(turned(log)).valid
    i = next(i for i, event in enumerate(log["events"]) if event["data"].get("seat") == 1 and not event["cause"])
    log["events"][i]["data"]["seat"] = True
    assert place(verify(sealed(log))) == ("schema", i + 1, "log.not_as_schema")


def test_an_event_that_is_missing_or_superfluous_is_named():
    log = log_of("standard", 3, 0)
    i = next(i for i, event in enumerate(log["events"]) if event["type"] == "card_drawn" and not event["cause"])
    less = {**log, "events": renumbered(log["events"][:i] + log["events"][i + 1 :])}
    assert place(verify(less)) == ("steps", i + 1, "log.missing")
    assert verify(less).divergence.expected["type"] == "card_drawn"
    more = {**log, "events": renumbered(log["events"][: i + 1] + log["events"][i:])}
    assert place(verify(more)) == ("steps", i + 2, "log.superfluous")
    assert place(verify({**log, "events": log["events"][:i]}))[2] in ("log.missing", "log.breaks_off")


def test_another_secret_another_deal_and_another_time_are_told_apart():
    log = log_of("classic", 2, 0)
    assert place(verify({**log, "secret": "0" * 64})) == ("commitment", 1, "log.not_the_same")
    assert place(verify({**log, "digest": "0" * 64})) == ("digest", None, "log.other_digest")
    assert place(verify({**log, "players": ["x", "y"]})) == ("head", None, "log.not_the_same")
    early = [*log["events"][:-1], {**log["events"][-1], "at": "2000-01-01T00:00:00.000Z"}]
    assert place(verify({**log, "events": early}))[0] == "times"
    second = next(i for i, event in enumerate(log["events"]) if i and event["cause"] is not None)
    late = text_of(ms_of(log["events"][second]["at"]) + SKEW_MS)
    first = [{**event, "at": late} for event in log["events"][:second]]
    assert place(verify({**log, "events": [*first, *log["events"][second:]]}))[:2] == ("times", second + 1)


@pytest.mark.parametrize(
    ("log", "key"),
    [
        (None, "log.other_format"),
        ([], "log.other_format"),
        ({"format": "x"}, "log.other_format"),
        ({"format": "billet-log", "format_version": True}, "log.other_format_version"),
        ({"format": "billet-log", "format_version": 2}, "log.other_format_version"),
        ({"format": "billet-log", "format_version": 1}, "log.no_events"),
        ({"format": "billet-log", "format_version": 1, "events": [7]}, "log.not_as_schema"),
    ],
)
def test_what_is_no_log_is_not_valid(log, key):
    assert verify(log).divergence.why.key == key


def test_a_log_of_other_rules_is_not_judged_by_these():
    log = by_other_rules(log_of("standard", 3, 0))
    for one in (log, sealed({**log, "edition": "another", "events": [of_edition(log["events"][0], "another")]})):
        verdict = verify(one)
        assert (verdict.valid, verdict.divergence) == (False, None)
        assert [(one.check, one.version, one.why.key) for one in verdict.unchecked] == [("steps", 1, "log.other_rules")]
        assert verdict.unchecked[0].why.values == {"rules": RULES_VERSION + 1, "here": RULES_VERSION}
    assert place(verify({**log, "secret": "0" * 64})) == ("commitment", 1, "log.not_the_same")


def of_edition(created, edition):
    return {**created, "data": {**created["data"], "edition": edition}}


def test_a_log_is_judged_up_to_its_first_step_by_other_rules():
    log = log_of("standard", 3, 0)
    begins = [i for i, event in enumerate(log["events"]) if event["cause"] is not None]
    log["events"][begins[-1]]["rules"] += 1
    assert [one.version for one in verify(sealed(log)).unchecked] == [begins[-1] + 1]
    log["events"][begins[5]]["data"]["seat"] = (log["events"][begins[5]]["data"]["seat"] + 1) % 3
    assert place(verify(sealed(log)))[:2] == ("steps", begins[5] + 1)


def test_a_step_without_a_cause_or_rules_is_found():
    log = log_of("standard", 3, 0)
    created = log["events"][0]
    for name, check in (("cause", "steps"), ("rules", "head")):
        events = [{**created, name: None}, *log["events"][1:]]
        assert place(verify(sealed({**log, "events": events})))[:2] == (check, 1)
    bare = [{**created, "cause": None, "rules": None}, *log["events"][1:]]
    assert place(verify(sealed({**log, "events": bare})))[:2] == ("head", 1)
    assert place(verify(sealed({**log, "rules_version": None, "events": bare})))[:2] == ("schema", None)


def test_a_later_form_of_an_event_is_not_known():
    log = log_of("standard", 3, 0)
    log["events"][1]["v"] += 1
    assert place(verify(sealed(log))) == ("schema", 2, "log.not_as_schema")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_verdict_is_told_in_words(language):
    log = log_of("classic", 2, 0)
    words = catalogue(language)
    good = as_data(verify(log), words)
    assert (good["valid"], good["divergence"], good["unchecked"]) == (True, None, [])
    bad = as_data(verify({**log, "secret": "0" * 64}), words)
    assert bad["divergence"]["check"] == COMMITMENT
    assert bad["divergence"]["text"] in bad["text"]
    assert bad["divergence"]["found"] == {"commitment": log["commitment"]}
    assert as_data(verify(by_other_rules(log)), words)["unchecked"][0]["text"]
