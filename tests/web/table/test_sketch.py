"""What the table shows between two frames: each event drawn into the view before it."""

import json
import subprocess
from pathlib import Path

import pytest

EVENTS = Path(__file__).parents[3] / "web/table/events"
SCRIPT = """import { sketch } from "./sketch.js";
console.log(JSON.stringify(JSON.parse(process.argv[1]).reduce(sketch)));"""


def sketched(*steps):
    """The view that follows from a view and events."""
    command = ["node", "--input-type=module", "-e", SCRIPT, json.dumps(steps)]
    return json.loads(subprocess.run(command, cwd=EVENTS, capture_output=True, text=True, check=True).stdout)


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
