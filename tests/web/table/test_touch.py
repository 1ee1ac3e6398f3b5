"""By touch on a phone: what is tapped is large enough, and everything still has its room."""

import pytest

from tests.web.table.test_card_texts import seated

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FINGER = 44
"""How many pixels wide a fingertip is taken to be."""


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_finger_hits_the_tools_and_the_chips(visitors, api, language):
    page, tip, _ = seated(visitors, api, locale=language, **PHONE)
    tools = page.locator(".tools button:visible")
    assert tools.count() == 4
    assert all(tool.bounding_box()["height"] >= FINGER for tool in tools.all())
    chips = page.locator(".seat .chip, .mine .chip")
    for chip in chips.all():
        box = chip.bounding_box()
        for side in (-1, 1):
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + side * (FINGER / 2 - 1))
            assert chip.get_attribute("aria-describedby") == "tip"
            page.keyboard.press("Escape")
            tip.wait_for(state="hidden")
    room = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(room) == [390, 844], "the hand is seen without scrolling"
    page.locator(".hand .held-card").first.tap()
    page.locator(".asking .option").first.wait_for()
    assert all(option.bounding_box()["height"] >= FINGER for option in page.locator(".asking button").all())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
