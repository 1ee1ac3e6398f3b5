"""A real browser: the machine's Chromium, or else the one that npm installs; driven by Playwright."""

import fcntl
import json
import os
import subprocess
from pathlib import Path

from tests.front_end.chromium import found

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build/chromium"
SECONDS = 120
"""How long a busy machine may take for anything that a page does."""
SMALLEST = {"width": 320, "height": 640}
WIDE = {"width": 1280, "height": 720}
AXE = HERE / "node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def program():
    """The path of a Chromium and the environment it needs."""
    if own := found():
        return own, {}
    BUILD.parent.mkdir(exist_ok=True)
    # One process unpacks: a browser that runs already must not lose its fonts to another that unpacks them anew.
    with BUILD.with_name("chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(["node", HERE.parents[1] / "tools/pictures/chromium.mjs", BUILD], capture_output=True, text=True)
    assert made.returncode == 0, (
        f"no browser: install Chromium, or run 'npm ci --ignore-scripts' in tools/pictures: {made.stderr}"
    )
    return made.stdout.strip(), {"LD_LIBRARY_PATH": str(BUILD / "lib"), "FONTCONFIG_PATH": str(BUILD)}


class Browser:
    """A headless browser that lends its contexts: in one that was used before, the files of the pages are cached."""

    def __init__(self, browser):
        self._browser = browser
        self._free = {}

    def lend(self, base, fixed):
        """Returns a context without anything that a page of `base` has stored there, and a page."""
        free = self._free.setdefault(tuple(fixed.items()), [])
        context = free.pop() if free else self._browser.new_context(**fixed)
        page = context.new_page()
        if base.startswith("http"):
            stored = {"origin": base, "storageTypes": "local_storage"}
            context.new_cdp_session(page).send("Storage.clearDataForOrigin", stored)
        return context, page

    def take_back(self, context, fixed):
        for page in context.pages:
            page.close()
        self._free[tuple(fixed.items())].append(context)

    def close(self):
        self._browser.close()


def launched(playwright):
    """Returns a new browser."""
    path, more = program()
    return Browser(
        playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
            env={**os.environ, **more},
            timeout=SECONDS * 1000,
        )
    )


class Visitor:
    """Somebody with a browser of their own; what goes wrong in it is kept in `troubles`."""

    def __init__(self, browser, base, viewport=WIDE, color_scheme=None, reduced_motion="reduce", **fixed):
        self.base = base
        self._browser, self._fixed = browser, {"locale": "en"} | fixed
        self.context, self.page = browser.lend(base, self._fixed)
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        self.page.set_default_timeout(SECONDS * 1000)
        self.troubles = []
        self.requests = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", self._request)

    def _console(self, message):
        # A refused call is an answer like others, and a lost connection is what some tests are about.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
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

    def violations(self):
        """What axe finds wrong with the page as it is."""
        if not self.page.evaluate("'axe' in window"):
            # As a debugger does it, which no policy of the page keeps from anything.
            self.page.evaluate(AXE.read_text() + "; 1")
        said = self.page.evaluate("tags => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", TAGS)
        return [
            (one["id"], [(node["target"], node.get("failureSummary", "")) for node in one["nodes"]])
            for one in said["violations"]
        ]

    def close(self):
        if self.context:
            self._browser.take_back(self.context, self._fixed)
            self.context = None
