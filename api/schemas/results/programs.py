"""Programs that describe themselves."""

from api.schemas.fields.base import Flag, Items, OpenObject, Part, Text
from api.schemas.players import Player, Program


class ListedProgram(Player):
    """A program that can be invited."""

    online = Flag("Whether it was seen within the last five minutes; null if it hides that.", allow_none=True)
    program = Part(Program(), "How it describes itself.")


class ProgramPage(OpenObject):
    """A page of programs."""

    items = Items(Part(ListedProgram()), "The programs, those first that described themselves last.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)
