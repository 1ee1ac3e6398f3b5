"""A true log is valid; whatever is changed in one is found, or is something that nothing follows from."""

import gc
import json
import random

import pytest

from engine.actions import KeepCard
from engine.editions import EDITIONS, rulebook
from engine.rules import RULES_VERSION
from games.records import verification
from games.records.verdicts import as_data
from games.records.verification import COMMITMENT, verify
from games.steps import SKEW_MS
from games.texts.catalogue import LANGUAGES, catalogue
from games.times import ms_of, text_of
from tests.engine.random_games import EVERY_TABLE
from tests.games.records.mutations import (
    changed,
    is_testimony,
    mixed_up,
    renumbered,
    sampled,
    sealed,
    without_causes,
)
from tests.games.whole_logs import CLOCKS
from tests.games.whole_logs import read_log as log_of

STANDARD = [*rulebook("standard", 2, {}).cards]


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
    unproven = ("package_version", "at", "visibility", "starter", "sandbox", "thought")
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
    log = log_of("standard", 3, 0)
    for event in log["events"]:
        event["rules"] = event["rules"] and RULES_VERSION + 1
    log["rules_version"] = RULES_VERSION + 1
    verdict = verify(sealed(log))
    assert not verdict.valid
    assert verdict.divergence is None
    assert [(one.check, one.version, one.why.key) for one in verdict.unchecked] == [("steps", 1, "log.other_rules")]
    unknown = verify({**log, "edition": "another"})
    assert (unknown.divergence, unknown.unchecked[0].why.key) == (None, "log.other_rules")
    assert not unknown.valid


def test_other_rules_in_every_step_are_told_once():
    log = log_of("standard", 3, 0)
    for number, event in enumerate(log["events"], RULES_VERSION + 1):
        event["rules"] = event["rules"] and number
    log["rules_version"] = RULES_VERSION + 1
    verdict = verify(sealed(log))
    assert verdict.divergence is None
    assert [(one.version, one.why.values["rules"]) for one in verdict.unchecked] == [(1, RULES_VERSION + 1)]


def given_cards(asks, cards):
    """Returns a log by other rules in which a seat is given cards and asked which to keep, and leaves by these."""
    log = log_of("standard", 2, 0)
    drawn = next(i for i, event in enumerate(log["events"]) if event["type"] == "card_drawn")
    events = [event | {"rules": event["cause"] and RULES_VERSION + 1} for event in log["events"][: drawn + 1]]
    seat, question = events[-1]["data"]["seat"], {"card": asks, "kind": "keep_card", "seats": []}
    for kind, data in (
        *(("card_received", {"card": card}) for card in cards),
        ("decision_opened", question),
        ("seat_left", {"cards": [], "reason": "resigned"}),
    ):
        caused = {"cause": {"type": "leave", "seat": seat}, "rules": RULES_VERSION} if kind == "seat_left" else {}
        told = {"v": 1, "type": kind, "data": {"seat": seat, **data}, "cause": None, "rules": None, **caused}
        events.append({**events[-1], "version": len(events) + 1, **told})
    return {**log, "rules_version": RULES_VERSION + 1, "events": events}


@pytest.mark.parametrize(
    ("asks", "cards"), [("chancellor", ["guard"] * 12), ("chancellor", [*STANDARD]), ("spy", ["guard"])]
)
def test_what_was_not_made_again_does_not_hang_or_break_what_follows(asks, cards):
    log = given_cards(asks, cards)
    assert place(verify(log)) == ("steps", len(log["events"]), "log.does_not_fit")


@pytest.mark.parametrize(("asks", "cards"), [("chancellor", [f"c{i}" for i in range(8)]), ("zebra", ["guard"])])
def test_cards_that_nobody_knows_are_met_by_no_rule(asks, cards, monkeypatch):
    met = []
    monkeypatch.setattr(verification, "step_of", lambda before, *_: met.append(before))
    verdict = verify(given_cards(asks, cards))
    assert (verdict.valid, verdict.divergence, met) == (False, None, [])
    assert [one.why.key for one in verdict.unchecked] == ["log.other_rules"]


