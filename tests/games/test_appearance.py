import re
from pathlib import Path

import pytest

from engine.editions import EDITIONS
from games.tables.reactions import REACTIONS
from games.views.appearance import APPEARANCES

IVORY = "#f6efe0"
DRAWINGS = Path(__file__).parents[2] / "web/cards/symbols.js"


def luminance(colour):
    """As WCAG 2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_only_cards_of_editions_have_an_appearance():
    cards = {card.key for edition in EDITIONS.values() for card in edition.cards_for(edition.seats[-1])}
    assert set(APPEARANCES) <= cards


def test_no_two_cards_share_a_symbol_or_a_colour():
    assert len({look.symbol for look in APPEARANCES.values()}) == len(APPEARANCES)
    assert len({look.colour for look in APPEARANCES.values()}) == len(APPEARANCES)


@pytest.mark.parametrize("card", APPEARANCES)
def test_a_colour_can_be_read_on_paper(card):
    assert contrast(APPEARANCES[card].colour, IVORY) >= 4.5


def test_every_symbol_is_drawn():
    drawn = set(re.findall(r"^  (\w+): \"", DRAWINGS.read_text(), re.MULTILINE))
    assert drawn - {look.symbol for look in APPEARANCES.values()} == {
        *("coronet", "letter", "program", "seal", "speech", "days", "bulb"),
        *REACTIONS,
    }
    assert {look.symbol for look in APPEARANCES.values()} <= drawn
