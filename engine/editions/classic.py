"""The `classic` edition: two to four seats; its rows keep the standard numbers.

Rules, "The cards of standard and classic".
"""

from typing import Final

from engine.cards import ANY, OTHER, Card
from engine.editions.common import (
    MustPlayBeside,
    all_in_game,
    baron,
    first_at_target,
    guard,
    handmaid,
    highest_hand,
    king,
    other_characters,
    priest,
    prince,
    princess_discarded,
)
from engine.rulebook import Edition

CARDS: Final = (
    #    key     value copies
    Card("guard", 1, 5, targets=OTHER, guess=other_characters, play=guard),
    Card("priest", 2, 2, targets=OTHER, play=priest),
    Card("baron", 3, 2, targets=OTHER, play=baron),
    Card("handmaid", 4, 2, play=handmaid),
    Card("prince", 5, 2, targets=ANY, play=prince),
    Card("king", 7, 1, targets=OTHER, play=king),
    Card("countess", 8, 1, forced=MustPlayBeside(("king", "prince"))),
    Card("princess", 9, 1, discarded=princess_discarded),
)


def cards_for(seats: int) -> tuple[Card, ...]:
    """Returns the cards of the edition `classic`: the deck is the same at every table."""
    return CARDS


CLASSIC: Final = Edition(
    id="classic",
    seats=range(2, 5),
    cards_for=cards_for,
    tokens_to_win={2: 6, 3: 5, 4: 4},
    shown_aside={2: 3},
    showdown=highest_hand,
    game_winners=first_at_target,
    entrants=all_in_game,
)
