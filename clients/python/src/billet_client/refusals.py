"""The exceptions of calls: a class for each problem code that a program is likely to handle.

Any other code is raised as the class of its status.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import httpx

from billet_client.core.models import Fault, LegalAction, Problem
from billet_client.core.types import Unset

__all__ = [
    "BilletError",
    "Conflict",
    "CursorGone",
    "Failed",
    "Forbidden",
    "GameFull",
    "GameNotFinished",
    "GameNotStarted",
    "GameOver",
    "IllegalAction",
    "InvalidRequest",
    "JoinCodeWrong",
    "KeyReused",
    "NoAnswer",
    "NonceMismatch",
    "NotAccepted",
    "NotCreator",
    "NotFound",
    "NotSeated",
    "NotUnderstood",
    "NotYourTurn",
    "PlayerAtTable",
    "RateLimited",
    "Refused",
    "RegistrationClosed",
    "Removed",
    "StaleVersion",
    "Unauthenticated",
    "Unavailable",
]


class BilletError(Exception):
    """The base of all errors of calls.

    `maybe_done` says whether the call may have taken effect all the same, or still may. `key` is its idempotency key,
    if it had one: repeat the call with it to get its first answer. It takes effect at most once.
    """

    maybe_done = False
    key: str | None = None


class NoAnswer(BilletError):
    """The service could not be reached, or its answer was lost, at every attempt."""


class NotUnderstood(BilletError):
    """This version of the client cannot read the answer, or it does not come from a Billet service."""


class Refused(BilletError):
    """The service answered with a problem, the whole of which is in `problem`. Compare `code`, show `detail`."""

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        """Takes the problem, and the seconds to wait before a retry if the answer names any."""
        super().__init__(problem, retry_after)  # pickling makes copies of these
        self.problem = problem
        self.status = problem.status
        self.code = problem.code
        self.detail = problem.detail
        self.reason = problem.reason or None
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.detail


class Unauthenticated(Refused):
    """401: the call needs a token, or this client's token is not valid."""


class Forbidden(Refused):
    """403: this player may not do that."""


class NotSeated(Forbidden):
    """The player has no seat in the game; a seat that they left or forfeited is lost."""


class NotCreator(Forbidden):
    """Only the player who opened the table may do that."""


class Removed(Forbidden):
    """The creator of the table has removed the player from it."""


class AidsOff(Forbidden):
    """The table does without aids until the game has ended."""


class NotAccepted(Forbidden):
    """The other player takes no invitations from this one, or does not let this one sit at their table."""


class JoinCodeWrong(Forbidden):
    """The game is unlisted and its join code is missing or wrong."""


class RegistrationClosed(Forbidden):
    """Registering needs the operator's key, and it is missing or wrong."""


class NotFound(Refused):
    """404: there is no such game, player, edition or other thing."""


class Conflict(Refused):
    """409: the call does not fit the present state, such as that of the game."""


class IllegalAction(Conflict):
    """The rules forbid the action: `reason` names the rule, `legal_actions` lists what is allowed."""

    @property
    def legal_actions(self) -> list[LegalAction]:
        """The actions that the player may take instead; empty if the service does not list them."""
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
    """The invited player sits at the table already, or is invited to another of its seats."""


class NonceMismatch(Conflict):
    """The nonce does not match the hash that the player committed to."""


class GameNotFinished(Conflict):
    """The call is possible only after the game has ended."""


class KeyReused(Conflict):
    """The idempotency key was used for another call before."""


class CursorGone(Refused):
    """410: the service no longer keeps what followed the cursor; begin anew without one."""


class StaleVersion(Refused):
    """412: the game has moved on since the view on which the player acted."""

    @property
    def version(self) -> int | None:
        """The present version of the game."""
        return None if isinstance(self.problem.version, Unset) else self.problem.version


class InvalidRequest(Refused):
    """400, 413, 415 or 422: something in the call is invalid."""

    @property
    def errors(self) -> list[Fault]:
        """The faults of the call, each with the member, parameter or header."""
        return self.problem.errors or []


class RateLimited(Refused):
    """429: a limit is reached, and `retry_after` (seconds) is longer than the client's patience."""

    @property
    def limit(self) -> str | None:
        """The name of the limit."""
        return self.problem.limit or None


class Unavailable(Refused):
    """502, 503 or 504: the service, or a part of it, was unavailable for longer than the client's patience."""


class Failed(Refused):
    """500: the service failed."""


BY_CODE: Final[Mapping[str, type[Refused]]] = {
    "not_seated": NotSeated,
    "not_creator": NotCreator,
    "not_accepted": NotAccepted,
    "removed": Removed,
    "aids_off": AidsOff,
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
    """Returns the exception for a response that is an error."""
    problem = _problem_of(response)
    kind = BY_CODE.get(problem.code) or BY_STATUS.get(response.status_code) or Refused
    return kind(problem, _seconds(response.headers.get("Retry-After")))


def _problem_of(response: httpx.Response) -> Problem:
    """Returns the problem in a response; one without a code if a proxy in front of the service answered."""
    try:
        return Problem.from_dict(json.loads(response.content))
    except (ValueError, TypeError, KeyError):
        said = f"{response.status_code} {response.reason_phrase} from {response.url.host}, and no problem of Billet"
        return Problem("about:blank", response.reason_phrase, response.status_code, said, response.url.path, code="")


def _seconds(retry_after: str | None) -> float | None:
    """Returns the seconds of a `Retry-After`, which proxies may write as a date; None without one."""
    if retry_after is None:
        return None
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
