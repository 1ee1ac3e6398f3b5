"""Lists every kind of problem and every reason in one place."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

from engine import errors
from games.messages import Message
from games.texts.catalogue import Catalogue, catalogue

MEDIA_TYPE: Final = "application/problem+json"

Again: TypeAlias = Literal["never", "mended", "anew", "later"]
"""Whether to retry a refused call: never, once corrected, only as a new call, or unchanged after a while."""

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
    """A kind of problem: its status, whether to retry the call, and its members besides those of every problem."""

    status: int
    again: Again
    members: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


KINDS: Final[Mapping[str, ProblemKind]] = {
    "malformed_request": ProblemKind(400, "mended"),
    "unauthenticated": ProblemKind(401, "mended"),
    "not_seated": ProblemKind(403, "never"),
    "not_creator": ProblemKind(403, "never"),
    "join_code_wrong": ProblemKind(403, "mended"),
    "registration_closed": ProblemKind(403, "mended"),
    "not_accepted": ProblemKind(403, "never"),
    "removed": ProblemKind(403, "never"),
    "banned": ProblemKind(403, "never", ("reason",), ("by_operator",)),
    "not_found": ProblemKind(404, "never"),
    "method_not_allowed": ProblemKind(405, "mended"),
    "request_timeout": ProblemKind(408, "later"),
    "illegal_action": ProblemKind(409, "anew", ("reason", "legal_actions", "version", "retry_after"), ILLEGAL),
    "not_your_turn": ProblemKind(409, "anew", ("version",)),
    "game_not_started": ProblemKind(409, "anew", ("version",)),
    "game_over": ProblemKind(409, "never", ("version",)),
    "game_full": ProblemKind(
        409, "anew", ("reason",), ("seat_taken", "seat_reserved", "too_many_changes", "joined_too_often")
    ),
    "player_at_table": ProblemKind(409, "never"),
    "nonce_mismatch": ProblemKind(409, "mended"),
    "game_not_finished": ProblemKind(409, "later"),
    "idempotency_key_reused": ProblemKind(409, "mended"),
    "token_replaced": ProblemKind(409, "never"),
    "cursor_gone": ProblemKind(410, "mended"),
    "stale_version": ProblemKind(412, "anew", ("version",)),
    "content_too_large": ProblemKind(413, "mended", ("reason",), ("log_too_costly",)),
    "unsupported_media_type": ProblemKind(415, "mended"),
    "invalid_request": ProblemKind(422, "mended", ("errors",)),
    "rate_limited": ProblemKind(429, "later", ("limit", "retry_after")),
    "internal_error": ProblemKind(500, "later"),
    "damaged": ProblemKind(500, "never"),
    "unavailable": ProblemKind(503, "later"),
    "not_replicated": ProblemKind(503, "later"),
    "archive_unavailable": ProblemKind(503, "later"),
}


def type_of(code: str) -> str:
    """Returns the `type` of a kind of problem, which is the path of its page."""
    return f"/problems/{code.replace('_', '-')}"


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
    kinds = [f"- `{code}` ({kind.status}): {words.text(f'problem.{code}.meaning')}" for code, kind in KINDS.items()]
    reasons = [
        f"- `{reason}` (`{code}`): {' / '.join(sentences(words, reason))}"
        for code, kind in KINDS.items()
        for reason in kind.reasons
    ]
    return "\n".join(["Every `code`, with its status:\n", *kinds, "\nEvery `reason`, with what it says:\n", *reasons])


def sentences(words: Catalogue, reason: str) -> list[str]:
    """Returns the sentence of a problem's reason, or one for each of its cases, with placeholders in braces."""
    key = f"reason.{reason.removesuffix('_CARD')}"
    return [text for name, text in words.texts.items() if name == key or name.startswith(f"{key}.")]
