"""Fixtures of the workers' tests: RQ workers that work in this process until idle, and others in processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from rq.serializers import JSONSerializer

from games.bots import turns
from service.jobs.form import QUEUES
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient, connect
from workers import runtime
from workers.main import WarmWorker


class BriefWorker(WarmWorker):
    """A worker that takes no orders from elsewhere, which costs a second whenever it ends."""

    def subscribe(self) -> None:
        """Listens to nobody."""


@pytest.fixture
def own_service(settings, monkeypatch):
    """The service that the jobs run in this process use."""
    monkeypatch.setattr(runtime, "_services", [])
    monkeypatch.setattr(turns, "GRACE_SECONDS", 60)  # A machine may stand still for a second: that is no bot's fault.
    return runtime.start(settings)


@pytest.fixture
def work(own_service, redis_url):
    """Lets a real worker do all jobs there are, and those that come of them."""

    def work(max_jobs=None):
        worker = BriefWorker(list(QUEUES), connection=connect(redis_url), serializer=JSONSerializer)
        return worker.work(burst=True, max_jobs=max_jobs, logging_level="WARNING")

    return work


class Process:
    """A worker process, as `billet worker` runs it or as another module does."""

    def __init__(self, redis_url: str, log: Path, words: Sequence[str] = ("billet", "worker"), **settings: str) -> None:
        self.log = log
        self._stream = log.open("ab")
        environment = {**os.environ, "REDIS_URL": redis_url, "LOG_LEVEL": "debug", **settings}
        command = [sys.executable, "-m", *words]
        self._process = subprocess.Popen(command, env=environment, stdout=self._stream, stderr=self._stream)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ends the process and returns its status."""
        self._process.send_signal(how)
        try:
            return self._process.wait(120)
        finally:
            self._process.kill()
            self._process.wait()
            self._stream.close()

    @property
    def ended(self) -> bool:
        """Whether the process has ended by itself."""
        return self._process.poll() is not None


@pytest.fixture
def start_worker(redis_url, tmp_path):
    """Starts worker processes, which are ended after the test."""
    started = []

    def start(*words, **settings):
        log = tmp_path / f"worker-{len(started)}.log"
        started.append(Process(redis_url, log, words or ("billet", "worker"), **settings))
        return started[-1]

    yield start
    for process in started:
        if not process.ended:
            process.end(signal.SIGKILL)


@pytest.fixture
def log(redis_url):
    """An event log beside the service's."""
    return EventLog(RedisClient(connect(redis_url)))
