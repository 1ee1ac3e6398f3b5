"""Maps each card to its kind of play: a table from card to function.

A card without an entry here, such as one of an edition that came later, counts as without effect; if it names
something, it counts as a Guard. The functions are in
`plays_common` and the modules of the editions; `outlook` values the positions.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from engine.actions import PlayCard
from engine.bots.cautious import plays_common, plays_lovecraft, plays_premium
from engine.bots.cautious.prospect import Outcomes, Prospect
from engine.options import face_of

OutcomeFunction: TypeAlias = Callable[[Prospect, PlayCard], Outcomes]

PLAYS: Final[Mapping[str, OutcomeFunction]] = {
    "priest": plays_common.priest,
    "baron": plays_common.baron,
    "handmaid": plays_common.handmaid,
    "prince": plays_common.prince,
    "chancellor": plays_common.chancellor,
    "king": plays_common.king,
    # premium
    "guard": plays_premium.guard,
    "jester": plays_premium.jester,
    "cardinal": plays_premium.cardinal,
    "baroness": plays_premium.baroness,
    "sycophant": plays_premium.sycophant,
    "dowager_queen": plays_premium.dowager_queen,
    "bishop": plays_premium.bishop,
    # lovecraft
    "mi_go_braincase": plays_common.knocks_oneself_out,
    "cats_of_ulthar": plays_common.priest,
    "golden_mead": plays_common.priest,
    "great_race_of_yith": plays_common.baron,
    "hound_of_tindalos": plays_common.baron,
    "elder_sign": plays_common.handmaid,
    "liber_ivonis": plays_common.handmaid,
    "professor_henry_armitage": plays_common.prince,
    "mi_go": plays_common.prince,
    "randolph_carter": plays_common.king,
    "nyarlathotep": plays_common.king,
}
INSANE: Final[Mapping[str, OutcomeFunction]] = {
    "deep_ones": plays_lovecraft.deep_ones,
    "golden_mead": plays_lovecraft.golden_mead,
    "hound_of_tindalos": plays_lovecraft.hound_of_tindalos,
    "liber_ivonis": plays_lovecraft.liber_ivonis,
    "mi_go": plays_lovecraft.mi_go,
    "nyarlathotep": plays_lovecraft.nyarlathotep,
    "shining_trapezohedron": plays_lovecraft.shining_trapezohedron,
    "cthulhu": plays_lovecraft.cthulhu,
}
"""The plays of the same cards with their insane faces."""


def outcomes(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Returns the possible outcomes of a play, as the cautious bot weighs them."""
    return _outcome_function(prospect, play)(prospect, play)


def _outcome_function(prospect: Prospect, play: PlayCard) -> OutcomeFunction:
    """Returns the function that weighs a play: of one without effect where its card needs seats and chose none."""
    card = prospect.view.book.cards[play.card]
    insane = play.face == "insane"
    if not play.targets and face_of(card, play.face).targets.most:
        return plays_common.nothing
    if not insane and play.card in prospect.outlook.deadly:
        return plays_common.knocks_oneself_out
    unknown = plays_common.nothing if play.guess is None else plays_common.guess
    return (INSANE if insane else PLAYS).get(play.card, unknown)
