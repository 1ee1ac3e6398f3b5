"""What is stored about a player, as that player downloads it."""

from api.schemas.fields.base import Items, OpenObject, Part, Text, UtcTime, Word
from api.schemas.fields.vocabulary import HIDEABLE
from api.schemas.notices import Notice
from api.schemas.players import Block, Player, Program


class KeptGame(OpenObject):
    """A game in one of a player's lists."""

    game = Text("The game's id.")
    at = UtcTime("When it came into this list.")
    view = Text("The path of its view, which is 404 once the game is removed.")
    log = Text("The path of its whole log, for a game in `played`; otherwise null.", allow_none=True)


class PlayerRecord(OpenObject):
    """Everything that is stored about a player, for the player."""

    player = Part(Player(), "The player.")
    hidden = Items(Word(HIDEABLE, "A part of the player's page."), "What the player hides from others.")
    program = Part(Program(), "How a program describes itself; null otherwise.", allow_none=True)
    since = UtcTime("When the player registered; null if that is not known.", allow_none=True)
    blocked = Items(Part(Block()), "Whom the player has blocked, the newest first.")
    playing = Items(Part(KeptGame()), "Games that have not ended, the newest first.")
    played = Items(Part(KeptGame()), "Ended games, the newest first.")
    opened = Items(Part(KeptGame()), "Games that the player has opened and that have not ended, the newest first.")
    invited = Items(Part(KeptGame()), "Invitations, the newest first, also some that are over.")
    notices = Items(Part(Notice()), "The notices that are kept, in order.")
