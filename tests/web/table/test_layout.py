"""Room: eight seats, and the end of a long round, are seen without scrolling; a name takes one line.

Also: on a phone the panel keeps its question, and the page its word on the connection."""

import re

import pytest

from tests.web.browser import LAPTOP, PHONE, SMALLEST, TABLET, WIDE
from tests.web.tables import BOT, FELT, HELD, LONG_ROUND, sandbox
from tools.players.tables import CREATOR, OPEN, bot

EIGHT = sandbox(
    "premium",
    8,
    {
        "hands": [["cardinal", "bishop"]],
        "discards": [["guard", "baron"], ["guard", "priest"], *[["guard", "handmaid"]] * 2, ["guard"] * 2],
        "tokens": [1, 2, 0, 3, 1, 0, 2, 1],
        "protected": [2],
        "out": [4],
    },
)
TWO_KINDS = ("lovecraft", 6, ["investigators", "cats_of_ulthar"])
"""Of tokens, beside each name."""
CROWD = [["cardinal"], ["prince"], ["baron"], ["king"], ["guard"], ["priest"], ["count"], ["handmaid", "bishop"]]
LATE = [["guard", "baron"], ["guard", "baroness", "sycophant", "count"], ["guard", "constable"], ["guard", "sycophant"]]
LATE += [["guard", "guard"], ["priest"], [], ["jester", "assassin"]]
PLAYED = sandbox("premium", 8, {"hands": CROWD, "discards": LATE, "tokens": [1, 2, 0, 3, 1, 0, 2, 1], "turn": 7})
PLAYED |= {"seats": [CREATOR, *[BOT] * 6, OPEN]}
"""The last seat plays before the first."""
HANDS = [["guard", "princess"], ["priest"], ["baron"], ["handmaid"], ["king"], ["jester"], ["cardinal"], ["prince"]]


def last_card(edition, seats, tokens):
    """The reader, who has so many tokens, wins a round with the last card, whomever else it is compared with."""
    position = {"hands": HANDS[:seats], "deck": [], "protected": [*range(1, seats)], "turn": 0}
    return sandbox(edition, seats, position | {"tokens": [tokens] + [1] * (seats - 1)})


ENDS = [
    (last_card("standard", 2, 1), ".next"),
    (last_card("standard", 3, 1), ".next"),
    (last_card("premium", 8, 1), ".next"),
    (last_card("standard", 4, 3), "[id=ending]"),
    (last_card("premium", 8, 3), "[id=ending]"),
]
NAME = """() => {
  const seat = document.querySelector("billet-table").shadowRoot.querySelector(".seat.acts");
  const [dot, name] = [".dot", "bdi"].map((part) => seat.querySelector(part).getBoundingClientRect());
  const around = seat.getBoundingClientRect();
  const fits = [dot.left >= around.left, dot.right <= name.left, dot.top >= name.top, dot.bottom <= name.bottom];
  return [name.height, fits];
}"""


@pytest.mark.parametrize(("viewport", "chip"), [(WIDE, 38), ({"width": 1600, "height": 960}, 56)])
def test_eight_seats_and_nine_numbers_fit_without_scrolling(visitors, api, viewport, chip):
    one = visitors(viewport=viewport)
    one.open_table(api, EIGHT, "Margarethe von Österreich")
    for nth in (1, 0):
        one.page.locator(".asking [data-option], .hand [data-option]").nth(nth).click()
    one.page.locator(".kind-number").wait_for()
    assert one.page.evaluate(FELT) == [0, 0]
    assert one.page.locator(".seat .chip").first.bounding_box()["height"] == chip


@pytest.mark.parametrize("viewport", [WIDE, LAPTOP, TABLET])
@pytest.mark.parametrize(("setup", "shown"), ENDS)
def test_the_end_of_a_round_and_of_a_game_leaves_seats_and_hand_in_view(visitors, api, setup, shown, viewport):
    one = visitors(viewport=viewport, tell=shown == ".next", has_touch=viewport == TABLET)
    one.page.add_init_script(HELD)
    one.open_table(api, setup)
    one.page.locator(".held-card[data-card=guard]").click()
    one.page.locator(".send").click()
    one.page.locator(shown).wait_for()
    assert one.page.evaluate(FELT)[1] == 0
    assert one.page.evaluate(FELT)[0] <= 20
    parts = [one.page.locator(part).bounding_box() for part in (".seat >> nth=0", ".mine .who", shown)]
    assert all(part["y"] >= 0 and part["y"] + part["height"] <= viewport["height"] for part in parts)


