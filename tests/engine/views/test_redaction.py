"""No viewer learns a card that viewer may not know: shown over random games, against the oracle of `tests/secrecy`.

That says a second time, on purpose, which fields of which events hold secrets and who sees them; a field that it does
not name must be public, and an event type that it does not know fails.
"""

import random
from dataclasses import fields, replace

import pytest

from engine.events import EVENTS, GameAborted, RoundStarted, fold
from engine.rules import decide, fold_log, legal_actions
from engine.state import ACTIVE
from engine.views import ALL, WATCHER, advance, present, redact, redact_log, view
from tests.engine.given import chance, created, given
from tests.engine.random_games import EVERY_TABLE, TABLES
from tests.engine.random_positions import as_position, begun, in_part, random_state
from tests.engine.views.oracle import allowed, follow, matches
from tests.engine.written.event_types import NEVER_PLAYED, OF_CLOCKS, telling_games, types_at
from tests.secrecy.oracle import PUBLIC_EVENTS, SECRETS, Table

pytestmark = pytest.mark.many


def viewers(seats):
    return [WATCHER, *range(seats)]


def test_every_event_type_is_on_one_of_the_lists():
    assert PUBLIC_EVENTS | SECRETS.keys() == set(EVENTS)
    assert not PUBLIC_EVENTS & SECRETS.keys()


@EVERY_TABLE
def test_the_games_hold_every_event_of_their_table(edition, seats):
    assert {event.type for log in telling_games(edition, seats) for event in log} == types_at(edition, seats)


def test_the_games_of_all_tables_hold_every_event_there_is():
    assert set().union(*(types_at(*table) for table in TABLES)) == set(EVENTS) - NEVER_PLAYED - OF_CLOCKS


def test_a_game_that_is_called_off_is_the_same_for_everybody():
    assert {GameAborted.type} == NEVER_PLAYED
    log = [created("premium", 5), GameAborted("called_off")]
    shown = [present(view(log, viewer)) for viewer in (*viewers(5), ALL)]

    assert all(redact_log(log, viewer)[1] == log[1] for viewer in viewers(5))
    assert all(one == shown[0] for one in shown)
    assert shown[0]["status"] == "aborted"


def relation(event, viewer, in_round):
    """Returns how a viewer stands to an event with secrets: who is in it, who is not, and from where they look on."""
    if viewer == WATCHER:
        return "watcher"
    shown = allowed(event, viewer)
    if any(getattr(event, name) != shown[name] for name, _ in event.secrets):
        return "beside it, in" if in_round >> viewer & 1 else "beside it, out"
    return "in it"


def test_every_secret_is_kept_from_everybody_it_must_be_kept_from():
    """The games have, for every event with secrets, somebody who sees them all and somebody of each kind who does not.

    Of a deal, of what is given to several and of the chosen decks of a sandbox nobody sees everything but the giver.
    """
    found = set()
    for table in TABLES:
        for log in telling_games(*table):
            state = fold_log(log[:1])
            for event in log[1:]:
                if event.secrets:
                    found |= {(event.type, relation(event, viewer, state.in_round)) for viewer in viewers(table[1])}
                advance(state, [event], ALL)
    for name in SECRETS.keys() - {"game_created", "round_started"}:
        seen = {"in it", "beside it, in", "beside it, out", "watcher"}
        assert {kind for type_, kind in found if type_ == name} == seen, name
    assert ("round_started", "beside it, in") in found


@EVERY_TABLE
def test_an_event_shows_what_the_list_allows(edition, seats):
    for log in telling_games(edition, seats):
        for viewer in viewers(seats):
            for event in log:
                seen = redact(event, viewer)
                assert {field.name: getattr(seen, field.name) for field in fields(seen)} == allowed(event, viewer)


def check_views(log, seats):
    """Checks that everybody's view knows, after each event, what its viewer may know, no more and no less."""
    table, views = Table(), {viewer: view(log[:1], viewer) for viewer in viewers(seats)}
    follow(table, log[:1])
    for event in log[1:]:
        follow(table, [event])
        for viewer, seen in views.items():
            advance(seen, [event], viewer)
            assert matches(table, viewer, seen), (viewer, event)
    assert views == {viewer: view(log, viewer) for viewer in views}


@EVERY_TABLE
def test_a_view_knows_what_its_viewer_may_know_no_more_and_no_less(edition, seats):
    for log in telling_games(edition, seats):
        check_views(log, seats)


@EVERY_TABLE
def test_so_it_does_in_rounds_that_begin_with_a_position(edition, seats):
    generator = random.Random(f"{edition} {seats}")
    for number in range(12):
        state = random_state(edition, seats, number)
        position = as_position(state)
        part = in_part(position, generator) if number % 2 else position
        log = begun(edition, seats, part, number, state.book.options)
        playing = fold_log(log)
        for _ in range(10):
            if playing.status != ACTIVE:
                break
            log += (happened := decide(playing, playing.to_act, generator.choice(legal_actions(playing)), chance()))
            fold(playing, happened)
        check_views(log, seats)
        for viewer in viewers(seats):
            opened, _, dealt, *_ = redact_log(log, viewer)
            assert opened.sandbox_positions == (None,)
            assert not {*dealt.position} & {"hands", "deck", "set_aside"}


@EVERY_TABLE
def test_everything_but_cards_is_the_same_in_every_view(edition, seats):
    for log in telling_games(edition, seats):
        everybody = (*viewers(seats), ALL)
        views = [view(log[:1], viewer) for viewer in everybody]
        for start in range(1, len(log), 5):
            for seen, viewer in zip(views, everybody, strict=True):
                advance(seen, log[start : start + 5], viewer)
            shown = [present(seen) for seen in views]
            for one in shown:
                for seat in one["seats"]:
                    seat["hand"] = len(seat["hand"])
                if one["round"]:
                    del one["round"]["set_aside"]
            assert all(one == shown[0] for one in shown)


@EVERY_TABLE
def test_everything_sees_the_full_log(edition, seats):
    for log in telling_games(edition, seats):
        assert redact_log(log, ALL) == log


def test_the_decks_of_a_sandbox_stay_hidden_until_the_end():
    chosen = ({"starter": 0, "order": ["guard"]}, {})
    placed = ({"hands": [["guard"]]},)
    event = replace(created(), sandbox=True, sandbox_rounds=chosen, sandbox_positions=placed)

    for viewer in (0, WATCHER):
        assert redact(event, viewer).sandbox_rounds == (None, None)
        assert redact(event, viewer).sandbox_positions == (None,)
    assert redact(event, ALL) == event


def test_redaction_leaves_the_event_alone():
    event = RoundStarted(
        1, 0, (0, 1), (0, 0), (0, 0), (), ("spy", "king"), ("guard",), "baron", ("priest",), None, (), (), None
    )
    redacted = redact(event, 0)

    assert event.hands == ("spy", "king")
    assert redacted == RoundStarted(
        1, 0, (0, 1), (0, 0), (0, 0), (), ("spy", None), (None,), None, ("priest",), None, (), (), None
    )


def test_a_viewer_is_offered_nothing_from_a_hand_it_does_not_see():
    table = given(hands=["guard king", "princess", "baron"], deck="spy")

    assert list(legal_actions(view(table.log, 0))) == table.legal()
    assert legal_actions(view(table.log, 1)) == ()
    assert legal_actions(view(table.log, WATCHER)) == ()
