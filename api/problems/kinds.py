"""Lists every kind of problem and every reason in one place."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from engine import errors
from games.messages import Message
from games.texts.catalogue import Catalogue, catalogue

MEDIA_TYPE: Final = "application/problem+json"

ILLEGAL: Final = (
    errors.WRONG_ACTION,
    errors.CARD_NOT_IN_HAND,
    f"{errors.MUST_PLAY}CARD",
    errors.TARGET_REQUIRED,
    errors.TARGET_NOT_ALLOWED,
    errors.TARGET_COUNT,
    errors.TARGET_UNKNOWN,
    errors.TARGET_REPEATED,
    errors.TARGET_SELF,
    errors.TARGET_OUT,
    errors.TARGET_PROTECTED,
    errors.TARGET_BOUND,
    errors.GUESS_REQUIRED,
    errors.GUESS_NOT_ALLOWED,
    errors.FACE_REQUIRED,
    errors.FACE_NOT_ALLOWED,
    errors.CARDS_DO_NOT_MATCH,
    errors.SEAT_NOT_OFFERED,
    "game_begun",
    "seat_changed",
    "reveal_in_progress",
    "reveal_not_begun",
    "reveal_over",
    "nonce_not_committed",
    "not_repeatable",
)
"""The reasons that come with `illegal_action`."""


class ProblemKind(NamedTuple):
    """A kind of problem: its status, what it means in English for the document, and its reasons."""

    status: int
    meaning: str
    reasons: tuple[str, ...] = ()


KINDS: Final[Mapping[str, ProblemKind]] = {
    "malformed_request": ProblemKind(
        400, "The request is not valid HTTP, or its body is not valid JSON or is ambiguous."
    ),
    "unauthenticated": ProblemKind(401, "The call needs a token, or its token or ticket is not valid."),
    "not_seated": ProblemKind(403, "Only players who sit at the game and have not left it may do that."),
    "not_creator": ProblemKind(403, "Only the player who opened the table may do that."),
    "join_code_wrong": ProblemKind(403, "The game is unlisted, and its join code is missing or wrong."),
    "registration_closed": ProblemKind(403, "Registering needs the operator's key, which is missing or wrong."),
    "not_accepted": ProblemKind(
        403, "A player takes no invitations, or the creator of the table does not accept the caller."
    ),
    "removed": ProblemKind(403, "The creator of the table has removed the caller from it."),
    "banned": ProblemKind(403, "The operator has banned this player.", ("by_operator",)),
    "aids_off": ProblemKind(403, "The table does without aids: they are open only after the game has ended."),
    "not_found": ProblemKind(404, "There is no such path, game or edition."),
    "method_not_allowed": ProblemKind(405, "The path does not support this method. `Allow` lists those it supports."),
    "request_timeout": ProblemKind(408, "The request did not arrive completely in time."),
    "illegal_action": ProblemKind(409, "The rules forbid the action now. `reason` names the rule.", ILLEGAL),
    "not_your_turn": ProblemKind(409, "Another seat must act."),
    "game_not_started": ProblemKind(409, "A seat is still open."),
    "game_over": ProblemKind(409, "The game has ended."),
    "game_full": ProblemKind(
        409,
        "The requested seat, or every seat, is taken or reserved for an invited player.",
        ("seat_taken", "seat_reserved", "too_many_changes", "joined_too_often"),
    ),
    "player_at_table": ProblemKind(409, "The player already sits at the table, or is invited to another of its seats."),
    "nonce_mismatch": ProblemKind(409, "The nonce does not match the hash that was sent when the seat was taken."),
    "game_not_finished": ProblemKind(409, "This is possible only after the game has ended."),
    "no_breaks": ProblemKind(409, "The game gives no days off, or not so many any more."),
    "idempotency_key_reused": ProblemKind(409, "The key was used for a different call. Use a new key for each call."),
    "token_replaced": ProblemKind(409, "The call succeeded before, and the token it returned has been replaced since."),
    "cursor_gone": ProblemKind(410, "The notices after this cursor are no longer kept, or the cursor never existed."),
    "stale_version": ProblemKind(412, "`If-Match` does not name the current view. `version` is the current version."),
    "content_too_large": ProblemKind(
        413,
        "The body is longer than the service accepts, or it is a log that takes too much to verify.",
        ("log_too_costly",),
    ),
    "unsupported_media_type": ProblemKind(415, "The body is not plain `application/json`."),
    "invalid_request": ProblemKind(422, "A value in the call is not valid. `errors` says which and why."),
    "rate_limited": ProblemKind(429, "You have reached the limit named in `limit`. Retry after `Retry-After` seconds."),
    "internal_error": ProblemKind(500, "The service failed. It is not known whether the call has changed anything."),
    "damaged": ProblemKind(500, "What is stored of this game is damaged. The call has changed nothing."),
    "unavailable": ProblemKind(503, "A part of the service is down. Retry the call in a moment."),
    "not_replicated": ProblemKind(
        503,
        "The call took effect on the Redis primary, but no replica has confirmed it, so a failover could still lose "
        "it. Retry the call with the same `Idempotency-Key`.",
    ),
    "archive_unavailable": ProblemKind(
        503,
        "The log of this game is in the archive, which cannot be read right now. Retry later. You can still see how "
        "the game ended.",
    ),
}


def type_of(code: str) -> str:
    """Returns the `type` of a kind of problem: where the page of errors explains it."""
    return f"/docs/errors#{code}"


def content_of(code: str, detail: Message | str, words: Catalogue, path: str) -> dict[str, Any]:
    """Returns the members that every problem has, in a language; `path` is what was called, without its query."""
    return {
        "type": type_of(code),
        "title": words.text(f"problem.{code}.title"),
        "status": KINDS[code].status,
        "detail": detail.written(words) if isinstance(detail, Message) else detail,
        "instance": "/" + quote(path.lstrip("/")),
        "code": code,
    }


def listed() -> str:
    """Returns all kinds of problems, their codes and reasons, in Markdown for the document."""
    words = catalogue("en")
    kinds = [f"- `{code}` ({kind.status}): {kind.meaning}" for code, kind in KINDS.items()]
    reasons = [
        f"- `{reason}` (`{code}`): {' / '.join(sentences(words, reason))}"
        for code, kind in KINDS.items()
        for reason in kind.reasons
    ]
    return "\n".join(["Every `code`, with its status:\n", *kinds, "\nEvery `reason`, with what it says:\n", *reasons])


def sentences(words: Catalogue, reason: str) -> list[str]:
    """Returns the sentence of a reason, or one for each of its cases, with placeholders in braces."""
    key = f"reason.{reason.removesuffix('_CARD')}"
    return [text for name, text in words.texts.items() if name == key or name.startswith(f"{key}.")]
