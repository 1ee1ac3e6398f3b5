"""Who looks at a table changes while it is looked at: each sees what is theirs, and nothing older than before."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest

from tests.web.browser import SECONDS, TABLE, intercept
from tests.web.table.hands import OFFERED
from tools.players.tables import CREATOR, OPEN

OWN_HAND = ".mine .hand .held-card"
COMPANY = {"edition": "standard", "seats": [CREATOR, OPEN, OPEN], "visibility": "public"}
SPIN = f"import time\nend = time.monotonic() + {5 * SECONDS}\nwhile time.monotonic() < end: pass"
PLAYED = f"{TABLE}.sending || {TABLE}.telling || {TABLE}.lines.some(({{type}}) => type === 'card_played')"
BECOME = "player => { localStorage['billet.player'] = JSON.stringify(player); }"
SEEN = f"""() => {{
  const table = {TABLE}, draw = table.template;
  window.seen = [];
  table.template = function () {{
    if (this.game) seen.push([this.game.version, this.game.viewer?.seat ?? null, this.viewing.player]);
    return draw.call(this);
  }};
}}"""
"""From now on, notes each game that is drawn: its version, the seat of who looks, and the player who looks by now."""


@contextmanager
def busy_machine():
    """Two processes for each core do nothing, as busily as they can."""
    with ExitStack() as stack:
        for _ in range(2 * os.cpu_count()):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", SPIN]))
            stack.callback(process.kill)
        yield


def begun_by(page, starter):
    """From now on this seat begins in what the page opens."""

    def answer(route):
        if route.request.method == "POST":
            route.continue_(post_data=json.dumps(json.loads(route.request.post_data) | {"starter": starter}))
        else:
            route.continue_()

    page.route("**/v1/games", answer)


def sit_down_by_link(visitors, starter):
    """Opens a table for two with a fresh browser, sits down with another, and has the one who begins play a card."""
    host, guest = visitors(fresh=True, tell=True), visitors(fresh=True, tell=True)
    begun_by(host.page, starter)
    host.visit()
    host.page.get_by_role("button", name="With people").click()
    host.page.locator(".seat-tile", has_text="2").click()
    host.page.get_by_role("button", name="Open a table").click()
    guest.page.goto(host.page.get_by_role("textbox", name="Link", exact=True).input_value())
    guest.page.get_by_role("button", name="Sit down").click()
    for number, one in enumerate((host, guest)):
        one.page.locator(OWN_HAND).first.wait_for()
        one.page.wait_for_function(
            f"() => {TABLE}.game?.to_act === {starter} && {TABLE}.game?.viewer.seat === {number}"
        )
    first, other = (host, guest)[starter], (host, guest)[1 - starter]
    first.page.locator(OFFERED).first.wait_for()
    act(first.page)
    other.page.wait_for_function(f"() => {TABLE}.lines.some(({{type}}) => type === 'card_played')")
    for one in (host, guest):
        assert one.page.get_by_text("The cards are being shuffled").count() == 0
        one.close()


def act(page):
    """Takes the first thing offered until the first card of the game is on its way."""
    while not page.evaluate(PLAYED):
        page.locator(f".asking {OFFERED}, .hand {OFFERED}").first.click()


@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.soak)])
@pytest.mark.parametrize("starter", [0, 1])
def test_a_guest_who_takes_the_last_seat_by_link_plays_on_a_busy_machine(visitors, starter, times):
    with busy_machine():
        for _ in range(times):
            sit_down_by_link(visitors, starter)


def company(api, *others):
    """A public table for three that Ann has opened, and where others sit: Ann, and the table's id."""
    ann = api.player("Ann")
    game = api.call("POST", "/games", COMPANY, ann["token"])["id"]
    for player in others:
        api.call("POST", f"/games/{game}/seats", {}, player["token"])
    return ann, game


HELD = """() => {
  const wait = window.setTimeout;
  window.held = null;
  window.setTimeout = (go, ms) => (held || ms <= 250 ? wait(go, ms) : (window.held = go, 0));
}"""
"""The next pause that is as long as that after a sentence lasts until the test ends it."""


def test_what_was_on_its_way_to_who_looked_before_is_dropped(visitors, api):
    _, game = company(api)
    ben = visitors(tell=True)
    ben.visit(f"games/{game}")
    sit = ben.page.get_by_role("button", name="Sit down")
    sit.wait_for()
    # Somebody else sits down, and the page goes on telling that. Meanwhile the reader sits down, too.
    ben.page.evaluate(HELD)
    api.call("POST", f"/games/{game}/seats", {}, api.player("Cia")["token"])
    ben.page.wait_for_function(f"() => {TABLE}.telling")
    before = ben.page.evaluate_handle(f"{TABLE}.viewing")
    sit.click()
    ben.page.locator(OWN_HAND).first.wait_for()
    ben.page.evaluate(SEEN)
    ben.page.evaluate("before => { before.catchUp(); held(); }", before)
    ben.page.wait_for_function("before => !before.telling", arg=before)
    assert ben.page.evaluate(f"{TABLE}.game.viewer.seat") == 2
    assert ben.page.evaluate("seen.every(([, seat]) => seat === 2)")


