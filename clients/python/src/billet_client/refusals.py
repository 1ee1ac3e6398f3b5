"""Everything that can go wrong with a call, as exceptions: one class for each code that one does something about.

A code that this version does not know is raised as the class of its status.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import httpx

from billet_client.core.models import Fault, LegalAction, Problem
from billet_client.core.types import Unset


class BilletError(Exception):
    """A call has not been answered as it should be.

    `maybe_done` says whether the service may have done all the same what was asked for, or may do it still. `key` is
    the Idempotency-Key that the call was sent with, if it had one: the same call with it is carried out once at most,
    and gives the first answer.
    """

    maybe_done = False
    key: str | None = None


class NoAnswer(BilletError):
    """The service was not reached, or its answer was lost, as often as the call was tried."""


class NotUnderstood(BilletError):
    """The answer is none that this version of the client knows, or does not come from a Billet service."""


class Refused(BilletError):
    """The service has answered with a problem; `problem` is all of it. Compare `code`, show `detail`."""

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        """`retry_after` is how many seconds the answer asks to wait."""
        super().__init__(problem, retry_after)  # what copies are made of, as when it comes from another process
        self.problem = problem
        self.status = problem.status
        self.code = problem.code
        self.detail = problem.detail
        self.reason = problem.reason or None
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.detail


class Unauthenticated(Refused):
    """401: the call needs a token, or the one of this client is not valid."""


class Forbidden(Refused):
    """403: not for this player."""


class NotSeated(Forbidden):
    """Only those who sit at the game may do that; a seat that was left or forfeited is lost."""


class NotCreator(Forbidden):
    """Only the player who opened the table may do that."""


class NotAccepted(Forbidden):
    """The other player takes no invitations from this one."""


class JoinCodeWrong(Forbidden):
    """The game is unlisted and its join code is missing or wrong."""


class RegistrationClosed(Forbidden):
    """Registering needs the operator's key, and it is missing or wrong."""


class NotFound(Refused):
    """404: there is no such game or edition."""


class Conflict(Refused):
    """409: the game is not where the call thinks it is."""


class IllegalAction(Conflict):
    """The rules forbid the action; `reason` says which one, `legal_actions` what they allow."""

    @property
    def legal_actions(self) -> list[LegalAction]:
        """What the player may do instead; empty if the service does not say."""
        return self.problem.legal_actions or []


class NotYourTurn(Conflict):
    """Another seat must act."""


class GameNotStarted(Conflict):
    """A seat is still open."""


class GameOver(Conflict):
    """The game has ended."""


class GameFull(Conflict):
    """The wanted seat, or every seat, is taken."""


class PlayerAtTable(Conflict):
    """Who is to be invited sits at the table already, or is invited to another of its seats."""


class NonceMismatch(Conflict):
    """The nonce is not the one that the player has committed to."""


class GameNotFinished(Conflict):
    """That is possible only when the game has ended."""


class KeyReused(Conflict):
    """The key came with another call before."""


class CursorGone(Refused):
    """410: what came after the cursor is not kept any more; begin anew, without one."""


class StaleVersion(Refused):
    """412: the game has moved on since the view that was acted on."""

    @property
    def version(self) -> int | None:
        """The version the game is at now."""
        return None if isinstance(self.problem.version, Unset) else self.problem.version


class InvalidRequest(Refused):
    """400, 413, 415 or 422: the call holds something that cannot be."""

    @property
    def errors(self) -> list[Fault]:
        """What is wrong, by member, parameter or header."""
        return self.problem.errors or []


class RateLimited(Refused):
    """429: a limit is reached, and the seconds in `retry_after` are longer than the client may go on trying."""

    @property
    def limit(self) -> str | None:
        """The name of the limit."""
        return self.problem.limit or None


class Unavailable(Refused):
    """502, 503 or 504: the service, or a part of it, has been away for as long as the client may go on trying."""


class Failed(Refused):
    """500: the service failed."""


BY_CODE: Final[Mapping[str, type[Refused]]] = {
    "not_seated": NotSeated,
    "not_creator": NotCreator,
    "not_accepted": NotAccepted,
    "join_code_wrong": JoinCodeWrong,
    "registration_closed": RegistrationClosed,
    "illegal_action": IllegalAction,
    "not_your_turn": NotYourTurn,
    "game_not_started": GameNotStarted,
    "game_over": GameOver,
    "game_full": GameFull,
    "player_at_table": PlayerAtTable,
    "nonce_mismatch": NonceMismatch,
    "game_not_finished": GameNotFinished,
    "idempotency_key_reused": KeyReused,
}
BY_STATUS: Final[Mapping[int, type[Refused]]] = {
    400: InvalidRequest,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: CursorGone,
    412: StaleVersion,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: RateLimited,
    500: Failed,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def refusal_of(response: httpx.Response) -> Refused:
    """Returns what to raise for an answer that is an error."""
    problem = _problem_of(response)
    kind = BY_CODE.get(problem.code) or BY_STATUS.get(response.status_code) or Refused
    return kind(problem, _seconds(response.headers.get("Retry-After")))


def _problem_of(response: httpx.Response) -> Problem:
    """Returns the problem that an answer tells of; one without a code if something before the service answered."""
    try:
        return Problem.from_dict(json.loads(response.content))
    except (ValueError, TypeError, KeyError):
        said = f"{response.status_code} {response.reason_phrase} from {response.url.host}, and no problem of Billet"
        return Problem("about:blank", response.reason_phrase, response.status_code, said, response.url.path, code="")


def _seconds(retry_after: str | None) -> float | None:
    """Returns the seconds to wait, which proxies may write as a date."""
    if retry_after is None:
        return None
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
