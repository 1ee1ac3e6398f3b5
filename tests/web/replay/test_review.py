"""The review of a game in its replay: begun by a button, followed until it is done, reached by mouse and by keys."""

import re

import pytest

from tests.web.browser import SMALLEST
from tools.players.tables import CREATOR

THROWN = {"tokens": [5, 5], "hands": [["guard", "princess"], ["baron"]], "turn": 0}
"""The last round of a game; whoever plays the Princess throws it away."""
STEP = "({at, source}) => [at, source.steps.length]"


@pytest.fixture
def thrown(api):
    """A game in which the first seat has thrown the last round away, and its player."""
    player = api.player("Ann")
    setup = {"edition": "standard", "seats": [CREATOR] * 2, "sandbox": {"positions": [THROWN]}, "visibility": "public"}
    game = api.call("POST", "/games", setup, player["token"])["id"]
    play = {"type": "play_card", "card": "princess", "targets": []}
    api.call("POST", f"/games/{game}/actions", play, player["token"])
    return game, player


def here(page):
    return page.locator("billet-replay").evaluate(STEP)


def test_a_review_is_made_when_asked_for_and_marks_what_cost_the_game(visitors, api, thrown):
    game, _ = thrown
    one = visitors(viewport=SMALLEST)
    page = one.page
    one.visit(f"replays/{game}")
    page.get_by_role("button", name="Review this game").click()
    page.get_by_role("button", name="Review", exact=True).click()
    found = api.call("GET", f"/games/{game}/review")
    [mistake] = found["decisions"]
    for sentence in found["summary"]:
        page.locator("dialog.review").get_by_text(sentence, exact=True).wait_for()
    assert one.violations() == []
    page.locator(".marked button").click()
    page.locator("dialog.review").wait_for(state="detached")
    page.locator(".told", has_text=mistake["text"]).wait_for()
    assert page.locator(".log .judged").all_text_contents() == [mistake["text"]]
    assert page.locator(".odds li").count() == 2
    assert one.violations() == []


def test_keys_lead_from_mark_to_mark_and_a_click_on_the_plot_to_its_step(visitors, api, thrown):
    game, _ = thrown
    one = visitors()
    page = one.page
    one.visit(f"replays/{game}?review=1")
    page.locator(".course").wait_for()
    page.keyboard.press("Home")
    page.keyboard.press(".")
    page.locator(".told b").wait_for()
    marked, steps = here(page)
    page.keyboard.press("End")
    page.keyboard.press(",")
    assert here(page)[0] == marked
    box = page.locator(".course > svg").bounding_box()
    page.mouse.click(box["x"] + box["width"], box["y"] + box["height"] / 2)
    assert here(page)[0] == steps - 1
    assert page.locator(".odds").inner_text().count("100%") == 1, "somebody has won"


def test_the_chances_stand_in_a_table_that_leads_to_the_steps(visitors, api, thrown):
    game, _ = thrown
    one = visitors(locale="de")
    page = one.page
    one.visit(f"replays/{game}?review=1")
    page.get_by_role("button", name="Auswertung", exact=True).click()
    page.locator("dialog.review summary").click()
    rows = page.locator(".chances tbody tr")
    assert rows.count() == len(api.call("GET", f"/games/{game}/review")["chances"])
    assert one.violations() == []
    rows.last.get_by_role("button").click()
    page.locator("dialog.review").wait_for(state="detached")
    at, steps = here(page)
    assert at == steps - 1


def test_a_review_that_somebody_has_begun_is_followed_by_whoever_comes_to_the_replay(visitors, thrown):
    game, _ = thrown
    one = visitors()
    begun = {"status": 202, "json": {"judged": 0, "decisions": 1}}
    one.page.route("**/review?begin=false", lambda route: route.fulfill(**begun))
    one.visit(f"replays/{game}")
    one.page.locator(".course").wait_for()


def test_a_review_that_is_refused_says_why_and_can_be_asked_for_again(visitors, thrown):
    game, _ = thrown
    one = visitors()
    page = one.page
    refused = {"status": 409, "json": {"code": "game_not_finished", "status": 409, "detail": "Not yet."}}
    asked = re.compile(r"/review$")
    page.route(asked, lambda route: route.fulfill(**refused))
    one.visit(f"replays/{game}")
    page.get_by_role("button", name="Review this game").click()
    page.get_by_role("alert").get_by_text("Not yet.").wait_for()
    page.unroute(asked)
    page.get_by_role("button", name="Review this game").click()
    page.locator(".course").wait_for()


def test_the_end_of_a_game_shows_where_it_turned_once_that_is_known(visitors, api, thrown):
    game, player = thrown
    one = visitors()
    page = one.page
    one.become(player)
    one.visit(f"games/{game}")
    page.locator(".moment", has_text="The last card:").wait_for()
    page.get_by_role("link", name="Review", exact=True).click()
    page.locator(".course").wait_for()
    one.visit(f"games/{game}")
    page.locator(".moment", has_text="Where the game turned:").wait_for()
    swing = api.call("GET", f"/games/{game}/review")["swing"]
    assert f"at={swing['version'] + 1}" in page.locator(".moment").get_attribute("href")
    page.locator(".moment").click()
    page.locator(".told b").wait_for()
