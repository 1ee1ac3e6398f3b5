"""Players and their tokens."""

import re
from typing import Any

import marshmallow as ma

from api.schemas.fields.base import MAX_SEAT, ClosedObject, Flag, Integer, Items, OpenObject, Part, Text, UtcTime, Word
from api.schemas.fields.checks import FullMatch, wrong
from api.schemas.fields.vocabulary import EDITION, HIDEABLE, PACE, PLAYER_KIND
from games.messages import Message
from games.names import LONGEST_NAME, imitates
from games.programs import MOST_AT_ONCE

_REFUSED = r"\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2027-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
"""Control characters and those that turn the direction of a text round, and U+2027, which `_either` lets through."""
_BLANK = (
    r"\u0020\u00a0\u00ad\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200d\u202f\u205f-\u2065\u206a-\u206f"
    r"\u2800\u3000\u3164\uffa0\ufff0-\ufffb"
)
"""What is not seen: spaces, fillers, what joins or separates."""
_SELECTORS = r"\ufe00-\ufe0f"
"""They vary the character before them, an emoji for example: a name may end with one."""


def _either(refused: str) -> str:
    """Returns the pattern for one character that is not refused.

    Some generators print the characters at the ends of a range into a regular expression as they are, where line
    separators break it. So the range does not begin with U+2028 but with U+2027.
    """
    return rf"(?:[^{refused}]|\u2027)"


NAME_PATTERN = f"^{_either(_REFUSED + _BLANK + _SELECTORS)}({_either(_REFUSED)}*{_either(_REFUSED + _BLANK)})?$"
"""No control characters, nor those that turn the direction of a text round; nothing invisible at either end.

What lies beyond U+FFFF is left out: expressions without the flag `u` cannot name it. `Visible` sees to it.
"""


_INVISIBLE = re.compile(
    rf"(?:(?!\u2027)[{_REFUSED}{_BLANK}{_SELECTORS}\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff])*"
)


class Visible(ma.validate.Validator):
    """Demands that some character of a name can be seen."""

    def __call__(self, value: str) -> str:
        """Returns the name if some character of it can be seen.

        Raises:
            ValidationError: there is nothing to see.
        """
        if _INVISIBLE.fullmatch(value) is not None:
            raise wrong(Message("fault.name"))
        return value


class OwnName(ma.validate.Validator):
    """Demands a name that does not look like one by which the service calls somebody else."""

    def __call__(self, value: str) -> str:
        """Returns the name if nobody is called so already.

        Raises:
            ValidationError: the service's bots, or its readers, are called so.
        """
        if imitates(value):
            raise wrong(Message("fault.name_imitates"))
        return value


def _name_field(*, required: bool = True) -> Text:
    return Text(
        "What others see. No control or direction characters, nothing invisible at either end, and nothing that looks "
        "like the names of the service's bots, `You` or `Du`.",
        required=required,
        least=1,
        most=LONGEST_NAME,
        validate=[FullMatch(NAME_PATTERN, Message("fault.name")), Visible(), OwnName()],
    )


def is_name(text: str) -> bool:
    """Returns whether a player may have a name."""
    return not PlayerChange().validate({"name": text})


class PlayerSetup(ClosedObject):
    """The player to register."""

    name = _name_field()
    kind = Word(PLAYER_KIND, "What the player is; absent: `human`.")


class AcceptsSetup(ClosedObject):
    """The games that a program accepts; what is absent it accepts as it comes."""

    editions = Items(Word(EDITION, "An edition."), "The editions; absent: all. None: no game at all.", most=20)
    seats = Items(
        Integer("A number of seats.", least=2, most=MAX_SEAT + 1), "The numbers of seats; absent: all.", most=MAX_SEAT
    )
    pace = Items(Word(PACE, "A pace."), "The paces; absent: all.", most=8)
    rated = Flag("Whether it plays games that count for ratings; absent: it does not.")
    at_once = Integer("How many games it plays at once; absent: one.", least=1, most=MOST_AT_ONCE)


def line(description: str, most: int, **options: Any) -> Text:
    """Returns a field for a line of text that others see."""
    return Text(
        description, least=1, most=most, validate=[FullMatch(NAME_PATTERN, Message("fault.name")), Visible()], **options
    )


class ProgramSetup(ClosedObject):
    """How a program describes itself."""

    version = line(
        "Its version. Each version is rated for itself: with another one, ratings begin anew.", 40, required=True
    )
    author = line("Who made it; absent: it does not say.", 100)
    about = line("What it is, on one line; absent: it does not say.", 500)
    accepts = Part(AcceptsSetup(), "The games that it accepts; absent: any that does not count, one at once.")


class PlayerChange(ClosedObject):
    """What changes about a player; what is absent stays."""

    name = _name_field(required=False)
    hidden = Items(
        Word(HIDEABLE, "A part of your page."),
        "What others do not see of your page, in place of what you have hidden until now.",
        most=8,
    )
    program = Part(ProgramSetup(), "How you describe yourself, if you are a program, in place of what you said before.")


class Accepts(OpenObject):
    """The games that a program accepts."""

    editions = Items(Word(EDITION, "An edition."), "The editions.")
    seats = Items(Integer("A number of seats."), "The numbers of seats.")
    pace = Items(Word(PACE, "A pace."), "The paces.")
    rated = Flag("Whether it plays games that count for ratings.")
    at_once = Integer("How many games it plays at once.")


class Program(OpenObject):
    """How a program describes itself."""

    version = Text("Its version.")
    author = Text("Who made it; null if it does not say.", allow_none=True)
    about = Text("What it is; null if it does not say.", allow_none=True)
    accepts = Part(Accepts(), "The games that it accepts. You cannot invite it to others.")


class Player(OpenObject):
    """A person or a program that plays."""

    id = Text("The player's id.")
    name = Text("What others see.")
    kind = Word(PLAYER_KIND, "What the player is.")


class OwnPlayer(Player):
    """You, as only you see it."""

    hidden = Items(Word(HIDEABLE, "A part of your page."), "What you hide from others.")
    program = Part(Program(), "How you describe yourself; null unless you are a program that does.", allow_none=True)


class PlayerAccess(OpenObject):
    """A player and its token."""

    player = Part(Player(), "The player.")
    token = Text("The token for `Authorization: Bearer`. It is shown only this once, and stored hashed.")


class Block(OpenObject):
    """A player you have blocked."""

    player = Part(Player(), "The blocked player.")
    since = UtcTime("Since when.")


class BlockPage(OpenObject):
    """One page of blocked players."""

    items = Items(Part(Block()), "The blocked players, the newest first.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)


class DeclinedInvitations(OpenObject):
    """What was declined."""

    declined = Items(Text("The id of a game or a match."), "The games and matches to which you are no longer invited.")


class AdministeredPlayer(Player):
    """A player as operators see it."""

    since = UtcTime("When the player registered; null if that is not known.", allow_none=True)
    banned = Flag("Whether the player is banned.")


class AdministeredPlayerPage(OpenObject):
    """One page of players."""

    items = Items(Part(AdministeredPlayer()), "The players, in no particular order.")
    next_cursor = Text("What to send as `cursor` for the next page; null on the last.", allow_none=True)
