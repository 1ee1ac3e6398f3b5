"""A browser that keeps nothing: a page remembers who plays, and hands it on to the next one, in no address."""

import re

import pytest

from tests.web.browser import SMALL
from tests.web.ways import HELD, WAYS, press, sits

REFUSED = "throw new DOMException('refused', 'SecurityError')"
KINDS = {
    "blocked": f"Object.defineProperty(window, 'localStorage', {{ get() {{ {REFUSED} }} }})",
    "none": "Object.defineProperty(window, 'localStorage', { value: null })",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }",
}
"""What a browser does with strict settings, without the interface, and with no room left."""
TOKEN = "history.state?.billet?.player"


@pytest.fixture(params=KINDS)
def one(request, visitors):
    visitor = visitors()
    visitor.page.add_init_script(KINDS[request.param])
    return visitor


def seat(one):
    one.page.locator(HELD).first.wait_for()
    return one.page.evaluate("document.querySelector('billet-table').game.viewer?.seat")


@pytest.mark.parametrize("way", WAYS)
def test_the_player_goes_along_from_page_to_page(visitors, api, way):
    one = visitors()
    one.page.add_init_script(KINDS["blocked"])
    way(one, api)
    assert sits(one)


def test_a_reload_the_way_back_and_links_keep_player_and_preferences(one):
    one.visit()
    one.page.locator("billet-notices").get_by_text("keeps nothing").wait_for()
    press(one, "Settings")
    press(one, "Dark")
    press(one, "Close")
    press(one, "Against bots")
    assert seat(one) == 0
    game = one.page.url
    one.page.reload()
    assert seat(one) == 0, "after a reload"
    one.page.go_back()
    link = one.page.get_by_role("link", name=re.compile("Go on"))
    link.click()
    assert seat(one) == 0, "after the way back, by a link"
    assert one.page.url == game
    one.page.locator(".brand").click()
    link.wait_for()
    one.page.go_back()
    assert seat(one) == 0
    one.page.go_forward()
    link.wait_for()
    assert one.page.evaluate("document.documentElement.style.colorScheme") == "dark"
    secret = one.page.evaluate(f"JSON.parse({TOKEN}).token")
    assert not [url for _, url in one.requests if secret in url]
    assert secret not in one.page.url


def test_what_cannot_work_is_said_and_can_be_closed(visitors):
    one = visitors(locale="de", **SMALL)
    one.page.add_init_script(KINDS["blocked"])
    one.visit()
    notice = one.page.locator("billet-notices").get_by_text("speichert nichts")
    notice.wait_for()
    assert one.violations() == []
    assert one.page.evaluate("document.documentElement.scrollWidth") == SMALL["viewport"]["width"]
    press(one, "OK")
    notice.wait_for(state="detached")


def test_a_browser_that_keeps_things_hands_nothing_on(visitors):
    one = visitors()
    one.visit()
    press(one, "Against bots")
    assert seat(one) == 0
    assert one.page.evaluate(f"{TOKEN} ?? null") is None
    assert one.page.locator("billet-notices").count() == 0
