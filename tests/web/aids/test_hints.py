"""Hints at a table: asked for by the reader alone, told, marked, gone with the decision, and counted."""

import pytest

from tests.web.browser import SMALL, TABLE, WIDE, intercept
from tests.web.tables import ENDING, WITHOUT_AIDS, WON, asked_at, sandbox, seated
from tools.players.tables import CREATOR, OPEN

CHOICE = sandbox("standard", 3, {"hands": [["guard", "baron"], ["king"], ["spy"]], "turn": 0})
ONLY = sandbox("standard", 2, {"hands": [["countess", "king"], ["spy"]], "turn": 0})
PROTECTED = {"hands": [["handmaid", "guard"], ["priest"]], "deck": ["baron", "spy", "guard", "spy"], "turn": 0}
TWO = {**sandbox("standard", 2, PROTECTED), "seats": [CREATOR, OPEN]}
PLACES = """() => [...document.querySelector("billet-table").shadowRoot.querySelectorAll(".seat, .held, .piles")]
  .map((place) => (({ x, y }) => [x, y])(place.getBoundingClientRect()))"""
BUTTON = ".hint-button:visible"
HINT = ".hint b"
MARKED = ".hand .hint-mark, .options .hint-mark"
HEARD = ".unseen[aria-live]"


def asked(one):
    return len([url for _, url in one.requests if url.endswith("/hint")])