def fits(one, *parts):
    """Whether a page is as high as its screen, and these parts of it are whole on it."""
    height = one.page.viewport_size["height"]
    boxes = [one.page.locator(part).last.bounding_box() for part in parts]
    inside = [box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes]
    return one.page.evaluate("document.documentElement.scrollHeight") == height and all(inside)


@pytest.mark.parametrize("locale", ["en", "de"])
def test_eight_seats_leave_hand_and_question_in_view_on_a_phone(visitors, api, locale):
    one = visitors(locale=locale, **PHONE)
    one.open_table(api, EIGHT)
    assert fits(one, ".held-card", ".own.standing", ".seat >> nth=0")
    before = [seat.bounding_box() for seat in one.page.locator(".seat").all()]
    one.page.locator(".hand [data-card=cardinal]").tap()
    one.page.locator(".kind-target").wait_for()
    assert [seat.bounding_box() for seat in one.page.locator(".seat").all()] == before
    choosable = [seat.bounding_box() for seat in one.page.locator(".seat.choosable").all()]
    assert len(choosable) == 5
    assert max(box["y"] + box["height"] for box in choosable) <= one.page.locator(".asking").bounding_box()["y"]


@pytest.mark.parametrize("locale", ["en", "de"])
def test_eight_seats_leave_a_played_card_and_the_hand_in_view_on_a_phone(visitors, api, locale):
    one, ann, ben = visitors(locale=locale, **PHONE), api.player("Margarethe von Österreich"), api.player("Ben")
    game = api.call("POST", "/games", PLAYED, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    api.call("POST", f"/games/{game}/actions", {"type": "play_card", "card": "handmaid", "targets": []}, ben["token"])
    one.become(ann)
    one.visit(f"games/{game}")
    one.page.locator(".hand [data-option]").nth(1).wait_for()
    assert fits(one, "[data-place=felt] .face", ".sentence", ".held-card", ".seat >> nth=0")
    assert min(chip.bounding_box()["width"] for chip in one.page.locator(".seat .chip").all()) >= 24


@pytest.mark.parametrize(("edition", "seats"), [("standard", 2), ("standard", 3), ("premium", 6), ("premium", 8)])
@pytest.mark.parametrize("locale", ["en", "de"])
def test_the_end_of_a_round_leaves_the_hand_in_view_on_a_phone(visitors, api, edition, seats, locale):
    one = visitors(locale=locale, tell=True, **PHONE)
    one.page.add_init_script(HELD)
    one.open_table(api, last_card(edition, seats, 1))
    one.page.locator(".held-card[data-card=guard]").tap()
    one.page.locator(".send").tap()
    one.page.locator(".next").wait_for()
    assert fits(one, ".next", ".held-card", ".showdown figure", ".seat >> nth=0")
    assert one.page.locator(".showdown .name").first.inner_text() in ("Princess", "Prinzessin")
    assert one.violations() == []


@pytest.mark.parametrize("viewport", [WIDE, LAPTOP, TABLET])
def test_a_card_that_was_played_pushes_no_seat_out_of_view(visitors, api, viewport):
    one, ann, ben = visitors(viewport=viewport, locale="de"), api.player("Ann"), api.player("Ben")
    position = {"hands": [["king"], ["guard", "spy"]], "deck": ["baron"] + ["guard"] * 3, "turn": 1}
    setup = sandbox("standard", 2, position) | {"seats": [CREATOR, OPEN]}
    game = api.call("POST", "/games", setup, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    api.call("GET", f"/games/{game}/hint", token=ben["token"])
    api.call("POST", f"/games/{game}/actions", {"type": "play_card", "card": "spy", "targets": []}, ben["token"])
    one.become(ann)
    one.visit(f"games/{game}")
    one.page.locator(".asking").wait_for()
    assert one.page.locator("[data-place=felt] .face").count() == 1
    assert one.page.evaluate(FELT) == [0, 0]


def test_the_end_of_a_long_round_fits_a_laptop_without_scrolling(visitors, api):
    one = visitors(viewport={"width": 1280, "height": 800})
    one.open_table(api, LONG_ROUND, "Margarethe von Österreich")
    assert one.page.evaluate(FELT) == [0, 0]


@pytest.mark.parametrize("setup", [LONG_ROUND, EIGHT])
@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 720}, {"width": 768, "height": 1024}])
def test_the_whole_texts_of_both_cards_are_seen_without_scrolling(visitors, api, setup, viewport):
    one = visitors(viewport=viewport)
    one.open_table(api, setup)
    texts = one.page.locator(".texts dd")
    assert texts.count() == 2
    assert texts.evaluate_all("all => all.filter(one => one.scrollHeight > one.clientHeight).length") == 0
    assert one.page.evaluate(FELT) == [0, 0]


