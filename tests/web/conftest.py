"""Fixtures for playing in a browser: a Chromium, visitors, and the service as a program asks it."""

import fcntl
import subprocess
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.web.browser import Browser, Visitor
from tools.pictures.browser import launched
from tools.pictures.service import Api

BROWSERS, RUNNING = [], ExitStack()


@pytest.fixture(scope="session", autouse=True)
def joined():
    """Joins the scripts of the pages, as `make test` has done already: one process of the tests after the other."""
    root = Path(__file__).parents[2]
    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "--silent", "web/joined/start.js"], cwd=root, check=True)


@pytest.fixture(scope="session")
def api(served):
    return Api(served.base)


@pytest.fixture
def chromium():
    """The browser that all tests here share; while its event loop runs, tests of this process can run no other."""
    if not BROWSERS:
        # The end of Playwright ends the browser within half a minute; to close it may take for ever.
        playwright = RUNNING.enter_context(sync_playwright())
        BROWSERS.append(Browser(partial(launched, playwright)))
        RUNNING.callback(BROWSERS.clear)
    return BROWSERS[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem):
    """Ends the browser before a test that is not of this folder."""
    yield
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
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
