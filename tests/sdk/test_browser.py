"""openapi-fetch in a real browser, from another origin than the service: what a page may send, and what it may read."""

import json
from pathlib import Path

import pytest

from tests.clients.typescript.pages import BROWSER, Pages
from tests.sdk.projects import NODE_MODULES

NO_BROWSER = "neither Chromium nor Chrome is installed; outside a browser the same client plays in the other tests"
pytestmark = pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)
PAGE = Path(__file__).with_name("page.html")


@pytest.fixture
def pages():
    made = Pages(NODE_MODULES)
    yield made
    made.close()


def test_a_page_may_send_and_read_all_that_playing_takes(pages, served, tmp_path):
    handed_in = pages.show(PAGE.read_text().replace("BASE", served.base), tmp_path / "profile")
    assert handed_in["error"] is None
    shown = json.loads(handed_in["end"])
    location, replayed = shown["created"]
    assert location.startswith("/v1/games/")
    assert (replayed, shown["repeated"]) == ("true", True)
    assert shown["unauthenticated"] == ["unauthenticated", 'Bearer realm="billet"']
    assert shown["late"] == [412, "stale_version"]
    assert shown["unchanged"] == 304
    assert shown["readable"] == ["Content-Language", "RateLimit", "RateLimit-Policy"]
    end = shown["versions"][-1]
    assert shown["versions"] == list(range(1, end + 1))
    assert shown["streamed"] == list(range(4, end + 1))
