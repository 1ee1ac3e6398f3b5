"""A few attacks on a running service: none leaves much memory or much in Redis behind; time is not judged."""

import pytest

from tools.attack.runner import ATTACKS, attacked
from tools.attack.target import Target

QUICK = (
    *("doctored", "numbers", "names", "odd_requests", "nested", "repeats", "one_key", "registered_again"),
    "full_redis",
)
MOST_KEYS = 700
MOST_KB = 8_000


@pytest.fixture
def target(served):
    target = Target(served)
    yield target
    target.client.close()


@pytest.mark.parametrize("name", QUICK)
def test_an_attack_leaves_the_service_as_it_was(target, name):
    outcome = attacked(target, ATTACKS[name], timing=False)
    assert outcome.faults(timing=False) == []
    assert outcome.left.keys - outcome.found.keys <= MOST_KEYS
    assert (outcome.left.bytes - outcome.found.bytes) / 1000 <= MOST_KB
    assert outcome.beside.failed == 0