@pytest.mark.parametrize("setup", [LONG_ROUND, EIGHT])
def test_an_upright_tablet_shows_the_log_under_a_table_that_fills_the_rest(visitors, api, setup):
    one = visitors(viewport={"width": 768, "height": 1024})
    one.open_table(api, setup)
    side, mine = (one.page.locator(part).bounding_box() for part in (".side", ".mine"))
    assert side["y"] + side["height"] == 1024
    assert 120 < side["height"] < 300
    assert mine["y"] + mine["height"] < side["y"] < mine["y"] + mine["height"] + 80
    assert one.page.locator(".line").last.is_visible()


def test_what_lies_beside_an_upright_tablets_table_has_room_to_be_read(visitors, api):
    one = visitors(viewport=TABLET, has_touch=True)
    one.open_table(api, LONG_ROUND)
    one.page.get_by_role("tab", name="Notes").tap()
    one.page.locator(".mark").nth(4).wait_for()
    bottom = one.page.locator(".mark").nth(4).bounding_box()
    assert bottom["y"] + bottom["height"] <= TABLET["height"]
    assert one.page.evaluate(FELT) == [0, 0]


@pytest.mark.parametrize(("setup", "width", "height"), [(LONG_ROUND, 390, 844), (EIGHT, 360, 740), (EIGHT, 768, 1024)])
def test_a_hand_stays_where_it_is_while_a_card_is_chosen(visitors, api, setup, width, height):
    one = visitors(viewport={"width": width, "height": height})
    one.open_table(api, setup | {"sandbox": {"positions": [{"hands": [["prince", "guard"]]}]}})
    hand = one.page.locator(".held-card").last
    before = hand.bounding_box()
    one.page.locator(".hand [data-card=guard]").click()
    one.page.locator(".kind-target .option").last.click()
    one.page.locator(":is(.kind-guess, .kind-number) .option").last.wait_for()
    now = hand.bounding_box()
    lifted = 10
    assert before["x"] == now["x"]
    assert 0 <= before["y"] - now["y"] <= lifted


def test_the_only_choice_on_a_phone_lies_below_the_hand_and_the_other_card_says_why(visitors, api):
    viewport = {"width": 390, "height": 844}
    one = visitors(viewport=viewport)
    player = api.player("Ann")
    one.become(player)
    setup = sandbox("standard", 3, {"hands": [["countess", "prince"]], "turn": 0})
    one.visit(f"games/{api.call('POST', '/games', setup, player['token'])['id']}")
    one.page.locator(".send").wait_for()
    hand = [card.bounding_box() for card in one.page.locator(".held-card").all()]
    assert min(box["y"] for box in hand) >= 0
    assert max(box["y"] + box["height"] for box in hand) <= one.page.locator(".asking").bounding_box()["y"]
    one.page.locator(".hand [data-card=prince]").click(force=True)
    why = one.page.locator(".why", has_text="You must play the Countess")
    for shown in (why, one.page.locator(".send")):
        box = shown.bounding_box()
        assert box["y"] + box["height"] <= viewport["height"]


@pytest.mark.parametrize("viewport", [{"width": 844, "height": 390}, {"width": 640, "height": 360}])
def test_a_low_screen_shows_the_others_beside_the_hand_and_beside_what_is_asked(visitors, api, viewport):
    one = visitors(viewport=viewport)
    one.open_table(api, sandbox("standard", 3, {"hands": [["prince", "guard"]], "turn": 0}))
    hand = one.page.locator(".held-card").last.bounding_box()
    seats = [seat.bounding_box() for seat in one.page.locator(".seat").all()]
    assert one.page.evaluate("scrollY") == 0
    assert max(box["y"] + box["height"] for box in [hand, *seats]) <= viewport["height"]
    one.page.locator(".hand [data-card=guard]").click()
    one.page.locator(".kind-target .option").last.click()
    one.page.locator(".kind-guess").wait_for()
    assert max(box["x"] + box["width"] for box in seats) <= one.page.locator(".asking").bounding_box()["x"]


