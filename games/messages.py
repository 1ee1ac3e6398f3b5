"""A message by key and values, put into the reader's language when it is sent."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from games.texts.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Message:
    """A message: a key in the catalogues, and values for its placeholders, which may be messages themselves."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def written(self, words: Catalogue) -> str:
        """Returns the text of a message in the language of a catalogue.

        Raises:
            KeyError: the catalogue has no such text, or a placeholder has no value.
        """
        filled = {
            name: value.written(words) if isinstance(value, Message) else value for name, value in self.values.items()
        }
        return words.text(self.key, **filled)


_UNITS: Final = (
    (3600, "detail.hour", "detail.hours"),
    (60, "detail.minute", "detail.minutes"),
    (1, "detail.second", "detail.seconds"),
)


def time_span(seconds: int) -> Message:
    """Returns a length of time as a message without a language yet, in a suitable unit, as in "12 minutes"."""
    unit, one, more = next(unit for unit in _UNITS if seconds % unit[0] == 0 or seconds > 2 * unit[0])
    count = math.ceil(seconds / unit)
    return Message(one) if count == 1 else Message(more, {"count": count})
