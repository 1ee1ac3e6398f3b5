"""What the table shows between two frames: each event drawn into the view before it."""

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from billet.replay.frames import frames_of
from billet.replay.source import in_file
from engine.views import WATCHER
from games.texts.catalogue import catalogue
from tests.golden.whole_games import paths

EVENTS = Path(__file__).parents[3] / "web/table/events"
SCRIPT = """import { readFileSync } from "node:fs";
import { sketch } from "./sketch.js";
console.log(JSON.stringify(JSON.parse(readFileSync(0)).map((steps) => steps.reduce(sketch))));"""


def all_sketched(runs):
    """The view that follows in each run from its view and events."""
    command = ["node", "--input-type=module", "-e", SCRIPT]
    done = subprocess.run(command, cwd=EVENTS, capture_output=True, text=True, check=True, input=json.dumps(runs))
    return json.loads(done.stdout)


def sketched(*steps):
    """The view that follows from a view and events."""
    return all_sketched([steps])[0]


@pytest.mark.parametrize("log", paths(), ids=lambda log: log.stem)
def test_after_the_events_of_a_step_each_seat_is_as_the_next_view_shows_it(log):
    words = catalogue("en")
    frames = frames_of(in_file(str(log), words), WATCHER, words)
    steps = [
        (before["game"], after)
        for before, after in pairwise(frames)
        if before["game"]["round"] and not any(event["type"] == "round_started" for event in after["events"])
    ]
    runs = [[before, *after["events"]] for before, after in steps]
    drawn = [lying(view) for view in all_sketched(runs)]
    assert drawn == [lying(after["game"]) for _, after in steps]


def lying(view):
    """Returns what must be the same of each seat: its discards in order, and what holds for it."""
    kept = ("discards", "in_round", "left", "protected", "tokens")
    return [{name: seat[name] for name in kept} for seat in view["seats"]]


@pytest.mark.parametrize("hand", [["king", "spy", "guard"], [None] * 3])
def test_cards_put_under_the_deck_are_in_it_before_the_next_one_is_drawn(hand):
    seat = {"seat": 0, "hand": hand, "discards": ["chancellor"]}
    view = {"round": {"deck_size": 5}, "seats": [seat, seat | {"seat": 1, "hand": [None]}], "to_act": 0}
    returned = {"type": "cards_returned", "data": {"seat": 0, "cards": hand[1:]}}
    drawn = {"type": "card_drawn", "data": {"seat": 1, "card": None, "source": "deck"}}
    assert sketched(view, returned)["round"]["deck_size"] == 7
    after = sketched(view, returned, drawn)
    assert after["round"]["deck_size"] == 6
    assert [seat["hand"] for seat in after["seats"]] == [hand[:1], [None, None]]


def test_hands_that_are_shown_lie_open():
    seats = [{"seat": seat, "hand": held, "discards": []} for seat, held in enumerate([[None], [None], []])]
    view = {"round": {"deck_size": 0}, "seats": seats, "to_act": 0}
    shown = {"type": "hands_revealed", "data": {"hands": ["king", "guard", None]}}
    assert [seat["hand"] for seat in sketched(view, shown)["seats"]] == [["king"], ["guard"], []]


@pytest.mark.parametrize("kind", ["sane", "insane"])
def test_a_token_is_counted_where_it_is_shown(kind):
    seat = {"seat": 0, "hand": [], "discards": [], "tokens": 1, "sane_tokens": 1, "insane_tokens": 0}
    won = {"type": "token_awarded", "data": {"seat": 0, "kind": kind}}
    after = sketched({"round": {"deck_size": 0}, "seats": [seat], "to_act": 0}, won)["seats"][0]
    assert after == seat | {"tokens": 2, f"{kind}_tokens": seat[f"{kind}_tokens"] + 1}
