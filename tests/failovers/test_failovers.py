"""Two failovers under play, one of each kind; `make failovers` does many, and without replication too."""

from tests.failovers.run import failovers


def test_no_answered_change_is_lost():
    found = failovers("replicated", 2, people=4)
    assert (found.failovers, found.lost) == (2, 0)
    assert found.answered > 100