def two(api, setup=TWO):
    """A game of Ann, who has asked for a hint at her first turn, and Ben."""
    ann, ben = api.player("Ann"), api.player("Ben")
    game = api.call("POST", "/games", setup, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    api.call("GET", f"/games/{game}/hint", token=ann["token"])
    return game, ann["token"], ben


def test_a_hint_by_key_says_why_marks_the_card_moves_nothing_and_chooses_nothing(visitors, api):
    page, _, one = seated(visitors, api, CHOICE)
    before = page.evaluate(PLACES)
    assert asked(one) == 0, "it comes to nobody who does not ask"
    page.keyboard.press("h")
    page.locator(HINT).wait_for()
    said = page.evaluate(f"{TABLE}.advice.hint")
    assert page.locator(HINT).inner_text() == said["text"]
    assert page.locator(".hint li").all_inner_texts() == said["reasons"]
    assert page.locator(HEARD).first.text_content() == " ".join([f"Hint: {said['text']}.", *said["reasons"]])
    assert page.locator(".held-card:has(.hint-mark)").get_attribute("data-card") == said["action"]["card"]
    assert page.evaluate(f"{TABLE}.chosen") == []
    assert page.evaluate(PLACES) == before
    assert one.violations() == []
    page.keyboard.press("h")
    page.locator(HINT).wait_for(state="detached")
    page.keyboard.press("h")
    page.locator(HINT).wait_for()
    assert asked(one) == 1, "the answer to a decision stays"


def test_marks_lead_to_what_the_hint_says_and_to_nothing_else(visitors, api):
    page, _, one = seated(visitors, api, CHOICE)
    page.locator(BUTTON).click()
    page.locator(HINT).wait_for()
    said = page.evaluate(f"{TABLE}.advice.hint")
    page.locator(".held-card:not(:has(.hint-mark))").click()
    page.locator(".kind-target").wait_for()
    assert page.locator(".options .hint-mark, .hint").count() == 0
    page.keyboard.press("Escape")
    page.locator(".held-card:has(.hint-mark)").click()
    page.locator(".option:has(.hint-mark)").click()
    if "guess" in said["action"]:
        page.locator(".kind-guess .option:has(.hint-mark)").click()
    assert page.locator(".send").inner_text() == said["text"]
    assert asked(one) == 1


@pytest.mark.parametrize("more", [{"viewport": WIDE}, SMALL])
def test_a_hint_leaves_the_hand_free_and_is_gone_with_the_decision(visitors, api, more):
    one = visitors(**more)
    game, ann, ben = two(api)
    one.become(ben)
    one.visit(f"games/{game}")
    page = one.page
    page.locator(".seat .state.hints", has_text="1 hint").wait_for()
    api.call("POST", f"/games/{game}/actions", {"type": "play_card", "card": "handmaid", "targets": []}, ann)
    page.locator(BUTTON).click()
    page.locator(HINT).wait_for()
    assert one.violations() == []
    cards = [card.bounding_box() for card in page.locator(".held-card").all()]
    panel = page.locator(".asking").bounding_box()
    assert all(card["x"] + card["width"] <= panel["x"] or panel["y"] + panel["height"] <= card["y"] for card in cards)
    api.call("POST", f"/games/{game}/actions", page.evaluate(f"{TABLE}.advice.hint.action"), ben["token"])
    page.locator(".mine .state.hints", has_text="1 hint").wait_for()
    assert page.locator(f"{BUTTON}, {HINT}, {MARKED}").count() == 0


def test_who_has_no_keys_closes_a_hint_where_it_covers_its_button(visitors, api):
    page, _, one = seated(visitors, api, CHOICE, **SMALL)
    page.locator(BUTTON).tap()
    page.locator(".hint .close").tap()
    page.locator(HINT).wait_for(state="detached")
    page.locator(BUTTON).tap()
    page.locator(HINT).wait_for()
    assert asked(one) == 1


def test_the_result_says_how_often_each_has_asked(visitors, api):
    one = visitors()
    game, ann, ben = two(api, ENDING)
    api.call("POST", f"/games/{game}/actions", WON, ann)
    one.become(ben)
    one.visit(f"games/{game}")
    one.page.locator("[id=ending]").wait_for()
    assert one.page.locator(".seat .state.hints").all_inner_texts() == ["1 hint"]
    assert one.page.locator(".mine .state.hints").count() == 0
    assert one.violations() == []


def test_an_answer_that_comes_after_the_decision_shows_nothing(visitors, api):
    page, _, _ = seated(visitors, api, CHOICE)
    held = []
    intercept(page, "**/hint", lambda route: held.append(route))
    with page.expect_request("**/hint"):
        page.keyboard.press("h")
    page.get_by_text("The strong bot is thinking").wait_for()
    version = page.evaluate(f"{TABLE}.game.version")
    page.locator(".held-card[data-card=baron]").click()
    page.locator(".option").first.click()
    page.locator(".send").click()
    page.wait_for_function(f"version => {TABLE}.game.version > version", arg=version)
    late = {"text": "Too late", "action": {"type": "play_card", "card": "guard"}, "reasons": []}
    held[0].fulfill(json={"version": version, **late})
    page.wait_for_function(f"() => {TABLE}.advice.hint")
    assert page.locator(f"{HINT}, {MARKED}").count() == 0
    assert "Too late" not in page.locator(HEARD).first.text_content()


def test_what_keeps_a_hint_from_the_reader_is_said_and_one_may_ask_again(visitors, api):
    page, _, _ = seated(visitors, api, CHOICE)
    said = {"status": 403, "code": "aids_off", "detail": "There are no hints today."}
    intercept(page, "**/hint", lambda route: route.fulfill(status=403, json=said))
    page.keyboard.press("h")
    page.get_by_role("alert").filter(has_text=said["detail"]).wait_for()
    page.unroute("**/hint")
    page.keyboard.press("h")
    page.locator(HINT).wait_for()
    assert page.get_by_role("alert").count() == 0


@pytest.mark.parametrize("setup", [ONLY, WITHOUT_AIDS], ids=["only", "off"])
def test_there_is_none_where_one_thing_is_left_to_do_or_the_table_has_no_aids(visitors, api, setup):
    one = visitors()
    asked_at(one, api, setup)
    one.page.keyboard.press("h")
    one.page.keyboard.press("?")
    one.page.get_by_role("dialog").get_by_text("a hint, where there are any").wait_for()
    assert one.page.locator(BUTTON).count() == 0
    assert asked(one) == 0
