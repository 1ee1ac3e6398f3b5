"""The start page on a phone: how a game is played, the games one comes back for, and the settings."""

import pytest

from tests.web.tables import BOT
from tools.players.tables import CREATOR

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLE = {"edition": "standard", "seats": [CREATOR, BOT]}

ACCOUNT = """async () => {
  window.module = await import(new URL("../api/account.js", document.querySelector("script[type=module]").src));
}"""


def test_two_tabs_of_a_newcomer_become_one_player(visitors):
    one = visitors(apart=True)
    one.visit()
    other = one.another_tab()
    other.goto(one.page.url)
    for page in (one.page, other):
        page.evaluate(ACCOUNT)
    one.page.evaluate("module.register('Ann')")
    token = one.token()
    other.evaluate("module.register()")
    assert other.evaluate("module.account.token") == one.token() == token


def test_a_link_of_a_player_who_is_none_leaves_the_reader_who_they_are(visitors, api):
    one = visitors(apart=True)
    one.become(player := api.player("Ann"))
    one.visit()
    one.page.evaluate(ACCOUNT)
    one.page.evaluate("module.become('nobody').catch(() => {})")
    assert one.page.evaluate("module.account.token") == one.token() == player["token"]


def test_running_games_come_first_and_ended_ones_after_the_form(visitors, api):
    one = visitors(**PHONE)
    player = api.player("Ann")
    one.become(player)
    ended, _ = (api.call("POST", "/games", TABLE, player["token"])["id"] for _ in range(2))
    api.call("DELETE", f"/games/{ended}/seats/me", token=player["token"])
    one.visit()
    places = [
        one.page.get_by_role(role, name=name).bounding_box()["y"]
        for role, name in (("link", "Go on"), ("button", "Against bots"), ("link", "Replay"))
    ]
    assert places == sorted(places)
    assert one.page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


def test_ended_games_say_that_one_has_resigned_and_earlier_ones_follow(visitors, api):
    one = visitors(**PHONE)
    player = api.player("Ann")
    one.become(player)
    ended = 8
    for _ in range(ended):
        game = api.call("POST", "/games", TABLE, player["token"])["id"]
        api.call("DELETE", f"/games/{game}/seats/me", token=player["token"])
    one.visit()
    rows, more = one.page.locator(".ended .played"), one.page.get_by_role("button", name="Earlier games")
    more.wait_for()
    assert rows.count() == 6
    assert all("by resignation" in row for row in rows.all_inner_texts())
    more.click()
    rows.nth(ended - 1).wait_for()
    assert (rows.count(), more.count()) == (ended, 0)


def test_the_arrow_of_what_unfolds_is_on_no_picture(visitors):
    one = visitors()
    one.visit()
    about = one.page.locator(".tile small").first
    assert about.evaluate("one => getComputedStyle(one, '::before').content") == "none"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_button_that_begins_a_game_is_seen_at_once_on_a_laptop(visitors, language):
    one = visitors(locale=language)
    one.visit()
    button = one.page.locator("button.go")
    box = button.bounding_box()
    assert box["y"] + box["height"] <= one.page.viewport_size["height"]


def test_saving_a_name_is_said_to_have_worked(visitors, api):
    one = visitors(locale="de", **PHONE)
    one.become(api.player("Ann"))
    one.visit()
    one.page.get_by_role("button", name="Einstellungen").click()
    said = one.page.get_by_role("dialog").get_by_role("status")
    field = one.page.get_by_role("textbox", name="Dein Name")
    assert said.text_content() == "", "what is announced later is there before"
    for name in ("Änne", "Anna"):
        field.fill(name)
        one.page.get_by_role("button", name="Speichern").click()
        one.page.get_by_role("button", name="Gespeichert").wait_for()
        assert said.text_content() == "Gespeichert"
        assert one.page.locator("billet-bar .who").text_content() == name


@pytest.mark.parametrize(
    ("language", "edition", "how", "close"),
    [("en", "Standard", "How it is played", "Close"), ("de", "Premium", "So wird gespielt", "Schließen")],
)
def test_a_newcomer_reads_how_the_chosen_edition_is_played(visitors, language, edition, how, close):
    one = visitors(locale=language, **PHONE | {"viewport": {"width": 320, "height": 568}})
    one.visit()
    one.page.get_by_role("radio", name=edition).check()
    one.page.get_by_role("radio", name="4", exact=True).check()
    opener = one.page.get_by_role("button", name=how)
    opener.tap()
    dialog = one.page.get_by_role("dialog", name=how)
    asked = one.page.request.get(f"{one.base}/v1/editions/{edition.lower()}", headers={"Accept-Language": language})
    book = asked.json()
    assert book["text"] in dialog.inner_text()
    four = [[one["copies"] for one in card["copies_by_seats"] if one["seats"] == 4] for card in book["cards"]]
    dealt = [card["name"] for card, copies in zip(book["cards"], four, strict=True) if copies != [0]]
    assert len(dealt) < 20, "not the cards of a larger table"
    assert dialog.locator("dt b:not([aria-hidden])").all_inner_texts() == dealt
    assert one.page.evaluate("document.documentElement.scrollWidth") == 320
    assert one.violations() == []
    dialog.get_by_role("button", name=close).press("Enter")
    dialog.wait_for(state="hidden")
    assert opener.evaluate("button => button.getRootNode().activeElement === button")


def test_the_rules_are_those_of_the_edition_that_was_chosen_last(visitors):
    one = visitors()

    def late(route):
        one.page.get_by_role("radio", name="Premium").check()
        route.continue_()

    one.page.route("**/v1/editions/classic", late)
    one.visit()
    one.page.get_by_role("radio", name="Classic").check()
    one.page.get_by_role("button", name="How it is played").click()
    title = one.page.request.get(f"{one.base}/v1/editions/premium").json()["title"]
    assert title in one.page.get_by_role("dialog").inner_text()
