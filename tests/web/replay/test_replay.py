"""Watching an ended game again: by keys, by the log, as anybody, and proved fair in the browser."""

import json
import time

import pytest

from tests.web.browser import SECONDS, SMALLEST, intercept
from tests.web.tables import BOT
from tools.players.tables import CREATOR, bots

HERE = "({source, at, as, version}) => [source.steps.length, at, as, version]"


@pytest.fixture(scope="module")
def ended(api):
    """A game of bots that is over."""
    token = api.player("Ann")["token"]
    game = api.call("POST", "/games", {"edition": "classic", "seats": bots(2)}, token)["id"]
    page, until = {"finished": False, "version": 0}, time.monotonic() + SECONDS
    while not page["finished"]:
        assert time.monotonic() < until, "the bots do not come to an end"
        page = api.call("GET", f"/games/{game}/events?after={page['version']}&wait=20", token=token)
    return game


@pytest.fixture
def one(visitors, ended):
    visitor = visitors()
    visitor.visit(f"replays/{ended}")
    visitor.page.get_by_role("slider").wait_for()
    return visitor


def now(page):
    return page.locator("billet-replay").evaluate(HERE)


def test_keys_and_lines_of_the_log_lead_to_steps_turns_and_rounds_and_the_address_follows(one):
    page = one.page
    steps = now(page)[0]
    seen = []
    for key in ["ArrowRight", "]", "}", "[", "ArrowLeft", "End", "Home"]:
        page.keyboard.press(key)
        seen.append(now(page)[1])
    assert seen[0] == 1
    assert seen[0] < seen[1] < seen[2]
    assert seen[3] < seen[2]
    assert seen[4] == seen[3] - 1
    assert seen[5:] == [steps - 1, 0]
    page.keyboard.press("End")
    page.wait_for_url(f"**?at={now(page)[3]}&as=all")
    line = page.locator(".log .jump").nth(20)  # the shortest game has more
    line.click()
    page.wait_for_function("line => line.ariaCurrent === 'step'", arg=line.element_handle())


def test_a_low_screen_shows_the_seats_and_what_happens_above_the_controls(one):
    page, low = one.page, {"width": 844, "height": 390}
    page.keyboard.press("End")
    page.locator(".sentence").filter(has_text="wins the game").wait_for()
    page.set_viewport_size(low)
    controls, play = page.locator(".controls").bounding_box(), page.locator(".play").bounding_box()
    shown = [part.bounding_box() for part in [*page.locator(".seat").all(), page.locator(".sentence")]]
    assert max(box["y"] + box["height"] for box in shown) <= controls["y"]
    assert play["y"] + play["height"] <= low["height"]


def test_the_step_that_ends_a_round_or_the_game_says_who_wins(one, api, ended):
    events = api.call("GET", f"/games/{ended}/events?text=true")["events"]
    ends = [
        next(event["text"] for event in events if event["type"] == kind) for kind in ("round_ended", "game_finished")
    ]
    for key, end in zip(("}", "End"), ends, strict=True):
        one.page.keyboard.press(key)
        one.page.locator(".sentence", has_text=end).wait_for()


@pytest.mark.parametrize("way", ["in the address", "on the page"])
def test_the_replay_of_an_unlisted_game_opens_by_its_code(visitors, api, way):
    token = api.player("Ann")["token"]
    table = {"edition": "classic", "seats": [CREATOR, BOT], "visibility": "unlisted"}
    game = api.call("POST", "/games", table, token)
    api.call("DELETE", f"/games/{game['id']}/seats/me", token=token)
    one = visitors()
    if way == "in the address":
        one.visit(f"replays/{game['id']}#code={game['join_code']}")
    else:
        one.visit(f"replays/{game['id']}")
        one.page.get_by_role("textbox", name="Code or link").fill(game["join_code"])
        one.page.get_by_role("button", name="To the table").click()
    one.page.get_by_role("slider").wait_for()
    one.page.keyboard.press("ArrowRight")
    one.page.wait_for_url(f"**/replays/{game['id']}?at=*#code={game['join_code']}")
    one.page.get_by_role("button", name="Was the deal fair?").click()
    one.page.get_by_text("Yes. This deal was fixed before the first card.").wait_for()


def test_every_step_shows_the_view_that_the_service_gives_of_it_and_a_seat_sees_no_more(one, api, ended):
    for at in range(0, now(one.page)[0], 8):
        shown = one.page.locator("billet-replay").evaluate(
            "async (replay, at) => { await replay.goTo(at); return [replay.version, replay.game]; }", at
        )
        assert shown[1] == api.call("GET", f"/games/{ended}?at={shown[0]}&as=all")
    one.page.keyboard.press("Home")
    one.page.get_by_label("As seen by").select_option("1")
    one.page.wait_for_function("() => document.querySelector('billet-replay').game?.viewer?.seat === 1")
    version = now(one.page)[3]
    said = one.page.locator("billet-replay").evaluate("({game}) => game")
    assert said == api.call("GET", f"/games/{ended}?at={version}&as=1")
    assert None in [card for seat in said["seats"] for card in seat["hand"]]


def test_the_viewer_chosen_last_is_shown_though_what_the_one_before_sees_comes_later(one):
    page, held = one.page, []
    intercept(page, "**/frames?*&as=0", lambda route: held.append(route))
    for seat in ("0", "1"):
        page.get_by_label("As seen by").select_option(seat)
    page.wait_for_function("() => document.querySelector('billet-replay').game?.viewer?.seat === 1")
    with page.expect_response("**/frames?*&as=0") as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate("async () => { await fetch('/v1/bots'); }")  # what came before has been taken by then
    assert page.locator("billet-replay").evaluate("({as, game}) => [as, game.viewer.seat]") == ["1", 1]


