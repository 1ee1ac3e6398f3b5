"""Results of games, in the order in which they ended."""

from api.schemas.fields.base import Flag, Integer, Items, OpenObject, Part, Text, UtcTime, Word, seat_number
from api.schemas.fields.vocabulary import BOT, EDITION
from api.schemas.players import Player


class ResultSeat(OpenObject):
    """What a seat got."""

    player = Part(Player(), "Who sat there.")
    bot = Word(BOT, "Which of the service's own bots that was; null for any other player.", allow_none=True)
    tokens = Integer("The tokens it won.")
    place = Integer(
        "Its place, from 1; equal seats share one. The winners come first, the others by tokens. Seats that left, or "
        "for which a bot stood in at the end, come last.",
        least=1,
    )


class Result(OpenObject):
    """The result of a game."""

    cursor = Integer("Its place among all results: a number that grows, with gaps.")
    game = Text("The id of the game.")
    edition = Word(EDITION, "The rule set and deck.")
    seats = Items(Part(ResultSeat()), "The seats in table order.")
    winners = Items(seat_number("A seat."), "The seats that won; several may win together.")
    rated = Flag("Whether the game has counted for ratings.")
    ended_at = UtcTime("When the game ended.")


class ResultPage(OpenObject):
    """Results after a cursor."""

    results = Items(Part(Result()), "The results, in order.")
    cursor = Integer("The cursor of the last of them, or the one you sent; send it as `after` next.")
