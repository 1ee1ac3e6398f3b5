"""The version of Billet, here so that it is known without installed metadata; `make release` writes it."""

from typing import Final

VERSION: Final = "0.1.0"
