"""The front end of docs/integrate.md plays whole games by its buttons; the program of docs/events.md follows one."""

import random
import re
from itertools import cycle

import httpx
import pytest

from engine.editions import EDITIONS
from engine.events import EVENTS
from games.texts.catalogue import catalogue
from tests.pages import SECONDS, opened, origin, shown_in_the_end
from tools.docs.generate import DOCS
from tools.players.person import Person
from tools.testbed.bad_network import BadNetwork, Mishap

BLOCK = re.compile(r"^<!-- executed -->\n```html\n(.*?)^```$", re.MULTILINE | re.DOTALL)
[SOURCE] = BLOCK.findall((DOCS / "integrate.md").read_text(encoding="utf-8"))
FEWEST_CLICKS = 4
WORDS = re.compile(re.search(r"SHOWN = /([^/]*)/", SOURCE)[1])
KINDS = {kind for kind in EVENTS if WORDS.search(kind)}
GAMES = [(language, edition) for edition, language in zip(EDITIONS, cycle(("en", "de")), strict=False)]


def test_it_tells_of_events_that_there_are():
    assert len(KINDS) > 10
    assert all(any(word in kind for kind in EVENTS) for word in WORDS.pattern.split("|"))


SHOWN = """(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].map((element) => element.innerText);
  return {now: shown("#now")[0], offered: shown("#actions button"), log: shown("#log li"), seats: shown("section")};
})()"""


@pytest.fixture
def page(browser, language):
    with opened(browser, locale=language, viewport={"width": 390, "height": 800}, color_scheme="dark") as page:
        yield page


@pytest.fixture
def site(tmp_path):
    """The address of the front end, which is not that of the service."""
    with origin(tmp_path, SOURCE) as address:
        yield address


@pytest.mark.parametrize(("language", "edition"), GAMES)
def test_it_plays_and_goes_on_when_it_is_loaded_again(served, site, page, language, edition):
    page.goto(f"{site}?api={served.base}&edition={edition}")
    wait_until_offered(page)
    come_back(page, served.base, edition, language)
    rng = random.Random(1)
    offered = play_on(page, rng)
    while len(offered) < FEWEST_CLICKS:  # a game of lovecraft may be over before one has been asked so often
        begin_anew(page)
        offered = play_on(page, rng)
    come_back(page, served.base, edition, language)
    check_shown(page.evaluate(SHOWN), offered, language)
    begin_anew(page)


@pytest.mark.parametrize("language", ["en"])
@pytest.mark.parametrize("kept", ["token", "standard"])
def test_it_begins_anew_where_the_service_knows_player_or_game_no_more(served, site, page, kept):
    page.goto(f"{site}?api={served.base}")
    wait_until_offered(page)
    before = page.evaluate(
        "kept => { const before = localStorage[kept]; localStorage[kept] = 'nobody.x'; return before }", kept
    )
    page.reload()
    page.wait_for_function("kept => ![undefined, 'nobody.x'].includes(localStorage[kept])", arg=kept)
    wait_until_offered(page)
    assert page.evaluate("kept => localStorage[kept]", kept) != before


def play_on(page, rng):
    """Clicks on one of the buttons until the game is over, and returns what was on them."""
    clicked, buttons = [], page.locator("#actions button")
    while not page.locator("#now").inner_text().startswith("★"):
        chosen = buttons.nth(rng.randrange(buttons.count()))
        clicked.append(chosen.inner_text())
        chosen.click()
        wait_until_offered(page)
    return clicked


def wait_until_offered(page):
    """Waits for buttons: a click takes all of them away, and nothing else happens while there are some."""
    page.locator("#actions button").first.wait_for()


def begin_anew(page):
    """Begins another game after the end of one."""
    page.locator("#actions button").click()
    page.locator("#now", has_text=": ").wait_for()
    wait_until_offered(page)


def come_back(page, service, edition, language):
    """Loads the page again, and checks that it tells everything once and shows what it showed."""
    before = complete(page, service, edition, language)
    page.reload()
    wait_until_offered(page)
    assert complete(page, service, edition, language) == before


