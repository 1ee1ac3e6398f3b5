"""The effect of every card; those that ask are in `questions`; what follows, to turns and rounds, is in `course`.

Each is written from what `docs/cards/` says of its card. An effect that chooses seats is called only if it has
chosen some: where none can be chosen, a card has no effect (Choosing seats).
"""

from typing import Any

from tests.second_model.model.cards import NOBODY, ROWS, chooses
from tests.second_model.model.game import Effect, Game, Named
from tests.second_model.model.moves import (
    discard_and_draw,
    has,
    insanity_cards,
    is_insane,
    knock_out,
    look,
    number,
    out_if_it_lies_there,
    swap,
)
from tests.second_model.model.questions import ASKING, ASKING_WHEN_INSANE


def play(game: Game, seat: int, action: dict[str, Any]) -> None:
    """A card leaves the hand and has its effect."""
    card, face, targets = action["card"], action.get("face"), tuple(action["targets"])
    game.hands[seat].remove(card)
    # Decided: how long a Sycophant binds. Until the next card is played, also one that chooses nobody.
    game.bound = None
    if game.edition == "lovecraft":
        # The cards of lovecraft: a card comes to lie among the discards only when its effect is over.
        game.in_play.append(card)
    else:
        game.discards[seat].append(card)
        out_if_it_lies_there(game, seat, card)
    if targets or chooses(card, face) == NOBODY:
        effect = (INSANE_EFFECTS if face == "insane" else EFFECTS)[card]
        effect(game, seat, targets, action.get("guess", action.get("guess_value")))


def nothing(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Nothing at once."""


# --- standard, classic, and what other editions have of them -------------------------------------------------------


def guess(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Guard, Investigators, sane Deep Ones: a hit is out."""
    (target,) = targets
    if "assassin" in game.hands[target]:
        # The cards of premium, assassin: knocks out the Guard's player, whatever was named, and is replaced.
        game.used.add("the Assassin turns a Guard away")
        knock_out(game, seat)
        discard_and_draw(game, target)
    elif has(game, target, named):
        knock_out(game, target)


def see(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Priest, Baroness, Cats of Ulthar, sane Golden Mead: hands are shown to the player alone."""
    for target in targets:
        look(game, seat, target)


def lower_is_out(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Baron, Great Race, sane Hound: both see both hands; the lower is out, a tie does nothing."""
    _compare(game, seat, targets[0], lower_out=True)


def higher_is_out(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Dowager Queen: as the Baron, but the higher is out."""
    _compare(game, seat, targets[0], lower_out=False)


def _compare(game: Game, seat: int, target: int, lower_out: bool) -> None:
    look(game, seat, target)
    look(game, target, seat)
    mine, other = number(game, seat), number(game, target)
    if mine != other:
        knock_out(game, seat if (mine < other) is lower_out else target)


def protect(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Handmaid, Elder Sign, sane Liber Ivonis: nobody can choose the seat until its next turn begins."""
    game.protected.add(seat)


def new_hand(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Prince, Professor, sane Mi-Go: a seat discards its hand without effect and draws."""
    discard_and_draw(game, targets[0])


def trade(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """King, Randolph Carter, sane Nyarlathotep: swaps hands with another seat."""
    swap(game, seat, targets[0])


# --- premium -------------------------------------------------------------------------------------------------------


def jester(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Marks another seat for the round."""
    game.marks["jester"] = (seat, targets[0])


def sycophant(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Binds a seat."""
    game.bound = targets[0]


# --- lovecraft -----------------------------------------------------------------------------------------------------


def braincase(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Whoever plays it is out."""
    knock_out(game, seat)


def deep_ones(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: a seat that holds a 1 is out whatever was named; for any other hand the number counts."""
    (target,) = targets
    if number(game, target) in (1, named):
        knock_out(game, target)


def hound(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: another seat is out if it is sane."""
    if not is_insane(game, targets[0]):
        knock_out(game, targets[0])


def liber_ivonis(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: marks the seat, which is saved at the showdown or before it, as the option says."""
    game.marks["liber_ivonis"] = (seat, seat)


def trapezohedron(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: wins the round at once if the other card is above 4."""
    if number(game, seat) > 4:
        game.used.add("a card wins the round")
        game.round_won_by = seat


def cthulhu(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: with two or more insanity cards among the discards already, wins the game at once."""
    if insanity_cards(game, seat) >= 2:
        game.used.add("a card wins the game")
        game.game_won_by = seat


EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(ROWS, nothing),
    **ASKING,
    "guard": guess,
    "priest": see,
    "baron": lower_is_out,
    "handmaid": protect,
    "prince": new_hand,
    "king": trade,
    "jester": jester,
    "baroness": see,
    "sycophant": sycophant,
    "dowager_queen": higher_is_out,
    "mi_go_braincase": braincase,
    "investigators": guess,
    "deep_ones": guess,
    "cats_of_ulthar": see,
    "golden_mead": see,
    "great_race_of_yith": lower_is_out,
    "hound_of_tindalos": lower_is_out,
    "elder_sign": protect,
    "liber_ivonis": protect,
    "professor_henry_armitage": new_hand,
    "mi_go": new_hand,
    "randolph_carter": trade,
    "nyarlathotep": trade,
}
"""The only effect of a card, or the sane one. Princess, Necronomicon, Cthulhu: nothing, but where they come to lie."""

INSANE_EFFECTS: dict[str, Effect] = {
    **ASKING_WHEN_INSANE,
    "deep_ones": deep_ones,
    "hound_of_tindalos": hound,
    "liber_ivonis": liber_ivonis,
    "shining_trapezohedron": trapezohedron,
    "cthulhu": cthulhu,
}
"""The insane effect of the cards that have two."""