@pytest.mark.parametrize("hand", [["prince", "guard"], ["bishop", "guard"]])
@pytest.mark.parametrize("viewport", [{"width": 1024, "height": 768}, {"width": 768, "height": 1024}])
def test_the_others_stay_where_they_are_while_a_card_is_chosen_on_a_tablet(visitors, api, viewport, hand):
    one = visitors(viewport=viewport, has_touch=True, locale="de")
    one.open_table(api, sandbox("premium", 5, {"hands": [hand]}))
    seen = []
    for step in (".hand [data-card=guard]", ".kind-target .option", ".kind-number .option", ".send"):
        last = one.page.locator(step).last
        last.wait_for()
        seen.append([seat.bounding_box() for seat in one.page.locator(".seat").all()])
        assert one.violations() == [], step
        if step != ".send":
            last.tap()
    assert all(boxes == seen[0] for boxes in seen)


@pytest.mark.parametrize("viewport", [{"width": 1024, "height": 768}, WIDE])
def test_the_tabs_beside_a_table_fit(visitors, api, viewport):
    one = visitors(viewport=viewport, has_touch=True, locale="de")
    one.become(player := api.player("Ann"))
    one.visit(f"games/{api.call('POST', '/games', EIGHT, player['token'])['id']}")
    for tab in ("Verlauf", "Karten", "Ungesehen", "Notizen"):
        one.page.get_by_role("tab", name=tab).tap()
        one.page.get_by_role("tab", name=tab, selected=True).wait_for()
        assert one.page.locator(".top").evaluate("top => top.scrollWidth - top.clientWidth") == 0, tab
    narrowest = 24
    assert min(mark.bounding_box()["width"] for mark in one.page.locator(".mark:visible").all()) >= narrowest


def test_three_cards_fit_beside_the_others_on_a_low_screen(visitors, api):
    one = visitors(viewport={"width": 640, "height": 360})
    player = api.player("Ann")
    one.become(player)
    setup = sandbox("standard", 3, {"hands": [["chancellor", "guard"]], "turn": 0})
    game = api.call("POST", "/games", setup, player["token"])["id"]
    play = {"type": "play_card", "card": "chancellor", "targets": []}
    api.call("POST", f"/games/{game}/actions", play, player["token"])
    one.visit(f"games/{game}")
    one.page.locator(".hand.count-3").wait_for()
    assert one.page.evaluate("document.documentElement.scrollWidth") == 640


@pytest.mark.parametrize("seats", [3, 8])
def test_a_name_and_the_dot_of_the_turn_share_a_line_on_a_phone(visitors, api, seats):
    one = visitors(viewport={"width": 390, "height": 844})
    token = api.player("Maximiliane von Hohenlohe-Waldenburg")["token"]
    setup = sandbox("premium", seats, {"hands": [["guard", "prince"]], "turn": 0})
    one.visit(f"games/{api.call('POST', '/games', setup, token)['id']}")
    one.page.locator(".seat.acts .dot").wait_for()
    height, fits = one.page.evaluate(NAME)
    assert height < 30, "one line"
    assert fits == [True, True, True, True], "the dot is beside it, and inside the seat"


@pytest.mark.parametrize("count", [2, 4])
def test_a_long_name_has_the_whole_line_while_a_table_waits(visitors, api, count):
    one, host = visitors(viewport={"width": 390, "height": 844}), api.player("Margarethe von Österreich")
    table = {"edition": "standard", "seats": [CREATOR] + [OPEN] * (count - 1)}
    one.visit(f"games/{api.call('POST', '/games', table, host['token'])['id']}")
    name = one.page.locator(".seat bdi", has_text="Margarethe")
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")


@pytest.mark.parametrize("viewport", [TABLET, WIDE])
def test_the_names_of_bots_are_whole_beside_two_kinds_of_tokens(visitors, api, viewport):
    one, (edition, _, hand) = visitors(viewport=viewport), TWO_KINDS
    setup = sandbox(edition, 3, {"hands": [hand], "turn": 0}) | {"seats": [CREATOR] + [bot("cautious")] * 2}
    one.open_table(api, setup)
    cut = "all => all.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
    assert one.page.locator(".seat bdi").evaluate_all(cut) == []