def test_steps_taken_while_another_view_is_on_its_way_are_kept(one):
    page, held = one.page, []
    intercept(page, "**/frames?*&as=0", lambda route: held.append(route))
    with page.expect_request("**/frames?*&as=0"):
        page.get_by_label("As seen by").select_option("0")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("End")
    last = now(page)
    assert last[1] == last[0] - 1, "it is at the end"
    held[0].continue_()
    page.wait_for_function("() => document.querySelector('billet-replay').game?.viewer?.seat === 0")
    assert now(page) == last


def test_who_pauses_and_goes_on_while_a_step_is_shown_gets_no_step_twice(one):
    page = one.page
    page.locator("billet-replay").evaluate(
        """replay => {
            const {goTo} = replay, wait = window.setTimeout;
            window.shown = [], window.next = 0;
            replay.goTo = (at) => { shown.push(goTo.call(replay, at)); return shown.at(-1); };
            window.setTimeout = (go, ms) => { if (ms === 1600) window.next++; else return wait(go, ms); };
            for (let pressed = 0; pressed < 3; pressed++) replay.toggle();
        }"""
    )
    page.wait_for_function("async () => { await Promise.all(shown); return shown.length === 2 && next; }")
    assert page.evaluate("next") == 1


def test_a_view_chosen_while_a_step_moves_stays(visitors, ended):
    page = (one := visitors(reduced_motion="no-preference")).page
    one.visit(f"replays/{ended}")
    page.get_by_role("slider").wait_for()
    page.evaluate("""() => {
      const moving = new Promise((end) => { window.end = end; });
      document.querySelector("billet-replay").stage.play = () => { window.moves = true; return moving; };
    }""")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => window.moves")
    page.get_by_label("As seen by").select_option("1")
    page.wait_for_function("() => document.querySelector('billet-replay').game?.viewer?.seat === 1")
    page.evaluate("async () => { end(); await new Promise(requestAnimationFrame); }")
    assert page.locator("billet-replay").evaluate("({game}) => game.viewer?.seat") == 1


WATCHED = """() => {
  const replay = document.querySelector("billet-replay"), root = replay.shadowRoot;
  window.seen = [];
  const look = () => {
    const [at, deck] = [root.querySelector("input[type=range]").value, root.querySelector(".piles b").textContent];
    const told = root.querySelectorAll(".log .jump:not(.ahead)").length;
    seen.push([Number(at), Number(deck), root.querySelector(".sentence").textContent, told]);
    requestAnimationFrame(look);
  };
  look();
}"""
STANDS = """() => {
  const replay = document.querySelector("billet-replay"), { source, lines } = replay;
  const told = (last) => lines.filter(({ version }) => version <= last).length;
  return source.steps.map((version, at) => [at, source.view(at).round.deck_size, told(version)]);
}"""


def test_sentence_and_log_are_never_ahead_of_the_table_however_quickly_one_goes_on(visitors, ended):
    page = (one := visitors(reduced_motion="no-preference", tell=True)).page
    one.visit(f"replays/{ended}")
    page.get_by_role("slider").wait_for()
    page.evaluate(WATCHED)
    for key in [*["ArrowRight"] * 12, "ArrowLeft", *["ArrowRight"] * 3, "]", "ArrowRight", "[", "ArrowRight"]:
        page.keyboard.press(key)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    wanted = page.locator("billet-replay").evaluate("({source, at}) => at")
    page.wait_for_function("at => seen.at(-1)[0] > at || seen.length > 100", arg=wanted)
    stands, seen = page.evaluate(STANDS), page.evaluate("seen")
    assert len({at for at, *_ in seen}) > 10, "each step was shown"
    for at, deck, _, lines in seen:
        assert [at, deck, lines] == stands[at]
    for at in {at for at, *_ in seen}:
        assert len({sentence for there, _, sentence, _ in seen if there == at}) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_fits_the_smallest_screen(visitors, ended, language):
    visitor = visitors(viewport=SMALLEST, locale=language)
    visitor.visit(f"replays/{ended}")
    visitor.page.get_by_role("slider").wait_for()
    assert visitor.page.evaluate("document.documentElement.scrollWidth") == SMALLEST["width"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_line_of_the_step_on_show_is_read_easily_whatever_it_says(visitors, ended, theme):
    visitor = visitors(color_scheme=theme)
    visitor.visit(f"replays/{ended}")
    visitor.page.get_by_role("slider").wait_for()
    visitor.page.keyboard.press("Home")
    visitor.page.locator(".turn_started .jump[aria-current]").wait_for()
    assert visitor.violations() == []


def test_the_deal_is_proved_in_the_browser_and_a_changed_log_is_not(one):
    one.page.get_by_role("button", name="Was the deal fair?").click()
    one.page.get_by_text("This deal was fixed before the first card").wait_for()
    one.page.get_by_role("button", name="Close").click()

    def changed(route):
        log = route.fetch(timeout=1000 * SECONDS).json()
        dealt = next(event for event in log["events"] if event["type"] == "round_started")
        dealt["data"]["deck"].reverse()
        route.fulfill(body=json.dumps(log), content_type="application/json")

    intercept(one.page, "**/log", changed)
    one.page.get_by_role("button", name="Was the deal fair?").click()
    one.page.get_by_text("Something in this log does not fit").wait_for()


def test_one_may_go_on_from_any_step(one):
    one.page.keyboard.press("]")
    forks = []
    one.page.on("request", lambda request: forks.append(request) if request.url.endswith("/fork") else None)
    one.page.get_by_role("button", name="Go on from here").evaluate("(button) => { button.click(); button.click(); }")
    one.page.wait_for_url("**/games/*")
    one.page.locator(".asking").wait_for()
    assert len(forks) == 1, "and a second click makes no second game"
