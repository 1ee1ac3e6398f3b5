"""Where the seats of turns can act, in games in memory: held against steps, against what seats see, and by forks."""

import random
from collections import Counter

from engine.editions import EDITIONS
from engine.events import RoundEnded, TurnStarted
from engine.logs import codec
from engine.options import legal_actions
from engine.rules import begin, fold_log
from engine.views import WATCHER, advance
from games.causes import Abort, Act, Join, Leave, Open
from games.snapshot import Entry
from games.steps import step_of
from games.tables.forking import new_fork, occupants_of, point_of
from games.times import ms_of
from games.views.rounds import rounds_of
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from tests.engine.random_games import EVERY_TABLE
from tests.games.whole_logs import Story, whole_story

SEEDS = 4
"""Games at each table: one with each kind of clock."""
FORKS = 3
"""Of each game."""


def events_of(story):
    return [codec.read_event(one) for one in story.stored]


def rounds(story):
    entries = zip(story.stored, events_of(story), strict=True)
    return rounds_of([Entry(version, one["at"], event) for version, (one, event) in enumerate(entries, 1)])


def turns(story):
    return [turn for one in rounds(story) for turn in one["turns"]]


def waited_for(story):
    """Returns by turn the version from its beginning on that ends a step and shows its seat to act, or None.

    The views are folded event by event, and the steps are told by their causes.
    """
    created, *events = events_of(story)
    ends = {version for version, one in enumerate(story.stored) if one.get("cause") is not None} | {len(story.stored)}
    views = {viewer: begin(created) for viewer in (WATCHER, *range(created.seats))}
    found, begun = [], False
    for version, event in enumerate(events, 2):
        for viewer, seen in views.items():
            advance(seen, [event], viewer)
        if isinstance(event, TurnStarted):
            found.append(None)
            begun = True
        if begun and version in ends:
            begun = False
            if {seen.to_act for seen in views.values()} == {views[WATCHER].turn}:
                found[-1] = version
                assert views[WATCHER].decision is None
                assert legal_actions(views[views[WATCHER].turn])
    return found


def forked(story, version, seat):
    """Returns the version from which a fork goes on, and the fork as it begins, with a player on a seat."""
    point = point_of(list(enumerate(story.stored, 1)), version)
    made = new_fork("fork", "me", story.snapshot, point, occupants_of(point, "me", {"seat": seat}), now_ms(), fresh())
    return point.version, made


@EVERY_TABLE
def test_at_its_version_the_seat_of_a_turn_sees_that_it_must_act_and_what_it_may_do(edition, seats):
    for seed in range(SEEDS):
        story = whole_story(edition, seats, seed)
        assert [turn["act_version"] for turn in turns(story)] == waited_for(story), seed
        assert all(one["turns"][0]["act_version"] for one in rounds(story)), "whoever begins a round acts"


@EVERY_TABLE
def test_a_fork_at_its_version_begins_there_and_its_seat_acts_first(edition, seats):
    rng = random.Random(f"{edition} {seats}")
    story = whole_story(edition, seats, rng.randrange(SEEDS))
    acted = [turn for turn in turns(story) if turn["act_version"] is not None]
    for turn in [acted[0], acted[-1], *rng.sample(acted, min(len(acted), FORKS - 2))]:
        seat, version = turn["seat"], turn["act_version"]
        point, fork = forked(story, version, seat)
        assert point == version
        last = rounds_of(fork.entries)[-1]["turns"][-1]
        assert (last["seat"], last["act_version"]) == (seat, fork.after.version)
        legal = legal_actions(fork.after.view(seat))
        assert legal == legal_actions(fold_log(events_of(story)[:version]))
        acting = step_of(fork.after, Act(seat, rng.choice(legal)), ms_of(fork.entries[-1].at), "")
        assert acting.entries[0].event.type == "card_played"
        if turn is not acted[0]:
            assert forked(story, turn["version"], seat)[0] < turn["version"], "where it begins is within a step"


def test_a_turn_that_comes_to_nothing_has_none():
    """In `lovecraft` a turn may end as it begins, with the round or before the turn of another seat."""
    ends = Counter()
    for edition in EDITIONS:
        for seed in range(SEEDS):
            story = whole_story(edition, 3, seed)
            events = events_of(story)
            for turn in turns(story):
                if turn["act_version"] is None:
                    after = events[turn["version"] :]
                    ends[edition, next(one.type for one in after if isinstance(one, TurnStarted | RoundEnded))] += 1
    assert set(ends) == {("lovecraft", "turn_started"), ("lovecraft", "round_ended")}


def test_a_turn_in_which_nobody_acts_any_more_has_one():
    for cause in (Abort(), Leave(0), Leave(1)):
        story = Story(whole_story("standard", 2, 0).snapshot.table, bytes(32))
        story.tell(Open((Join(0, "p0", ""), Join(1, "p1", ""))))
        begun = story.snapshot.version
        story.tell(cause)
        assert [turn["act_version"] for turn in turns(story)] == [begun] == [*filter(None, waited_for(story))]
