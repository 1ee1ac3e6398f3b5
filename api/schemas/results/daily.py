"""The deal of the day."""

from api.schemas.actions import GameAction
from api.schemas.fields.base import Flag, Integer, Items, OpenObject, Part, Text, UtcTime, Word
from api.schemas.fields.vocabulary import BOT, EDITION, STATUS
from api.schemas.games import Clock

TOKENS = "The tokens by seat. The player of the try has the first seat."


class DayDeal(OpenObject):
    """A deal of the day."""

    edition = Word(EDITION, "The rule set and deck.")
    date = Text("The day in UTC, as in `2026-01-31`.")
    begins_at = UtcTime("When the day begins.")
    ends_at = UtcTime("When the day ends: tries that still run are called off.")
    seats = Integer("How many seats a try has: yours, and the others for bots.")
    against = Word(BOT, "The bot on the other seats.")
    tokens_to_win = Integer("How many tokens win a try.")
    clock = Part(Clock(), "How long you may think.")
    commitment = Text("The commitment to the secret of the deal, as `game_created` has it.")
    tried = Integer("How many players have tried it; accounts that are younger than the day do not count.")
    won = Integer("How many of them have won.")


class DayTry(OpenObject):
    """Your try at a deal of the day."""

    game = Text("The id of the game.")
    status = Word(STATUS, "Where it stands.")
    won = Flag("Whether you have won; null until it has ended.", allow_none=True)
    tokens = Items(Integer("Tokens."), TOKENS)


class TodaysDeal(DayDeal):
    """The deal of today, as you see it."""

    previous = Text("The day before, once you can look at what came of it; null if nobody tried it.", allow_none=True)
    try_ = Part(DayTry(), "Your try; null if there is none.", allow_none=True, data_key="try", attribute="try")
    streak = Integer(
        "On how many days in a row, up to today or yesterday, you have played this edition's deal to the end; null "
        "without a token.",
        allow_none=True,
    )


class TodaysDeals(OpenObject):
    """The deals of today."""

    items = Items(Part(TodaysDeal()), "One for each edition.")


class DayAction(OpenObject):
    """What a player chose."""

    action = Part(GameAction(), "The action.")
    text = Text("The same in words.")


class CrowdAction(DayAction):
    """What some players chose."""

    tries = Integer("How many chose it.")


class DayChoice(DayAction):
    """A choice of a try."""

    version = Integer("The version of the game at which it was made.")
    expert = Part(
        DayAction(),
        "What `expert` chose in the same position; null if its try did not lead there.",
        allow_none=True,
    )
    crowd = Items(
        Part(CrowdAction()),
        "What the players chose who came to the same position, most first; empty if fewer than two did.",
    )


class DayLine(OpenObject):
    """The choices of a try, one after another."""

    game = Text("The id of the game, for its replay; null if you may not look at it.", allow_none=True)
    won = Flag("Whether it won.")
    tokens = Items(Integer("Tokens."), TOKENS)
    choices = Items(Part(DayChoice()), "The choices.")


class PastDeal(DayDeal):
    """A deal of a day that is over."""

    secret = Text("The secret of the deal, in hex.")
    own = Part(DayLine(), "Your own try; null if there is none.", allow_none=True)
    expert = Part(
        DayLine(), "The try of the bot `expert` on the same seat; null if it has not played.", allow_none=True
    )
    best = Items(Part(DayLine()), "The tries that won with the fewest choices. They name nobody.")
