"""A key that is held down acts once, and only on what was asked when it was pressed."""

import pytest

from tests.web.browser import TABLE
from tests.web.table.hands import OFFERED
from tests.web.tables import MIDDLE, sandbox, seated
from tools.players.tables import CREATOR, OPEN

PRINCESS = sandbox("standard", 2, {"hands": [["princess", "priest"], ["spy"]], "turn": 0})
REPEATS = 12


def hold(page, key):
    """Holds a key down, as a keyboard repeats it."""
    for _ in range(REPEATS):
        page.keyboard.down(key)


def counted(page, what):
    """From now on, counts the calls of a method of the table."""
    page.evaluate(
        f"""name => {{
          const table = {TABLE} ?? document.querySelector("billet-replay"), own = table[name];
          window.called = 0;
          table[name] = function (...given) {{ called++; return own.apply(this, given); }};
        }}""",
        what,
    )


@pytest.mark.parametrize("key", ["Enter", "1"])
def test_no_held_key_plays_past_a_confirmation(visitors, api, key):
    page, _, _ = seated(visitors, api, PRINCESS)
    version = page.evaluate(f"{TABLE}.game.version")
    page.locator(".hand [data-card=princess]").click()
    counted(page, "askAgain")
    page.locator(".send").focus()
    hold(page, key)
    assert page.evaluate("called") == 1
    assert page.locator(".send").is_enabled()
    page.keyboard.up(key)
    assert page.evaluate(f"[{TABLE}.sure, {TABLE}.sending ?? false, {TABLE}.game.version]") == [True, False, version]


def test_a_held_digit_takes_one_step(visitors, api):
    page, _, _ = seated(visitors, api, MIDDLE)
    hold(page, "1")
    assert page.evaluate(f"{TABLE}.chosen") == [["card", "guard"]]


@pytest.mark.parametrize(
    ("key", "what"), [("?", "help"), ("r", "look"), ("l", "look"), ("u", "look"), ("n", "note"), ("m", "toggleSound")]
)
def test_a_held_letter_acts_once(visitors, api, key, what):
    page, _, _ = seated(visitors, api, MIDDLE)
    counted(page, what)
    hold(page, key)
    assert page.evaluate("called") == 1


def test_a_held_key_opens_a_dialog_and_does_not_close_it(visitors, api):
    page, _, _ = seated(visitors, api, MIDDLE)
    for name in ("Keys", "Resign"):
        page.get_by_role("button", name=name).focus()
        hold(page, "Enter")
        assert page.get_by_role("dialog").is_visible()
        page.keyboard.up("Enter")
        hold(page, "Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        page.keyboard.up("Escape")


def test_a_held_escape_closes_a_dialog_and_takes_nothing_back(visitors, api):
    page, _, _ = seated(visitors, api, MIDDLE)
    page.keyboard.press("1")
    page.keyboard.press("?")
    hold(page, "Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    assert page.evaluate(f"{TABLE}.chosen.length") == 1


def test_a_held_key_makes_one_mark_in_the_notes(visitors, api):
    page, _, _ = seated(visitors, api, MIDDLE)
    page.keyboard.press("n")
    page.locator(".mark").first.focus()
    hold(page, "Enter")
    assert page.locator(".mark.may").count() == 1
    hold(page, "ArrowDown")
    assert page.evaluate(f"{TABLE}.noting[0]") == 1


@pytest.mark.parametrize(("key", "what"), [(" ", "toggle"), ("ArrowRight", "step"), ("]", "turn"), ("?", "help")])
def test_a_held_key_acts_once_in_a_replay(visitors, api, ended, key, what):
    one = visitors()
    one.visit(f"replays/{ended}")
    one.page.get_by_role("slider").wait_for()
    counted(one.page, what)
    hold(one.page, key)
    assert one.page.evaluate("called") == 1


def test_a_slider_that_has_focus_still_follows_a_held_arrow(visitors, api, ended):
    one = visitors()
    one.visit(f"replays/{ended}")
    one.page.get_by_role("slider").focus()
    hold(one.page, "ArrowRight")
    assert one.page.get_by_role("slider").input_value() == str(REPEATS)


@pytest.fixture
def ended(api):
    """A game that has ended, after some rounds."""
    player = api.player("Ann")
    table = {"edition": "standard", "seats": [CREATOR, OPEN], "visibility": "public"}
    game = api.call("POST", "/games", table, player["token"])["id"]
    other = api.player("Ben")
    view = api.call("POST", f"/games/{game}/seats", {}, other["token"])
    tokens = (player["token"], other["token"])
    for _ in range(2 * REPEATS):
        if view["status"] != "active":
            break
        token = tokens[view["to_act"]]
        action = api.call("GET", f"/games/{game}", token=token)["legal_actions"][0]["action"]
        view = api.call("POST", f"/games/{game}/actions", action, token)["game"]
    if view["status"] == "active":
        api.call("DELETE", f"/games/{game}/seats/me", token=player["token"])
    return game


def test_a_key_that_starts_a_game_does_not_play_in_it(visitors):
    one = visitors()
    one.visit()
    one.page.get_by_role("button", name="Against bots").focus()
    one.page.keyboard.down("Enter")
    one.page.wait_for_url("**/games/*")
    one.page.locator(OFFERED).first.wait_for()
    hold(one.page, "Enter")
    assert one.page.evaluate(f"[{TABLE}.chosen.length, {TABLE}.sending ?? false]") == [0, False]


def test_the_release_of_a_key_is_no_answer_to_what_was_asked_meanwhile(visitors, api):
    one, ann, ben = visitors(), api.player("Ann"), api.player("Ben")
    one.become(ann)
    position = {"hands": [["king"], ["handmaid", "spy"]], "deck": ["priest", "guard"], "turn": 1}
    table = {"edition": "standard", "seats": [CREATOR, OPEN], "sandbox": {"positions": [position]}}
    game = api.call("POST", "/games", table, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    one.visit(f"games/{game}")
    one.page.locator(".hand .held-card").first.wait_for()
    one.page.evaluate(f"""() => {{
      window.released = 0;
      {TABLE}.shadowRoot.addEventListener("keyup", () => released++);
    }}""")
    one.page.keyboard.down(" ")
    action = {"type": "play_card", "card": "handmaid", "targets": []}
    api.call("POST", f"/games/{game}/actions", action, ben["token"])
    one.page.wait_for_function(f"() => {TABLE}.shadowRoot.activeElement?.matches('{OFFERED}')")
    one.page.keyboard.up(" ")
    assert one.page.evaluate("released") == 0
    one.page.keyboard.press(" ")
    assert one.page.evaluate("released") == 1
