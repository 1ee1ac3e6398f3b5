"""Where each round and turn of a game begins."""

from api.schemas.fields.base import Flag, Integer, Items, OpenObject, Part, Text, seat_number


class TurnMark(OpenObject):
    """A turn and where it begins."""

    seat = seat_number("The seat whose turn it is.")
    version = Integer(
        "The version at which it begins: that of its `turn_started`, which lies within the step of the action before."
    )
    act_version = Integer(
        "The version at which its seat can act, for `at` and for a fork; null if it never could: it was knocked out as "
        "its turn began, or no card was left.",
        allow_none=True,
    )


class RoundMark(OpenObject):
    """A round, and where it and its turns begin."""

    number = Integer("The number of the round, from 1.", least=1)
    version = Integer("The version at which it begins: that of its `round_started`.")
    end = Integer(
        "The version at which it is decided: that of its `round_ended`; null before, and if the game ended first.",
        allow_none=True,
    )
    starter = seat_number("The seat that began it.")
    seats = Items(seat_number("A seat."), "The seats it was dealt to.")
    scores = Items(Integer("The tokens of a seat."), "The tokens of every seat when it began.")
    winners = Items(
        seat_number("A seat."), "The seats that won it, in some editions perhaps none; null before.", allow_none=True
    )
    turns = Items(Part(TurnMark()), "Its turns in order.")


class GameRounds(OpenObject):
    """The rounds of a game so far."""

    rounds = Items(Part(RoundMark()), "The rounds in order; empty before the start.")
    version = Integer("How many events the game has.")
    finished = Flag("Whether the game has ended, so that there will be no more.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)
