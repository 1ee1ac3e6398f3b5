"""The bots of the service.

Their ids are plain strings, so that a new bot does not break clients that expect a closed enumeration.
"""

from api.schemas.fields.base import Integer, Items, OpenObject, Part, Share, Text, Word
from api.schemas.fields.vocabulary import EDITION


class BotStrength(OpenObject):
    """How well a bot plays at tables of one size whose other seats are all of another kind."""

    edition = Word(EDITION, "The rule set and deck.")
    seats = Integer("The number of seats.")
    others = Text("The id of the bot that sat on all the other seats.")
    think_ms = Integer("How long a bot that thinks was given for each action; 0 where none does.")
    games = Integer("How many games were played.")
    won = Share("The share of them that the bot won; shared wins count as fractions.")
    least = Share("The lower end of the 95 % interval of that share.")
    most = Share("The upper end.")
    even = Share("The share of a bot as strong as the others.")


class Bot(OpenObject):
    """One of the service's own bots."""

    id = Text("The id by which you name it for a seat.")
    text = Text("What it does, in a sentence.")
    version = Integer("Increases whenever the bot plays differently.")
    think_ms = Integer("How many milliseconds it thinks about an action; 0 for one that answers at once.")
    strengths = Items(Part(BotStrength()), "How well it plays, as far as it was measured.")


class BotList(OpenObject):
    """All bots."""

    items = Items(Part(Bot()), "The bots, the weakest first.")
    next_cursor = Text("Always null: the list has one page.", allow_none=True)
