"""The engine under test is the one that was asked for; `make compiled` runs all these tests on the compiled one."""

import os

from engine import rules, state, table
from engine.bots import playouts


def test_the_engine_is_compiled_where_that_was_asked_for():
    compiled = os.environ.get("BILLET_COMPILE") == "1"

    for module in (rules, state, table, playouts):
        assert module.__file__.endswith(".py") != compiled
