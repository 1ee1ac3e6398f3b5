"""What schemathesis must know beside the document; it loads this file itself, by SCHEMATHESIS_HOOKS."""

import json
import os
import sys
import urllib.request
from pathlib import Path

import schemathesis

sys.path.insert(0, str(Path(__file__).parents[2]))
from tools.fuzz.words import FAULTS, LIMITED, NO_LOG, WRONG_TICKET

SHORT_WAIT = 1
"""In seconds: long polls would spend the time of the run."""

FITTING = {*range(200, 400), 403, 404, 409, 410, 412}
"""What a call of the right form may be answered: it may lead nowhere, or not fit the present state of a game."""


@schemathesis.check
def what_is_as_documented_is_accepted(context, response, case) -> None:
    """Stands for schemathesis' own check, which knows statuses alone and would let every 422 pass."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code in FITTING:
        return
    problem, called = response.json(), case.operation.definition.raw["operationId"]
    if problem["code"] == "unavailable" and called == "getReadiness":
        assert "worker" in problem["detail"], problem
    elif problem["code"] == "malformed_request" and called == "verifyLog":
        assert NO_LOG.fullmatch(problem["detail"]), problem
    elif problem["code"] == "rate_limited":
        assert problem["limit"] == "inviting" or LIMITED.fullmatch(problem["detail"]), problem
    elif response.status_code == 422 and problem.get("errors"):
        assert all(FAULTS.fullmatch(error["detail"]) for error in problem["errors"]), problem
    else:
        assert response.status_code == 401, problem
        assert "ticket" in (case.query or {}), problem
        assert WRONG_TICKET.fullmatch(problem["detail"]), problem


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """The token of the run's player; whoever rotates one or erases its player gets another, or every later
    call would be refused.
    """

    def get(self, case, context):
        """Returns the token for a call."""
        ends = case.operation.definition.raw["operationId"] in ("rotateToken", "eraseMe")
        return another_token() if ends else os.environ["BILLET_TOKEN"]

    def set(self, case, data, context) -> None:
        """Puts the token into a call."""
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    """Shortens the wait for events, where there is one."""
    wait = (case.query or {}).get("wait")
    if isinstance(wait, int) and SHORT_WAIT < wait <= 30:
        case.query["wait"] = SHORT_WAIT


def another_token():
    """Registers a player and returns its token."""
    request = urllib.request.Request(
        f"{os.environ['BILLET_URL']}/v1/players", b'{"name": "Eve"}', {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["token"]
