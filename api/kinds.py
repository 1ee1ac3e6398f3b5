"""Every kind of problem and every reason in one place each; how a problem is written and documented is elsewhere."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.errors import MUST_PLAY


class Kind(NamedTuple):
    """A kind of problem: its status, and a sentence on when it comes."""

    status: int
    meaning: str


KINDS: Final[Mapping[str, Kind]] = {
    "malformed_request": Kind(400, "The body is not JSON, or not unambiguous JSON."),
    "unauthenticated": Kind(401, "The call needs a token, or the one it bears is not valid."),
    "not_seated": Kind(403, "Only those who sit at the game may do that."),
    "not_creator": Kind(403, "Only the player who opened the table may do that."),
    "join_code_wrong": Kind(403, "The game is unlisted and its join code is missing or wrong."),
    "registration_closed": Kind(403, "Registering needs the operator's key, and it is missing or wrong."),
    "not_found": Kind(404, "There is no such path, game or edition."),
    "method_not_allowed": Kind(405, "The path does not take this method; `Allow` says which."),
    "request_timeout": Kind(408, "The body has not arrived in time."),
    "illegal_action": Kind(409, "The rules forbid it now; `reason` says which one."),
    "not_your_turn": Kind(409, "Another seat must act."),
    "game_not_started": Kind(409, "A seat is still open."),
    "game_over": Kind(409, "The game has ended."),
    "game_full": Kind(409, "The wanted seat, or every seat, is taken."),
    "game_not_finished": Kind(409, "That is possible only when the game has ended."),
    "idempotency_key_reused": Kind(409, "The key came with another call before; take a new one for each thing to do."),
    "stale_version": Kind(412, "`If-Match` does not name the present view; `version` is the present."),
    "content_too_large": Kind(413, "The body is longer than the service accepts."),
    "unsupported_media_type": Kind(415, "The body is not plain `application/json`."),
    "invalid_request": Kind(422, "The call holds something that cannot be; `errors` says where."),
    "rate_limited": Kind(429, "The limit named in `limit` is reached; try again after `Retry-After` seconds."),
    "internal_error": Kind(500, "The service failed; whether the call had an effect is not known."),
    "unavailable": Kind(503, "A part of the service is away; repeat the call in a moment."),
}

ILLEGAL: Final[Mapping[str, str]] = {
    "wrong_action": "An action of another type is due: a card to be played, or something to be decided.",
    "card_not_in_hand": "The seat does not hold that card.",
    f"{MUST_PLAY}CARD": "The card of that id is in the hand and must be played, as in `must_play_countess`.",
    "target_required": "The card must choose a seat while one can be chosen.",
    "target_not_allowed": "The card chooses nobody, or may choose nobody but the seat that is bound and cannot.",
    "target_count": "The card chooses another number of seats.",
    "target_unknown": "The table has no such seat.",
    "target_repeated": "A seat is chosen twice.",
    "target_self": "The card cannot choose the seat that plays it.",
    "target_out": "The chosen seat is out of the round.",
    "target_protected": "The chosen seat is protected.",
    "target_bound": "The card must choose the seat that is bound.",
    "guess_required": "The card must name a character (`guess`) or a number (`guess_value`), as the edition has it.",
    "guess_not_allowed": "That cannot be named, or nothing can.",
    "face_required": "The card has two effects and the action must say which.",
    "face_not_allowed": "The card cannot be played for that effect.",
    "cards_do_not_match": "Those are not the cards to choose among.",
    "seat_not_offered": "That hand is not on offer.",
    "game_begun": "The game cannot be called off any more: its first action has been taken.",
}
"""The reasons that come with `illegal_action`."""

MORE_REASONS: Final[Mapping[str, Mapping[str, str]]] = {
    "game_full": {"seat_taken": "The wanted seat is taken, another one is open."},
}
"""The reasons that come with other kinds."""


def listed() -> str:
    """Returns all kinds and reasons in Markdown, for the document."""
    kinds = "\n".join(f"- `{code}` ({kind.status}): {kind.meaning}" for code, kind in KINDS.items())
    return f"Every `code`, with its status:\n\n{kinds}\n\nEvery `reason`:\n\n" + "\n".join(
        f"- `{reason}` (`{code}`): {meaning}" for code, reason, meaning in reasons()
    )


def reasons() -> list[tuple[str, str, str]]:
    """Returns every reason with the kind it comes with and what it means."""
    by_code = {"illegal_action": ILLEGAL, **MORE_REASONS}
    return [(code, reason, meaning) for code, of_code in by_code.items() for reason, meaning in of_code.items()]
