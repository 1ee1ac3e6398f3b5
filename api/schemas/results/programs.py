"""Players that are found by name, and programs that describe themselves."""

from api.schemas.fields.base import Flag, Items, OpenObject, Part, Text
from api.schemas.players import Player, Program


class FoundPlayer(Player):
    """A player who was looked for."""

    online = Flag("Whether they were seen within the last five minutes; null if they hide that.", allow_none=True)


class FoundPlayerPage(OpenObject):
    """A page of players who were looked for."""

    items = Items(Part(FoundPlayer()), "The players, in the order of their names.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)


class ListedProgram(FoundPlayer):
    """A program that can be invited."""

    program = Part(Program(), "How it describes itself.")


class ProgramPage(OpenObject):
    """A page of programs."""

    items = Items(Part(ListedProgram()), "The programs, those first that described themselves last.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)
