"""Players and their tokens; what they play is elsewhere."""

from api.schemas.base import Closed, Open, Part, Text, Word
from api.schemas.checks import Whole
from api.schemas.vocabulary import PLAYER_KIND
from service.said import Said

_UNSEEN = r"\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
_BLANK = r"\x20\xa0\u2000-\u200d\u2060\u3000"
NAME_PATTERN = rf"^[^{_UNSEEN}{_BLANK}]([^{_UNSEEN}]*[^{_UNSEEN}{_BLANK}])?$"
"""No control characters, nor those that turn the direction of a text round; nothing blank at either end."""


class PlayerSetup(Closed):
    """Who wants to play."""

    name = Text(
        "What others see. No control or direction characters, nothing blank at either end.",
        required=True,
        least=1,
        most=40,
        validate=[Whole(NAME_PATTERN, Said("fault.name"))],
    )
    kind = Word(PLAYER_KIND, "What the player is; absent: `human`.")


class Player(Open):
    """A person or a program that plays."""

    id = Text("The player's id.")
    name = Text("What others see.")
    kind = Word(PLAYER_KIND, "What the player is.")


class PlayerAccess(Open):
    """A player and the token that speaks for it."""

    player = Part(Player(), "The player.")
    token = Text("The token for `Authorization: Bearer`. It is shown this once and stored hashed.")
