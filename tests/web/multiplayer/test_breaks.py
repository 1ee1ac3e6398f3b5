"""Days off in games by the day: taken at the table, and shown to everybody."""

from datetime import datetime, timedelta

import pytest

from tests.web.tables import BOT, MIDDLE
from tools.players.tables import CREATOR, OPEN

BY_THE_DAY = {"edition": "standard", "starter": 0, "seats": [CREATOR, OPEN, BOT], "clock": {"seconds": 259_200}}
WORDS = {
    "en": ("Days off", "How many days?", "Take a break", "on a break until", "{} days off left this year"),
    "de": ("Freie Tage", "Wie viele Tage?", "Pause machen", "macht Pause bis", "noch {} freie Tage in diesem Jahr"),
}


@pytest.mark.parametrize("locale", WORDS)
@pytest.mark.parametrize("width", [360, 1280])
def test_a_player_takes_days_off_and_everybody_sees_it_beside_the_clock(visitors, api, locale, width):
    days_off, how_many, take, until, left = WORDS[locale]
    ann, ben = api.player("Ann"), api.player("Ben")
    game = api.call("POST", "/games", BY_THE_DAY, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    player, watcher = visitors(locale=locale, viewport={"width": width, "height": 800}), visitors(locale=locale)
    player.become(ann)
    for one in (player, watcher):
        one.visit(f"games/{game}")
        one.page.locator(".seats .seat").first.wait_for()
        one.page.locator(".days-off:visible", has_text="7").wait_for()
    player.page.get_by_role("button", name=days_off).click()
    dialog = player.page.get_by_role("dialog", name=days_off)
    assert dialog.get_by_role("listitem").count() == 2, "bots take none"
    dialog.get_by_label(how_many).fill("2")
    assert player.violations() == []
    dialog.get_by_role("button", name=take).click()
    player.page.locator(".mine .state", has_text=until).wait_for()
    watcher.page.locator(".seats .state", has_text=until).wait_for()
    ends = datetime.fromisoformat(api.call("GET", f"/games/{game}")["seats"][0]["break_until"])
    # After a break that lasts into the next year, the days of that are left.
    left = left.format(5 if (ends - timedelta(days=2)).year == ends.year else 7)
    for one in (player, watcher):
        one.page.locator(".days-off:visible", has_text=left).wait_for()
    watcher.page.get_by_role("button", name=days_off).click()
    dialog = watcher.page.get_by_role("dialog", name=days_off)
    dialog.get_by_role("listitem").filter(has_text="Ann").filter(has_text=left).wait_for()
    assert dialog.get_by_role("button", name=take).count() == 0
    assert watcher.violations() == []


def test_other_games_have_no_days_off(visitors, api):
    one = visitors()
    one.open_table(api, MIDDLE | {"clock": {"seconds": 300}})
    assert one.page.get_by_role("button", name="Days off").count() == one.page.locator(".days-off").count() == 0
