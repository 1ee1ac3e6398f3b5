"""Which languages there are; the words of each are read by `catalogue`."""

from typing import Final

LANGUAGES: Final = ("en", "de")
"""The first is what those get who ask for none of them."""
