"""What axe says of every state of the pages, in both languages and both themes, wide and narrow."""

import itertools
import json
from pathlib import Path

import pytest

MOMENTS = {
    moment["name"]: moment
    for moment in json.loads((Path(__file__).parents[2] / "examples/moments.json").read_text())["moments"]
}
ASKED = {
    "a card": ("standard-guard-misses", 0, ""),
    "a target": ("standard-guard-misses", 0, "1"),
    "a guess": ("standard-guard-misses", 0, "1 1"),
    "a number": ("premium-bishop-right-and-kept", 0, "1 1"),
    "two targets": ("premium-cardinal-two-others", 0, "1 1"),
    "whether one is sure": ("standard-princess-played", 0, "1 1"),
    "a face": ("lovecraft-golden-mead-insane", 0, "1"),
    "what to keep": ("standard-chancellor-keeps-one-of-three", 1, ""),
    "whether to redraw": ("premium-bishop-right-and-kept", 1, ""),
    "whom to look at": ("premium-cardinal-two-others", 1, ""),
    "what to give": ("lovecraft-nyarlathotep-insane", 1, ""),
    "nothing: another is": ("standard-priest-looks", 1, ""),
}
"""What is asked, in which moment, after how many of its actions, and the keys that lead there."""

TAKEN = "steps => (({chosen, sure}) => sure || chosen.length >= steps)(document.querySelector('billet-table'))"


def put_into(one, api, player, name, actions, keys=""):
    """Leads a visitor to a moment and waits until it is drawn."""
    moment = MOMENTS[name]
    game = api.call("POST", "/games", moment["request"], player["token"])["id"]
    for step in moment["actions"][:actions]:
        api.call("POST", f"/games/{game}/actions?seat={step['seat']}", step["action"], player["token"])
    one.visit(f"games/{game}")
    one.page.locator(".middle, .ending").first.wait_for()
    for number, key in enumerate(keys.split(), 1):
        one.page.locator(".asking [data-option], .hand [data-option]").first.wait_for()
        one.page.keyboard.press(key)
        one.page.wait_for_function(TAKEN, arg=number)
    return game


@pytest.mark.parametrize(("theme", "language", "first"), [("light", "en", 0), ("dark", "de", 1)])
def test_a_table_has_no_violations_whatever_is_asked(visitors, api, theme, language, first):
    one = visitors(color_scheme=theme, locale=language)
    player = api.player("Ann")
    one.become(player)
    found = {}
    # Every other state in each: the parts are the same in both.
    for asked, (name, actions, keys) in list(ASKED.items())[first::2]:
        put_into(one, api, player, name, actions, keys)
        if violations := one.violations():
            found[asked] = violations
    assert not found, json.dumps(found, indent=1)


@pytest.mark.parametrize(("theme", "first"), [("light", 0), ("dark", 1)])
def test_the_other_states_have_none(visitors, api, theme, first):
    one = visitors(color_scheme=theme, viewport={"width": 320, "height": 640})
    found, passed = {}, itertools.count(first)

    def look(state):
        if next(passed) % 2 == 0:  # every other in each, as above
            found[state] = one.violations()

    one.visit()
    one.page.get_by_role("button", name="Play now").wait_for()
    look("start")
    one.page.get_by_role("button", name="With people").click()
    look("people")
    one.page.get_by_role("button", name="Settings").click()
    one.page.get_by_role("dialog").wait_for()
    look("settings")
    one.page.get_by_role("button", name="Close").click()
    one.page.get_by_role("button", name="Open a table").click()
    one.page.get_by_role("heading", name="Waiting for").wait_for()
    look("waiting")
    one.page.get_by_role("button", name="Cards").click()
    look("reference")
    one.visit("games/nothing")
    one.page.get_by_role("heading", name="No such game").wait_for()
    look("no game")
    game = api.call("POST", "/games", MOMENTS["lovecraft-cthulhu-insane-with-two"]["request"], one.token())["id"]
    api.call(
        "POST",
        f"/games/{game}/actions",
        MOMENTS["lovecraft-cthulhu-insane-with-two"]["actions"][0]["action"],
        one.token(),
    )
    one.visit(f"games/{game}")
    one.page.get_by_role("heading", name="You win the game").wait_for()
    look("won")
    assert len(found) > 2
    assert not any(found.values()), json.dumps(found, indent=1)
