"""Three failovers under play, one of each kind; `make failovers` does many, and without replication too."""

import pytest

from tests.failovers.run import failovers


@pytest.mark.parametrize("cluster", [False, True], ids=["one", "cluster"])
def test_no_answered_change_is_lost(cluster):
    found = failovers("replicated", 3, people=2, cluster=cluster).values()
    assert [(one.failovers, one.lost, one.back) for one in found] == [(1, 0, 0)] * 3
    assert sum(one.answered for one in found) > 60
