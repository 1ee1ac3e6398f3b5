"""Lists the supported languages."""

from typing import Final

LANGUAGES: Final = ("en", "de")
"""The first is the default for clients that ask for none of them."""
