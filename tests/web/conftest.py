"""Fixtures for playing in a browser: a Chromium, visitors, and the service as a program asks it."""

import json
import urllib.request
from contextlib import ExitStack

import pytest
from playwright.sync_api import sync_playwright

from tests.web.browser import HERE, SECONDS, Visitor, launched

BROWSERS, RUNNING = [], ExitStack()


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
def api(served):
    return Api(served.base)


@pytest.fixture
def chromium():
    """The browser that all tests here share; while its event loop runs, tests of this process can run no other."""
    if not BROWSERS:
        BROWSERS.append(launched(RUNNING.enter_context(sync_playwright())))
        RUNNING.callback(BROWSERS.clear)
        RUNNING.callback(BROWSERS[0].close)
    return BROWSERS[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem):
    """Ends the browser before a test that is not of this folder."""
    yield
    if nextitem is None or HERE not in nextitem.path.parents:
        RUNNING.close()


@pytest.fixture
def visitors(chromium, served):
    """Makes visitors; a test fails that leaves one of them with an error, a broken policy or a call to elsewhere."""
    made = []

    def visitor(base=served.base, **more):
        made.append(Visitor(chromium, base, **more))
        return made[-1]

    yield visitor
    for one in made:
        one.close()
    assert [one.troubles for one in made] == [[] for _ in made]
