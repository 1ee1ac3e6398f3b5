"""The text of a card where it lies: by mouse, by keys, by touch; inside the window; closed by Escape."""

import re

from tests.web.browser import SMALL, TABLE
from tests.web.tables import MIDDLE, sandbox, seated
from tools.players.tables import CREATOR, OPEN

INSIDE = """() => {
  const tip = document.querySelector("billet-table").shadowRoot.querySelector(".tip");
  const {left, top, right, bottom} = tip.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}"""
LONG = sandbox("lovecraft", 3, {"hands": [["professor_henry_armitage", "necronomicon"]], "turn": 0})
"""The longest name, and the longest short text in German."""
CUT = """texts => texts.filter(text => {
  const card = text.closest(".card").getBoundingClientRect();
  return text.scrollHeight > text.clientHeight + 1 || text.getBoundingClientRect().bottom > card.bottom;
}).length"""


def test_every_card_tells_its_text_by_mouse_and_by_keys(visitors, api):
    page, tip, one = seated(visitors, api)
    page.locator(".hand .held-card").nth(1).hover()
    tip.filter(has_text="5 · Prince").wait_for()
    page.get_by_role("button", name="3 Baron").hover()
    tip.filter(has_text="3 · Baron").wait_for()
    assert page.get_by_role("button", name="3 Baron").get_attribute("aria-describedby") == "tip"
    assert one.violations() == []
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    page.mouse.move(0, 0)
    page.get_by_role("button", name="2 Priest").focus()
    page.keyboard.press("ArrowRight")
    tip.filter(has_text="4 · Handmaid").wait_for()
    page.keyboard.press("Tab")
    tip.filter(has_text="Handmaid").wait_for(state="hidden")


def test_a_card_that_comes_to_lie_below_a_mouse_at_rest_does_not_tell_its_text(visitors, api):
    one = visitors(fresh=True)  # a clock stays with the browser
    one.page.clock.install()
    one.open_table(api, MIDDLE)
    one.page.get_by_role("button", name="3 Baron").dispatch_event("pointerover", {"pointerType": "mouse"})
    one.page.clock.run_for(1000)
    assert one.page.get_by_role("tooltip").is_hidden()


def test_a_card_that_is_held_shows_its_whole_short_text(visitors, api):
    page, _, _ = seated(visitors, api, LONG, locale="de")
    for width, height in ((1280, 720), (412, 820)):
        page.set_viewport_size({"width": width, "height": height})
        texts = page.locator(".hand .text")
        assert [text for text in texts.all_inner_texts() if text] != []
        assert texts.evaluate_all(CUT) == 0, width


def test_a_tap_and_a_long_press_tell_it_on_a_small_screen(visitors, api):
    page, tip, _ = seated(visitors, api, **SMALL)
    for name in ("2 Priest", "1 Guard", "3 Baron"):
        page.get_by_role("button", name=re.compile(f"^{name}$")).first.tap()
        tip.filter(has_text=name.replace(" ", " · ")).wait_for()
        assert page.evaluate(INSIDE), name
    held = page.locator(".hand .held-card").nth(1)
    held.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    tip.filter(has_text="5 · Prince").wait_for()
    assert page.evaluate(INSIDE)
    held.dispatch_event("click")
    assert page.evaluate(f"{TABLE}.chosen") == [], "a long press takes no card"
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    held.tap()
    page.locator(".held-card.chosen").wait_for()
    covered = page.locator(".asking .covered")
    assert covered.text_content() == api.call("GET", "/editions/standard?language=en")["cards"][5]["text"]
    page.set_viewport_size({"width": 1280, "height": 720})
    covered.wait_for(state="hidden")


def test_the_rules_lie_open_beside_a_table_that_waits_and_closed_beside_a_game(visitors, api):
    one = visitors(locale="de")
    waiting = {"edition": "standard", "seats": [CREATOR, OPEN]}
    for table, opened in ((waiting, True), (MIDDLE, False)):
        player = api.player("Ann")
        game = api.call("POST", "/games", table, player["token"])["id"]
        one.visit(f"games/{game}")
        cards = one.page.get_by_role("tab", name="Karten")
        cards.wait_for()
        assert (cards.get_attribute("aria-selected") == "true") == opened
        cards.click()
        one.page.get_by_text("So wird gespielt").wait_for()
        assert one.page.locator("details p").is_visible() == opened
        assert one.violations() == []


def test_a_card_that_is_played_insane_shows_its_insane_text(visitors, api):
    position = {"hands": [["nyarlathotep", "elder_sign"]], "discards": [["golden_mead"]], "turn": 0}
    page, _, _ = seated(visitors, api, sandbox("lovecraft", 2, position))
    insane = "Collect the hands of all other players"
    page.locator(".texts dd", has_text=insane).wait_for()
    page.set_viewport_size(SMALL["viewport"])
    page.locator(".hand [data-card=nyarlathotep]").click()
    page.locator(".kind-face .option").nth(1).click()
    page.locator(".covered", has_text=insane).wait_for()
