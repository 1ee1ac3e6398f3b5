"""A tab that is put to sleep while the game goes on: when it wakes up it has missed nothing."""

import time

from tests.web.browser import SECONDS, TABLE
from tests.web.tables import PLAY, TURN

SILENT = ("card_resolved", "decision_taken", "nonce_revealed", "reveal_started", "secret_revealed", "time_spent")


def test_a_tab_that_was_asleep_tells_all_that_it_missed(visitors, api):
    one = visitors()
    game, token = one.open_table(api, TURN)
    seen = one.page.evaluate(f"{TABLE}.game.version")
    # Nothing runs in the page from the next thing on that happens in it; what the service sends is kept for it.
    browser, asleep = one.context.new_cdp_session(one.page), []
    browser.on("Debugger.paused", lambda said: asleep.append(said))
    browser.send("Debugger.enable")
    browser.send("Debugger.pause")
    # From another device, as it were: a turn, and then the end.
    api.call("POST", f"/games/{game}/actions", PLAY, token)
    api.call("DELETE", f"/games/{game}/seats/me", token=token)
    until = time.monotonic() + SECONDS
    while not asleep:
        assert time.monotonic() < until, "nothing has happened in the page"
        one.page.wait_for_timeout(20)
    where = {"callFrameId": asleep[0]["callFrames"][0]["callFrameId"], "expression": f"{TABLE}.game.version"}
    assert browser.send("Debugger.evaluateOnCallFrame", where)["result"]["value"] == seen
    browser.send("Debugger.disable")
    one.page.get_by_role("heading", name="wins the game").wait_for()
    events = api.call("GET", f"/games/{game}/events?text=true", token=token)["events"]
    expected = [event["version"] for event in events if event["text"] and event["type"] not in SILENT]
    assert one.page.evaluate(f"{TABLE}.lines.map(({{version}}) => version)") == expected
