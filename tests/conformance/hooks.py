"""What schemathesis must know beside the document; it loads this file itself, by SCHEMATHESIS_HOOKS."""

import json
import os
import re
import string
import sys
import urllib.request
from pathlib import Path

import schemathesis

sys.path.insert(0, str(Path(__file__).parents[2]))
from games.texts.catalogue import LANGUAGES, catalogue

SHORT_WAIT = 1
"""In seconds: long polls would spend the time of the run."""

FITTING = {*range(200, 400), 403, 404, 409, 410, 412}
"""What a call of the right form may be answered: it may lead nowhere, or not fit the present state of a game."""
NO_SCHEMA_SAYS = (
    "fault.all_or_seat",
    "fault.block_oneself",
    "fault.bot_not_allowed",
    "fault.bot_required",
    "fault.cursor",
    "fault.empty_list",
    "fault.fork_seat_left",
    "fault.fork_seat_twice",
    "fault.fork_which_seat",
    "fault.holds_nul",
    "fault.increment_without_bank",
    "fault.invite_oneself",
    "fault.invited_twice",
    "fault.leave_which_seat",
    "fault.no_action",
    "fault.no_character",
    "fault.no_options",
    "fault.no_such_option",
    "fault.no_such_player",
    "fault.no_such_seat",
    "fault.nonce_hash_of_others",
    "fault.nonce_or_hash",
    "fault.not_in_deck",
    "fault.one_creator",
    "fault.one_guess",
    "fault.other_starter",
    "fault.player_not_allowed",
    "fault.player_or_bot",
    "fault.round_given_twice",
    "fault.sandbox_of_nothing",
    "fault.seats_of_edition",
    "fault.versions_1_to",
    "fault.versions_to_fork",
    "fault.versions_up_to",
    *sorted(key for key in catalogue(LANGUAGES[0]).texts if key.startswith(("fault.position.", "log.sheet_"))),
)
"""Why else it may be refused with 422: what depends on the edition, the game or another member; a bad sheet.

And what is no text, which the document says once for all strings.
"""
TICKET = "detail.ticket_not_valid"


def pattern(*keys):
    """What matches the texts of these keys in any language, whatever stands in their places."""
    texts = [catalogue(language).texts[key] for language in LANGUAGES for key in keys]
    return re.compile("|".join(shape(text) for text in texts))


def shape(text):
    """The expression that matches a text with its fields filled; what stands for a brace is one."""
    parts = string.Formatter().parse(text)
    return "".join(re.escape(literal) + (".*" if field is not None else "") for literal, field, *_ in parts)


NO_LOGS = ("log.not_utf_8", "log.not_json", "log.no_whole_number", "log.no_character", "log.member_twice")
"""Why a log may be refused as unreadable: no schema says that a file holds lines of JSON, and numbers are whole."""

FAULTS, NO_LOG, WRONG_TICKET = pattern(*NO_SCHEMA_SAYS), pattern(*NO_LOGS), pattern(TICKET)


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    """Sends what is to be lines as it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.check
def what_is_as_documented_is_accepted(context, response, case):
    """Stands for schemathesis' own check, which knows statuses alone and would let every 422 pass."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code in FITTING:
        return
    problem, called = response.json(), case.operation.definition.raw["operationId"]
    if problem["code"] == "unavailable" and called == "getReadiness":
        assert "worker" in problem["detail"], problem
    elif problem["code"] == "malformed_request" and called == "verifyLog":
        assert NO_LOG.fullmatch(problem["detail"]), problem
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
        ends = case.operation.definition.raw["operationId"] in ("rotateToken", "eraseMe")
        return another_token() if ends else os.environ["BILLET_TOKEN"]

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Shortens the wait for events, where there is one."""
    wait = (case.query or {}).get("wait")
    if isinstance(wait, int) and SHORT_WAIT < wait <= 30:
        case.query["wait"] = SHORT_WAIT


def another_token():
    request = urllib.request.Request(
        f"{os.environ['BILLET_URL']}/v1/players", b'{"name": "Eve"}', {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["token"]
