"""Three failovers under play, one of each kind; `make failovers` does many, and without replication too."""

import pytest

from tools.failovers.run import failovers

LINE_SECONDS = 0.05
"""What is on a slow line is lost with the primary, so few actions suffice to lose one that was answered too soon."""
FEWEST = {"API_PROCESSES": "1", "WORKERS": "1"}


@pytest.mark.long
@pytest.mark.parametrize(
    "cluster", [pytest.param(False, id="one"), pytest.param(True, id="cluster", marks=pytest.mark.soak)]
)
def test_no_answered_change_is_lost(cluster):
    outcomes = failovers("replicated", 3, people=2, delay=LINE_SECONDS, cluster=cluster, watched=False, **FEWEST)
    found = outcomes.values()
    assert [(one.failovers, one.lost, one.back) for one in found] == [(1, 0, 0)] * 3
    assert sum(one.answered for one in found) > 60
