"""Whoever has no name yet may give one where others see it: opening a table, joining one, sitting down."""

import pytest

from tools.players.tables import CREATOR, OPEN

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NAME = "Your name (optional)"


def test_a_name_given_on_the_way_is_the_one_that_others_see(visitors):
    host, guest, third = visitors(), visitors(locale="de", **PHONE), visitors()
    host.visit()
    host.page.get_by_role("button", name="With people").click()
    field = host.page.locator(".play").get_by_role("textbox", name=NAME)
    assert host.violations() == []
    field.fill(" Ophelia ")
    host.page.get_by_role("button", name="Open a table").click()
    host.page.locator(".mine").get_by_role("heading", name="Ophelia").wait_for()
    guest.page.goto(host.page.get_by_role("textbox", name="Link", exact=True).input_value())
    guest.page.get_by_role("textbox", name="Dein Name (freiwillig)").fill("Ben")
    assert guest.violations() == []
    guest.page.keyboard.press("Enter")
    host.page.get_by_role("group", name="Ben").wait_for()
    third.visit()
    third.page.locator(".join").get_by_role("textbox", name=NAME).fill("Cleo")
    code = third.page.get_by_role("textbox", name="Code or link")
    code.fill(host.page.locator(".code").text_content())
    code.press("Enter")
    host.page.get_by_role("heading", name="Cleo").wait_for()


@pytest.mark.parametrize("name", ["Ann", "Guest"])
def test_only_a_guest_is_asked_for_a_name(visitors, api, name):
    one, host = visitors(), api.player("Ophelia")
    one.become(api.player(name))
    table = {"edition": "standard", "seats": [CREATOR, OPEN, OPEN]}
    one.visit(f"games/{api.call('POST', '/games', table, host['token'])['id']}")
    sit = one.page.get_by_role("button", name="Sit down")
    sit.wait_for()
    assert one.page.get_by_role("textbox", name=NAME).count() == (name == "Guest")
    if name == "Guest":
        one.page.get_by_role("textbox", name=NAME).fill("Ben")
    sit.click()
    one.page.locator(".mine").get_by_role("heading", name="Ann" if name == "Ann" else "Ben").wait_for()
    assert one.page.locator("billet-bar .who").text_content() == one.page.locator(".mine bdi").text_content()


def test_a_guest_is_still_one_in_another_language_and_enter_opens_the_table(visitors):
    one = visitors()
    one.visit()
    one.page.get_by_role("button", name="Against bots").click()
    one.page.locator(".mine").get_by_role("heading", name="Guest").wait_for()
    one.page.evaluate("localStorage['billet.language'] = 'de'")
    one.visit()
    one.page.get_by_role("button", name="Mit Menschen").click()
    field = one.page.locator(".play").get_by_role("textbox", name="Dein Name")
    field.fill("Ben")
    field.press("Enter")
    one.page.locator(".mine").get_by_role("heading", name="Ben").wait_for()
