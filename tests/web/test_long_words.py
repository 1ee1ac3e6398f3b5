"""Names, cards, codes and numbers of any length neither make a page wider than the screen nor are cut off."""

import pytest

from tests.web.browser import WIDE
from tests.web.tables import sandbox
from tools.players.tables import CREATOR, OPEN

NAME = "W" * 40
"""As long and as wide as a name may be."""
SCREENS = [(320, 640, 16), (768, 1024, 16), (1440, 900, 16), (320, 640, 32), (1440, 900, 32)]
"""Width, height, and the size of the font that the reader has set."""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SPILLED = """() => {
  const NOT_LAID_OUT = "svg, .unseen, .layer, .tip, .card, script, style, input[type=radio], option";
  const MAY_BE_CUT = "input, select, meter, .rounds, pre, .start, .fan, .cover, .trio, article table";
  const wide = document.documentElement.clientWidth, found = [];
  const path = (element) => `${element.localName}.${element.className?.baseVal ?? element.className}`;
  const { scrollWidth } = document.scrollingElement;
  if (scrollWidth > wide) found.push(["page", scrollWidth, wide]);
  const look = (root, scrolls, clipped) => {
    for (const element of root.children) {
      if (!element.checkVisibility() || element.matches(NOT_LAID_OUT)) continue;
      const style = getComputedStyle(element), box = element.getBoundingClientRect();
      const cut = clipped || (style.textOverflow === "ellipsis" && style.overflowX === "hidden");
      if (style.display !== "contents") {
        const beyond = box.width && (box.right > wide + 1 || box.left < -1);
        if (!scrolls && !clipped && beyond) found.push([path(element), "beyond the screen", box.left, box.right]);
        const whole = !element.matches(MAY_BE_CUT) && style.display !== "inline" && style.textOverflow !== "ellipsis";
        const { scrollWidth: has, clientWidth: room } = element;
        if (whole && room && has > room + 1) found.push([path(element), "more than its width", has, room]);
      }
      const may = scrolls || element.matches(".rounds, pre, .fan, article table, .swagger-ui");
      look(element, may, cut);
      if (element.shadowRoot) look(element.shadowRoot, may, cut);
    }
  };
  look(document.body, false, false);
  return found;
}"""


def fits(one):
    """Holds the page as it is against every size."""
    found = {}
    fonts = one.context.new_cdp_session(one.page)
    for width, height, font in SCREENS:
        one.page.set_viewport_size({"width": width, "height": height})
        fonts.send("Page.setFontSizes", {"fontSizes": {"standard": font}})
        one.page.evaluate(DRAWN)
        if spilled := one.page.evaluate(SPILLED):
            found[width, font] = spilled[:6]
    assert found == {}


@pytest.fixture
def people(api):
    """Makes players with names as long as may be."""
    return lambda count: [api.player(f"{NAME[:-1]}{number}") for number in range(count)]


@pytest.fixture
def table(api, people):
    """Makes a full table of such players; returns the game and the players."""

    def full(count, edition="premium"):
        players = people(count)
        setup = {"edition": edition, "seats": [CREATOR] + [OPEN] * (count - 1)}
        game = api.call("POST", "/games", setup, players[0]["token"])
        for player in players[1:]:
            api.call(
                "POST",
                f"/games/{game['id']}/seats",
                {"join_code": game["join_code"]} if game["join_code"] else {},
                player["token"],
            )
        return game["id"], players

    return full


@pytest.fixture
def one(visitors):
    return visitors(locale="de", viewport=WIDE)


def test_the_start_page_with_games_tables_and_settings(one, api, table):
    _, players = table(4)
    table(2)
    for _ in range(2):
        api.call("POST", "/games", {"edition": "premium", "seats": [CREATOR] + [OPEN] * 7}, players[0]["token"])
    one.become(players[0])
    one.visit()
    one.page.locator(".lobby li").first.wait_for()
    fits(one)
    one.page.get_by_role("button", name="Mit Menschen").click()
    fits(one)
    one.page.get_by_role("button", name="So wird gespielt").click()
    fits(one)
    one.page.keyboard.press("Escape")
    one.page.get_by_role("button", name="Einstellungen").click()
    one.page.get_by_role("dialog").get_by_role("button", name="Link").first.click()
    fits(one)


def test_a_table_that_waits(one, api, people):
    host, *others = people(8)
    game = api.call(
        "POST",
        "/games",
        {"edition": "premium", "seats": [CREATOR] + [OPEN] * 7, "visibility": "unlisted"},
        host["token"],
    )
    for player in others[:6]:
        api.call("POST", f"/games/{game['id']}/seats", {"join_code": game["join_code"]}, player["token"])
    one.become(host)
    one.visit(f"games/{game['id']}#code={game['join_code']}")
    one.page.locator(".waiting billet-share").wait_for()
    one.page.get_by_role("button", name="QR").click()
    fits(one)


@pytest.mark.parametrize("seats", [2, 8])
def test_a_table_that_is_played_at(one, api, table, seats):
    game, players = table(seats, "premium" if seats > 2 else "lovecraft")
    acts = api.call("GET", f"/games/{game}")["to_act"]
    one.become(players[acts])
    one.visit(f"games/{game}")
    one.page.locator(".asking [data-option], .hand [data-option]").first.wait_for()
    fits(one)
    for tab in ("log", "reference", "unseen", "notes"):
        one.page.evaluate(
            "tab => Object.assign(document.querySelector('billet-table'), {tab, sheet: true}).update()", tab
        )
        one.page.locator(f"#tab-{tab}[aria-selected=true]").wait_for()
        fits(one)
    one.page.evaluate("document.querySelector('billet-table').look(null)")
    one.page.evaluate("document.querySelector('billet-table').help()")
    fits(one)
    one.page.keyboard.press("Escape")
    one.page.evaluate("document.querySelector('billet-table').resign()")
    fits(one)


def test_a_question_with_long_names_and_cards(one, api):
    setup = sandbox("premium", 8, {"hands": [["cardinal", "bishop"]]})
    one.open_table(api, setup, NAME)
    for nth in (1, 0):
        one.page.locator(".asking [data-option], .hand [data-option]").nth(nth).click()
        fits(one)


@pytest.mark.parametrize("seats", [2, 8])
def test_an_ended_table_and_its_replay(one, api, table, seats):
    game, players = table(seats)
    # Whoever is to act is the last to stay, so that a seat with two cards is looked at.
    stays = players[api.call("GET", f"/games/{game}")["to_act"]]
    leave = [player for player in players if player is not stays]
    for player in leave:
        api.call("DELETE", f"/games/{game}/seats/me", token=player["token"])
    one.become(leave[0])
    one.visit(f"games/{game}")
    one.page.locator(".ending").wait_for()
    one.page.locator(".ending [aria-expanded]").click()
    fits(one)
    one.visit(f"replays/{game}")
    one.page.get_by_role("slider").wait_for()
    one.page.keyboard.press("End")
    fits(one)
    one.page.evaluate("document.querySelector('billet-replay').prove()")
    one.page.locator(".proof .good").wait_for()
    fits(one)


@pytest.mark.parametrize(
    "path", ["docs/index", "docs/integrate", "docs/settings", "problems", "problems/illegal-action", "n" * 300]
)
def test_pages_to_read(one, path):
    one.visit(path)
    fits(one)


def test_a_problem_page(one):
    one.visit("games/" + "x" * 64)
    one.page.locator(".problem-page").wait_for()
    fits(one)
