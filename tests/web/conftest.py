"""Fixtures for playing in a browser: a service, a Chromium, visitors."""

import json
import urllib.request

import pytest
from playwright.sync_api import sync_playwright

from tests.installation import installed
from tests.web.browser import SECONDS, Visitor, launched


class Api:
    """The service as a program asks it, beside the browser."""

    def __init__(self, base):
        self.base = base

    def call(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.loads(answer.read())

    def shuffled(self, page, token):
        """The seats that committed to a nonce in the game of a page that has begun, and those that revealed none."""
        events = self.call("GET", f"/games/{page.url.rpartition('/')[2].partition('#')[0]}/events", token=token)[
            "events"
        ]
        started = next(event["data"] for event in events if event["type"] == "game_started")
        return started["committed"], started["unrevealed"]

    def player(self, name):
        """A new player, as the browser keeps one."""
        made = self.call("POST", "/players", {"name": name})
        return {"id": made["player"]["id"], "name": name, "token": made["token"]}


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    """A running service, whose bots think for no time worth mentioning."""
    folder = tmp_path_factory.mktemp("web")
    with installed(folder / "data", folder / "log", BOT_THINK_MS="10") as one:
        yield one


@pytest.fixture(scope="session")
def api(service):
    return Api(service.url)


@pytest.fixture(scope="module")
def chromium():
    """A browser, for no longer than a file: while its event loop runs, tests of this process can run no other."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture
def visitors(chromium, service):
    """Makes visitors; a test fails that leaves one of them with an error, a broken policy or a call to elsewhere."""
    made = []

    def visitor(base=service.url, **more):
        made.append(Visitor(chromium, base, **more))
        return made[-1]

    yield visitor
    for one in made:
        one.close()
    assert [one.troubles for one in made] == [[] for _ in made]
