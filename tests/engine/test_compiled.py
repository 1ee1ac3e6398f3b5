"""The engine under test is the one that was asked for; `make compiled` runs all these tests on the compiled one."""

import os

from engine import events, options, refusals, rounds, rulebook, rules, state, table
from engine.bots.expert import playouts


def test_the_engine_is_compiled_where_that_was_asked_for():
    compiled = os.environ.get("BILLET_COMPILE") == "1"

    for module in (rules, refusals, rounds, options, table, events, state, rulebook, playouts):
        assert module.__file__.endswith(".py") != compiled


def test_the_events_of_a_compiled_engine_are_compiled_too():
    compiled = os.environ.get("BILLET_COMPILE") == "1"

    native = [kind for kind in events.EVENTS.values() if not hasattr(kind.apply, "__code__")]
    assert len(native) == (len(events.EVENTS) if compiled else 0)
