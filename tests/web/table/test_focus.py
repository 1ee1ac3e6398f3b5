"""Focus is not lost with what had it: a sheet that is closed, the button to resign. It follows what is seen."""

import pytest

from tests.web.browser import SMALL, TABLE
from tests.web.tables import BOT, seated
from tools.players.tables import CREATOR, OPEN

FOCUS = f"{TABLE}.shadowRoot.activeElement"
COMPANY = {"edition": "standard", "seats": [CREATOR, OPEN, BOT], "visibility": "public"}


@pytest.mark.parametrize("name", ["Log", "Cards"])
def test_a_sheet_takes_focus_and_gives_it_back_to_the_button_that_opened_it(visitors, api, name):
    page, _, _ = seated(visitors, api, **SMALL)
    for close in ("tap", "Enter", "Escape"):
        page.get_by_role("button", name=name, exact=True).tap()
        page.wait_for_function(f"() => {FOCUS}.id === 'panel'")
        if close == "tap":
            page.get_by_role("button", name="Close").tap()
        elif close == "Enter":
            page.get_by_role("button", name="Close").press("Enter")
        else:
            page.keyboard.press("Escape")
        page.locator(".side").wait_for(state="hidden")
        assert page.evaluate(f"{FOCUS}.textContent") == name, close


def test_the_tab_key_comes_to_what_lies_on_top_first_on_a_phone(visitors, api):
    page, _, _ = seated(visitors, api, **SMALL)
    page.get_by_role("button", name="Settings").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(f"{FOCUS}.textContent") == "Log"


def test_the_question_whether_to_resign_can_be_asked_again_as_soon_as_it_is_closed(visitors, api):
    page, _, _ = seated(visitors, api)
    page.get_by_role("button", name="Resign").click()
    page.evaluate(f"""() => new Promise((closed) => {{
      const dialog = {TABLE}.shadowRoot.querySelector("dialog");
      dialog.addEventListener("close", closed);
      dialog.close();
      [...{TABLE}.shadowRoot.querySelectorAll("button")].find((one) => one.textContent === "Resign").click();
    }})""")
    page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    page.get_by_role("dialog").wait_for(state="hidden")


def test_resigning_leads_it_to_what_follows(visitors, api):
    one, player, other = visitors(), api.player("Ann"), api.player("Ben")
    one.become(player)
    game = api.call("POST", "/games", COMPANY, player["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, other["token"])
    one.visit(f"games/{game}")
    one.page.get_by_role("button", name="Resign").press("Enter")
    one.page.get_by_role("button", name="Stay").press("Enter")
    assert one.page.evaluate(f"{FOCUS}.textContent") == "Resign"
    one.page.keyboard.press("Enter")
    one.page.get_by_role("dialog").get_by_role("button", name="Resign").press("Enter")
    one.page.wait_for_function(f"() => {FOCUS}?.textContent === 'To the start page'")
    api.call("DELETE", f"/games/{game}/seats/me", token=other["token"])
    one.page.wait_for_function(f"() => {FOCUS}?.id === 'ending'")


CLOSED_AND_DRAWN = """async ([part, text]) => {
  const host = part.split(" ").reduce((root, name) => (root.shadowRoot ?? root).querySelector(name), document);
  [...host.shadowRoot.querySelectorAll("dialog button")].find((one) => one.textContent.trim() === text).click();
  host.update();
  await null;
  return host.shadowRoot.querySelectorAll("dialog[open]").length;
}"""
"""Closes a dialog by a button, and draws what is behind it before the browser tells that it is closed."""


@pytest.mark.parametrize(
    ("part", "opens", "closes"),
    [
        ("billet-table", "Resign", "Stay"),
        ("billet-table", "Resign", "Resign"),
        ("billet-table", "Keys", "Close"),
        ("billet-bar billet-settings", "Settings", "Close"),
        ("billet-start", "How it is played", "\N{MULTIPLICATION SIGN}"),
    ],
)
def test_a_dialog_that_is_closed_stays_closed_whatever_is_drawn(visitors, api, part, opens, closes):
    page, _, one = seated(visitors, api)
    if part == "billet-start":
        one.visit()
    for _ in range(1 if closes == "Resign" else 2):
        page.get_by_role("button", name=opens, exact=True).click()
        page.get_by_role("dialog").wait_for()
        assert page.evaluate(CLOSED_AND_DRAWN, [part, closes]) == 0
        page.get_by_role("dialog").wait_for(state="detached")


def test_the_question_whether_to_resign_goes_with_the_game(visitors, api):
    one, player, other = visitors(), api.player("Ann"), api.player("Ben")
    one.become(player)
    table = {"edition": "standard", "seats": [CREATOR, OPEN]}
    game = api.call("POST", "/games", table, player["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, other["token"])
    one.visit(f"games/{game}")
    one.page.get_by_role("button", name="Resign").click()
    one.page.get_by_role("dialog").wait_for()
    api.call("DELETE", f"/games/{game}/seats/me", token=other["token"])
    one.page.get_by_role("dialog").wait_for(state="detached")
    one.page.get_by_role("heading", name="You win").wait_for()
    one.page.wait_for_function(f"() => {FOCUS}?.id === 'ending'")
