"""Strangers find each other: they wait on the start page, or play bots meanwhile, and come to one table."""

import re

import pytest

from engine.editions import EDITIONS
from tests.web.browser import SMALLEST, TABLE
from tests.web.ways import stored
from tools.testbed.waiting import wait_until

PLAY = {"en": "Play With", "de": "Spielen Mit"}
BOTS = {"en": "Against bots", "de": "Gegen Bots"}
FILL = {"en": "Bots may take empty seats", "de": "dürfen Bots leere Plätze einnehmen"}
THERE = {"en": "To the table", "de": "Zum Tisch"}
STOP = {"en": "Stop waiting", "de": "Nicht mehr warten"}
HEARD = """
if (location.protocol === "http:") {
  const own = new Set(), { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (said) { own.add(said.tab); postMessage.call(this, said); };
  const channel = new BroadcastChannel("billet.waiting");
  channel.addEventListener("message", ({ data }) => { window.heard ||= !own.has(data.tab); });
}
"""
"""From now on, `heard` becomes true once a page knows of another tab that waits: it hears what it says itself, too."""


def seeking(visitors, edition, language="en", **more):
    """Returns somebody new who has asked for opponents; if others wait, they may be at the table at once."""
    one = visitors(locale=language, **more)
    one.visit()
    one.page.locator("input[name=edition]").nth([*EDITIONS].index(edition)).check()
    one.page.get_by_role("checkbox", name=FILL[language]).uncheck()  # bots come to those who have waited for long
    one.page.get_by_role("button", name=PLAY[language]).click()
    return one


def waiting(visitors, edition, language="en", **more):
    """Returns somebody new who waits for opponents; nobody else does."""
    one = seeking(visitors, edition, language, **more)
    one.page.get_by_role("button", name=STOP[language]).wait_for()
    return one


def test_two_strangers_come_to_one_table_and_have_cards(visitors):
    ann = waiting(visitors, "classic")
    assert "Nobody else waits" in ann.page.get_by_role("status").all_inner_texts()[-1]
    bob = seeking(visitors, "classic", "de")
    games = set()
    for one in (ann, bob):
        one.page.locator(".hand .held-card").first.wait_for()
        games.add(re.search(r"/games/(\w+)", one.page.url)[1])
        assert one.page.evaluate(f"{TABLE}.game.status") == "active"
    assert len(games) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_has_waited_enough_may_stop_and_nothing_is_left(visitors, api, language):
    one = waiting(visitors, "lovecraft", language, viewport=SMALLEST)
    stop = one.page.get_by_role("button", name=STOP[language])
    assert stop.evaluate("button => button.getRootNode().activeElement === button")
    assert one.page.evaluate("document.documentElement.scrollWidth") == SMALLEST["width"]
    assert one.violations() == []
    stop.click()
    one.page.get_by_role("button", name=PLAY[language]).wait_for()
    assert api.call("GET", "/players/me/games", token=one.token())["items"] == []
    wishes = {"edition": "lovecraft", "seats": [2], "clock": {"seconds": 60}}
    ticket = api.call("POST", "/queue", wishes, one.token())
    api.call("DELETE", f"/queue/{ticket['id']}", token=one.token())
    assert ticket["waiting"] == 1, "only this one waited"


def test_whoever_leaves_the_page_waits_no_more(visitors, api):
    one = waiting(visitors, "lovecraft")
    token, ticket = one.token(), stored(one, "ticket")["id"]
    one.page.goto("about:blank")
    wait_until(lambda: api.call("GET", f"/queue/{ticket}", token=token)["state"] == "cancelled")


def test_a_tab_that_is_closed_stops_no_other_tab_from_waiting(visitors, api):
    one = waiting(visitors, "lovecraft")
    one.page.evaluate(HEARD)
    token, ticket = one.token(), stored(one, "ticket")["id"]
    other = one.another_tab()
    other.goto(one.base)
    other.get_by_role("button", name=STOP["en"]).wait_for()
    one.page.wait_for_function("() => window.heard")
    one.page.goto("about:blank")
    one.page.add_init_script(HEARD)
    one.page.goto(one.base)
    one.page.get_by_role("button", name=STOP["en"]).wait_for()
    assert stored(one, "ticket")["id"] == ticket
    one.page.wait_for_function("() => window.heard")
    one.page.goto("about:blank")
    state = api.call("GET", f"/queue/{ticket}", token=token)["state"]
    assert state == "waiting", "the other tab is open"
    other.goto("about:blank")
    wait_until(lambda: api.call("GET", f"/queue/{ticket}", token=token)["state"] == "cancelled")


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("de", "light")])
def test_who_waits_may_play_bots_meanwhile_and_is_led_to_the_opponents(visitors, language, theme):
    ann = waiting(visitors, "premium", language, viewport=SMALLEST, color_scheme=theme)
    ticket = stored(ann, "ticket")["id"]
    ann.page.get_by_role("button", name=BOTS[language]).click()
    ann.page.locator(".hand .held-card").first.wait_for()
    bots, found = ann.page.url, [ann.violations()]
    ann.page.get_by_role("button", name=STOP[language]).wait_for()
    ann.page.get_by_role("link", name="Billet").click()
    ann.page.locator(".way.bots").wait_for()
    assert stored(ann, "ticket")["id"] == ticket, "neither the way there nor the way back has ended it"
    ann.page.get_by_role("button", name=STOP[language]).wait_for()
    ann.page.evaluate("address => location.assign(address)", bots)
    seeking(visitors, "premium")
    there = ann.page.get_by_role("link", name=THERE[language])
    there.wait_for()
    assert ann.page.evaluate("document.documentElement.scrollWidth") == SMALLEST["width"]
    assert [*found, ann.violations()] == [[], []]
    there.click()
    ann.page.wait_for_url(lambda url: "/games/" in url and url != bots)
    ann.page.locator(".hand .held-card").first.wait_for()
    assert stored(ann, "ticket") is None


def test_who_stops_waiting_at_a_table_stays_there(visitors, api):
    one = waiting(visitors, "lovecraft")
    ticket = stored(one, "ticket")["id"]
    one.page.get_by_role("button", name=BOTS["en"]).click()
    one.page.locator(".hand .held-card").first.wait_for()
    one.page.get_by_role("button", name=STOP["en"]).click()
    one.page.get_by_role("button", name=STOP["en"]).wait_for(state="detached")
    assert one.page.evaluate(f"{TABLE}.game.status") == "active"
    assert api.call("GET", f"/queue/{ticket}", token=one.token())["state"] == "cancelled"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_way_to_opponents_is_accessible_and_fits(visitors, language):
    one = visitors(locale=language, viewport=SMALLEST)
    one.visit()
    one.page.get_by_role("button", name=PLAY[language]).wait_for()
    assert one.page.evaluate("document.documentElement.scrollWidth") == SMALLEST["width"]
    assert one.violations() == []
