"""A stream that has gone silent and is not closed, as after a phone has changed networks: it is noticed, and left."""

import re
from contextlib import closing

import pytest

from tests.web.browser import TABLE
from tests.web.tables import ENDING, WON
from tools.players.tables import CREATOR, OPEN
from tools.testbed.relay import Relay

NOTICE = ".line-state"
LATER = "ms => { const { now } = Date; Date.now = () => now() + ms; }"
"""So much time has passed."""
TOO_LONG, A_MOMENT = 36_000, 2_000
NOTICED = """() => {
  const root = document.querySelector("billet-table").shadowRoot;
  const look = () => { window.noticed ||= root.querySelector(".line-state") !== null; };
  new MutationObserver(look).observe(root, { subtree: true, childList: true });
}"""
"""From now on, `noticed` becomes true with the notice, which goes again once another stream is open."""
COMES_BACK = {
    "to the tab": "document.dispatchEvent(new Event('visibilitychange'))",
    "to the window": "window.dispatchEvent(new Event('focus'))",
    "to the page": "window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))",
}


@pytest.fixture
def relay(served):
    with closing(Relay(served.port)) as made:
        yield made


@pytest.fixture
def company(visitors, api, relay):
    """Two at a table, whose first card the second plays: the page of the first behind the relay, and what moves on."""
    one, ann, ben = visitors(f"http://127.0.0.1:{relay.port}"), api.player("Ann"), api.player("Ben")
    one.become(ann)
    table = {"edition": "standard", "seats": [CREATOR, OPEN], "starter": 1}
    game = api.call("POST", "/games", table, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    with one.page.expect_response(lambda response: "/frames/stream?" in response.url):
        one.visit(f"games/{game}")
    one.page.locator(".hand .held-card").first.wait_for()

    def moved():
        action = api.call("GET", f"/games/{game}", token=ben["token"])["legal_actions"][0]["action"]
        return api.call("POST", f"/games/{game}/actions", action, ben["token"])["version"]

    yield one, moved
    one.close()
    one.troubles = [said for said in one.troubles if "ERR_" not in said]


def caught_up(page, version):
    page.wait_for_function(f"version => {TABLE}.game?.version >= version", arg=version)


@pytest.mark.parametrize("later", [False, True])
def test_a_silent_stream_is_said_to_be_down_and_left_for_another(company, relay, later):
    one, moved = company
    relay.hush(later=later)
    version = moved()
    one.page.evaluate(NOTICED)
    one.page.evaluate(LATER, TOO_LONG)
    one.page.wait_for_function("() => window.noticed")
    relay.speak()
    caught_up(one.page, version)
    one.page.locator(NOTICE).wait_for(state="detached")


@pytest.mark.parametrize("comes", COMES_BACK)
def test_who_comes_back_looks_at_once(company, relay, comes):
    one, moved = company
    relay.hush()
    version = moved()
    one.page.evaluate(LATER, A_MOMENT)
    one.page.evaluate(COMES_BACK[comes])
    caught_up(one.page, version)
    one.page.locator(NOTICE).wait_for(state="detached")


def test_the_lobby_is_looked_at_anew(visitors, api, relay):
    one, host = visitors(f"http://127.0.0.1:{relay.port}"), api.player("Ophelia")
    one.visit()
    one.page.get_by_role("heading", name="Open tables").wait_for()
    relay.hush(later=True)
    game = api.call("POST", "/games", {"edition": "standard", "seats": [CREATOR, OPEN]}, host["token"])["id"]
    one.page.evaluate(LATER, TOO_LONG)
    one.page.get_by_role("status").filter(has_text=re.compile("connection", re.IGNORECASE)).wait_for()
    relay.speak()
    one.page.locator(f"[href$='{game}']").wait_for()
    one.close()
    one.troubles = [said for said in one.troubles if "ERR_" not in said]


def test_an_invitation_to_a_rematch_comes_through(visitors, api, relay):
    one, ann, ben = visitors(f"http://127.0.0.1:{relay.port}"), api.player("Ann"), api.player("Ben")
    game = api.call("POST", "/games", ENDING, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    api.call("POST", f"/games/{game}/actions", WON, ann["token"])
    one.become(ben)
    with one.page.expect_response("**/players/me/events/stream?*"):
        one.visit(f"games/{game}")
    one.page.get_by_role("button", name="Rematch").wait_for()
    relay.hush()
    api.call("POST", f"/games/{game}/rematch", {}, ann["token"])
    one.page.evaluate(LATER, TOO_LONG)
    one.page.get_by_role("button", name="Play again").wait_for()
    one.close()
    one.troubles = [said for said in one.troubles if "ERR_" not in said]
