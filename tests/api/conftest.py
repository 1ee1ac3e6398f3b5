"""Fixtures of the interface's tests: the application before a service that does nothing but note what it is asked."""

from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from api.app import assemble
from service.metrics.latest import Dated
from service.metrics.survey import InstallationState
from service.settings import Settings
from service.store.log.stored_answers import Answer


class Noting:
    """A part of the service: notes each call and answers what it is told to, or raises it."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.result: Any = Answer(b'{"id":"g1","version":1}', "1")

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append((name, args, kwargs))
            if isinstance(self.result, Exception):
                raise self.result
            return self.result

        return call


class Measuring:
    """A survey of an installation that is nothing but one application."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def latest(self) -> Dated[InstallationState]:
        return Dated(InstallationState(True, True, measured=list(self._registry.collect())), 0.0)


class NotingService:
    """A service of which every part is the same noting one."""

    logins = None

    def __init__(self) -> None:
        self.part = Noting()
        self.presence = SimpleNamespace(note=lambda player: None)
        self.players = self.tables = self.play = self.games = self.lobby = self.health = self.part


@pytest.fixture(autouse=True)
def fresh_measurements(monkeypatch):
    """Lets no measurements be given again."""
    monkeypatch.setattr("service.metrics.survey.KEPT_SECONDS", 0)


@pytest.fixture
def noting():
    return NotingService()


@pytest.fixture(scope="module")
def assembled():
    """One application for all tests of a file."""
    return assemble(Settings())


@pytest.fixture
def app(assembled, noting):
    """The application with its real parsing, errors and headers, before the noting service."""
    return before(noting, assembled)


@pytest.fixture
def own_app(noting):
    """The same for one test, which may change it."""
    return before(noting, assemble(Settings()))


def before(noting, made):
    made.extensions["billet.service"] = noting
    noting.survey = Measuring(made.metrics.registry)
    return made


@pytest.fixture
def http(app):
    return app.test_client()


@pytest.fixture
def bearer():
    return {"Authorization": "Bearer pabc.secret"}
