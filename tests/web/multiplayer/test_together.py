"""Several people at one table, strange names, a service that goes away and comes back."""

import re
from contextlib import closing

import pytest

from tests.web.browser import TABLE, WIDE
from tests.web.table.hands import OFFERED, by_mouse, course
from tests.web.tables import BOT, sandbox
from tools.players.tables import CREATOR, OPEN
from tools.testbed.relay import Relay

MARKUP = '<img src=x onerror="alert(1)">&amp;<b>'


def test_two_browsers_and_a_bot_play_a_game_that_one_opened_and_the_other_joined_by_link(visitors, api):
    host, guest = visitors(), visitors(locale="de")
    host.become(api.player(MARKUP))
    host.visit()
    host.page.get_by_role("button", name="With people").click()
    host.page.get_by_role("button", name="Open a table").click()
    host.page.get_by_role("button", name="Add a bot").click()
    host.page.get_by_role("heading", name="Waiting for one more player").wait_for()
    link = host.page.get_by_role("textbox", name="Link", exact=True).input_value()
    assert "#code=" in link
    assert host.page.url == link, "whoever copies the address invites as well"
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Dazusetzen").click()
    guest.page.get_by_role("heading", name=MARKUP).wait_for()
    # Or the word that they are out: the bot may have begun, and named the host's card.
    host.page.locator(".hand .held-card, .hand .quiet").first.wait_for()
    assert host.shuffled(api) == ([0, 2], []), "nobody could choose this deal"
    assert not [url for _, url in host.requests + guest.requests if "code=" in url and "/v1/" not in url]
    # One of them resigns, and the other plays on: whole games are for `test_games`.
    guest.page.get_by_role("button", name="Aufgeben").click()
    guest.page.get_by_role("dialog").get_by_role("button", name="Aufgeben").click()
    assert course(host.page, by_mouse, enough=4) > 0
    guest.page.locator(".mine").get_by_role("link", name="Zur Startseite").click()
    guest.page.get_by_role("button", name="Gegen Bots").wait_for()


@pytest.mark.parametrize("said", ["{code}", "{base}/games/{game}#code={code}"])
def test_an_unlisted_table_asks_for_its_code(visitors, api, said):
    host, guest = api.player("Ophelia"), visitors()
    table = {"edition": "standard", "seats": [CREATOR, OPEN], "visibility": "unlisted"}
    game = api.call("POST", "/games", table, host["token"])
    guest.visit(f"games/{game['id']}")
    code = guest.page.get_by_role("textbox", name="Code or link")
    code.fill("WRONG234")
    code.press("Enter")
    guest.page.get_by_role("alert").wait_for()
    code.fill(said.format(base=api.base, game=game["id"], code=game["join_code"].lower()))
    guest.page.get_by_role("button", name="To the table").click()
    guest.page.get_by_role("button", name="Sit down").click()
    guest.page.locator(".hand .held-card").first.wait_for()


@pytest.mark.parametrize("said", ["{code}", "{base}/games/{game}#code={code}"])
def test_a_first_time_visitor_joins_by_a_code_or_a_link(visitors, api, said):
    host, guest = api.player("Ophelia"), visitors()
    table = {"edition": "standard", "seats": [CREATOR, OPEN, OPEN]}
    game = api.call("POST", "/games", table | {"visibility": "unlisted"}, host["token"])
    guest.visit()
    field = guest.page.get_by_role("textbox", name="Code or link")
    field.fill(said.format(base=api.base, game=game["id"], code=game["join_code"].lower()))
    with guest.page.expect_response(f"{api.base}/v1/games/{game['id']}/tickets") as ticket:
        field.press("Enter")
    assert ticket.value.ok, "what happens at the table is followed"
    guest.page.get_by_role("button", name=re.compile("Sit down|Leave the table")).wait_for()


def test_the_start_page_shows_tables_as_they_open_and_close(visitors, api):
    one, host = visitors(), api.player("Ophelia")
    one.visit()
    one.page.get_by_role("heading", name="Open tables").wait_for()
    table = {"edition": "standard", "seats": [CREATOR, OPEN]}
    game = api.call("POST", "/games", table, host["token"])["id"]
    row = one.page.locator(f"[href$='{game}']").and_(
        one.page.get_by_role("link", name=re.compile("Sit down: .*Ophelia"))
    )
    row.wait_for()
    api.call("DELETE", f"/games/{game}", token=host["token"])
    row.wait_for(state="detached")


def test_sandboxes_are_not_among_the_games_to_join_or_watch(visitors, api):
    one, host = visitors(), api.player("Ophelia")
    # The newest comes last, so that the sandboxes would be there by then.
    tables = [
        {"edition": "standard", "seats": [CREATOR, other], "visibility": "public"} | more
        for more in ({"sandbox": SETUP["sandbox"]}, {})
        for other in (BOT, OPEN)
    ]
    games = [api.call("POST", "/games", table, host["token"])["id"] for table in tables]
    one.visit()
    shown = [one.page.locator(f".lobby a[href$='{game}']") for game in games]
    for row in shown[2:]:
        row.wait_for()
    assert [row.count() for row in shown] == [0, 0, 1, 1]


