"""By touch on a phone: what is tapped is large enough, and everything still has its room."""

import pytest

from tests.web.tables import LONG_ROUND, seated

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FINGER = 44
"""How many pixels wide a fingertip is taken to be."""
ROOM = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
REACH = """chip => {
  const {left, top, width, height} = chip.getBoundingClientRect();
  const hit = (x, y) => chip.getRootNode().elementFromPoint(left + width / 2 + x, top + height / 2 + y) === chip;
  const far = [...Array(60).keys()].map(at => at - 30);
  return [far.filter(x => hit(x, 0)).length, far.filter(y => hit(0, y)).length];
}"""
"""How many pixels wide and high a touch may be that hits a chip."""


@pytest.mark.parametrize(("width", "height", "least"), [(390, 844, FINGER), (320, 568, 30)])
def test_chips_of_a_long_round_take_the_room_there_is_and_the_hand_keeps_its_own(visitors, api, width, height, least):
    page, _, _ = seated(visitors, api, LONG_ROUND, **PHONE | {"viewport": {"width": width, "height": height}})
    assert page.evaluate(ROOM) == [width, height]
    reach = [chip.evaluate(REACH) for chip in page.locator(".seat .chip, .mine .chip").all()]
    assert len(reach) == 15
    assert min(wide for wide, _ in reach) >= least
    assert min(high for _, high in reach) >= FINGER


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
            chip.and_(page.locator("[aria-describedby=tip]")).wait_for()
            page.keyboard.press("Escape")
            tip.wait_for(state="hidden")
    assert page.evaluate(ROOM) == [390, 844], "the hand is seen without scrolling"
    page.locator(".hand .held-card").first.tap()
    page.locator(".asking .option").first.wait_for()
    assert all(option.bounding_box()["height"] >= FINGER for option in page.locator(".asking button").all())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
