"""Opens pages in a real browser, from another origin than the service's, as if they were on another web server."""

import io
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

SECONDS = 120
"""How long a busy machine may take for anything that a page does."""


class Visit(SimpleHTTPRequestHandler):
    """A request for a file, or for a page at the top."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript", ".mjs": "text/javascript"}

    def __init__(self, *args, page, **options):
        self.page = page
        super().__init__(*args, **options)

    def send_head(self):
        if self.page is None or self.path.partition("?")[0] != "/":
            return super().send_head()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        return io.BytesIO(self.page.encode())

    def log_message(self, *_):
        pass


@contextmanager
def origin(folder, page=None):
    """Serves a folder, at its top the page if there is one, and yields the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Visit, page=page, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def opened(browser, **options):
    """Yields an empty page of a browser; what a script has thrown and nobody caught is an error."""
    context = browser.new_context(**options)
    page, thrown = context.new_page(), []
    page.set_default_timeout(SECONDS * 1000)
    page.on("pageerror", lambda error: thrown.append(str(error)))
    try:
        yield page
    finally:
        context.close()
        assert thrown == [], thrown


def shown_in_the_end(browser, folder, page):
    """Opens a page beside the files of a folder, and returns its `p`, once there is text in it, and its list."""
    with origin(folder, page) as address, opened(browser) as visit:
        visit.goto(address)
        end = visit.locator("p:not(:empty)").inner_text()
        return end, visit.locator("li").evaluate_all("all => all.map(({ value, textContent }) => [value, textContent])")