def test_a_token_is_never_in_an_address_that_a_server_sees(visitors, api):
    one, other = visitors(), visitors()
    player = api.player("Ann")
    one.become(player)
    one.visit()
    one.page.get_by_role("button", name="Settings").click()
    one.page.get_by_role("button", name="Show the link").click()
    link = one.page.locator("billet-share input").input_value()
    assert player["token"] in link.split("#")[1]
    other.page.goto(link)
    other.page.get_by_role("button", name="Yes, play as this player").click()
    other.page.wait_for_function("() => JSON.parse(localStorage['billet.player'] ?? '{}').name === 'Ann'")
    assert "#" not in other.page.url
    assert not [url for _, url in one.requests + other.requests if player["token"] in url.split("#")[0]]


SETUP = sandbox("standard", 3, {"hands": [["guard", "priest"]]})
PHONE = {"width": 390, "height": 844}
COVERED = """() => {
  const root = document.querySelector("billet-table").shadowRoot;
  const notice = root.querySelector(".line-state").getBoundingClientRect();
  const covers = ({top, bottom, left, right}) =>
    top < notice.bottom && bottom > notice.top && left < notice.right && right > notice.left;
  return [...root.querySelectorAll(".seat, .held-card, .middle, .tools button")]
    .filter((part) => covers(part.getBoundingClientRect())).map((part) => part.className);
}"""
"""What the notice of a lost connection lies over."""


def test_a_choice_stays_while_the_service_is_away_and_the_game_goes_on_afterwards(visitors, api, served):
    with closing(Relay(served.port)) as relay:
        one = visitors(f"http://127.0.0.1:{relay.port}")
        one.open_table(api, SETUP)
        one.page.locator(f".hand {OFFERED}").first.click()
        relay.lead(None)
        one.page.locator(".line-state").wait_for()
        for viewport in (WIDE, PHONE):
            one.page.set_viewport_size(viewport)
            assert one.page.evaluate(COVERED) == []
        relay.lead(served.port)
        one.page.locator(".line-state").wait_for(state="detached")
        assert one.page.evaluate(f"{TABLE}.chosen") == [["card", "guard"]]
        for _ in range(3):
            one.page.locator(f".asking {OFFERED}").first.click()
        one.page.wait_for_function(f"() => {TABLE}.lines.some(({{type}}) => type === 'card_played')")
        one.close()
    one.troubles = [said for said in one.troubles if "ERR_" not in said]


@pytest.mark.parametrize("comes", ["by the button", "by a key"])
def test_a_seat_that_a_bot_plays_is_taken_back(visitors, api, comes):
    one = visitors()
    player = api.player("Ann")
    one.become(player)
    # Nobody else is there either: with a second for each decision of so many, the game lasts for minutes.
    table = {"edition": "premium", "seats": [CREATOR] + [OPEN] * 7, "clock": {"seconds": 1}, "starter": 0}
    game = api.call("POST", "/games", table, player["token"])["id"]
    for _ in range(7):
        api.call("POST", f"/games/{game}/seats", {}, api.player("Ben")["token"])
    one.visit(f"games/{game}")
    button = one.page.get_by_role("button", name="Play on yourself")
    button.wait_for()
    if comes == "by the button":
        button.click()
    else:
        one.page.keyboard.press("ArrowRight")
    one.page.wait_for_function(f"() => {TABLE}.lines.some(({{type}}) => type === 'seat_taken_back')")


def test_what_is_left_of_a_table_is_filled_with_bots_of_one_strength(visitors, api):
    host = visitors()
    host.become(api.player("Ann"))
    host.visit()
    host.page.get_by_role("button", name="With people").click()
    host.page.get_by_role("radio", name="5", exact=True).check()
    host.page.get_by_role("button", name="Open a table").click()
    host.page.get_by_role("button", name="Add a bot").click()
    host.page.get_by_role("heading", name="Waiting for 3 more players").wait_for()
    assert host.page.get_by_role("list", name="Cards played by").count() == 0, "before the first round"
    assert host.violations() == []
    host.page.get_by_role("combobox", name="Strength of the bots").select_option("Strong")
    host.page.get_by_role("button", name="Fill the rest with bots").click()
    host.page.locator(".hand .held-card, .hand .quiet").first.wait_for()
    assert host.page.get_by_role("list", name="Cards played by").count() == 5
    names = host.page.evaluate(f"{TABLE}.game.seats.map(({{player}}) => player.name)")
    assert names == ["Ann", "Nora", "Kurt", "Vera", "August"]


PUT_BELOW = """() => {
  const table = document.querySelector("billet-table"), above = document.createElement("div");
  above.style.height = "200vh";
  table.before(above);
  above.after(table);
}"""


def test_a_table_that_waits_leaves_the_page_around_it_where_it_is(visitors, api):
    one = visitors()
    one.become(player := api.player("Ann"))
    game = api.call("POST", "/games", {"edition": "classic", "seats": [CREATOR, OPEN]}, player["token"])["id"]
    one.visit(f"games/{game}")
    one.page.locator("billet-share").wait_for()
    one.page.evaluate(PUT_BELOW)
    assert one.page.evaluate("scrollY") == 0
