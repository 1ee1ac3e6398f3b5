"""A headless Chromium that is told over a pipe what to do: no driver beside it, and no port that others could use."""

import base64
import fcntl
import json
import os
import select
import subprocess
import time

from tools.pictures.browser import found

SECONDS = 120
"""How long an answer may take on a busy machine."""


class Gone(Exception):
    """The page that was asked is there no more."""


class Chromium:
    """A browser with one page."""

    def __init__(self, profile, language="en"):
        self._numbers = iter(range(1, 1_000_000))
        self._received = b""
        self.thrown = []
        """What a script has thrown and nobody has caught."""
        told, self._write = os.pipe()
        self._read, said = os.pipe()
        self._answers = select.poll()
        self._answers.register(self._read, select.POLLIN)
        # The browser reads what it is told from 3 and answers on 4, so neither may be in the way of the other.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (told, said)]
        words = [
            found(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--hide-scrollbars",
            f"--accept-lang={language}",
            f"--user-data-dir={profile}",
            "--remote-debugging-pipe",
        ]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{ends[0]} 4>&{ends[1]}', *words],
            pass_fds=ends,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (told, said, *ends):
            os.close(end)
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime"):
            self.tell(f"{part}.enable")

    def tell(self, method, **parameters):
        """Has the page do something, and returns what comes of it."""
        return self._ask(method, self._session, **parameters)

    def visit(self, url):
        """Goes to a page, and returns when it is there."""
        self.tell("Page.navigate", url=url)
        self._wait_until_loaded()

    def reload(self):
        """Loads the page again."""
        self.tell("Page.reload")
        self._wait_until_loaded()

    def value(self, expression):
        """Returns what an expression is in the page; in the next one if the page goes away while it is asked."""
        answer = None
        while answer is None:
            try:
                answer = self.tell("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
            except Gone:
                time.sleep(0.01)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, expression, seconds=SECONDS):
        """Waits until an expression is true in the page, and returns it."""
        until = time.monotonic() + seconds
        while not (value := self.value(expression)):
            assert time.monotonic() < until, f"not within {seconds} s: {expression}; {self.thrown}"
            time.sleep(0.01)
        return value

    def click(self, selector, number=0):
        """Clicks on an element where a reader would, and returns whether it was still there."""
        place = self.value(
            f"(() => {{ const one = document.querySelectorAll({json.dumps(selector)})[{number}];"
            "one?.scrollIntoView({block: 'center'}); const box = one?.getBoundingClientRect();"
            "return box && [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased") if place else ():
            x, y = place
            self.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        return place is not None

    def resize(self, width, height, scheme):
        """Gives the window another size and the reader another taste."""
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        """Keeps what is on the screen as a PNG."""
        path.write_bytes(base64.b64decode(self.tell("Page.captureScreenshot")["data"]))

    def close(self):
        """Ends the browser."""
        self._process.terminate()
        self._process.wait(SECONDS)
        os.close(self._write)
        os.close(self._read)

    def _wait_until_loaded(self):
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def _ask(self, method, session=None, **parameters):
        number = next(self._numbers)
        asked = {"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        os.write(self._write, json.dumps(asked).encode() + b"\0")
        while (said := self._next()).get("id") != number:
            pass
        wrong = said.get("error", {}).get("message", "")
        if "navigated" in wrong or "ontext" in wrong:  # of the page that goes, or of the next that is not there yet
            raise Gone
        assert "error" not in said, said
        return said["result"]

    def _next(self):
        until = time.monotonic() + SECONDS
        while b"\0" not in self._received:
            # Not select, which knows no more than 1024 files of a process.
            assert self._answers.poll(1000 * max(0, until - time.monotonic())), "Chromium does not answer"
            chunk = os.read(self._read, 1 << 16)
            assert chunk, "Chromium has ended"
            self._received += chunk
        message, _, self._received = self._received.partition(b"\0")
        said = json.loads(message)
        if said.get("method") == "Runtime.exceptionThrown":
            self.thrown.append(said["params"]["exceptionDetails"])
        return said
