"""What people tell each other beside the game: six words, a bubble at the sender's seat, read out, and muted."""

from contextlib import suppress
from urllib.error import HTTPError

import pytest

from tests.web.browser import WIDE
from tests.web.tables import MIDDLE
from tools.players.tables import CREATOR, OPEN

PHONE = {"width": 360, "height": 740}
SAID = ".seats .bubble"
SEEN = """() => {
  const root = document.querySelector("billet-table").shadowRoot;
  globalThis.seen = 0;
  const count = () => { seen += root.querySelectorAll(".bubble").length; };
  new MutationObserver(count).observe(root, { subtree: true, childList: true });
}"""
HOLD = """() => {
  const wait = setTimeout;
  globalThis.held = [];
  globalThis.setTimeout = (go, ms, ...more) => (ms === 5000 ? held.push(go) : wait(go, ms, ...more));
}"""
"""Five seconds last until the test says that they are over."""
READ_OUT = """said => [...document.querySelector("billet-table").shadowRoot.querySelectorAll("p.unseen")]
  .some((line) => line.getAttribute("aria-live") === "polite" && line.textContent === said)"""


class Trio:
    """Three people at a table: two of them have a browser."""

    def __init__(self, visitors, api, **more):
        self.api, self.players = api, [api.player(name) for name in ("Ann", "Ben", "Cleo")]
        setup = {"edition": "standard", "seats": [CREATOR, OPEN, OPEN]}
        self.game = self.by(0, "POST", "/games", setup)["id"]
        for number in (1, 2):
            self.by(number, "POST", f"/games/{self.game}/seats", {})
        self.visitors = [visitors(**more) for _ in range(2)]
        for one, player in zip(self.visitors, self.players, strict=False):
            one.become(player)
            one.visit(f"games/{self.game}")
        self.hear()

    def by(self, number, method, path, body=None):
        return self.api.call(method, path, body, self.players[number]["token"])

    def hear(self):
        """Waits until both have heard the third: what is said before a stream has begun is lost."""
        said = [one.page.locator(SAID, has_text="…") for one in self.visitors]
        while not all(one.count() for one in said):
            with suppress(HTTPError):  # five seconds are not over
                self.by(2, "POST", f"/games/{self.game}/reactions", {"reaction": "thinking"})
            self.visitors[0].page.wait_for_timeout(100)
        for one in said:
            one.wait_for(state="detached")

    def leave(self, number):
        self.by(number, "DELETE", f"/games/{self.game}/seats/me")


@pytest.fixture
def trio(visitors, api):
    return lambda **more: Trio(visitors, api, **more)


def test_a_word_appears_at_the_seat_of_who_said_it_and_is_read_out(trio):
    ann, ben = trio().visitors
    ann.page.get_by_role("button", name="React").click()
    assert ann.violations() == []
    for one in (ann, ben):
        one.page.evaluate(HOLD)
    ann.page.locator(".reactions").get_by_role("button", name="Ouch!").click()
    ben.page.locator(SAID, has_text="Ouch!").wait_for()
    assert ben.violations() == []
    ann.page.locator(".mine .bubble", has_text="Ouch!").wait_for()
    ben.page.wait_for_function(READ_OUT, arg="Ann: Ouch!")
    ann.page.get_by_role("button", name="React").click()
    said = ann.page.locator(".reactions button[aria-disabled=true][title='in a moment']")
    assert said.count() == 6
    assert ann.violations() == []
    ann.page.evaluate("() => { for (const go of held) go(); }")
    said.first.wait_for(state="detached")


def test_who_mutes_them_hears_none_also_after_coming_back(trio):
    three = trio()
    ann, ben = three.visitors
    ben.page.get_by_role("button", name="React").click()
    ben.page.get_by_label("Show no reactions").check()
    ben.page.evaluate(SEEN)
    ann.page.evaluate(HOLD)
    ann.page.get_by_role("button", name="React").click()
    ann.page.locator(".reactions").get_by_role("button", name="Thanks!").click()
    ann.page.locator(".mine .bubble").wait_for()
    three.leave(2)
    ben.page.locator(".state", has_text="has left").wait_for()  # what comes later has come
    assert ben.page.evaluate("() => seen") == 0
    ben.page.reload()
    ben.page.get_by_role("button", name="React").click()
    assert ben.page.get_by_label("Show no reactions").is_checked()


def test_people_thank_each_other_after_the_end_by_keys_alone(trio):
    three = trio()
    ann, ben = three.visitors
    three.leave(2)
    three.leave(0)
    ben.page.locator("[id=ending]").wait_for()
    ben.page.reload()
    three.hear()
    for one in (ann, ben):
        one.page.evaluate(HOLD)
    ben.page.keyboard.press("e")
    ben.page.locator(".reactions:popover-open").wait_for()
    ben.page.keyboard.press("1")
    for one, place in ((ann, SAID), (ben, ".mine .bubble")):
        one.page.locator(place, has_text="Well played!").wait_for()
    ben.page.keyboard.press("e")
    ben.page.locator(".reactions:popover-open").wait_for()
    ben.page.keyboard.press("Escape")
    ben.page.locator(".reactions:popover-open").wait_for(state="detached")


def test_bots_alone_are_told_nothing(visitors, api):
    one = visitors()
    one.open_table(api, MIDDLE)
    with one.page.expect_request(lambda request: "/frames/stream" in request.url) as asked:
        one.page.reload()
    assert "reactions=false" in asked.value.url
    one.page.locator(".hand [data-option]").first.wait_for()
    assert one.page.get_by_role("button", name="Sound").is_visible()
    assert one.page.get_by_role("button", name="React").count() == 0
    one.page.keyboard.press("e")


@pytest.mark.parametrize("viewport", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_words_fit_and_can_be_touched(trio, viewport):
    ann, ben = trio(viewport=viewport, locale="de", has_touch=True).visitors
    ann.page.get_by_role("button", name="Reagieren").tap()
    words = ann.page.locator(".reactions")
    words.wait_for()
    box = words.bounding_box()
    assert min(box["x"], box["y"]) >= 0
    assert box["x"] + box["width"] <= viewport["width"]
    assert box["y"] + box["height"] <= viewport["height"]
    assert (
        ann.page.locator(".reactions button").evaluate_all("all => Math.min(...all.map(one => one.offsetHeight))") >= 44
    )
    ben.page.evaluate(HOLD)
    words.get_by_role("button", name="Danke!").tap()
    ben.page.locator(SAID, has_text="Danke!").wait_for()
