"""Visitors with a real browser: a Chromium, driven by Playwright."""

import json
import os
import re
import signal
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer

from playwright.sync_api import Error

from tools.testbed.waiting import wait_until

SECONDS = 120
"""How long a busy machine may take for anything that a page does."""
SMALLEST = {"width": 320, "height": 640}
SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
TABLET = {"width": 768, "height": 1024}
WIDE = {"width": 1280, "height": 720}
LAPTOP = {"width": 1440, "height": 900}
TABLE = "document.querySelector('billet-table')"
AXE = Path(__file__).with_name("node_modules") / "axe-core/axe.min.js"
DROP = """text => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "game.json"));
  document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
}"""
AT_REST = """() => Promise.all(document.getAnimations()
  .filter(one => one.playState === "running" && one.effect.getComputedTiming().endTime < Infinity)
  .map(one => one.finished.catch(() => {})))
  .then(() => {})"""
"""Waits until what moves on a page, but not for ever, has come to rest."""
DOCUMENTS = re.compile(r"^[^/]+//[^/]+/((games|replays)/[^/]+)?$")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def in_modules(route):
    """Answers for a page with what is served where its modules are not joined."""
    answer = route.fetch()
    route.fulfill(response=answer, body=re.sub(r'/joined/(\w+\.js"></script>)', r"/page/\1", answer.text()))


class Browser:
    """A headless browser that lends its contexts: in one that was used before, the files of the pages are cached.

    To open and to close a page takes no timeout, and a browser has been seen that never did: it is killed, and `launch`
    starts another.
    """

    def __init__(self, launch):
        self._launch = launch
        self._start()

    def _start(self):
        self._browser, self._free = self._launch(), {}
        processes = self._browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        self._process = next(one["id"] for one in processes if one["type"] == "browser")

    @contextmanager
    def _bounded(self):
        timer = Timer(SECONDS, os.kill, (self._process, signal.SIGKILL))
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def lend(self, base, fixed, fresh):
        """Returns a context without anything that a page of `base` has stored there, or a `fresh` one, and a page."""
        try:
            return self._opened(base, fixed, fresh)
        except Error:
            if self._browser.is_connected():
                raise
        self._start()
        return self._opened(base, fixed, fresh)

    def _opened(self, base, fixed, fresh):
        free = [] if fresh else self._free.setdefault(tuple(fixed.items()), [])
        with self._bounded():
            context = free.pop() if free else self._browser.new_context(**fixed)
            page = context.new_page()
            if base.startswith("http"):
                stored = {"origin": base, "storageTypes": "local_storage"}
                context.new_cdp_session(page).send("Storage.clearDataForOrigin", stored)
        return context, page

    def take_back(self, context, fixed, fresh):
        # One of a browser that was killed meanwhile is closed already.
        with suppress(Error), self._bounded():
            for page in context.pages:
                page.close()
            if fresh:
                context.close()
            elif context.browser == self._browser:
                self._free.setdefault(tuple(fixed.items()), []).append(context)


def intercept(page, pattern, answer, **more):
    """Has `answer` take such requests of a page that is on show.

    The first route of such a page reaches it after a while only: what it asks for meanwhile goes past the route, and is
    told to nobody. Before the first visit, `page.route` does.
    """
    page.route("**/intercepted", lambda route: route.fulfill(status=204))
    wait_until(lambda: page.evaluate("async () => (await fetch('/intercepted')).status === 204"))
    page.route(pattern, answer, **more)
    page.unroute("**/intercepted")


class Visitor:
    """A person with a browser of their own; `troubles` lists the errors that it reports.

    Unless `tell` is set, the table shows at once where the game stands: telling what the others do takes seconds.
    Somebody `fresh` has a browser in which no file of the pages is cached yet. With `apart` each module of a page is a
    file, so that a test may import one that the page uses.
    """

    def __init__(
        self,
        browser,
        base,
        viewport=WIDE,
        color_scheme=None,
        reduced_motion="reduce",
        tell=False,
        fresh=False,
        apart=False,
        **fixed,
    ):
        self.base = base
        self._browser, self._fixed, self._fresh = browser, {"locale": "en", "service_workers": "block"} | fixed, fresh
        self.context, page = browser.lend(base, self._fixed, fresh)
        if apart:
            self.context.route(DOCUMENTS, in_modules)
        self._prepare = (viewport, color_scheme, reduced_motion, tell)
        self.troubles = []
        self.requests = []
        self.page = self._prepared(page)

    def _prepared(self, page):
        viewport, color_scheme, reduced_motion, tell = self._prepare
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        # Of the context: what a route fetches does not follow the page's.
        self.context.set_default_timeout(SECONDS * 1000)
        if not tell:
            page.add_init_script("try { localStorage['billet.tell'] = 'off' } catch { }")
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", self._request)
        return page

    def another_tab(self):
        """Opens another page of the same browser, and returns it."""
        return self._prepared(self.context.new_page())

    def _console(self, message):
        # A refused call is an answer like others, a lost connection is what some tests are about, and so is a worker.
        expected = ("Failed to load resource", "Service Worker registration blocked by Playwright")
        if message.type in ("error", "warning") and not message.text.startswith(expected):
            self.troubles.append(message.text)

    def _request(self, request):
        self.requests.append((request.method, request.url))
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.troubles.append(f"asks elsewhere: {request.url}")

    def visit(self, path=""):
        self.page.goto(f"{self.base}/{path}")

    def token(self):
        return self.page.evaluate("JSON.parse(localStorage['billet.player'] ?? '{}').token")

    def become(self, player):
        """Plays as a player the service knows already, from the next page on."""
        self.page.add_init_script(f"localStorage['billet.player'] ??= {json.dumps(json.dumps(player))}")

    def open_table(self, api, setup, name="Ann"):
        """Becomes a new player, opens a table and looks at it; returns the game's id and the player's token."""
        player = api.player(name)
        self.become(player)
        game = api.call("POST", "/games", setup, player["token"])["id"]
        self.visit(f"games/{game}")
        self.page.locator(".hand [data-option]").first.wait_for()
        return game, player["token"]

    def shuffled(self, api):
        """The seats that committed to a nonce in the game that is looked at, and those that revealed none."""
        game = self.page.url.rpartition("/")[2].partition("#")[0]
        events = api.call("GET", f"/games/{game}/events", token=self.token())["events"]
        started = next(event["data"] for event in events if event["type"] == "game_started")
        return started["committed"], started["unrevealed"]

    def drop(self, text):
        """Drops a file with a text on the page."""
        self.page.evaluate(DROP, text)

    def violations(self):
        """What axe finds wrong with the page once what moves has come to rest, which covers other things on its way."""
        if not self.page.evaluate("'axe' in window"):
            # As a debugger does it, which no policy of the page keeps from anything.
            self.page.evaluate(AXE.read_text() + "; 1")
        self.page.evaluate(AT_REST)
        said = self.page.evaluate("tags => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", TAGS)
        return [
            (one["id"], [(node["target"], node.get("failureSummary", "")) for node in one["nodes"]])
            for one in said["violations"]
        ]

    def close(self):
        if self.context:
            self.context.unroute_all()
            self._browser.take_back(self.context, self._fixed, self._fresh)
            self.context = None
