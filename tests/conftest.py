"""What all tests share: a real Redis and an installation, one per test process, and patience with a busy machine."""

import asyncio
import gc
import inspect
import os
import random
import secrets
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from importlib import metadata
from itertools import chain

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import none
from werkzeug.routing import Rule

from billet.redis import embedded as embedded_redis
from service import Service, Settings, build
from service.inputs import chance
from service.jobs import notifier
from service.jobs.queue import Jobs
from service.metrics import latest
from service.verifying import verifier
from tests import dealt_billet

# How long an example takes says something about the machine only, and each run makes up the same ones.
settings.register_profile("patient", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# How long a survey takes, too. `tests/service/metrics/test_latest.py` is about those that take long.
latest.patience_seconds = 60.0

# What a shell starts in the background is deaf to Ctrl-C, and so is all that it starts: tests send it to processes.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A tenth of the time went into looking for garbage in cycles, after every 700 new objects.
gc.set_threshold(5_000, 10, 10)

# More than a thousand applications are built here. For each, werkzeug would compile the same functions, which write the
# path of a route and depend on nothing but what is in the key.
compiled, compile_anew = {}, Rule._compile_builder


def compile_once(rule, append_unknown=True):
    key = (rule.rule, *rule._trace, *(rule.defaults or {}).items(), append_unknown)
    if key not in compiled:
        compiled[key] = compile_anew(rule, append_unknown)
    return compiled[key]


Rule._compile_builder = compile_once

# Each connection to Redis and each service asks for the version of a package, which is read from files.
metadata.version = cache(metadata.version)

SETTINGS = {
    "API_PROCESSES": "2",
    "WORKERS": "2",
    "LOG_LEVEL": "debug",
    "TRUSTED_PROXIES": "1",
}
"""Of the installation. Two API processes do not know each other's memory; the log says as much as it can."""

# Hundreds of services are built here. Each lets go of its connections once its thread has nothing to tell any more.
notifier.IDLE_SECONDS = 0.1

# The process that verifies steps back behind everything else, so a busy machine takes long to start it.
verifier.START_SECONDS = 240.0


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Lets each process begin with some of the files that take long, so that none ends long after the others.

    `--dist worksteal` gives each as many tests as the next, in this order.
    """
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = {item.path for item in items if item.get_closest_marker("long")}
    rest = [item for item in items if item.path not in long]
    files = [[item for item in items if item.path == path] for path in sorted(long)]
    count, items[:] = len(items), []
    for process in range(processes):
        mine = list(chain(*files[process::processes]))
        more = (count - len(items)) // (processes - process) - len(mine)
        items += mine + rest[:more]
        del rest[:more]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs a test that is a coroutine, on an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.function):
        return None
    asyncio.run(pyfuncitem.function(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True


def pytest_collection_finish():
    """Leaves thousands of tests, which stay to the end, out of what is looked through for garbage."""
    draw_once()  # Hypothesis looks through it for who holds its generator, and on Python 3.14 warns if it finds nobody
    gc.freeze()


@given(none())
def draw_once(drawn):
    """Has Hypothesis make its generator."""


@pytest.fixture(autouse=True)
def same_cards(request, monkeypatch):
    """Draws the secrets of this process, and of the installation, by the test's name: every run deals the same cards,
    so none fails by chance.
    """
    if "served" in request.fixturenames:
        dealt_billet.begin(request.getfixturevalue("served").dealing, request.node.nodeid)
    drawn, here, drawn_anew = random.Random(request.node.nodeid), os.getpid(), secrets.token_bytes

    def token_bytes(nbytes=None):
        # A process that is forked from this one would draw the same again.
        return drawn.randbytes(nbytes or secrets.DEFAULT_ENTROPY) if os.getpid() == here else drawn_anew(nbytes)

    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    # A process keeps tags for later. How many earlier tests have left would say between which cards it draws more.
    tags = random.Random(f"tags of {request.node.nodeid}")
    chance._TAGS[:] = [f"{tags.getrandbits(32):08x}" for _ in range(chance.TAGS_AT_ONCE)]


@pytest.fixture(autouse=True)
def enqueue_soon(monkeypatch):
    """Has what is asked of this process enqueue its jobs before it answers, so that tests find them; gives what waits
    for nothing.
    """
    soon = Jobs.enqueue_soon

    def enqueue_and_settle(jobs, hint):
        soon(jobs, hint)
        jobs.settle()

    monkeypatch.setattr(Jobs, "enqueue_soon", enqueue_and_settle)
    return soon


@pytest.fixture
def closed():
    """Passes on what it is given and closes it after the test."""
    with ExitStack() as stack:

        def closed(made):
            stack.callback(made.close)
            return made

        yield closed


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory):
    """A real Redis server of this test process. It does not sync to the disk: tests of durability start their own."""
    with embedded_redis.running(tmp_path_factory.mktemp("redis"), fsync="no") as server:
        yield server


@pytest.fixture
def redis_url(redis_server):
    """The address of a real, empty Redis."""
    client = redis.Redis.from_url(redis_server.url)
    client.flushall()
    client.close()
    return redis_server.url


@pytest.fixture
def client(redis_url):
    """A plain client of the Redis."""
    with redis.Redis.from_url(redis_url) as made:
        yield made


@pytest.fixture
def settings(redis_url) -> Settings:
    """The settings of the installation. Tests of one that has others override this fixture alone."""
    return Settings(redis_url=redis_url)


@pytest.fixture
def service(settings) -> Service:
    """The service, as one process builds it."""
    return build(settings)


@pytest.fixture
def another(settings) -> Callable[[], Service]:
    """Builds the service once more, with caches of its own, as another process would."""
    return lambda: build(settings)


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """The installation of all tests of this process but those that need other settings or no other games."""
    from tools.testbed.installation import Installation  # not for all: recipes run copies of some tests without those

    folder = tmp_path_factory.mktemp("served")
    dealing = str(folder / "dealing.json")
    program = [sys.executable, "-P", dealt_billet.__file__]
    made = Installation(folder, program, **SETTINGS, **{dealt_billet.COUNTED: dealing})
    made.dealing = dealing
    made.start()
    yield made
    made.close()


@pytest.fixture
def installation(served):
    """The same, for tests that kill, freeze or stop its processes: the next test finds it ready."""
    yield served
    served.revive()


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium. While it runs, this thread can run no other event loop: so each module has its own."""
    from playwright.sync_api import sync_playwright

    from tools.pictures.browser import launched

    with sync_playwright() as playwright:
        # Not closed, which may take for ever: the end of Playwright ends it within half a minute.
        yield launched(playwright)
