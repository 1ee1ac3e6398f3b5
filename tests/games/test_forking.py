"""Forks in memory: from any point of any game, as everybody saw it there, to an end that can be verified."""

import json
import random
from dataclasses import replace

import pytest

from engine.editions import EDITIONS
from engine.events import GameStarted, RoundStarted
from engine.logs import codec
from engine.options import legal_actions
from engine.rules import fold_log
from engine.views import ALL, WATCHER, present, view
from games.causes import Abort, Join, Open, Repeat
from games.errors import Refused
from games.records.verification import verify
from games.tables.forking import new_fork, occupants_of, point_of
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from tests.engine.random_games import EVERY_TABLE
from tests.games.forks import Fork, stored
from tests.games.records.mutations import sealed
from tests.games.whole_logs import Story, whole_story

OF_CLOCKS = ("away", "bank_ms")
"""Members of a seat."""
EVENTS_OF_CLOCKS = ("time_spent", "seat_timed_out", "seat_taken_back")


def events_of(story):
    return [codec.read_event(one) for one in story.stored]


def seen(state):
    """Returns what there is to be seen in a state, but for what a fork has of its own."""
    shown = present(state)
    del shown["version"]
    for seat in shown["seats"]:
        for name in OF_CLOCKS:
            del seat[name]
    return shown


def played(events):
    """Returns what happened from the first round on, but for what clocks did."""
    first = next(i for i, event in enumerate(events) if isinstance(event, RoundStarted))
    happened = [event for event in events[first:] if event.type not in EVENTS_OF_CLOCKS]
    return [replace(one, banks=None, away=(), breaks=()) if isinstance(one, RoundStarted) else one for one in happened]


def first_point(story):
    """Returns the first version from which a game can go on."""
    causes = [version for version, one in stored(story) if one.get("cause")]
    began = next(i for i, event in enumerate(events_of(story), 1) if isinstance(event, GameStarted))
    return next(version for version in causes if version > began) - 1


@EVERY_TABLE
def test_a_fork_from_a_random_point_goes_on_as_everybody_saw_it_and_its_log_is_true(edition, seats):
    rng = random.Random(f"fork {edition} {seats}")
    parent = whole_story(edition, seats, seats % 2)
    fork = Fork(parent, rng.randrange(first_point(parent), len(parent.stored)))
    log = events_of(parent)[: fork.point.version]
    for viewer in (*range(seats), WATCHER, ALL):
        assert seen(fork.begun.view(viewer)) == seen(view(log, viewer)), viewer
    assert played(events_of(fork)[: fork.begun.version]) == played(log)
    assert legal_actions(fork.begun.view(fork.begun.state.to_act)) == legal_actions(fold_log(log))
    made = fork.play(rng, leaving=0.01).log()
    assert verify(made).valid


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_fork_can_be_forked_at_a_move_that_it_has_repeated_and_later(edition):
    rng = random.Random(edition)
    parent = whole_story(edition, 3, 2)
    fork = Fork(parent, len(parent.stored) - 1).play(rng)
    repeated = [version for version, one in stored(fork) if (one.get("cause") or {}).get("type") == "repeat"]
    for version in (repeated[len(repeated) // 2] - 1, len(fork.stored) - 1):
        twig = Fork(fork, version)
        assert twig.begun.table.forked_from == {"game": "fork", "version": twig.point.version}
        for viewer in (*range(3), WATCHER):
            assert seen(twig.begun.view(viewer)) == seen(view(events_of(fork)[: twig.point.version], viewer))
        assert verify(twig.play(rng).log()).valid


def test_what_is_forged_about_a_fork_is_found():
    parent = whole_story("standard", 3, 0)
    log = Fork(parent, len(parent.stored) - 1).play(random.Random(1)).log()
    again = [i for i, event in enumerate(log["events"]) if (event["cause"] or {}).get("type") == "repeat"]
    later = next(
        i for i in range(again[-1] + 1, len(log["events"])) if (log["events"][i]["cause"] or {}).get("type") == "act"
    )

    def changed(change):
        made = json.loads(json.dumps(log))
        change(made["events"])
        return verify(sealed(made)).divergence

    def late(events):
        events[later]["cause"] = {name: events[later]["cause"][name] for name in ("seat", "action")} | {
            "type": "repeat"
        }

    def of_nothing(events):
        events[0]["data"]["forked_from"] = None

    def no_sandbox(events):
        events[0]["data"] |= {"sandbox": False}

    def nothing_done(events):
        del events[again[0]]["cause"]["action"]

    def left(events):
        events[again[0]]["cause"]["leaves"] = "resigned"

    found = {change.__name__: changed(change) for change in (late, of_nothing, no_sandbox, nothing_done, left)}
    assert {name: one.check for name, one in found.items()} == dict.fromkeys(found, "steps")
    assert [found[name].version for name in ("late", "of_nothing", "no_sandbox")] == [later + 1, again[0] + 1, 1]


def test_a_game_goes_on_only_where_somebody_could_act():
    parent = whole_story("standard", 3, 0)
    log = stored(parent)
    first = first_point(parent)
    for version in (1, first - 1, len(log), len(log) + 5):
        with pytest.raises(Refused) as refused:
            point_of(log, version)
        assert refused.value.faults[0].detail.values == {"first": first, "last": len(log) - 1}
    assert point_of(log, first).moves == ()
    called_off = Story(parent.snapshot.table, parent.snapshot.secret)
    called_off.tell(Open((Join(0, "p0", ""),)))
    called_off.tell(Abort())
    with pytest.raises(Refused) as refused:
        point_of(stored(called_off), 2)
    assert refused.value.code == "game_not_started"


def test_a_fork_that_would_not_lead_to_its_point_is_refused():
    parent = whole_story("standard", 3, 0)
    point = point_of(stored(parent), len(parent.stored) - 1)
    occupants = occupants_of(point, "p0", {"seat": point.state.in_game()[0]})
    for moves in (point.moves[:-1], (*point.moves, *point.moves), point.moves[1:], (Repeat(0, None, "resigned"),) * 2):
        with pytest.raises(Refused) as refused:
            new_fork("fork", "p0", parent.snapshot, point._replace(moves=moves), occupants, now_ms(), fresh())
        assert refused.value.reason == "not_repeatable"
