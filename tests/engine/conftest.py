"""Fixtures of the engine's tests."""

import pytest
from hypothesis import HealthCheck, settings

from engine.editions import EDITIONS
from tests.engine.odd_editions import ODD_MADNESS, ODD_MARKS

# How long an example takes says something about the machine only.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture
def odd_editions(monkeypatch):
    """Adds the toy editions to those the engine knows."""
    for edition in (ODD_MARKS, ODD_MADNESS):
        monkeypatch.setitem(EDITIONS, edition.id, edition)
