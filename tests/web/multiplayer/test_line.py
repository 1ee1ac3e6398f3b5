"""The line to the service: a loss is seen at once and until all is back, and what waits to try again is woken."""

import pytest

from tests.web.browser import TABLE, intercept
from tests.web.tables import MIDDLE
from tools.players.tables import CREATOR, OPEN

NOTICE = ".line-state"
WOKEN_ONLY = """() => {
  const wait = window.setTimeout;
  window.setTimeout = () => 0;
  addEventListener("online", () => { window.setTimeout = wait; }, true);
  window.woken = 0;
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...more) {
    window.woken += type === "up";
    listen.call(this, type, ...more);
  };
}"""
"""Until the connection is back no pause ends by itself, and those are counted that coming back ends.

What is asked the moment it is back may still fail in Chromium, and is asked again after a pause."""
SHORTENED = """() => {
  const wait = window.setTimeout, now = performance.now.bind(performance);
  let passed = 0;
  window.pauses = [];
  Math.random = () => 0;
  performance.now = () => now() + passed;
  window.setTimeout = (go, ms) => {
    window.pauses.push(ms);
    return wait(() => { passed += ms; go(); }, 0);
  };
}"""
"""From now on every pause ends at once, as if its time had passed, and is noted."""
IMPORTED = """async () => {
  window.client = await import(new URL("../api/client.js", document.querySelector("script[type=module]").src));
  client.line.addEventListener("change", ({detail}) => { window.said = detail; });
}"""
"""A client beside that of the page, whose modules are joined; `said` is what it says of the line."""
FOLLOWING = """async () => {
  const {follow} = await import(new URL("../api/stream.js", document.querySelector("script[type=module]").src));
  const {signal} = new AbortController();
  const open = (opened) => follow("/lobby", "stream", {open: true, take() {}, opened, signal});
  await Promise.all([1, 2].map(() => new Promise(open)));
}"""
"""Two more streams, beside that of the page."""
AWAY = """() => {
  const begun = performance.now();
  window.asked = [];
  Math.random = () => 0;
  window.fetch = () => {
    asked.push(Math.round((performance.now() - begun) / 1000));
    return Promise.reject(new TypeError());
  };
  window.dispatchEvent(new Event("offline"));
}"""
"""From now on the service is away; `asked` are the seconds at which it is asked for all the same."""
COMING_BACK = """async () => {
  window.dispatchEvent(new Event("focus"));
  for (let step = 0; step < 100; step++) await null;
  return asked.length;
}"""
SAID, UNSAID = "() => window.said", "() => !window.said"

GIVEN_UP = """() => {
  window.stop = new AbortController();
  client.call("GET", "/bots", undefined, {signal: stop.signal}).catch(({name}) => { window.ended = name; });
}"""


def followed(visitors, api, **more):
    """A visitor at a table of their own, once its stream is open: from then on the page asks for nothing by itself."""
    one = visitors(**more)
    with one.page.expect_response("**/frames/stream?*"):
        one.open_table(api, MIDDLE)
    return one.page, one


def test_going_offline_is_seen_without_a_call_and_coming_back_wakes_what_waits(visitors, api):
    page, one = followed(visitors, api)
    page.evaluate(WOKEN_ONLY)
    one.context.set_offline(True)
    page.locator(NOTICE).wait_for()
    page.locator(".hand [data-option]").first.click()
    page.locator(".asking [data-option]").first.click()
    while page.locator(".kind-guess, .kind-number").count():
        page.locator(".asking [data-option]").first.click()
    page.locator(".send").click()
    page.wait_for_function("() => woken >= 2")  # the stream and the action: only what waits already can be woken
    one.context.set_offline(False)
    page.locator(NOTICE).wait_for(state="detached")
    page.wait_for_function(f"() => {TABLE}.lines.some(({{type}}) => type === 'card_played')")


