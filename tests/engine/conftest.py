"""Fixtures of the engine's tests."""

import pytest

from engine.editions import EDITIONS
from tests.engine.odd_editions import ODD_MADNESS, ODD_MARKS


@pytest.fixture
def odd_editions(monkeypatch):
    """Adds the toy editions to those the engine knows."""
    for edition in (ODD_MARKS, ODD_MADNESS):
        monkeypatch.setitem(EDITIONS, edition.id, edition)
