"""Whole logs: take one away, and have one verified, wherever it comes from."""

from contextlib import nullcontext
from typing import Any, Final

from flask import Response

from api.answers import plain
from api.current import limits, service
from api.examples import EXAMPLES
from api.languages import words
from api.log_bodies import LogBody, written
from api.operations import Blueprint, Reply
from api.schemas.logs import GameLog, LogToVerify, LogVerdict
from api.schemas.queries import CodeQuery
from service.verdicts import told
from service.verification import verify

logs = Blueprint("Logs", __name__, description="Whole games: take them away, check that they were fair.")

LINES: Final = {
    "application/x-ndjson": {
        "schema": {"type": "string", "format": "binary", "description": "The head, then one event a line."}
    }
}
LINES_SENT: Final = {
    name: {**media, "examples": {"no_log": {"summary": "No log", "value": '{"format": "another"}\n'}}}
    for name, media in LINES.items()
}


@logs.operation(
    "GET",
    "/v1/games/<id:game_id>/log",
    "getLog",
    Reply(200, GameLog(), "The log, in JSON or in lines of it."),
    token="optional",
    query=CodeQuery(),
    refusals=("join_code_wrong", "not_found", "game_not_finished", "archive_unavailable"),
    more={"responses": {200: {"content": LINES}}},
)
def log(game_id: str, token: str | None, query: dict[str, Any]) -> Response:
    """Take a log away

    The whole log of a game that has ended, with every card, the secret behind the shuffle, and what caused each step:
    all that is needed to see what each seat saw, to play the game again and to check that the deal was fair. It holds
    the ids of players, no names. The same log is the same bytes.

    With `Accept: application/x-ndjson` it comes in lines of JSON: its head, then one event a line. It is packed for
    those who send `Accept-Encoding: gzip`.
    """
    return written(service().logs.of(token, game_id, query.get("join_code")))


@logs.operation(
    "POST",
    "/v1/logs/verify",
    "verifyLog",
    Reply(200, LogVerdict(), "What came of it.", ("ContentLanguage",)),
    token="none",
    body=LogBody(LogToVerify(), {"a_table_called_off": EXAMPLES["answers"].get("getLog")}),
    headers=("AcceptLanguage",),
    bucket="creating",
    more={"requestBody": {"content": LINES_SENT}},
)
def verify_log(body: dict[str, Any]) -> Response:
    """Verify a log

    Makes the game once more from its secret and from what caused each step, by the rules it was made by, and says the
    first place where the log is something else. It may come from anywhere; nothing of it is kept. Send it as it was
    taken away: as `application/json` or `application/x-ndjson`, with `Content-Encoding: gzip` if it is packed.

    `valid` is true only if everything was checked. A log that is too old or too new for that has no `divergence`, but
    says in `unchecked` what is open. It counts as opening a game. A process verifies one log at a time; until it is
    done, others are refused with 429 and the limit `verifying_at_once`.
    """
    language = words()
    limited = limits()
    with limited.verifying() if limited is not None else nullcontext():
        verdict = verify(body)
    return plain(told(verdict, language), language=language.language)
