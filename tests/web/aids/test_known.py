"""What each may hold: drawn as the service counts it, asked for while it lies open, and the reader's to switch on."""

import pytest

from tests.web.aids.drawn import SETUP, asked, drawn, wanted
from tests.web.browser import SMALL, TABLE, WIDE, intercept
from tests.web.tables import HELD, WITHOUT_AIDS, asked_at, sandbox

SWITCH = "What each may hold"


def three(visitors, api, **more):
    """Ann, who has seen the hand of Ben, and looks; and how the three act."""
    one = visitors(**more)
    players = [api.player(name) for name in ("Ann", "Ben", "Cleo")]
    game = api.call("POST", "/games", SETUP, players[0]["token"])["id"]
    for other in players[1:]:
        api.call("POST", f"/games/{game}/seats", {}, other["token"])

    def act(seat, card, *targets):
        action = {"type": "play_card", "card": card, "targets": [*targets]}
        return api.call("POST", f"/games/{game}/actions", action, players[seat]["token"])["version"]

    act(0, "priest", 1)
    one.become(players[0])
    one.visit(f"games/{game}")
    one.page.locator(".hand .held-card").first.wait_for()
    return one, act, game, players[0]["token"]


def test_it_is_off_until_it_is_switched_on_and_then_remembered(visitors, api):
    one, _, game, token = three(visitors, api)
    page = one.page
    page.keyboard.press("u")
    page.get_by_label(SWITCH).wait_for()
    assert not page.get_by_label(SWITCH).is_checked()
    assert asked(one) == []
    page.get_by_label(SWITCH).check()
    page.locator(".chances").first.wait_for()
    found = api.call("GET", f"/games/{game}/deductions", token=token)
    assert drawn(page) == wanted(found)
    assert page.locator(".facts").inner_text() == "Certain: King. You look at the hand of Ben and see the King"
    assert one.violations() == []
    page.reload()
    page.locator(".hand .held-card").first.wait_for()
    page.keyboard.press("u")
    page.locator(".chances").first.wait_for()
    page.get_by_label(SWITCH).uncheck()
    page.locator(".knowable").wait_for(state="detached")


@pytest.mark.parametrize(("more", "close"), [({"viewport": WIDE}, "#tab-log"), (SMALL, ".top .close")])
def test_it_is_asked_for_once_a_version_and_only_while_it_lies_open(visitors, api, more, close):
    one, act, game, token = three(visitors, api, **more)
    page = one.page
    page.keyboard.press("u")
    page.get_by_label(SWITCH).check()
    page.locator(".chances").first.wait_for()
    version = act(1, "spy")
    page.locator(".knowable[aria-busy=false]").wait_for()
    page.wait_for_function(f"version => {TABLE}.known.found?.version === version", arg=version)
    assert drawn(page) == wanted(api.call("GET", f"/games/{game}/deductions", token=token))
    page.locator(close).click()
    newest = act(2, "spy")
    page.locator(".hand [data-option]").first.wait_for()
    assert page.evaluate(f"[{TABLE}.game.version, {TABLE}.known.version]") == [newest, version]
    assert len(asked(one)) == len(set(asked(one))) == 2


def test_the_end_of_a_round_says_what_the_hands_that_lie_open_show(visitors, api):
    one = visitors(tell=True)
    page = one.page
    page.add_init_script(HELD)
    last = {"hands": [["guard", "countess"], ["priest"]], "deck": [], "protected": [1], "turn": 0}
    one.open_table(api, sandbox("standard", 2, last))
    page.keyboard.press("u")
    page.get_by_label(SWITCH).check()
    page.locator(".chances").first.wait_for()
    page.locator(".held-card[data-card=guard]").click()
    page.locator(".send").click()
    page.locator(".next").wait_for()
    page.wait_for_function(f"() => {TABLE}.known.found?.version === {TABLE}.lines.at(-1).version")
    page.locator(".knowable[aria-busy=false]").wait_for()
    assert drawn(page)[0][1] == [["priest", "100%"]]


def test_drawn_deals_say_how_far_off_they_may_be(visitors, api):
    one, _, _, _ = three(visitors, api, locale="de")
    page = one.page

    def sampled(route):
        found = route.fetch().json()
        route.fulfill(json={**found, "deals": {"count": None, "exact": False, "error": 0.0213}})

    intercept(page, "**/deductions?*", sampled)
    page.keyboard.press("u")
    page.get_by_label("Was alle haben können").check()
    page.get_by_text("kann um 2 % daneben liegen").wait_for()


def test_a_table_without_aids_has_none(visitors, api):
    one = visitors()
    asked_at(one, api, WITHOUT_AIDS)
    one.page.keyboard.press("u")
    assert one.page.get_by_role("tab").all_inner_texts() == ["Log", "Cards", "Notes"]
    assert asked(one) == []
