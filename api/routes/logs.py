"""Exports whole logs, and verifies logs from anywhere."""

from typing import Any

from flask import Response

from api.document.examples import EXAMPLES
from api.document.operations import Reply
from api.request.current import service
from api.request.languages import words
from api.request.log_bodies import LogBody, SentLog, verdict, written
from api.request.threads import READING, VERIFYING
from api.responses import CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.logs import GameLog, LogToVerify, LogVerdict
from api.schemas.queries import CodeQuery

logs = Blueprint("Logs", __name__, description="Whole games: take them away, check that they were fair.")


@logs.operation(
    "GET",
    "/v1/games/<id:game_id>/log",
    "getLog",
    Reply(200, GameLog(), "The log."),
    token="optional",
    query=CodeQuery(),
    refusals=("join_code_wrong", "not_found", "game_not_finished", "archive_unavailable"),
    runs=READING,
)
def log(game_id: str, token: str | None, query: dict[str, Any]) -> Response:
    """Download a log

    The whole log of a game that has ended, with every card, the secret behind the shuffle, and what caused each step.
    With it you can see what each seat saw, replay the game, and check that the deal was fair. It names players by id
    only. The same log is always the same bytes.

    With `Accept-Encoding: gzip` the answer is compressed.
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
    runs=VERIFYING,
)
def verify_log(body: SentLog) -> CompleteResponse:
    """Verify a log

    Replays the game from its secret and from what caused each step, by the rules of its time, and returns the first
    place where the log differs. The log may come from anywhere, and none of it is stored. Send it as you downloaded it,
    with `Content-Encoding: gzip` if it is compressed.

    `valid` is true only if everything was checked. A log that is too old or too new for that has no `divergence`;
    `unchecked` lists what could not be checked. The call counts as opening a game. A process verifies one log at a
    time, and few may wait. One log of each address is let in. Until it is done, others from there are refused with 429
    and the limit `verifying_at_once`, and the connection is closed before their body is read.

    A log that takes more memory or processor time than any valid log of its length is refused with 413 and the reason
    `log_too_costly`.
    """
    language = words()
    return plain(verdict(body, service().verifier, language.language), language=language.language)
