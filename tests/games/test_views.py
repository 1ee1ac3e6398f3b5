"""What a view says beside the cards themselves, counted once more without the engine's redaction."""

import random
from collections import Counter

from engine import rules
from engine.views import ALL, WATCHER, redact_log
from games.causes import Act, Join
from games.player import Player
from games.steps import step_of
from games.tables.opening import Occupant, new_table
from games.texts.catalogue import catalogue
from games.views import events
from games.views.view import game_view
from service.inputs.chance import fresh
from service.inputs.clock import now_ms
from tests.engine.random_games import EVERY_TABLE
from tests.engine.views.oracle import follow, person
from tests.secrecy.oracle import Table

EN = catalogue("en")
MOST_ACTIONS = 60


class Namesakes:
    """Calls everybody the same."""

    def named(self, ids):
        return {one: Player(one, "Ann", "human") for one in ids if one is not None}


def opened(edition, seats):
    """A new table with open seats, as a snapshot."""
    body = {"edition": edition, "seats": [{"kind": "open"}] * seats}
    return new_table("g", "ann", body, [Occupant(None)] * seats, now_ms(), fresh()).after


def view_of(snapshot, viewer):
    return game_view(snapshot, viewer, Namesakes(), None, EN)


def hidden_from(viewer, table, book):
    """The copies of each card of a deck that lie where a viewer does not know them."""
    hidden = Counter(card.key for card in table.lying() if person(viewer) not in card.known_to)
    return {card: hidden[card] for card in book.deck}


def told(view):
    return {one["card"]: one["count"] for one in view["unseen"]}


def random_game(edition, seats, generator):
    """Yields the snapshots of a game with the entries of each step."""
    snapshot = opened(edition, seats)
    now = now_ms()
    for seat in range(seats):
        done = step_of(snapshot, Join(seat, f"p{seat}", ""), now, "")
        snapshot = done.after
        yield snapshot, done.entries
    for _ in range(MOST_ACTIONS):
        if snapshot.ended:
            return
        seat = snapshot.state.to_act
        action = generator.choice(rules.legal_actions(snapshot.state))
        done = step_of(snapshot, Act(seat, action), now, "")
        snapshot = done.after
        yield snapshot, done.entries


@EVERY_TABLE
def test_as_many_cards_are_unseen_as_lie_where_the_viewer_does_not_know_them(edition, seats):
    compared = 0
    table = Table()
    table.after({"type": "game_created", "data": {"seats": seats, "edition": edition}})
    for snapshot, entries in random_game(edition, seats, random.Random(seats)):
        follow(table, [entry.event for entry in entries])
        for viewer in (WATCHER, *range(seats)):
            view = view_of(snapshot, viewer)
            if view["status"] != "active":
                assert view["unseen"] is None
            else:
                assert told(view) == hidden_from(viewer, table, snapshot.state.book)
                compared += 1
        if snapshot.state.status == "active":
            assert set(told(view_of(snapshot, ALL)).values()) == {0}
    assert compared > 10


@EVERY_TABLE
def test_texts_get_the_next_events_as_their_reader_may_see_them(edition, seats, monkeypatch):
    following = []
    monkeypatch.setattr(
        events, "event_texts", lambda words, seen, names, book, after, *more: following.append(after) or []
    )
    hidden = 0
    for snapshot, entries in random_game(edition, seats, random.Random(seats)):
        happened = [entry.event for entry in entries]
        for viewer in (WATCHER, *range(seats), ALL):
            events.event_list([], viewer, snapshot, Namesakes(), EN, entries)
            assert following.pop() == redact_log(happened, viewer)
            hidden += redact_log(happened, viewer) != happened
    assert hidden


def test_a_view_says_who_opened_the_table_and_how_many_tokens_win():
    for edition, seats, needed in (("standard", 2, 6), ("classic", 4, 4), ("premium", 8, 4), ("lovecraft", 3, 2)):
        view = view_of(opened(edition, seats), WATCHER)
        assert (view["creator"], view["tokens_to_win"], view["unseen"]) == ("ann", needed, None)
