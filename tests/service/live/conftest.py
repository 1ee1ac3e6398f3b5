"""Fixtures of the tests of live feeds."""

import pytest

from service.live import hub
from tests.service.live.followers import MESSAGES


@pytest.fixture
def feeds_of(monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.3)
    return lambda service, sent=lambda count: None: service.feeds(MESSAGES, sent)
