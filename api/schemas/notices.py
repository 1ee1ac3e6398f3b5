"""A player's notices on all their games; the events of one game are in `events`."""

from api.schemas.fields.base import Integer, Items, OpenObject, Part, Text, UtcTime, Word, seat_number
from api.schemas.fields.vocabulary import EDITION, NOTICE, STATUS
from api.schemas.players import Player


class Notice(OpenObject):
    """Something in a game that a player may want to know or must answer."""

    cursor = Integer(
        "Its place in the feed, from 1; null for what was already open when you began.",
        allow_none=True,
    )
    type = Word(NOTICE, "What it is.")
    at = UtcTime("When it happened.")
    game = Text("The game's id; with `match_invited` that of the match.")
    edition = Word(EDITION, "The rule set and deck.")
    status = Word(STATUS, "Where the game stood then.")
    version = Integer("The version of the game that caused it.")
    seat = seat_number("The seat that it is about; null for none.", allow_none=True)
    seats = Items(
        seat_number("A seat."),
        "All seats that it is about. With `game_started` and `game_over` several, if you play several of a sandbox.",
    )
    deadline = UtcTime(
        "With `your_turn`: until when to act; with `reveal_nonce`: until when to reveal it; null for no limit.",
        allow_none=True,
    )
    player = Part(
        Player(),
        "Who invited, declined, withdrew, sat down, or removed you; null where there is nobody else.",
        allow_none=True,
    )
    reason = Text(
        "With `invitation_declined`, and with `game_over` of an aborted game: why, as a key; null otherwise.",
        allow_none=True,
    )
    winners = Items(seat_number("A seat."), "With `game_over`: the seats that won; empty otherwise.")


class NoticePage(OpenObject):
    """Notices after a cursor."""

    events = Items(Part(Notice()), "The notices, in order.")
    cursor = Integer("The cursor of the last of them, or the one you sent; send it as `after` next.")
