"""Clients in languages whose compilers not every machine has are compiled where they can be, in the soak."""

import pytest

from tests.sdk.compilers import COMPILERS, NotHere
from tests.sdk.workshop import faults


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("client", COMPILERS)
def test_a_client_compiles(client, workshop):
    try:
        command = COMPILERS[client](workshop.generated(client) / client)
    except NotHere as lacking:
        pytest.skip(f"only generated here: {lacking}")
    assert faults(command) == ""
