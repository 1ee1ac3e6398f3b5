"""A text that nobody has put into a language yet: who refuses says what, who answers says it in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from service.texts.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Said:
    """A text by its key in the catalogues, with what fills its places; a place may be filled with another such text."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def written(self, words: Catalogue) -> str:
        """Returns the text in a language.

        Raises:
            KeyError: the catalogue has no such text, or a place of it is not filled.
        """
        filled = {
            name: value.written(words) if isinstance(value, Said) else value for name, value in self.values.items()
        }
        return words.text(self.key, **filled)