def test_nothing_older_is_shown_when_a_view_comes_late(visitors, api):
    ben, (_, game) = api.player("Ben"), company(api)
    one = visitors()
    one.become(ben)
    one.visit(f"games/{game}")
    one.page.get_by_role("button", name="Sit down").wait_for()
    old = api.call("GET", f"/games/{game}", token=ben["token"])
    api.call("POST", f"/games/{game}/seats", {}, api.player("Cia")["token"])
    one.page.wait_for_function(f"() => {TABLE}.game?.version > {old['version']}")
    one.page.evaluate(SEEN)
    intercept(one.page, f"**/v1/games/{game}", lambda route: route.fulfill(json=old), times=1)
    one.page.evaluate(f"{TABLE}.again()")
    one.page.get_by_role("button", name="Sit down").click()
    one.page.locator(OWN_HAND).first.wait_for()
    versions = one.page.evaluate("seen.map(([version]) => version)")
    assert versions == sorted(versions)


def test_another_tab_sits_down(visitors, api):
    _, game = company(api, api.player("Cia"))
    one = visitors()
    one.visit(f"games/{game}")
    one.page.get_by_role("button", name="Sit down").wait_for()
    other = one.another_tab()
    other.goto(one.page.url)
    other.get_by_role("button", name="Sit down").click()
    for page in (other, one.page):
        page.locator(OWN_HAND).first.wait_for()


def test_a_token_that_another_tab_has_made_anew_is_used_at_once(visitors, api):
    ann, game = company(api, api.player("Ben"), api.player("Cia"))
    one = visitors()
    one.become(ann)
    one.visit(f"games/{game}")
    one.page.locator(OWN_HAND).first.wait_for()
    token = api.call("POST", "/players/me/token", token=ann["token"])["token"]
    other = one.another_tab()
    other.goto(f"{one.base}/")
    with one.page.expect_response("**/frames/stream?*") as opened:
        other.evaluate(BECOME, ann | {"token": token})
    assert opened.value.ok
    api.call("DELETE", f"/games/{game}/seats/me", token=token)
    one.page.wait_for_function(f"() => {TABLE}.own?.left")


def test_another_player_in_another_tab_sees_nothing_of_the_one_before(visitors, api):
    ben = api.player("Ben")
    ann, game = company(api, ben, api.player("Cia"))
    one = visitors()
    one.become(ann)
    one.visit(f"games/{game}")
    one.page.locator(OWN_HAND).first.wait_for()
    other = one.another_tab()
    other.goto(f"{one.base}/")
    one.page.evaluate(SEEN)
    other.evaluate(BECOME, ben)
    one.page.wait_for_function(f"() => {TABLE}.game?.viewer.seat === 1")
    one.page.locator(OWN_HAND).first.wait_for()
    # Before the player changes, whatever the other tab keeps has the table drawn once more.
    seats = "player => [...new Set(seen.filter(([, , who]) => who === player).map(([, seat]) => seat))]"
    assert one.page.evaluate(seats, ben["id"]) == [1]


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_who_leaves_in_another_tab_may_sit_down_again_or_is_told_what_is_needed(visitors, api, visibility):
    ann, ben = api.player("Ann"), api.player("Ben")
    table = api.call("POST", "/games", COMPANY | {"visibility": visibility}, ann["token"])
    game = table["id"]
    code = {"join_code": table["join_code"]} if visibility == "unlisted" else {}
    api.call("POST", f"/games/{game}/seats", code, ben["token"])
    one = visitors()
    one.become(ben)
    one.visit(f"games/{game}")
    one.page.get_by_role("button", name="Leave the table").wait_for()
    api.call("DELETE", f"/games/{game}/seats/me", token=ben["token"])
    if visibility == "unlisted":
        field = one.page.get_by_role("textbox", name="Code or link")
        field.fill(table["join_code"])
        field.press("Enter")
    one.page.get_by_role("button", name="Sit down").click()
    one.page.get_by_role("button", name="Leave the table").wait_for()


def test_a_seat_that_was_taken_while_the_stream_was_down_is_ones_own_afterwards(visitors, api):
    ben, (_, game) = api.player("Ben"), company(api, api.player("Cia"))
    one = visitors()
    one.become(ben)
    one.visit(f"games/{game}")
    one.page.get_by_role("button", name="Sit down").wait_for()
    one.context.set_offline(True)
    one.page.locator(".line-state").wait_for()
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    one.context.set_offline(False)
    one.page.locator(OWN_HAND).first.wait_for()
