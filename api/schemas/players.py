"""Players and their tokens; what they play is elsewhere."""

from api.schemas.base import Closed, Open, Part, Text, Whole, Word
from api.schemas.vocabulary import PLAYER_KIND

NAME_PATTERN = r"^[^\x00-\x20\x7f]([^\x00-\x1f\x7f]*[^\x00-\x20\x7f])?$"
"""No control characters, no space at either end."""


class PlayerSetup(Closed):
    """Who wants to play."""

    name = Text(
        "What others see. No control characters, no space at either end.",
        required=True,
        least=1,
        most=40,
        validate=[Whole(NAME_PATTERN, error="Must have no control characters and no space at either end.")],
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