def complete(page, service, edition, language):
    """Returns what is shown when everything that has happened is told; nobody but the reader can act."""
    token, game = page.evaluate(f"[localStorage.token, localStorage.{edition}]")
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": language}
    told = httpx.get(f"{service}/v1/games/{game}/events?text=true", headers=headers, timeout=SECONDS).json()
    assert told["events"][-1]["version"] == told["version"]
    texts = [event["text"] for event in reversed(told["events"]) if event["type"] in KINDS]
    page.locator("#log li").nth(len(texts) - 1).wait_for()
    wait_until_offered(page)
    shown = page.evaluate(SHOWN)
    assert shown["log"] == texts
    return shown


def check_shown(shown, offered, language):
    """Checks what is shown at the end of a game, and what was offered on the way there."""
    words = catalogue(language)
    players = [
        {"en": "Guest", "de": "Gast"}[language],
        *(words.text(f"bot.{bot}.names").split(", ")[seat] for seat, bot in ((1, "cautious"), (2, "random"))),
    ]
    assert shown["now"].removeprefix("★ ").split(",")[0] in players
    assert [seat.startswith(player) for seat, player in zip(shown["seats"], players, strict=True)] == [True] * 3
    verb = {"en": "Play", "de": "Spiele"}[language]
    assert any(text.startswith(verb) for text in offered)
    assert shown["offered"] == [{"en": "New game", "de": "Neues Spiel"}[language]]
    assert re.search({"en": "wins? the game", "de": "gewinn(s?t|en) das Spiel"}[language], shown["log"][0])
    names = [text for key, text in words.texts.items() if re.fullmatch(r"card\.\w+\.name", key)]
    assert sum(name in line for name in names for line in shown["log"]) > 10


[FOLLOWING] = re.findall(
    r"^<!-- executed -->\n```js\n(.*?)^```$", (DOCS / "events.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)
FOLLOWED = """<!doctype html><ol></ol><p></p><script type="module">
const game = "GAME", headers = { Authorization: "Bearer TOKEN" };
function show({ events, game }) {
  for (const { version, text } of events) {
    const line = Object.assign(document.createElement("li"), { value: version, textContent: text });
    document.querySelector("ol").append(line);
  }
  if (game.finished_at) document.querySelector("p").textContent = game.version;
}
FOLLOWING
follow(0);
</script>
"""


def test_a_game_is_followed_by_tickets_whatever_breaks(browser, served, closed, tmp_path):
    network = closed(BadNetwork(served.port, seed=1))
    broken = {Mishap.CUT_BEFORE: "/tickets", Mishap.CUT_AMID: "&after=0&text=true"}
    for mishap, path in broken.items():
        network.order(mishap, path)
    ann = closed(Person.register(served.base, "Ann"))
    game = ann.create("classic", [{"kind": "bot", "bot": "random"}] * 2)["id"]
    page = FOLLOWED.replace("GAME", f"{network.base}/v1/games/{game}").replace("TOKEN", ann.token)
    version, items = shown_in_the_end(browser, tmp_path, page.replace("FOLLOWING", FOLLOWING))
    assert {*broken} <= set(network.befell)
    assert [number for number, _ in items] == list(range(1, int(version) + 1))


def test_a_stream_that_is_silent_is_left(browser, served, closed, tmp_path):
    network = closed(BadNetwork(served.port, seed=1))
    network.order(Mishap.SILENCE, "&after=0&text=true")
    ann = closed(Person.register(served.base, "Ann"))
    game = ann.create("classic", [{"kind": "bot", "bot": "random"}] * 2)["id"]
    page = FOLLOWED.replace("GAME", f"{network.base}/v1/games/{game}").replace("TOKEN", ann.token)
    assert FOLLOWING.count("35000") == 1
    version, items = shown_in_the_end(browser, tmp_path, page.replace("FOLLOWING", FOLLOWING.replace("35000", "3000")))
    assert network.befell[Mishap.SILENCE] == 1
    assert [number for number, _ in items] == list(range(1, int(version) + 1))


LIMITED = """async () => {
  const game = "", headers = {};
  let paused;
  const fetch = async () => new Response("{}", { status: 429, headers: { "Retry-After": "7" } });
  const setTimeout = (call, milliseconds) => { paused = milliseconds; };
  FOLLOWING
  await follow(0);
  return paused;
}"""


def test_a_game_is_followed_no_sooner_than_the_service_asks(browser):
    with opened(browser) as page:
        assert page.evaluate(LIMITED.replace("FOLLOWING", FOLLOWING)) == 7000
