"""Room: eight seats, and the end of a long round, are seen without scrolling."""

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
FELT = """() => {
  const felt = document.querySelector("billet-table").shadowRoot.querySelector(".felt");
  return [felt.scrollHeight - felt.clientHeight, felt.scrollWidth - felt.clientWidth];
}"""


def test_eight_seats_and_nine_numbers_fit_without_scrolling(visitors, api):
    one = visitors()
    player = api.player("Margarethe von Österreich")
    one.become(player)
    one.visit(f"games/{api.call('POST', '/games', EIGHT, player['token'])['id']}")
    for nth in (1, 0):
        one.page.locator(".asking [data-option], .hand [data-option]").nth(nth).click()
    one.page.locator(".kind-number").wait_for()
    assert one.page.evaluate(FELT) == [0, 0]


def test_the_end_of_a_long_round_fits_a_laptop_without_scrolling(visitors, api):
    one = visitors(viewport={"width": 1280, "height": 800})
    player = api.player("Margarethe von Österreich")
    one.become(player)
    one.visit(f"games/{api.call('POST', '/games', LONG, player['token'])['id']}")
    one.page.locator(".hand [data-option]").first.wait_for()
    assert one.page.evaluate(FELT) == [0, 0]
