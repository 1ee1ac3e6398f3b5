"""Fixtures of the contract's tests: the whole interface on a real Redis, without workers."""

import pytest

from api import create_app
from service import assembly
from service.settings import Settings
from service.verifying.verifier import Verifier
from tests.contract.checked import Checked


@pytest.fixture(scope="session")
def verifier():
    """What verifies logs, in one process for all tests: starting one takes longer than most of them."""
    made = Verifier()
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def that_verifies(verifier, monkeypatch):
    monkeypatch.setattr(assembly, "Verifier", lambda: verifier)


@pytest.fixture
def app(redis_url, that_verifies):
    return create_app(Settings(redis_url=redis_url))


@pytest.fixture(name="service")
def service_of_app(app):
    return app.extensions["billet.service"]


@pytest.fixture
def client(app):
    return Checked(app)


@pytest.fixture
def players(client):
    """The tokens of three players."""
    return [client.post("/v1/players", json={"name": name}).json["token"] for name in ("Ann", "Bob", "Cleo")]
