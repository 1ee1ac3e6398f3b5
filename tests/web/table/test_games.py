"""Whole games in a browser: by mouse, by touch on a small screen, by keys alone; and a warning before a play."""

import re

import pytest

from tests.web.browser import SMALL, TABLE, intercept
from tests.web.table.hands import by_keys, by_mouse, by_touch, course
from tests.web.tables import sandbox

FOLLOWING = re.compile(r"/(tickets$|frames/stream\?)")


def nearly_won(api, token, edition, seats, tokens):
    """A game against bots in which whoever wins a round or two has won."""
    setup = sandbox(edition, seats, {"hands": [], "tokens": [tokens] * seats, "turn": 0})
    return api.call("POST", "/games", setup, token)["id"]


def test_from_the_start_page_by_mouse_through_a_game_that_one_resigns_and_to_the_next(visitors, api):
    one = visitors()
    one.visit()
    one.page.locator(".seat-tile", has_text="2").click()
    one.page.get_by_role("button", name="Against bots").click()
    one.page.wait_for_url("**/games/*")
    assert course(one.page, by_mouse, enough=6) == 6
    one.page.get_by_role("button", name="Resign").click()
    one.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    # What follows the game may come once more when it is slow to come.
    one.page.get_by_role("button", name="Rematch").wait_for()
    calls = [(method, url) for method, url in one.requests if "/v1/" in url and not FOLLOWING.search(url)]
    asked = [(method, url.rpartition("/")[2]) for method, url in calls]
    act = ("POST", "actions?text=true")
    own = asked[asked.index(act) : len(asked) - asked[::-1].index(act)]
    assert own == [act] * len(own), "each own turn is one request"
    assert one.shuffled(api) == ([0], []), "nobody could choose this deal"
    ended = one.page.url
    one.page.get_by_role("button", name="Rematch").click()
    one.page.wait_for_url(lambda url: url not in (ended, "about:blank"))
    one.page.locator(".hand .held-card").first.wait_for()
    assert one.shuffled(api) == ([0], [])


@pytest.mark.parametrize(
    ("edition", "seats", "tokens"),
    [pytest.param("classic", 4, 3, marks=pytest.mark.soak), ("premium", 8, 3), ("lovecraft", 4, 1)],
)
def test_a_game_by_touch_on_a_small_screen(visitors, api, edition, seats, tokens):
    one = visitors(**SMALL)
    player = api.player("Ann")
    one.become(player)
    one.visit(f"games/{nearly_won(api, player['token'], edition, seats, tokens)}")
    assert course(one.page, by_touch) > 0
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_by_keys_alone_in_german(visitors, api):
    one = visitors(locale="de-DE")
    player = api.player("Änne")
    one.become(player)
    one.visit(f"games/{nearly_won(api, player['token'], 'standard', 3, 4)}")
    assert course(one.page, by_keys) > 0
    one.page.get_by_role("heading", name=re.compile("gewinnst das Spiel|gewinnt das Spiel|Sieg")).wait_for()
    one.page.keyboard.press("Escape")  # with nothing to take back


def opened(api, one):
    """A visitor's game of two, in which the Handmaid and then the only card that may be played are played."""
    player = api.player("Ann")
    one.become(player)
    position = {"hands": [["king", "handmaid"], ["spy"]], "deck": ["spy", "countess", "guard"], "turn": 0}
    setup = sandbox("standard", 2, position)
    return f"games/{api.call('POST', '/games', setup, player['token'])['id']}"


def test_focus_comes_to_the_next_question_although_the_answer_to_the_last_play_is_late(visitors, api):
    one = visitors()
    one.visit(opened(api, one))

    def late(route):
        answer = route.fetch()
        one.page.locator(".asking .send[disabled]", has_text="Countess").wait_for()
        route.fulfill(response=answer)

    intercept(one.page, "**/actions?*", late)
    one.page.locator(".hand .held-card", has_text="Handmaid").click()
    one.page.locator(".asking .send").click()
    one.page.locator(".asking .send:not([disabled])", has_text="Countess").wait_for()
    assert one.page.evaluate(f"{TABLE}.shadowRoot.activeElement.className") == "main send"


def test_a_game_goes_on_when_its_cards_cannot_be_moved(visitors, api):
    one = visitors(reduced_motion="no-preference", tell=True)
    one.visit(opened(api, one))
    one.page.locator(".hand .held-card", has_text="Handmaid").click()
    one.page.evaluate(f"() => {{ {TABLE}.play = () => {{ throw Error('no such place') }} }}")
    one.page.locator(".asking .send").click()
    one.page.locator(".asking .send:not([disabled])", has_text="Countess").wait_for()
    assert one.troubles.count("no such place") == len(one.troubles) > 0
    one.troubles = []


def test_who_may_no_longer_follow_a_game_is_told_so(visitors, api):
    one = visitors()
    path = opened(api, one)
    said = {"status": 403, "code": "forbidden", "detail": "This table is closed to you."}
    one.page.route("**/tickets", lambda route: route.fulfill(status=403, json=said))
    one.visit(path)
    one.page.get_by_role("alert").filter(has_text=said["detail"]).wait_for()
    one.page.unroute("**/tickets")
    one.page.get_by_role("button", name="Try again").click()
    one.page.locator(".hand .held-card", has_text="Handmaid").wait_for()


@pytest.mark.parametrize(("insane", "wins"), [(["mi_go", "golden_mead"], True), (["mi_go"], False)])
def test_cthulhu_warns_only_where_it_does_not_win_the_game(visitors, api, insane, wins):
    one = visitors()
    one.open_table(api, sandbox("lovecraft", 2, {"hands": [["cthulhu", "investigators"]], "discards": [insane]}))
    one.page.locator(".hand [data-card=cthulhu]").click()
    one.page.locator(".kind-face .option").nth(1).click()
    one.page.locator(".send").wait_for()
    assert one.page.locator(".asking .why").count() == (not wins)
