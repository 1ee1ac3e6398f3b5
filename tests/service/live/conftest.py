"""Fixtures of the tests of live feeds."""

import pytest

from service.live import hub


@pytest.fixture
def feeds_of(monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.3)
    return lambda service: service.feeds()