@pytest.mark.parametrize("viewport", [SMALLEST, TABLET, WIDE])
def test_what_tells_namesakes_apart_is_whole(visitors, api, viewport):
    one, name = visitors(), "Margarethe von Österreich"
    one.become(player := api.player(name))
    hand = ["investigators", "cats_of_ulthar"]
    setup = sandbox("lovecraft", 3, {"hands": [hand], "turn": 0}) | {"seats": [CREATOR] * 3}
    one.visit(f"games/{api.call('POST', '/games', setup, player['token'])['id']}")
    one.page.set_viewport_size(viewport)
    alike = one.page.locator(".seat .alike")
    alike.nth(1).wait_for()
    assert [text.strip() for text in alike.all_inner_texts()] == ["(seat 2)", "(seat 3)"]
    apart = """(one) => {
      const [own, seat, seals] = [one, one.closest(".seat"), one.closest(".who").querySelector(".seals")].map(
        (part) => part.getBoundingClientRect());
      return own.right <= seat.right && (own.right <= seals.left || own.bottom <= seals.top);
    }"""
    assert all(one.evaluate(apart) for one in alike.element_handles())


@pytest.mark.parametrize(
    ("edition", "seats", "hand"),
    [("standard", 3, ["guard", "prince"]), *[("premium", seats, ["guard", "bishop"]) for seats in (5, 8)], TWO_KINDS],
)
def test_the_names_of_bots_are_whole_on_the_smallest_phone_and_say_what_they_are(visitors, api, edition, seats, hand):
    one = visitors(viewport=SMALLEST, locale="de")
    one.open_table(api, sandbox(edition, seats, {"hands": [hand], "turn": 0}))
    whole = """() => [...document.querySelector("billet-table").shadowRoot.querySelectorAll(".seat bdi")].map(name => [
      name.textContent, name.scrollWidth <= name.clientWidth, name.nextElementSibling.title])"""
    names = ["Hanna", "Nils", "Paula", "Theo", "Clara", "Oskar", "Lotte"][: seats - 1]
    assert one.page.evaluate(whole) == [[name, True, "Bot des Hauses, leicht"] for name in names]


@pytest.mark.parametrize("viewport", [SMALLEST, WIDE])
def test_one_clock_runs_and_covers_nothing(visitors, api, viewport):
    one, player = visitors(viewport=viewport), api.player("Ann")
    setup = sandbox("premium", 5, {"hands": [["guard"], ["guard", "prince"]], "turn": 1})
    setup |= {"seats": [CREATOR, OPEN, BOT, BOT, BOT], "clock": {"seconds": 3600, "on_timeout": "bot_plays"}}
    game = api.call("POST", "/games", setup, player["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, api.player("Margarethe von Österreich")["token"])
    one.become(player)
    one.visit(f"games/{game}")
    clock = one.page.get_by_role("timer")
    clock.wait_for()
    beside = ".seat.acts :is(h2, .seals, .chip), .piles, .standing"
    over = """(clock, beside) => [...clock.getRootNode().querySelectorAll(beside)].filter((part) => {
      const [one, other] = [clock, part].map((box) => box.getBoundingClientRect());
      const level = one.top < other.bottom && other.top < one.bottom;
      return level && one.left < other.right && other.left < one.right;
    }).map((part) => part.className)"""
    assert clock.evaluate(over, beside) == []


@pytest.mark.parametrize("hours", [-1, 1])
def test_what_is_left_of_a_clock_is_right_where_that_of_the_device_is_not(visitors, api, hours):
    one, player = visitors(), api.player("Ann")
    setup = {"edition": "standard", "seats": [CREATOR, BOT], "starter": 0, "clock": {"seconds": 7190}}
    one.become(player)
    one.page.add_init_script(f"const now = Date.now; Date.now = () => now() + {hours} * 3_600_000")
    one.visit(f"games/{api.call('POST', '/games', setup, player['token'])['id']}")
    assert re.fullmatch(r"1:5\d:\d\d", one.page.get_by_role("timer").text_content())


def test_a_long_panel_keeps_its_question_on_a_phone(visitors, api):
    one = visitors(viewport=SMALLEST, locale="de")
    one.open_table(api, sandbox("premium", 8, {"hands": [["guard", "bishop"]]}))
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
    viewport = {"width": 320, "height": 480}
    one = visitors(viewport=viewport)
    one.open_table(api, sandbox("premium", 8, {"hands": [["princess", "handmaid"]]}))
    one.page.locator(".hand [data-card=handmaid]").click()
    one.context.set_offline(True)
    one.page.locator(".send").click()
    one.page.locator(".line-state").wait_for()
    assert one.page.evaluate("scrollY") > 0
    top = one.page.locator(".line-state").bounding_box()["y"]
    one.context.set_offline(False)
    assert 0 <= top < viewport["height"]
