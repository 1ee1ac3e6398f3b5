"""Fixtures of the bots' tests."""

from tests.engine.conftest import odd_editions

__all__ = ["odd_editions"]
