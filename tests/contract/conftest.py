"""Fixtures of the contract's tests: the whole interface on a real Redis, without workers."""

import pytest

from api import create_app
from service.settings import Settings
from tests.contract.checked import Checked


@pytest.fixture
def app(redis_url):
    return create_app(Settings(redis_url=redis_url))


@pytest.fixture
def service(app):
    return app.extensions["billet.service"]


@pytest.fixture
def client(app):
    return Checked(app)


@pytest.fixture
def players(client):
    """The tokens of three players."""
    return [client.post("/v1/players", json={"name": name}).json["token"] for name in ("Ann", "Bob", "Cleo")]
