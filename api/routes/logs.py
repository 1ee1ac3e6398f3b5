"""Exports whole logs, and verifies logs from anywhere."""

from typing import Any, Final

from flask import Response

from api.answers import CompleteResponse, plain
from api.document.examples import EXAMPLES
from api.document.operations import Reply
from api.request.arguments import Body
from api.request.current import service
from api.request.languages import words
from api.request.log_bodies import LogBody, SentLog, read_off, verdict, written
from api.request.threads import READING, VERIFYING
from api.routes.blueprint import Blueprint
from api.schemas.logs import GameLog, LogToVerify, LogVerdict, SheetToRead
from api.schemas.queries import CodeQuery
from engine.rules import RULES_VERSION

logs = Blueprint("Logs", __name__, description="Whole games: take them away, check that they were fair.")

LINES: Final = {
    "application/x-ndjson": {
        "schema": {"type": "string", "format": "binary", "description": "The head, then one event a line."}
    }
}
SHEET: Final = f"""billet scoresheet 1
package 0.1.0
rules {RULES_VERSION}
game game33
edition classic
options
seats 2
visibility public
clock none
starter none
creator p0
previous_game none
sandbox no
forked_from none
secret 515341be84ff1bc8cdcf9a531da55af4569a6b95a2e5244c3db0ed4e238829de
begins 2030-03-17T17:46:40.000Z

+0.000 open 0 join p0
+2.000 abort

game aborted
"""
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
    runs=READING,
)
def log(game_id: str, token: str | None, query: dict[str, Any]) -> Response:
    """Download a log

    The whole log of a game that has ended, with every card, the secret behind the shuffle, and what caused each step.
    With it you can see what each seat saw, replay the game, and check that the deal was fair. It names players by id
    only. The same log is always the same bytes.

    With `Accept: application/x-ndjson` you get lines of JSON: the head, then one event a line. With `Accept-Encoding:
    gzip` the answer is compressed.
    """
    return written(service().games.log(token, game_id, query.get("join_code")))


@logs.operation(
    "POST",
    "/v1/logs/verify",
    "verifyLog",
    Reply(200, LogVerdict(), "The result.", ("ContentLanguage",)),
    token="none",
    body=LogBody(LogToVerify(), {"a_table_called_off": EXAMPLES["answers"].get("getLog")}),
    headers=("AcceptLanguage",),
    bucket="creating",
    more={"requestBody": {"content": LINES_SENT}},
    runs=VERIFYING,
)
def verify_log(body: SentLog) -> CompleteResponse:
    """Verify a log

    Replays the game from its secret and from what caused each step, by the rules of its time, and returns the first
    place where the log differs. The log may come from anywhere, and none of it is stored. Send it as you downloaded it:
    as `application/json` or `application/x-ndjson`, with `Content-Encoding: gzip` if it is compressed.

    `valid` is true only if everything was checked. A log that is too old or too new for that has no `divergence`;
    `unchecked` lists what could not be checked. The call counts as opening a game. A process verifies one log at a
    time, and few may wait. One log of each address is let in. Until it is done, others from there are refused with 429
    and the limit `verifying_at_once`, and the connection is closed before their body is read.

    A log that takes more memory or processor time than any valid log of its length is refused with 413 and the reason
    `log_too_costly`.
    """
    language = words()
    return plain(verdict(body, service().verifier, language.language), language=language.language)


@logs.operation(
    "POST",
    "/v1/logs/read",
    "readSheet",
    Reply(200, GameLog(), "The log."),
    token="none",
    body=Body(SheetToRead(), {"a_table_called_off": {"sheet": SHEET}}),
    headers=("AcceptLanguage",),
    bucket="creating",
    runs=VERIFYING,
)
def read_sheet(body: dict[str, Any]) -> CompleteResponse:
    """Read a scoresheet

    Returns the log that a scoresheet was written from. A sheet leaves out what the rules produce, so the service
    replays the game from its secret and the moves. Nothing of it is stored.

    A sheet that contradicts itself or the rules is refused with 422; `detail` names the line and the reason. The call
    counts as opening a game, runs in the process that verifies logs, and shares the limit `verifying_at_once`.
    """
    return plain(read_off(body["sheet"], service().verifier))
