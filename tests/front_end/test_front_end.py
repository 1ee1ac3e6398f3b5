"""The front end of docs/integrate.md plays whole games by its buttons, in a browser and in what stands in for one."""

import json
import random
import re
import subprocess
import time
from itertools import chain, cycle
from pathlib import Path

import httpx
import pytest

from engine.editions import EDITIONS
from engine.events import EVENTS
from games.texts.catalogue import catalogue
from tests.front_end import chromium
from tests.front_end.page import NAME, source

STAND_IN = Path(__file__).with_name("stand_in.mjs")
MOST_LINES = 40
WIDEST = 120
WORDS = re.compile(re.search(r"SHOWN = /([^/]*)/", source())[1])
KINDS = {kind for kind in EVENTS if WORDS.search(kind)}
GAMES = [(language, edition) for edition, language in zip(EDITIONS, cycle(("en", "de")), strict=False)]


def test_it_is_as_short_as_it_is_called():
    lines = source().splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= WIDEST


def test_it_tells_of_events_that_there_are():
    assert len(KINDS) > 10
    assert all(any(word in kind for kind in EVENTS) for word in WORDS.pattern.split("|"))


def check_shown(seen, language):
    """Checks what was shown at the end of a game and on the way there."""
    words = catalogue(language)
    players = [
        {"en": "Guest", "de": "Gast"}[language],
        *(words.text(f"bot.{bot}.name") for bot in ("cautious", "random")),
    ]
    assert seen["now"].removeprefix("★ ").split(",")[0] in players
    assert [seat.startswith(player) for seat, player in zip(seen["seats"], players, strict=True)] == [True] * 3
    verb = {"en": "Play", "de": "Spiele"}[language]
    assert seen["clicks"] == len(seen["offered"]) > 3
    assert any(text.startswith(verb) for text in seen["offered"])
    assert seen["last"] == [{"en": "New game", "de": "Neues Spiel"}[language]]
    log = seen["log"]
    assert re.search({"en": "wins? the game", "de": "gewinn(s?t|en) das Spiel"}[language], log[0])
    names = [text for key, text in words.texts.items() if re.fullmatch(r"card\.\w+\.name", key)]
    assert sum(name in line for name in names for line in log) > 10


@pytest.fixture(scope="module")
def seen(served, tmp_path_factory):
    """What one process shows of a game of each edition."""
    page = tmp_path_factory.mktemp("front_end") / NAME
    page.write_text(source(), encoding="utf-8")
    asked = [(language, f"http://127.0.0.1:1/?api={served.base}&edition={edition}") for language, edition in GAMES]
    command = ["node", STAND_IN, page, *chain(*asked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    return {edition: json.loads(line) for (_, edition), line in zip(GAMES, lines, strict=True)}


@pytest.mark.parametrize(("language", "edition"), GAMES)
def test_it_plays_where_there_is_no_browser(seen, language, edition):
    check_shown(seen[edition], language)


SHOWN = """(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].map((element) => element.innerText);
  return {now: shown("#now")[0], offered: shown("#actions button"), log: shown("#log li"), seats: shown("section")};
})()"""
A_CLICK_IS_LOST_SECONDS = 20
"""After which it is made again: the page draws its buttons anew when it is told something."""
OFFERED = "document.querySelector('#actions button') !== null"


@pytest.fixture
def browser(tmp_path):
    if chromium.found() is None:
        pytest.skip("there is no Chromium here; the same page is played without a browser above")
    made = chromium.Chromium(tmp_path / "profile", "de")
    yield made
    made.close()


def test_it_plays_in_a_browser_and_goes_on_when_it_is_loaded_again(service, site, browser):
    browser.resize(390, 800, "dark")
    browser.visit(f"{site}?api={service}&edition=standard")
    browser.wait_for(OFFERED)
    come_back(browser, service)
    rng, offered = random.Random(1), []
    while not (shown := browser.value(f"window.before = {SHOWN}"))["now"].startswith("★"):
        number = rng.randrange(len(shown["offered"]))
        if browser.click("#actions button", number):
            offered.append(shown["offered"][number])
        wait_for_change(browser)
        browser.wait_for(OFFERED)
    come_back(browser, service)
    shown = browser.value(SHOWN)
    check_shown({**shown, "offered": offered, "clicks": len(offered), "last": shown["offered"]}, "de")
    # The page draws its buttons anew after what it was told last: a click on one that goes away meanwhile is lost.
    while shown["now"].startswith("★"):
        assert shown["offered"] in ([], ["Neues Spiel"])
        browser.click("#actions button")
        browser.wait_for(f"document.querySelector('#now')?.innerText && {OFFERED}")
        shown = browser.value(SHOWN)
    assert ": " in shown["now"]
    assert browser.thrown == []


def wait_for_change(browser):
    """Waits until a click has had an effect: until then the same buttons are there, and a second click is refused."""
    until = time.monotonic() + A_CLICK_IS_LOST_SECONDS
    while time.monotonic() < until and not browser.value(f"JSON.stringify(window.before) !== JSON.stringify({SHOWN})"):
        time.sleep(0.01)


def come_back(browser, service):
    """Loads the page again, and checks that it tells everything once and shows what it showed."""
    before = complete(browser, service)
    browser.reload()
    browser.wait_for(OFFERED)
    assert complete(browser, service) == before


def complete(browser, service):
    """Returns what is shown when everything that has happened is told; nobody but the reader can act."""
    token, game = browser.value("[localStorage.token, localStorage.standard]")
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": "de"}
    page = httpx.get(f"{service}/v1/games/{game}/events?text=true", headers=headers, timeout=chromium.SECONDS).json()
    assert page["events"][-1]["version"] == page["version"]
    texts = [event["text"] for event in reversed(page["events"]) if event["type"] in KINDS]
    browser.wait_for(f"document.querySelectorAll('#log li').length >= {len(texts)}")
    shown = browser.value(SHOWN)
    assert shown["log"] == texts
    return shown
