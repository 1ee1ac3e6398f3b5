"""The two ways to copy what a search goes on from."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest


def pickled(original: Any) -> Any:
    """Returns a copy that was pickled on the way."""
    return pickle.loads(pickle.dumps(original))


Copy = Callable[[Any], Any]

EACH_WAY_TO_COPY = pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
"""Runs a test with each way to copy."""
