"""What axe says of every state of the pages, in both languages and both themes, wide and narrow; and their room."""

import itertools
import json
from pathlib import Path

import pytest

from tests.web.browser import SMALLEST, WIDE

MOMENTS = {
    moment["name"]: moment
    for moment in json.loads((Path(__file__).parents[2] / "examples/moments.json").read_text())["moments"]
}
ASKED = [
    (
        "standard-guard-misses",
        [("a card", 0, ""), ("a target", 0, "1"), ("a guess", 0, "1 1"), ("nothing: another is", 1, "")],
    ),
    (
        "premium-cardinal-two-others",
        [("whether one is sure", 0, "2 1"), ("two targets", 0, "1 1"), ("whom to look at", 1, "")],
    ),
    ("premium-bishop-right-and-kept", [("a number", 0, "1 1"), ("whether to redraw", 1, "")]),
    ("lovecraft-golden-mead-insane", [("a face", 0, "1")]),
    ("standard-chancellor-keeps-one-of-three", [("what to keep", 1, "")]),
    ("lovecraft-nyarlathotep-insane", [("what to give", 1, "")]),
]
"""Moments with what is asked in them, after how many of their actions, and the keys that lead on to it."""

SHOWN = (
    """version => (({game, telling}) => game.version >= version && !telling)(document.querySelector("billet-table"))"""
)
TAKEN = "steps => (({chosen, sure}) => sure || chosen.length >= steps)(document.querySelector('billet-table'))"


def act(api, player, game, step):
    return api.call("POST", f"/games/{game}/actions?seat={step['seat']}", step["action"], player["token"])


@pytest.mark.parametrize(("theme", "language", "first"), [("light", "en", 0), ("dark", "de", 1)])
def test_a_table_has_no_violations_and_fits_the_smallest_screen_whatever_is_asked(
    visitors, api, theme, language, first
):
    one = visitors(color_scheme=theme, locale=language)
    player = api.player("Margarethe von Österreich")
    one.become(player)
    found, page = {}, one.page
    # Every other moment in each: the parts are the same in both.
    for name, states in ASKED[first::2]:
        moment, done, pressed = MOMENTS[name], 0, 0
        game = api.call("POST", "/games", moment["request"], player["token"])["id"]
        one.visit(f"games/{game}")
        page.locator(".middle").wait_for()
        for asked, actions, keys in states:
            if actions > done:
                version = act(api, player, game, moment["actions"][done])["version"]
                page.wait_for_function(SHOWN, arg=version)
                done, pressed = actions, 0
            for _ in range(pressed):
                page.keyboard.press("Escape")
            pressed = 0
            for pressed, key in enumerate(keys.split(), 1):
                page.locator(".asking [data-option], .hand [data-option]").first.wait_for()
                page.keyboard.press(key)
                page.wait_for_function(TAKEN, arg=pressed)
            if violations := one.violations():
                found[asked] = violations
            page.set_viewport_size(SMALLEST)
            assert page.evaluate("document.documentElement.scrollWidth") == SMALLEST["width"], asked
            page.set_viewport_size(WIDE)
    assert not found, json.dumps(found, indent=1)


def test_a_screen_reader_hears_value_and_name_of_a_card_and_no_time_with_each_line(visitors, api):
    one = visitors()
    position = {"hands": [["guard", "prince"]], "discards": [["priest"]], "turn": 0}
    seats = [{"kind": "creator"}, {"kind": "bot", "bot": "random"}]
    one.open_table(api, {"edition": "standard", "seats": seats, "sandbox": {"positions": [position]}})
    nodes = one.context.new_cdp_session(one.page).send("Accessibility.getFullAXTree")["nodes"]
    names = {(node["role"]["value"], node["name"]["value"]) for node in nodes if not node["ignored"]}
    assert ("button", "2 Priest") in names
    assert {name for role, name in names if role == "listitem"} == {""}


def test_what_is_chosen_is_seen_where_colours_are_forced(visitors):
    one = visitors()
    one.page.emulate_media(forced_colors="active")
    one.visit()
    borders = "all => all.map((one) => [one.matches(':has(:checked)'), getComputedStyle(one).borderStyle === 'double'])"
    one.page.locator(".tile").first.wait_for()
    shown = one.page.locator(":is(.tile, .seat-tile, .pill)").evaluate_all(borders)
    assert [True, True] in shown
    assert all(chosen == seen for chosen, seen in shown)


def test_the_other_states_have_none_in_light_or_dark(visitors, api):
    one = visitors(viewport=SMALLEST)
    found, themes = {}, itertools.cycle(["light", "dark"])

    def look(state):
        one.page.emulate_media(color_scheme=next(themes))
        found[state] = one.violations()

    one.visit()
    one.page.get_by_role("button", name="Against bots").wait_for()
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
    won = MOMENTS["lovecraft-cthulhu-insane-with-two"]
    player = {"token": one.token()}
    game = api.call("POST", "/games", won["request"], player["token"])["id"]
    act(api, player, game, won["actions"][0])
    one.visit(f"games/{game}")
    one.page.get_by_role("heading", name="You win the game").wait_for()
    look("won")
    assert not any(found.values()), json.dumps(found, indent=1)
