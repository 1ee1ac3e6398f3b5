"""The words of refusals that no schema foresees, by which they are known in any language."""

import re
import string

from games.texts.catalogue import LANGUAGES, catalogue

NO_SCHEMA_SAYS = (
    "fault.all_or_seat",
    "fault.block_oneself",
    "fault.bot_not_allowed",
    "fault.bot_required",
    "fault.break_days_of_a_short_clock",
    "fault.cursor",
    "fault.empty_list",
    "fault.entrant_twice",
    "fault.fork_seat_left",
    "fault.fork_seat_twice",
    "fault.fork_which_seat",
    "fault.games_of_deals",
    "fault.holds_nul",
    "fault.increment_without_bank",
    "fault.invite_oneself",
    "fault.invited_twice",
    "fault.leave_which_seat",
    "fault.match_needs_bots",
    "fault.match_needs_clock",
    "fault.match_not_rated",
    "fault.name_imitates",
    "fault.no_action",
    "fault.no_character",
    "fault.no_options",
    "fault.no_such_option",
    "fault.no_such_player",
    "fault.no_such_program",
    "fault.no_such_seat",
    "fault.nonce_hash_of_others",
    "fault.nonce_or_hash",
    "fault.not_in_deck",
    "fault.one_creator",
    "fault.one_guess",
    "fault.other_starter",
    "fault.player_not_allowed",
    "fault.player_or_bot",
    "fault.program_of_a_person",
    "fault.rated_is_no_sandbox",
    "fault.rated_is_public",
    "fault.rated_needs_players",
    "fault.round_given_twice",
    "fault.sandbox_of_nothing",
    "fault.seats_of_edition",
    "fault.versions_1_to",
    "fault.versions_to_fork",
    "fault.versions_up_to",
    *sorted(key for key in catalogue(LANGUAGES[0]).texts if key.startswith("fault.position.")),
)
"""Why else it may be refused with 422: what depends on the edition, the game or another member.

And what is no text, which the document says once for all strings.
"""
TICKET = "detail.ticket_not_valid"
TOO_MANY = "detail.too_many_wrong_codes", "detail.too_many_matches"
"""The limits that hold even where all that are settings are off."""


def pattern(*keys):
    """What matches the texts of these keys in any language, whatever stands in their places."""
    texts = [catalogue(language).texts[key] for language in LANGUAGES for key in keys]
    return re.compile("|".join(shape(text) for text in texts))


def shape(text):
    """The expression that matches a text with its fields filled; what stands for a brace is one."""
    parts = string.Formatter().parse(text)
    return "".join(re.escape(literal) + (".*" if field is not None else "") for literal, field, *_ in parts)


NO_LOGS = (
    *("log.not_utf_8", "log.not_json", "log.line_not_json"),
    *("log.no_whole_number", "log.no_character", "log.member_twice"),
)
"""Why a log may be refused as unreadable: no schema says that a file holds lines of JSON, and numbers are whole."""

FAULTS, NO_LOG, WRONG_TICKET = pattern(*NO_SCHEMA_SAYS), pattern(*NO_LOGS), pattern(TICKET)
LIMITED = pattern(*TOO_MANY)
