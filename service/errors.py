"""What the service refuses and why, with the contract's stable codes; HTTP statuses are for the api to choose."""

from collections.abc import Sequence
from typing import Any


class ServiceError(Exception):
    """Anything the service answers other than by doing what was asked."""


class Refused(ServiceError):
    """The call is refused and has changed nothing.

    `code` is a stable code of the contract, `detail` a sentence that says why and what to do; `reason`, `errors`,
    `legal_actions` and `version` say more where they help.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        reason: str | None = None,
        errors: Sequence[dict[str, str]] | None = None,
        legal_actions: Sequence[dict[str, Any]] | None = None,
        version: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.reason = reason
        self.errors = errors
        self.legal_actions = legal_actions
        self.version = version


class Unavailable(ServiceError):
    """Redis is away. What was asked has been done wholly or not at all; asking again with the same key is safe."""


def unauthenticated() -> Refused:
    """Returns the refusal of a call without a valid token."""
    return Refused(
        "unauthenticated", "Send a valid token as `Authorization: Bearer TOKEN`; POST /v1/players gives one."
    )


def not_found(what: str) -> Refused:
    """Returns the refusal of a call about something that does not exist."""
    return Refused("not_found", f"There is no such {what}. Check the id.")


def invalid(field: str, detail: str) -> Refused:
    """Returns the refusal of a request whose field holds something that cannot be."""
    return Refused(
        "invalid_request",
        f"`{field}` cannot be that. {detail}",
        errors=[{"field": field, "detail": detail}],
    )
