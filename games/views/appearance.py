"""Gives each card a symbol and a colour, for front ends without art of their own."""

from typing import Final, NamedTuple


class Appearance(NamedTuple):
    """What a card is drawn with."""

    symbol: str
    """The name of a line drawing, unique to the card; `web/cards/symbols.js` has ours."""
    colour: str
    """A CSS colour that can be read as text on ivory paper."""


PLAIN: Final = Appearance("letter", "#4a4a52")
"""What a card is drawn with that has no appearance of its own yet."""
APPEARANCES: Final = {
    "spy": Appearance("mask", "#4f4a86"),
    "guard": Appearance("helmet", "#7d4a25"),
    "priest": Appearance("eye", "#1f6a6a"),
    "baron": Appearance("swords", "#7a2e3a"),
    "handmaid": Appearance("shield", "#39693a"),
    "prince": Appearance("sceptre", "#8a5200"),
    "chancellor": Appearance("quill", "#2f5a8f"),
    "king": Appearance("crown", "#8c1d40"),
    "countess": Appearance("fan", "#6b3a7a"),
    "princess": Appearance("heart", "#a3123a"),
    "assassin": Appearance("dagger", "#3c3c46"),
    "jester": Appearance("bells", "#9a3d12"),
    "cardinal": Appearance("exchange", "#8f1f1f"),
    "baroness": Appearance("glasses", "#5d3566"),
    "sycophant": Appearance("bow", "#246b57"),
    "count": Appearance("coins", "#6f5600"),
    "constable": Appearance("lantern", "#2b5576"),
    "dowager_queen": Appearance("scales", "#5a2a4a"),
    "bishop": Appearance("crosier", "#4b3f9e"),
    "mi_go_braincase": Appearance("jar", "#4d5a2c"),
    "investigators": Appearance("lens", "#6a4a2a"),
    "deep_ones": Appearance("fish", "#1d6273"),
    "cats_of_ulthar": Appearance("cat", "#3f4d6b"),
    "golden_mead": Appearance("goblet", "#805600"),
    "great_race_of_yith": Appearance("cone", "#32695a"),
    "hound_of_tindalos": Appearance("hound", "#7b2f55"),
    "elder_sign": Appearance("star", "#2d6a2d"),
    "liber_ivonis": Appearance("book", "#5b4a8f"),
    "professor_henry_armitage": Appearance("spectacles", "#6e4420"),
    "mi_go": Appearance("wings", "#8a3f68"),
    "randolph_carter": Appearance("moon", "#30508a"),
    "nyarlathotep": Appearance("pyramid", "#7c4a00"),
    "silver_key": Appearance("key", "#4a5560"),
    "shining_trapezohedron": Appearance("gem", "#6a2f8f"),
    "necronomicon": Appearance("grimoire", "#742020"),
    "cthulhu": Appearance("tentacles", "#1f6448"),
}
"""By card; the same character looks the same in every edition."""
