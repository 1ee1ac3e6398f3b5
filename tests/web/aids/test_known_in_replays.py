"""What could be known at a moment of an ended game, by whoever is chosen; nothing of it where there is no service."""

import json

import pytest

from tests.web.aids.drawn import SETUP, asked, drawn, wanted
from tests.web.browser import intercept

SWITCH = "What could be known here"
HERE = "({known, version}) => known?.found?.version === version"


@pytest.fixture(scope="module")
def ended(api):
    """A game in which Ann looked at the hand of Ben, and which the others left."""
    tokens = [api.player(name)["token"] for name in ("Ann", "Ben", "Cleo")]
    game = api.call("POST", "/games", SETUP, tokens[0])["id"]
    for token in tokens[1:]:
        api.call("POST", f"/games/{game}/seats", {}, token)
    api.call("POST", f"/games/{game}/actions", {"type": "play_card", "card": "priest", "targets": [1]}, tokens[0])
    api.call("POST", f"/games/{game}/actions", {"type": "play_card", "card": "spy", "targets": []}, tokens[1])
    for token in tokens[1:]:
        api.call("DELETE", f"/games/{game}/seats/me", token=token)
    return game


def replay(page):
    return page.locator("billet-replay")


def open_switched_on(one, path):
    one.visit(path)
    one.page.get_by_role("slider").wait_for()
    one.page.keyboard.press("u")
    one.page.get_by_label(SWITCH).check()


def test_it_follows_the_slider_and_the_viewer_and_leads_to_what_shows_it(visitors, api, ended):
    one = visitors()
    page = one.page
    open_switched_on(one, f"replays/{ended}")
    page.get_by_text("Choose a player under “As seen by”").wait_for()
    assert asked(one) == []
    page.get_by_label("As seen by").select_option("0")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        page.locator(".chances").first.wait_for()
        page.wait_for_function(f"() => ({HERE})(document.querySelector('billet-replay'))")
        version = replay(page).evaluate("({version}) => version")
        assert drawn(page) == wanted(api.call("GET", f"/games/{ended}/deductions?at={version}&as=0"))
        if page.locator(".facts .jump").count():
            break
    assert one.violations() == []
    page.locator(".facts .jump", has_text="You look at the hand of Ben and see the King").click()
    page.locator(".sentence", has_text="You look at the hand of Ben").wait_for()
    page.get_by_label("As seen by").select_option("2")
    page.locator(".knowable section", has_text="Ann").wait_for()
    page.wait_for_function(f"() => ({HERE})(document.querySelector('billet-replay'))")
    assert page.locator(".facts").count() == 0, "Cleo has seen nothing"
    assert all("&as=" in url and "at=" in url for url in asked(one))


def test_nothing_is_asked_until_what_the_chosen_player_saw_is_on_show(visitors, api, ended):
    one, held = visitors(), []
    page = one.page
    open_switched_on(one, f"replays/{ended}")
    page.get_by_text("Choose a player under “As seen by”").wait_for()
    intercept(page, "**/frames?*as=0*", lambda route: held.append(route))
    with page.expect_request("**/frames?*as=0*"):
        page.get_by_label("As seen by").select_option("0")
    assert page.locator(".knowable").count() == 0
    held[0].continue_()
    page.locator(".chances").first.wait_for()
    assert all("&as=0" in url for url in asked(one))


def test_a_game_from_a_file_has_none_and_says_nothing_of_it(visitors, api, ended):
    one = visitors()
    open_switched_on(one, f"replays/{ended}?as=0")
    log = api.call("GET", f"/games/{ended}/log")
    one.page.locator(".knowable").wait_for()
    one.drop(json.dumps(log))
    one.page.wait_for_function("() => document.querySelector('billet-replay').source?.film")
    one.page.get_by_role("slider").wait_for()
    assert one.page.locator(".knowable, .check").count() == 0
