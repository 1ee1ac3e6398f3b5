"""Who plays in a browser: one the service knows no more, one who comes by a link, one who needs a key to register."""

import json
from urllib.request import Request, urlopen

import pytest

from tests.web.browser import SECONDS, SMALL, intercept
from tests.web.ways import (
    HELD,
    PLAYED,
    WAYS,
    by_code,
    by_fork,
    by_link,
    by_pasted_link,
    erased,
    from_the_lobby,
    keep,
    open_table,
    play,
    press,
    replaced,
    sits,
    stored,
    waiting,
)
from tools.pictures.service import Api
from tools.testbed.installation import Installation

KEY = "open-sesame-and-shut"
KEPT = ["player", "former", "nonces", "notes", "setup", "notice"]


@pytest.mark.parametrize("way", WAYS)
def test_one_click_seats_a_newcomer(visitors, api, way):
    one = visitors()
    way(one, api)
    assert sits(one)
    assert stored(one)["name"] == "Guest"


def holding(tabs):
    """Holds back what the tabs send to register; returns a list of it."""
    held = []
    for tab in tabs:
        tab.route("**/v1/players", lambda route: held.append(route))
    return held


def one_registers_and_one_waits(tab, held):
    tab.wait_for_function(
        "navigator.locks.query().then(({ held, pending }) => held.length === 1 && pending.length === 1)"
    )
    while not held:
        tab.wait_for_timeout(20)
    held[0].continue_()


def test_two_tabs_that_register_in_the_same_instant_are_one_player(visitors):
    one = visitors()
    tabs = [one.page, one.another_tab()]
    held = holding(tabs)
    for tab in tabs:
        tab.goto(one.base + "/")
    for tab in tabs:
        tab.get_by_role("button", name="Against bots").click()
    one_registers_and_one_waits(one.page, held)
    for tab in tabs:
        tab.locator(HELD).first.wait_for()
    assert [route.request.method for route in held] == ["POST"]


def test_who_gives_a_name_while_another_tab_registers_has_it(visitors, api):
    one = visitors()
    other = one.another_tab()
    held = holding([one.page, other])
    one.visit()
    press(one, "Against bots")
    game, _ = waiting(api)
    other.goto(f"{one.base}/games/{game['id']}#code={game['join_code']}")
    other.get_by_role("textbox", name="Your name").fill("Ann")
    other.get_by_role("button", name="Sit down").click()
    one_registers_and_one_waits(other, held)
    other.locator(HELD).first.wait_for()
    assert (len(held), stored(one)["name"]) == (1, "Ann")


@pytest.mark.parametrize("gone", [erased, replaced])
@pytest.mark.parametrize("way", WAYS)
def test_a_player_whom_the_service_knows_no_more_begins_anew_and_is_told_once(visitors, api, way, gone):
    one = visitors()
    before = gone(api)
    keep(one, before)
    way(one, api)
    assert sits(one)
    now = stored(one)
    assert now["id"] != before["id"]
    assert now["name"] == "Ann", "under the same name"
    one.visit()
    one.page.locator("button.bots").wait_for()
    assert one.page.locator("billet-notices").count() == 0


@pytest.mark.parametrize("when", ["before", "on the page"])
def test_the_notice_of_a_lost_player_is_seen_on_the_page_that_comes_next(visitors, api, when):
    one = visitors(locale="de", **SMALL)
    player = api.player("Ann")
    if when == "before":
        api.call("DELETE", "/players/me", token=player["token"])
    keep(one, player)
    one.visit()
    button = one.page.get_by_role("button", name="Gegen Bots")
    button.wait_for()
    notice = one.page.locator("billet-notices").get_by_text("kennt Ann")
    if when == "before":
        notice.wait_for()
    else:
        # Not before the click, as whatever else the page asks for would show the notice there.
        def erased_first(route):
            api.call("DELETE", "/players/me", token=player["token"])
            route.continue_()

        intercept(one.page, "**/v1/games", erased_first, times=1)
        button.click()
        one.page.locator(HELD).first.wait_for()
        notice.wait_for()
    assert one.violations() == []
    one.page.reload()
    one.page.locator(f"button.bots, {HELD}").first.wait_for()
    assert notice.count() == 0


def follow(one, player):
    """Opens the link that brings a player to another browser."""
    one.visit(f"#player={player['token']}")
    return one.page.get_by_role("dialog")


def number_of(visitors, player):
    """The number that a player's own browser shows beside the link."""
    own = visitors()
    keep(own, player)
    own.visit()
    press(own, "Settings")
    press(own, "Show the link")
    return own.page.locator("billet-settings .code").inner_text()


def test_a_link_brings_its_player_to_a_browser_without_one(visitors, api):
    one, player = visitors(), api.player("Ann")
    api.call("POST", "/games", PLAYED, player["token"])
    dialog = follow(one, player)
    dialog.get_by_text("Ann, who has one game going on").wait_for()
    assert one.page.url == f"{one.base}/", "nobody reads the token over a shoulder"
    assert one.violations() == []
    press(one, "Yes, play as this player")
    one.page.get_by_role("heading", name="Your games").wait_for()
    assert stored(one) == player


