"""What the service refuses and why, with the contract's stable codes; HTTP statuses are for the api to choose."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from service.said import Said


class ServiceError(Exception):
    """Anything the service answers other than by doing what was asked."""


class Fault(NamedTuple):
    """One thing that is wrong with a request: the member, parameter or header, and what is wrong with it."""

    field: str
    detail: Said


class Refused(ServiceError):
    """The call is refused and has changed nothing.

    `code` is a stable code of the contract. `detail` says why and what to do: a text that whoever answers puts into the
    caller's language, or a text that is in it already. `reason`, `faults`, `legal_actions` and `version` say more where
    they help; a limit that is reached has its name in `limit` and the seconds until more is possible in `retry_after`.
    """

    def __init__(
        self,
        code: str,
        detail: Said | str,
        *,
        reason: str | None = None,
        faults: Sequence[Fault] | None = None,
        legal_actions: Sequence[dict[str, Any]] | None = None,
        version: int | None = None,
        limit: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.reason = reason
        self.faults = faults
        self.legal_actions = legal_actions
        self.version = version
        self.limit = limit
        self.retry_after = retry_after


class Unavailable(ServiceError):
    """Redis is away. What was asked has been done wholly or not at all; asking again with the same key is safe."""

    code: ClassVar = "unavailable"
    detail: ClassVar = Said("detail.storage_away")
    retry_after: ClassVar = 1


class ArchiveAway(Unavailable):
    """The archive is away, or lacks what it should have. Only what has ended long ago waits for it."""

    code = "archive_unavailable"
    detail = Said("detail.archive_away")
    retry_after = 5


def unauthenticated() -> Refused:
    """Returns the refusal of a call without a valid token."""
    return Refused("unauthenticated", Said("detail.token_not_valid"))


def no_such_game() -> Refused:
    """Returns the refusal of a call about a game that does not exist."""
    return Refused("not_found", Said("detail.no_such_game"))


def invalid(field: str, key: str, **values: object) -> Refused:
    """Returns the refusal of a request whose field holds something that cannot be; what is wrong is a text by key."""
    fault = Said(key, values)
    return Refused(
        "invalid_request", Said("detail.field", {"field": field, "fault": fault}), faults=[Fault(field, fault)]
    )
