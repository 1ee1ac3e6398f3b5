"""The `standard` edition: 2019, two to six seats (rules, "The cards of standard and classic")."""

from typing import Final

from engine.actions import KeepCard
from engine.cards import ANY, DECK, OTHER, Card
from engine.editions.common import (
    MustPlayBeside,
    all_in_game,
    baron,
    chancellor,
    chancellor_kept,
    first_at_target,
    guard,
    handmaid,
    highest_hand,
    king,
    other_characters,
    priest,
    prince,
    princess_discarded,
    spy_round_end,
)
from engine.rulebook import Edition

CARDS: Final = (
    #    key     value copies
    Card("spy", 0, 2, round_end=spy_round_end),
    Card("guard", 1, 6, targets=OTHER, guess=other_characters, play=guard),
    Card("priest", 2, 2, targets=OTHER, play=priest),
    Card("baron", 3, 2, targets=OTHER, play=baron),
    Card("handmaid", 4, 2, play=handmaid),
    Card("prince", 5, 2, targets=ANY, play=prince),
    Card("chancellor", 6, 2, play=chancellor, needs=DECK, answers={KeepCard.type: chancellor_kept}),
    Card("king", 7, 1, targets=OTHER, play=king),
    Card("countess", 8, 1, forced=MustPlayBeside(("king", "prince"))),
    Card("princess", 9, 1, discarded=princess_discarded),
)


def cards_for(seats: int) -> tuple[Card, ...]:
    """Returns the cards of the edition `standard`: the deck is the same at every table."""
    return CARDS


STANDARD: Final = Edition(
    id="standard",
    seats=range(2, 7),
    cards_for=cards_for,
    tokens_to_win={2: 6, 3: 5, 4: 4, 5: 3, 6: 3},
    shown_aside={2: 3},
    showdown=highest_hand,
    game_winners=first_at_target,
    entrants=all_in_game,
)
