"""Focus is not lost with what had it."""

import pytest

from tests.web.table.test_card_texts import SMALL, seated

FOCUS = "document.querySelector('billet-table').shadowRoot.activeElement"


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
