"""The front end in docs/integrate.md: taken out of the page as a reader would copy it, and served from elsewhere."""

import functools
import http.server
import re
import threading
from contextlib import contextmanager
from pathlib import Path

from tools.docs.generate import DOCS

BLOCK = re.compile(r"^<!-- executed -->\n```html\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = "index.html"


def source() -> str:
    """Returns the front end."""
    (found,) = BLOCK.findall((DOCS / "integrate.md").read_text(encoding="utf-8"))
    return found


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing about it."""

    def log_message(self, *_):
        pass


@contextmanager
def elsewhere(folder: Path):
    """Serves the front end from an origin of its own, and yields its address."""
    (folder / NAME).write_text(source(), encoding="utf-8")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
