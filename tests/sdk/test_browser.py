"""openapi-fetch in a real browser, from another origin than the service: what a page may send, and what it may read."""

import json
from pathlib import Path

from tests.pages import shown_in_the_end
from tools.sdk_games.projects import NODE_MODULES

PAGE = Path(__file__).with_name("page.html")


def test_a_page_may_send_and_read_all_that_playing_takes(browser, served):
    end, _ = shown_in_the_end(browser, NODE_MODULES, PAGE.read_text().replace("BASE", served.base))
    shown = json.loads(end)
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
