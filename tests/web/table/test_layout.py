"""Room: eight seats, and the end of a long round, are seen without scrolling; a name takes one line.

Also: on a phone the panel keeps its question, and the page its word on the connection."""

import pytest

from tests.web.browser import SMALLEST

EIGHT = {
    "edition": "premium",
    "seats": [{"kind": "creator"}] + [{"kind": "bot", "bot": "random"}] * 7,
    "sandbox": {
        "positions": [
            {
                "hands": [["cardinal", "bishop"]],
                "discards": [["guard", "baron"], *[["guard", "priest"]], *[["guard", "handmaid"]] * 2, ["guard"] * 2],
                "tokens": [1, 2, 0, 3, 1, 0, 2, 1],
                "protected": [2],
                "out": [4],
            }
        ]
    },
}
LONG = {
    "edition": "standard",
    "seats": [{"kind": "creator"}] + [{"kind": "bot", "bot": "random"}] * 2,
    "sandbox": {
        "positions": [
            {
                "hands": [["princess", "king"]],
                "discards": [
                    ["guard", "guard", "priest", "baron", "handmaid"],
                    ["guard", "guard", "priest", "baron", "prince"],
                    ["guard", "guard", "spy", "handmaid", "prince"],
                ],
            }
        ]
    },
}
"""The end of a long round."""
NAME = """() => {
  const seat = document.querySelector("billet-table").shadowRoot.querySelector(".seat.acts");
  const [dot, name] = [".dot", "bdi"].map((part) => seat.querySelector(part).getBoundingClientRect());
  const around = seat.getBoundingClientRect();
  const fits = [dot.left >= around.left, dot.right <= name.left, dot.top >= name.top, dot.bottom <= name.bottom];
  return [name.height, fits];
}"""
FELT = """() => {
  const felt = document.querySelector("billet-table").shadowRoot.querySelector(".felt");
  return [felt.scrollHeight - felt.clientHeight, felt.scrollWidth - felt.clientWidth];
}"""


def test_eight_seats_and_nine_numbers_fit_without_scrolling(visitors, api):
    one = visitors()
    one.open_table(api, EIGHT, "Margarethe von Österreich")
    for nth in (1, 0):
        one.page.locator(".asking [data-option], .hand [data-option]").nth(nth).click()
    one.page.locator(".kind-number").wait_for()
    assert one.page.evaluate(FELT) == [0, 0]


def test_the_end_of_a_long_round_fits_a_laptop_without_scrolling(visitors, api):
    one = visitors(viewport={"width": 1280, "height": 800})
    one.open_table(api, LONG, "Margarethe von Österreich")
    assert one.page.evaluate(FELT) == [0, 0]


@pytest.mark.parametrize("seats", [LONG["seats"], EIGHT["seats"]])
def test_a_name_and_the_dot_of_the_turn_share_a_line_on_a_phone(visitors, api, seats):
    one = visitors(viewport={"width": 390, "height": 844})
    token = api.player("Maximiliane von Hohenlohe-Waldenburg")["token"]
    setup = {
        "edition": "premium",
        "seats": seats,
        "sandbox": {"positions": [{"hands": [["guard", "prince"]], "turn": 0}]},
    }
    one.visit(f"games/{api.call('POST', '/games', setup, token)['id']}")
    one.page.locator(".seat.acts .dot").wait_for()
    height, fits = one.page.evaluate(NAME)
    assert height < 30, "one line"
    assert fits == [True, True, True, True], "the dot is beside it, and inside the seat"


def test_bots_of_one_name_are_told_apart_on_the_smallest_phone(visitors, api):
    one = visitors(viewport=SMALLEST, locale="de")
    player = api.player("Ann")
    one.become(player)
    setup = {
        "edition": "lovecraft",
        "seats": EIGHT["seats"][:6],
        "sandbox": {"positions": [{"hands": [["elder_sign"]]}]},
    }
    one.visit(f"games/{api.call('POST', '/games', setup, player['token'])['id']}")
    one.page.locator(".seat").first.wait_for()
    ends = """() => [...document.querySelector("billet-table").shadowRoot.querySelectorAll(".seat")].map((seat) => {
      const end = seat.querySelector(".end")?.getBoundingClientRect();
      return end && end.width > 0 && end.right <= seat.querySelector(".seals").getBoundingClientRect().left;
    })"""
    assert one.page.evaluate(ends) == [None, True, True, True, True]


def test_a_long_panel_keeps_its_question_on_a_phone(visitors, api):
    one = visitors(viewport=SMALLEST, locale="de")
    player = api.player("Ann")
    one.become(player)
    setup = EIGHT | {"sandbox": {"positions": [{"hands": [["guard", "bishop"]]}]}}
    one.visit(f"games/{api.call('POST', '/games', setup, player['token'])['id']}")
    for asked in (".hand [data-option]", ".kind-target .option"):
        one.page.locator(asked).last.click()
    one.page.locator(".kind-number").wait_for()
    height, hidden = one.page.evaluate("""() => {
      const panel = document.querySelector("billet-table").shadowRoot.querySelector(".asking");
      return [panel.querySelector("h2").getBoundingClientRect().height, panel.scrollHeight - panel.clientHeight];
    }""")
    assert height > 20, "the question"
    assert hidden == 0, "all numbers"


def test_a_lost_connection_is_seen_wherever_the_page_is_scrolled_to_on_a_phone(visitors, api):
    one = visitors(viewport=SMALLEST)
    player = api.player("Ann")
    one.become(player)
    setup = EIGHT | {"sandbox": {"positions": [{"hands": [["princess", "handmaid"]]}]}}
    one.visit(f"games/{api.call('POST', '/games', setup, player['token'])['id']}")
    one.page.locator(".hand [data-card=handmaid]").click()
    one.context.set_offline(True)
    one.page.locator(".send").click()
    one.page.locator(".line-state").wait_for()
    assert one.page.evaluate("scrollY") > 0
    top = one.page.locator(".line-state").bounding_box()["y"]
    one.context.set_offline(False)
    assert 0 <= top < SMALLEST["height"]
