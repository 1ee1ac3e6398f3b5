"""Fixtures of the service's tests: its log, a clock that can be set, and Redis in trouble or on several nodes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from service import Settings
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient, connect
from tests.service.still_clock import Clock, still_clock
from tests.service.store.broken_redis import Proxy
from tests.service.store.nodes.on_nodes import SHARED
from tools.testbed.cluster_nodes import running


@pytest.fixture
def clock(monkeypatch) -> Clock:
    """A clock that only the test moves."""
    return still_clock(monkeypatch)


@pytest.fixture
def here(redis_url) -> Settings:
    """The settings of an installation of which a backup is made."""
    return Settings(redis_url=redis_url)


@pytest.fixture
def there(redis_url) -> Settings:
    """Those of another one, on a Redis which is empty."""
    return Settings(redis_url=f"{redis_url}?db=1")


@pytest.fixture
def file(tmp_path) -> Path:
    """Where a backup is written to."""
    return tmp_path / "games.billet"


@pytest.fixture
def new_log(redis_url) -> Callable[[], EventLog]:
    """Makes an event log with a cache of its own."""
    return lambda: EventLog(RedisClient(connect(redis_url)))


@pytest.fixture
def log(new_log) -> EventLog:
    """An event log beside the service's."""
    return new_log()


@pytest.fixture
def proxy(redis_url):
    """A proxy before the Redis, which breaks connections as it is told to."""
    made = Proxy(redis_url)
    yield made
    made.close()


@pytest.fixture(scope="session")
def three_nodes(tmp_path_factory):
    """A cluster of three nodes that all tests of this process share; whoever kills a node starts it again."""
    with running(tmp_path_factory.mktemp("cluster"), 3, SHARED) as made:
        yield made


@pytest.fixture
def nodes(three_nodes):
    """A cluster of three nodes, empty."""
    three_nodes.flush()
    return three_nodes
