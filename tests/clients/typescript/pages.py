"""Pages in a real browser: an origin of their own that serves a project, and a Chromium without a window.

A page says how it ended by what it shows: as soon as there is text in its `p`, or an error, the browser hands that in.
"""

import json
import os
import queue
import signal
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from tools.pictures.browser import found

BROWSER = found()
FLAGS = (
    "--headless",
    "--no-sandbox",  # which root cannot have
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
REPORTER = """
<script>
  const hand_in = (error) => fetch("/shown", {
    method: "POST",
    body: JSON.stringify({
      error,
      end: document.querySelector("p")?.textContent,
      items: Array.from(document.querySelectorAll("li"), ({ value, textContent }) => [value, textContent]),
    }),
  });
  addEventListener("error", ({ message }) => hand_in(message));
  addEventListener("unhandledrejection", ({ reason }) => hand_in(String(reason)));
  new MutationObserver(() => document.querySelector("p")?.textContent && hand_in(null))
    .observe(document, { childList: true, subtree: true });
</script>
"""
SECONDS = 200


class Pages:
    """Serves a folder, and at its top the page that is asked for."""

    def __init__(self, folder):
        self.page = ""
        self.shown = queue.Queue()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Visit, pages=self, directory=folder))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,))
        self._thread.start()
        self.origin = f"http://127.0.0.1:{self._server.server_port}"

    def show(self, page, profile):
        """Opens a page in a browser, and returns what it shows in the end."""
        self.page = page.replace("<script", f"{REPORTER}<script", 1)
        browser = subprocess.Popen(
            [BROWSER, *FLAGS, f"--user-data-dir={profile}", f"{self.origin}/"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return self.shown.get(timeout=SECONDS)
        finally:
            os.killpg(browser.pid, signal.SIGKILL)  # its own session: itself and what it has started
            browser.wait()

    def close(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Visit(SimpleHTTPRequestHandler):
    """One request of a browser."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript", ".mjs": "text/javascript"}

    def __init__(self, *args, pages, **options):
        self.pages = pages
        super().__init__(*args, **options)

    def do_GET(self):
        if self.path != "/":
            super().do_GET()
            return
        content = self.pages.page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self):
        self.pages.shown.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        """Says nothing."""
