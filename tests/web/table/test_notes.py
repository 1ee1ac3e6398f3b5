"""Notes on what rivals may hold: made by keys or mouse, kept in the browser for a round, shown at the seat."""

import pytest

from tests.web.browser import SMALLEST, TABLE, WIDE
from tests.web.tables import BOT, sandbox
from tools.players.tables import CREATOR, OPEN

SETUP = sandbox("standard", 2, {"hands": [["guard", "prince"], ["priest"]], "turn": 0})
GUESS = {"type": "play_card", "card": "guard", "targets": [1], "guess": "priest"}


def marks(page):
    """The marks that are made, as a screen reader tells them."""
    labels = page.locator(".mark").evaluate_all("marks => marks.map((mark) => mark.ariaLabel)")
    return [label for label in labels if not label.endswith(("no note", "keine Notiz"))]


def test_notes_are_made_by_keys_and_last_for_the_round(visitors, api):
    one = visitors()
    game, token = one.open_table(api, SETUP)
    one.page.keyboard.press("n")
    one.page.get_by_role("button", name="Hanna, Spy: no note").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter", "ArrowUp", "Enter", "Enter"):
        one.page.keyboard.press(key)
    one.page.get_by_role("button", name="Hanna, Guard: no", exact=True).wait_for()
    assert marks(one.page) == ["Hanna, Guard: no", "Hanna, Priest: perhaps"]
    assert one.page.locator(".state.note").all_inner_texts() == ["Note: Priest?", "Note: not Guard"]
    assert one.page.locator(".mark[tabindex='0']").count() == 1
    other = one.another_tab()
    other.goto(one.page.url)
    other.get_by_role("tab", name="Notes").click()
    other.get_by_role("button", name="Hanna, Priest: perhaps").click()
    one.page.get_by_role("button", name="Hanna, Priest: no", exact=True).click()
    other.get_by_role("button", name="Hanna, Priest: no note").click()
    one.page.get_by_role("button", name="Hanna, Priest: perhaps").wait_for()
    one.page.reload()
    one.page.get_by_role("tab", name="Notes").click()
    one.page.get_by_role("button", name="Hanna, Priest: perhaps").wait_for()
    assert len(marks(one.page)) == 2
    api.call("POST", f"/games/{game}/actions", GUESS, token)
    one.page.get_by_role("button", name="Hanna, Priest: no note").wait_for()
    assert marks(one.page) == []
    assert one.page.locator(".state.note").count() == 0


FOCUS = f"{TABLE}.shadowRoot.activeElement?."


@pytest.mark.parametrize("viewport", [WIDE, SMALLEST])
@pytest.mark.parametrize("key", ["n", "Escape"])
def test_focus_goes_into_the_notes_and_back(visitors, api, viewport, key):
    one = visitors(viewport=viewport)
    one.open_table(api, SETUP)
    one.page.keyboard.press("ArrowRight")
    assert one.page.evaluate(f"{FOCUS}dataset.card") == "prince"
    one.page.keyboard.press("n")
    one.page.keyboard.press("Enter")
    one.page.get_by_role("button", name="Hanna, Spy: perhaps").wait_for()
    one.page.keyboard.press(key)
    assert one.page.evaluate(f"{FOCUS}dataset.card") == "prince"
    one.page.keyboard.press("n")
    one.page.keyboard.press("ArrowDown")
    assert one.page.evaluate(f"{FOCUS}ariaLabel") == "Hanna, Guard: no note"


def test_focus_stays_with_a_rival_while_another_goes_out(visitors, api):
    one = visitors()
    one.become(player := api.player("Ann"))
    setup = SETUP | {"seats": [CREATOR, BOT, OPEN, BOT]}
    game = api.call("POST", "/games", setup, player["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, api.player("Ben")["token"])
    one.visit(f"games/{game}")
    one.page.locator(".hand [data-option]").first.wait_for()
    one.page.keyboard.press("n")
    for key in ("ArrowRight", "Enter"):
        one.page.keyboard.press(key)
    assert one.page.evaluate(f"{FOCUS}ariaLabel") == "Ben, Spy: perhaps"
    api.call("POST", f"/games/{game}/actions", GUESS, player["token"])
    one.page.get_by_role("columnheader", name="Hanna", exact=True).wait_for(state="hidden")
    assert one.page.evaluate(f"{FOCUS}ariaLabel") == "Ben, Spy: perhaps"
    one.page.keyboard.press("ArrowLeft")
    assert one.page.evaluate(f"{FOCUS}ariaLabel") == "Ben, Spy: perhaps", "nobody is to the left any more"


def test_they_fit_the_smallest_screen_in_german(visitors, api):
    one = visitors(viewport=SMALLEST, locale="de", color_scheme="dark")
    one.open_table(api, sandbox("premium", 8, {"hands": [["guard", "prince"]], "turn": 0}))
    one.page.get_by_role("button", name="Karten").click()
    panel = one.page.locator(".panel")
    one.page.get_by_role("tab", name="Verlauf").click()
    one.page.locator(".log").wait_for()
    assert panel.evaluate("panel => panel.scrollTop") > 0, "a log is read from its end"
    one.page.get_by_role("tab", name="Notizen").click()
    one.page.locator(".notes").wait_for()
    assert panel.evaluate("panel => panel.scrollTop") == 0
    one.page.get_by_role("button", name="Lotte, Bischof: keine Notiz").click()
    one.page.get_by_role("button", name="Lotte, Bischof: vielleicht").wait_for()
    assert panel.evaluate("panel => panel.scrollTop") > 0
    tops = "panel => [panel, panel.querySelector('thead th')].map((part) => part.getBoundingClientRect().top)"
    above, names = panel.evaluate(tops)
    assert names >= above, "whose column it is stays in sight"
    assert one.violations() == []
    assert one.page.evaluate("document.documentElement.scrollWidth") == 320
    assert panel.evaluate("panel => panel.scrollWidth - panel.clientWidth") == 0
    one.page.get_by_role("button", name="Notizen löschen").click()
    one.page.get_by_role("button", name="Lotte, Bischof: keine Notiz").wait_for()
