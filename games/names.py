"""Decides which names nobody may take: those of the service for its bots, its reader and players who are gone.

A name is compared as it looks: forms of the same letters, upper and lower case, spaces, signs, and what cannot be seen
make no difference. Letters of other scripts that look alike do.
"""

import re
import unicodedata
from functools import cache
from typing import Final

from engine.bots import BOTS
from games.texts.catalogue import LANGUAGES, catalogue

LONGEST_NAME: Final = 40
"""In characters."""
GUESTS: Final = ("guest", "gast")
"""What the pages register people as who give no name. Anybody may be called so, but not in disguise."""
_IGNORED: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
"""What is not seen, beside the characters of the category `Cf`: fillers, and what varies the character before it."""
_READER: Final = ("seat.you.", "seat.yourself.")
"""How the keys of the texts begin that stand for the reader."""


def imitates(name: str) -> bool:
    """Returns whether a player's name looks like one by which the service calls somebody else."""
    looks = _looks(name)
    if looks in GUESTS:
        return name.casefold() not in GUESTS
    return looks in _taken()


def sought(name: str) -> str:
    """Returns the form of a name, or of the beginning of one, by which players are found."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


@cache
def _taken() -> frozenset[str]:
    """Returns what the service calls its bots, its reader, and players who have no name any more.

    The first names of bots at a table are people's: a bot is known by its `kind`.
    """
    texts = [
        text for language in LANGUAGES for key, text in catalogue(language).texts.items() if key.startswith(_READER)
    ]
    gone = [catalogue(language).text("player.deleted") for language in LANGUAGES]
    bots = [catalogue(language).text(f"bot.{bot}.name") for language in LANGUAGES for bot in BOTS]
    return frozenset(map(_looks, (*BOTS, *bots, *texts, *gone)))


def _looks(name: str) -> str:
    """Returns the letters and digits of a name that can be seen, in one form each."""
    seen = "".join(one for one in name if unicodedata.category(one) != "Cf" and not _IGNORED.match(one))
    return "".join(filter(str.isalnum, sought(seen)))