@pytest.mark.parametrize(
    ("mine", "others", "clicked", "played"),
    [
        (["handmaid", "handmaid"], ["spy"], [".hand [data-card=handmaid]", ".asking .send"], ["handmaid", "spy"]),
        # It cannot be played, and the table asks why; with the other protected, it could be.
        (["king", "countess"], ["handmaid"], [".hand [data-card=king]"], ["countess", "handmaid"]),
    ],
)
def test_an_action_that_comes_too_late_is_not_sent_in_the_next_turn(visitors, api, mine, others, clicked, played):
    one, ann, ben = visitors(), api.player("Ann"), api.player("Ben")
    one.become(ann)
    position = {"hands": [mine, others], "deck": ["priest", "baron", "guard", "prince"], "turn": 0}
    table = {"edition": "standard", "seats": [CREATOR, OPEN], "sandbox": {"positions": [position]}}
    game = api.call("POST", "/games", table, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    one.visit(f"games/{game}")
    one.page.locator(clicked[0]).first.wait_for()
    one.context.set_offline(True)
    one.page.locator(NOTICE).wait_for()
    for place in clicked:
        one.page.locator(place).first.click(force=True)  # also what is said to be disabled
    # From another device: this turn, and that of the other.
    for player, card in zip((ann, ben), played, strict=True):
        action = {"type": "play_card", "card": card, "targets": []}
        version = api.call("POST", f"/games/{game}/actions", action, player["token"])["version"]
    with one.page.expect_response(lambda answer: answer.url.endswith(f"/v1/games/{game}")):
        one.context.set_offline(False)
    one.page.wait_for_function(f"version => {TABLE}.game?.version >= version && !{TABLE}.sending", arg=version)
    assert api.call("GET", f"/games/{game}", token=ann["token"])["version"] == version


def test_the_notice_stays_until_the_stream_is_open_whatever_call_succeeds(visitors, api):
    page, one = followed(visitors, api)
    intercept(page, "**/frames/stream*", lambda route: route.abort())
    one.context.set_offline(True)
    page.locator(NOTICE).wait_for()
    with page.expect_response("**/tickets") as ticket:
        one.context.set_offline(False)
    assert ticket.value.ok
    with page.expect_response("**/tickets"):
        assert page.locator(NOTICE).is_visible()
    page.unroute("**/frames/stream*")
    page.locator(NOTICE).wait_for(state="detached")


def test_the_game_goes_on_to_its_end_where_no_stream_is_opened(visitors, api):
    one, ann, ben = visitors(), api.player("Ann"), api.player("Ben")
    one.become(ann)
    table = {"edition": "standard", "seats": [CREATOR, OPEN], "starter": 1}
    game = api.call("POST", "/games", table, ann["token"])["id"]
    view = api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    one.page.route("**/frames/stream*", lambda route: route.fulfill(status=429))
    one.visit(f"games/{game}")
    one.page.locator(".hand").wait_for()
    players = {0: ann["token"], 1: ben["token"]}
    while view["status"] == "active":
        token = players[view["to_act"]]
        action = api.call("GET", f"/games/{game}", token=token)["legal_actions"][0]["action"]
        view = api.call("POST", f"/games/{game}/actions", action, token)["game"]
    one.page.wait_for_function(f"version => {TABLE}.game?.version === version", arg=view["version"])
    one.page.locator(NOTICE).wait_for(state="detached")


def test_an_archive_that_is_away_is_not_said_to_be_a_restart(visitors):
    one = visitors()
    refused = {"status": 503, "code": "archive_unavailable", "detail": ""}
    one.page.route("**/v1/games/old*", lambda route: route.fulfill(status=503, json=refused))
    one.visit("games/old")
    one.page.get_by_text("The archive of ended games cannot be reached. Trying again …").wait_for()


@pytest.mark.parametrize(("status", "woken"), [(503, True), (429, False)])
def test_the_first_success_wakes_what_waits_but_not_for_a_limit(visitors, api, status, woken):
    page, _ = followed(visitors, api, apart=True)
    page.evaluate(WOKEN_ONLY)
    page.evaluate(IMPORTED)
    asked = []
    refused = {"status": status, "code": "unavailable", "detail": "", "retry_after": 9}

    def answer(route):
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=status, json=refused)
        else:
            route.continue_()

    page.route("**/bots", answer)
    page.evaluate("() => { client.call('GET', '/bots').then(() => { window.answered = true; }); }")
    page.wait_for_function(SAID)
    page.evaluate("client.call('GET', '/editions')")
    if woken:
        page.wait_for_function("() => window.answered")
        page.wait_for_function(UNSAID)
    else:
        page.evaluate("client.call('GET', '/editions')")
        assert len(asked) == 1
        assert page.evaluate(SAID)