@pytest.mark.parametrize("way_back", ["at once", "later"])
def test_a_link_replaces_a_player_only_with_the_number_beside_it_and_there_is_a_way_back(visitors, api, way_back):
    one, ann, bob = visitors(**SMALL), api.player("Ann"), api.player("Bob")
    api.call("POST", "/games", PLAYED, ann["token"])
    keep(one, ann)
    dialog = follow(one, bob)
    field = dialog.get_by_role("textbox", name="Number")
    field.wait_for()
    said = dialog.inner_text()
    assert "belongs to Bob, who has 0 games" in said
    assert "play as Ann, with one game" in said
    assert "games of Ann wait" in said
    assert one.violations() == []
    press(one, "Yes, play as this player")
    number = number_of(visitors, bob)
    field.fill(str((int(number) + 1) % 10_000).zfill(4))
    press(one, "Yes, play as this player")
    dialog.get_by_role("alert").wait_for()
    assert stored(one) == ann, "neither a click nor a guess"
    field.fill(number)
    press(one, "Yes, play as this player")
    one.page.locator("billet-bar .who").filter(has_text="Bob").wait_for()
    assert stored(one) == bob
    if way_back == "later":
        one.visit()
        press(one, "Settings")
    press(one, "Back to Ann")
    one.page.locator("billet-bar .who").filter(has_text="Ann").wait_for()
    assert stored(one) == ann


@pytest.mark.parametrize("link", ["nobody", "no.player", "ü\u2028"])
def test_a_link_of_nobody_says_so(visitors, api, link):
    one, ann = visitors(locale="de"), api.player("Ann")
    keep(one, ann)
    follow(one, {"token": link}).get_by_role("alert").get_by_text("kennt die Person dieses Links nicht").wait_for()
    press(one, "Schließen")
    assert stored(one) == ann


def test_a_link_that_is_opened_where_the_page_is_open_already_is_seen(visitors, api):
    one, ann = visitors(), api.player("Ann")
    one.visit()
    one.page.locator("button.bots").wait_for()
    field = one.page.get_by_role("textbox", name="Code or link")
    field.fill(f"{one.base}/#player={ann['token']}")
    field.press("Enter")
    one.page.get_by_role("dialog").get_by_text("Ann").wait_for()


@pytest.mark.parametrize("kept", ["5", '"x"', "[]", "null", "{", '{"token": 5}', '{"token": "ü\\n", "name": 1}'])
def test_whatever_is_kept_is_taken_for_what_it_is(visitors, kept):
    one = visitors()
    one.visit("readyz")
    put = "([names, text]) => names.forEach(name => { localStorage[`billet.${name}`] = text })"
    one.page.evaluate(put, [KEPT, kept])
    play(one, None)
    assert sits(one)


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """An installation where nobody registers without a key."""
    made = Installation(tmp_path_factory.mktemp("closed"), REGISTRATION_KEY=KEY)
    made.start()
    yield made
    made.close()


class Keyed(Api):
    """A closed service as a program asks it that has the key."""

    def player(self, name):
        request = Request(f"{self.base}/v1/players", json.dumps({"name": name}).encode(), method="POST")
        request.add_header("Content-Type", "application/json")
        request.add_header("Registration-Key", KEY)
        with urlopen(request, timeout=SECONDS) as answer:
            made = json.loads(answer.read())
        return made["player"] | {"token": made["token"]}


@pytest.mark.parametrize("way", WAYS)
def test_a_service_that_is_closed_to_others_asks_for_its_key(visitors, closed, way):
    one = visitors(closed.base)
    way(one, Keyed(closed.base))
    field = one.page.get_by_label("Registration key")
    field.wait_for()
    if way is play:
        field.fill("wrong €")
        one.page.locator("button.bots").click()
        one.page.get_by_role("alert").wait_for()
    field.fill(KEY)
    again = {
        open_table: "Open a table",
        by_link: "Sit down",
        by_fork: "Go on from here",
        by_code: "Join",
        by_pasted_link: "Join",
    }
    if way is from_the_lobby:
        one.page.locator(".lobby li a").first.click()
    else:
        one.page.get_by_role("button", name=again.get(way, "Against bots")).click()
    assert sits(one)


def test_a_name_can_be_given_first_where_a_service_is_closed(visitors, closed):
    one = visitors(closed.base)
    one.visit()
    press(one, "Settings")
    one.page.get_by_role("dialog").get_by_role("textbox", name="Your name").fill("Ann")
    press(one, "Save")
    one.page.get_by_label("Registration key").fill(KEY)
    press(one, "Save")
    one.page.locator("billet-bar .who").filter(has_text="Ann").wait_for()


def test_a_replay_in_a_frame_acts_for_nobody(visitors, api):
    one, ann = visitors(), api.player("Ann")
    game = api.call("POST", "/games", PLAYED | {"visibility": "public"}, ann["token"])["id"]
    api.call("DELETE", f"/games/{game}/seats/me", token=ann["token"])
    keep(one, ann)
    fork = "Go on from here"
    one.visit(f"replays/{game}")
    one.page.get_by_role("button", name=fork).wait_for()
    around = f"<!doctype html><title>Around</title><iframe src='/replays/{game}#player={ann['token']}'></iframe>"
    one.page.route("**/around", lambda route: route.fulfill(body=around, content_type="text/html"))
    sent = []
    one.page.on("request", lambda request: sent.append(request.headers))
    one.visit("around")
    inside = one.page.frame_locator("iframe")
    inside.get_by_role("button", name="Was the deal fair?").wait_for()
    assert inside.get_by_role("button", name=fork).count() == 0
    assert inside.locator("billet-bar").count() == 0
    assert len(sent) > 2
    assert not [headers for headers in sent if "authorization" in headers]
    assert stored(one) == ann
