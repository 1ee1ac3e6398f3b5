"""Exports whole logs, and verifies logs from anywhere."""

from typing import Any, Final, NamedTuple

from flask import Request, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from api.document.examples import EXAMPLES
from api.document.operations import Reply
from api.request.arguments import Body, invalid
from api.request.bodies import malformed, raw_body
from api.request.current import service, words
from api.request.threads import READING, VERIFYING
from api.responses import JSON_TYPE, REVALIDATE, CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.fields.base import NO_OBJECT
from api.schemas.fields.checks import wrong
from api.schemas.logs import GameLog, LogToVerify, LogVerdict
from api.schemas.queries import CodeQuery
from games.errors import Refused
from games.messages import Message
from games.records.portable import TooLong, Unreadable, as_json, packed
from service.verifying.bounds import TooCostly
from service.verifying.verifier import MOST_LOG_BYTES, NoObject

logs = Blueprint("Logs", __name__, description="Whole games: take them away, check that they were fair.")

GZIP: Final = "gzip"


class SentLog(NamedTuple):
    """A log as it was sent."""

    raw: bytes
    packed: bool
    """Whether it is compressed by gzip."""


class LogBody(Body):
    """A body with a log: it may be longer than others, and gzipped. The verifier parses it."""

    may_be_long = True

    def read(self, request: Request) -> SentLog:
        """Returns the log as it was sent.

        Raises:
            Refused: `unsupported_media_type` or `request_timeout`.
            RequestEntityTooLarge: it is longer than the service accepts.
        """
        if request.mimetype != JSON_TYPE:
            raise Refused("unsupported_media_type", Message("detail.not_declared_json"))
        encoding = request.environ.get("HTTP_CONTENT_ENCODING", "identity").lower()
        if encoding not in ("identity", GZIP):
            raise Refused("unsupported_media_type", Message("detail.log_encoded"))
        request.max_content_length = MOST_LOG_BYTES
        return SentLog(raw_body(request), encoding == GZIP)


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
    response = Response(as_json(service().games.log(token, game_id, query.get("join_code"))), content_type=JSON_TYPE)
    if "HTTP_ACCEPT_ENCODING" in request.environ and request.accept_encodings[GZIP] > 0:
        response.set_data(packed(response.data))
        response.headers["Content-Encoding"] = GZIP
    response.headers["Cache-Control"] = REVALIDATE
    response.headers["Vary"] = "Authorization, Accept-Encoding"
    return response


@logs.operation(
    "POST",
    "/v1/logs/verify",
    "verifyLog",
    Reply(200, LogVerdict(), "The result.", ("ContentLanguage",)),
    token="none",
    body=LogBody(LogToVerify(), {"a_table_called_off": EXAMPLES["answers"].get("getLog")}),
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
    language = words().language
    try:
        verdict = service().verifier.verdict(body.raw, packed=body.packed, language=language)
    except TooLong:
        raise RequestEntityTooLarge from None
    except Unreadable as unreadable:
        raise malformed(unreadable.why.key, **unreadable.why.values) from None
    except NoObject:
        raise invalid("body", wrong(NO_OBJECT)) from None
    except TooCostly:
        reason = "log_too_costly"
        raise Refused("content_too_large", Message(f"reason.{reason}"), reason=reason) from None
    return plain(verdict, language=language)