def test_verifying_remembers_nothing_of_what_logs_name():
    def remembered(round_number):
        for number in range(3):
            verify(given_cards("chancellor", [f"{round_number} {number} {i}" for i in range(6)]))
            verify(given_cards("chancellor", random.Random(number).sample(STANDARD, 6)))
        gc.collect()
        return sum(isinstance(one, KeepCard) for one in gc.get_objects())

    before = remembered(0)
    assert remembered(1) == before


@pytest.mark.parametrize("edition", EDITIONS)
def test_of_a_log_without_causes_the_deals_are_checked_and_the_rest_is_said_to_be_open(edition):
    log = without_causes(log_of(edition, 3, 0))
    verdict = verify(log)
    assert (verdict.valid, verdict.divergence) == (False, None)
    assert [one.why.key for one in verdict.unchecked] == ["log.no_causes"]
    i = next(i for i, event in enumerate(log["events"]) if event["type"] == "round_started")
    deck = log["events"][i]["data"]["deck"]
    k = next(k for k in range(1, len(deck)) if deck[k] != deck[0])
    deck[0], deck[k] = deck[k], deck[0]
    assert place(verify(sealed(log))) == ("deals", i + 1, "log.other_deal")


def test_events_that_do_not_fit_are_found_in_a_log_without_causes():
    log = without_causes(log_of("standard", 3, 0))
    i = next(i for i, event in enumerate(log["events"]) if event["type"] == "card_played")
    log["events"][i]["data"]["card"] = "nothing"
    assert place(verify(sealed(log))) == ("steps", i + 1, "log.does_not_fit")
    log = without_causes(log_of("standard", 3, 0))
    log["events"][-1]["data"]["secret"] = "0" * 64
    assert place(verify(sealed(log))) == ("secret", len(log["events"]), "log.not_the_same")


def test_events_written_by_older_versions_are_read_as_such():
    log = log_of("standard", 3, 0)
    for event in log["events"]:
        if event["type"] == "game_created":
            event["v"] = 1
        if event["type"] == "round_started":
            event["v"] = 1
            del event["data"]["banks"], event["data"]["away"]
    assert verify(sealed(log)).valid


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
    assert as_data(verify(without_causes(log)), words)["unchecked"][0]["text"]


@pytest.mark.parametrize(
    ("kind", "version", "data"),
    [
        ("turn_started", 1, {"seat": 8_000_000_000}),
        ("turn_started", 1, {"seat": 3}),
        ("round_started", 1, {"seats": [0, 8_000_000_000]}),
        ("round_started", 2, {"away": [8_000_000_000]}),
        ("round_started", 1, {"starter": "x"}),
        ("round_started", 1, {"scores": [10**15, "x", {}]}),
    ],
)
def test_a_seat_that_no_table_has_and_an_older_form_of_anything_are_not_believed(kind, version, data):
    log = without_causes(log_of("standard", 3, 0))
    i = next(i for i, event in enumerate(log["events"]) if event["type"] == kind)
    event = log["events"][i]
    event["v"], event["data"] = version, {**event["data"], **data}
    if kind == "round_started" and version == 1:
        del event["data"]["banks"], event["data"]["away"]
    assert place(verify(log)) == ("schema", i + 1, "log.not_as_schema")


def test_a_log_without_causes_in_the_forms_of_the_first_release_still_fits():
    log = without_causes(log_of("standard", 3, 0))
    for event in log["events"]:
        if event["type"] == "round_started":
            event["v"] = 1
            del event["data"]["banks"], event["data"]["away"]
    assert verify(sealed(log)).divergence is None


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("data", [{"clock": {}}, {"clock": 5}, {"sandbox_rounds": ["x"]}, {"creator": {}}])
def test_a_table_in_an_older_form_is_looked_at_in_today_s(version, data):
    log = log_of("standard", 3, 0)
    created = log["events"][0]
    created["v"], created["data"] = version, {**created["data"], **data}
    del created["data"]["forked_from"]
    assert place(verify(log)) == ("schema", 1, "log.not_as_schema")