def test_a_body_that_takes_an_hour_to_arrive_puts_no_clock_back(visitors, api):
    page, _ = followed(visitors, api, apart=True)
    page.evaluate(IMPORTED)
    ahead = page.evaluate("""async () => {
      const {now} = Date, {json} = Response.prototype;
      let arrived = 0;
      Date.now = () => now() + arrived;
      Response.prototype.json = function () { arrived = 3_600_000; return json.call(this); };
      await client.call("GET", "/bots");
      return Date.now() - client.now();
    }""")
    assert ahead < 1_800_000


@pytest.mark.parametrize("pauses", [False, True])
def test_a_call_that_is_given_up_ends_and_nothing_is_said_of_the_line(visitors, api, pauses):
    page, _ = followed(visitors, api, apart=True)
    page.evaluate(IMPORTED)
    if pauses:
        page.evaluate(WOKEN_ONLY)
    page.route("**/bots", lambda route: route.fulfill(status=503, json={"status": 503}) if pauses else None)
    with page.expect_request("**/bots"):
        page.evaluate(GIVEN_UP)
    if pauses:
        page.wait_for_function(SAID)
    page.evaluate("stop.abort()")
    page.wait_for_function("() => window.ended === 'AbortError'")
    page.wait_for_function(UNSAID)


@pytest.mark.parametrize("button", ["Close the table", "Leave the table"])
def test_what_was_done_is_not_refused_because_its_answer_was_lost(visitors, api, button):
    ann, ben = api.player("Ann"), api.player("Ben")
    table = {"edition": "standard", "seats": [CREATOR, OPEN, OPEN], "visibility": "public"}
    game = api.call("POST", "/games", table, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    one = visitors()
    one.become(ann if button == "Close the table" else ben)
    one.visit(f"games/{game}")
    lost = []

    def lose_once(route):
        if route.request.method == "DELETE" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    intercept(one.page, f"**/v1/games/{game}**", lose_once)
    one.page.get_by_role("button", name=button).click()
    one.page.locator("billet-start, .failed").first.wait_for()
    assert (lost, one.page.url) == ([200], f"{one.base}/")


def test_a_lone_call_is_tried_again_after_pauses_that_grow_or_every_thirty_seconds_for_a_limit(visitors, api):
    page, _ = followed(visitors, api, apart=True)
    page.evaluate(IMPORTED)
    page.evaluate(SHORTENED)
    failed = []

    def answer(route):
        failed.append(1)
        if len(failed) < 7:
            route.abort()
        elif len(failed) == 7:
            route.fulfill(status=429, json={"status": 429, "code": "rate_limited", "detail": "", "retry_after": 3600})
        else:
            route.continue_()

    page.route("**/bots", answer)
    page.evaluate("client.call('GET', '/bots')")
    pauses = [round(pause / 1000) for pause in page.evaluate("pauses")]
    assert [pause for pause in pauses if pause > 0] == [1, 2, 4, 8, 15, 15, 30]


def test_while_the_service_is_away_a_page_asks_less_and_less_often_until_its_reader_comes_back(visitors):
    one = visitors(apart=True, fresh=True)  # no other test gets a browser whose clock stands still
    one.visit()
    page = one.page
    page.get_by_role("heading", name="Open tables").wait_for()
    page.evaluate(IMPORTED)
    page.evaluate(FOLLOWING)
    page.clock.install(time=0)
    page.clock.pause_at(3600)  # or else it goes on between the calls of the test, too
    page.evaluate(AWAY)
    page.clock.run_for(60_000)
    asked = page.evaluate("asked")
    assert asked == [1, 2, 4, 8, 16, 31, 46]
    assert page.evaluate(COMING_BACK) > len(asked), "at once"


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_a_refusal_by_what_stands_between_is_said_and_not_tried_again(visitors, kind):
    one = visitors(apart=True)
    one.visit()
    one.page.evaluate(IMPORTED)
    one.page.route("**/v1/games", lambda route: route.fulfill(status=413, content_type=kind, body="<h1>Too large</h1>"))
    problem = """() => client.call("POST", "/games", {}, {signal: AbortSignal.timeout(60000)})
      .catch(({message, status}) => [message, status])"""
    assert one.page.evaluate(problem) == ["413", 413]
