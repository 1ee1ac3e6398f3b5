"""The service answers what its document promises to whatever the document allows and forbids; bounded in time."""

import json

import pytest

from api.published import published_document
from tools.fuzz import runs

LEFT_OUT = ("stream", "admin")
"""How the ids of operations begin that schemathesis.toml leaves out."""


LONGEST = ["createGame", "submitAction", "forkGame", "takeSeat", "leaveGame", "getGame"]
LONGEST += ["listEvents", "listFrames", "listNotices"]
"""The operations that have most boundaries, which `make fuzz` tries."""


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_two_false_promises_are_found_and_all_others_are_kept():
    """What boundaries and mistakes the document suggests, and a little that is made up; `make fuzz` makes up more."""
    document = json.loads(published_document())
    del document["paths"]["/v1/players"]["post"]["responses"]["415"]
    document["components"]["schemas"]["PlayerSetup"]["properties"]["name"]["maxLength"] = 500
    with runs.unlimited() as one:
        outcome = runs.run(one, 1, seed=1, document=document, unbounded=LONGEST, phases="coverage,fuzzing")
    refused = "1 x Custom check failed: `what_is_as_documented_is_accepted`: POST /v1/players"
    assert sorted(outcome.failures) == [refused, "1 x Undocumented status code: POST /v1/players"], outcome.said
    assert "Received: 415" in outcome.said
    every = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert outcome.operations == sum(not name.startswith(LEFT_OUT) for name in every)
    assert outcome.requests > 700
