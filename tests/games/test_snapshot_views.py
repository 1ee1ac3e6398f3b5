"""What an action that was never appended would have shown must not be seen."""

import itertools

from engine import options, rules
from engine.events import SeatTaken, SeatVacated
from engine.logs import codec
from engine.views import WATCHER
from games.causes import Join, Open
from games.snapshot import Entry, first_snapshot
from games.steps import step, step_of
from tests.counted_calls import calls

NOW = 1_700_000_000_000
AT = "2023-11-14T22:13:20.000Z"


def started():
    """A started game of three seats in which seat 0 holds a Priest and a Guard."""
    chosen = {"starter": 0, "order": ["spy", "priest", "baron", "king", "guard"]}
    created = rules.bare_table("standard", 3, creator="ann", sandbox=True, sandbox_rounds=(chosen,))
    opened = first_snapshot(Entry(1, AT, created), b"\0" * 32, "CODE")
    return step_of(opened, Open(tuple([Join(seat, f"p{seat}", "") for seat in range(3)])), NOW, "").after


def test_what_an_action_would_have_shown_is_not_seen_after_another():
    before = started()
    courses = []
    for data in ({"targets": [1]}, {"targets": [2]}):
        action = codec.read_action({"type": "play_card", "card": "priest", **data})
        courses.append(step(before, rules.decide(before.state, 0, action, before.chance()), NOW, "").after)
    assert courses[0].version == courses[1].version
    for after in courses:
        after.view(0)  # as for an answer, before it is known whether the action is appended
    seen = [[seat.hand for seat in after.view(0).seats] for after in courses]
    assert seen[0][1:] == [["baron", None], [None]]  # the next turn has begun: a card was drawn that nobody else saw
    assert seen[1][1:] == [[None, None], ["king"]]
    assert [seat.hand for seat in before.view(0).seats] == [["priest", "guard"], [None], [None]]


def test_views_are_those_of_the_redacted_log_however_seldom_they_are_asked_for():
    snapshot, rounds_between = started(), set()
    last = dict.fromkeys((WATCHER, 0, 1, 2), 0)
    for number in itertools.count(1):
        if snapshot.ended:
            break
        action = options.legal_actions(snapshot.state)[-1]
        events = rules.decide(snapshot.state, snapshot.state.to_act, action, snapshot.chance())
        snapshot = step(snapshot, events, NOW, "").after
        for viewer in (WATCHER, 0, 1, 2):
            if number % (1, 3, 8, 23)[viewer]:
                continue
            rounds_between.add(snapshot.state.round_number - last[viewer])
            last[viewer] = snapshot.state.round_number
            kept = snapshot.view(viewer)
            anew = first_snapshot(snapshot.created, snapshot.secret, snapshot.join_code)
            anew = anew.from_round(snapshot.started, snapshot.entries, "")
            assert anew.view(viewer) == kept
    assert rounds_between >= {0, 1, 2, 3}


def test_a_view_of_a_table_where_many_have_come_and_gone_is_not_folded_anew():
    created = rules.bare_table("standard", 3, creator="ann")
    snapshot = first_snapshot(Entry(1, AT, created), b"\0" * 32, "CODE")
    snapshot = step(snapshot, [SeatTaken(1, "ben", "", ""), SeatVacated(1)] * 1000, NOW, "").after
    snapshot.view(WATCHER)
    snapshot = step(snapshot, [SeatTaken(1, "ben", "", "")], NOW, "").after

    assert calls(lambda: snapshot.view(WATCHER)) < 100
    assert snapshot.view(WATCHER).seats[1].player == "ben"
