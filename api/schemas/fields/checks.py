"""Checks of values: marshmallow's own, with translated messages by key.

Using marshmallow's checks puts them into the document; only the message about a failing value is ours.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final

import marshmallow as ma

from games.messages import Message

LENGTH_OF_TEXT: Final = ("fault.characters_up_to", "fault.characters_between")
LENGTH_OF_LIST: Final = ("fault.items_up_to", "fault.items_between")
"""What is said of a text or a list that is too long or too short: where there is no lower bound, and where there is."""
LONGEST_MISSPELT: Final = 40
"""In characters: to look for a similar word takes ever longer."""
MOST_LISTED: Final = 20
"""In words: nobody reads a longer list, such as that of the cards of all editions."""


def wrong(message: Message) -> ma.ValidationError:
    """Returns a fault as marshmallow passes it on."""
    return ma.ValidationError([message])


def one_of(words: Iterable[str], found: Any = None) -> Message:
    """Returns the fault that a text is none of these words, but may mean one.

    A few words are listed.
    """
    known = [*words]
    meant = get_close_matches(found, known, 1) if isinstance(found, str) and len(found) <= LONGEST_MISSPELT else []
    if len(known) > MOST_LISTED:
        return Message("fault.misspelt", {"meant": meant[0]}) if meant else Message("fault.unlisted")
    values = {"words": ", ".join(known), "meant": "".join(meant)}
    return Message("fault.one_of_misspelt" if meant else "fault.one_of", values)


class WithMessage(ma.validate.Validator):
    """A check of marshmallow's, the next class in line, that says what is wrong in a text by key."""

    message: Message

    def __call__(self, value: Any) -> Any:
        """Returns the value if marshmallow's check lets it pass; the fault is in our words.

        Raises:
            ValidationError: it is not as it must be.
        """
        try:
            return super().__call__(value)  # type: ignore[safe-super]  # the next in line is a check
        except ma.ValidationError:
            raise wrong(self.message) from None


class Range(WithMessage, ma.validate.Range):
    """Demands a number within bounds."""

    def __init__(self, least: int, most: int | None) -> None:
        super().__init__(least, most)
        values = {"least": least, "most": most}
        self.message = Message("fault.number_at_least" if most is None else "fault.number_between", values)


class Length(WithMessage, ma.validate.Length):
    """Demands a number of characters or items within bounds."""

    def __init__(self, least: int | None, most: int, keys: tuple[str, str]) -> None:
        super().__init__(least, most)
        self.message = Message(keys[1] if least else keys[0], {"least": least, "most": most})


class OneOf(ma.validate.OneOf):
    """Demands one of several words."""

    def __call__(self, value: Any) -> Any:
        """Returns the value if it is one of the words.

        Raises:
            ValidationError: it is none of them.
        """
        try:
            return super().__call__(value)
        except ma.ValidationError:
            raise wrong(one_of(self.choices, value)) from None


class Equal(WithMessage, ma.validate.Equal):
    """Demands one word."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.message = one_of([word])


class FullMatch(ma.validate.Validator):
    """Demands that a pattern matches a string from end to end; `$` alone would let a line break follow."""

    def __init__(self, pattern: str, message: Message) -> None:
        self.regex = re.compile(pattern)  # where apispec finds it
        self.message = message

    def __call__(self, value: str) -> str:
        """Returns the value if the pattern matches it from end to end.

        Raises:
            ValidationError: the pattern does not match.
        """
        if self.regex.fullmatch(value) is None:
            raise wrong(self.message)
        return value
