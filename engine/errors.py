"""The errors the engine raises, and the reason codes of illegal actions."""

from typing import Final

NOT_YOUR_TURN: Final = "not_your_turn"
GAME_NOT_STARTED: Final = "game_not_started"
GAME_OVER: Final = "game_over"
SEAT_LEFT: Final = "seat_left"

WRONG_ACTION: Final = "wrong_action"
CARD_NOT_IN_HAND: Final = "card_not_in_hand"
MUST_PLAY: Final = "must_play_"
"""Prefix of the reasons that name the one card that has to be played, as in `must_play_countess`."""
TARGET_REQUIRED: Final = "target_required"
TARGET_NOT_ALLOWED: Final = "target_not_allowed"
TARGET_COUNT: Final = "target_count"
TARGET_UNKNOWN: Final = "target_unknown"
TARGET_REPEATED: Final = "target_repeated"
TARGET_ORDER: Final = "target_order"
TARGET_SELF: Final = "target_self"
TARGET_OUT: Final = "target_out"
TARGET_PROTECTED: Final = "target_protected"
TARGET_BOUND: Final = "target_bound"
GUESS_REQUIRED: Final = "guess_required"
GUESS_NOT_ALLOWED: Final = "guess_not_allowed"
FACE_REQUIRED: Final = "face_required"
FACE_NOT_ALLOWED: Final = "face_not_allowed"
CARDS_DO_NOT_MATCH: Final = "cards_do_not_match"
SEAT_NOT_OFFERED: Final = "seat_not_offered"


IMPOSSIBLE: Final = (
    "seats", "seat", "excess", "beside", "not_given", "shown", "insane", "won", "alone", "out", "turn", "hand_of_out",
    "hand", "nothing_binds", "no_mark", "mark_twice", "mark_of_nobody", "marked", "fatal", "too_few",
    "nothing_to_draw", "twice", "one_kind", "no_such_card",
)  # fmt: skip
"""Why a round cannot begin in a position."""


class IllegalAction(ValueError):
    """A well-formed action that the present state does not allow.

    `reason` is a stable code: one of this module's constants, or `must_play_` and a card.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class MalformedAction(ValueError):
    """Data that is not an action at all: an unknown type, a missing or a superfluous field."""


class MalformedEvent(ValueError):
    """Stored data that is no event this version can read."""


class MalformedNotation(ValueError):
    """A line that is not in the notation."""


class ImpossibleMove(ValueError):
    """A move of another game that no seat could make."""


class ImpossiblePosition(ValueError):
    """A round cannot begin in this position.

    `field` is the member of the position that says so, empty for the whole; `reason` is one of `IMPOSSIBLE`, and
    `values` holds what it is about.
    """

    def __init__(self, field: str, reason: str, **values: object) -> None:
        assert reason in IMPOSSIBLE, reason
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason
        self.values = values


class UnknownEdition(ValueError):
    """An edition id, a number of seats or an option that does not exist."""
