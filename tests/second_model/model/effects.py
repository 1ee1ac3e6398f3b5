"""The effect of every card and of every answer; what happens after it, to turns and rounds, belongs to `course`.

Each is written from the row of its card in `docs/rules.md`. An effect that chooses seats is called only if it has
chosen some: where none can be chosen, a card has no effect (Choosing seats).
"""

from collections.abc import Callable
from typing import Any

from tests.second_model.model.cards import NOBODY, chooses
from tests.second_model.model.ends import champions
from tests.second_model.model.game import Game
from tests.second_model.model.moves import (
    discard_and_draw,
    draw,
    gain,
    insanity_cards,
    is_insane,
    knock_out,
    look,
    number,
    out_if_it_lies_there,
    swap,
)
from tests.second_model.model.position import Question

Named = str | int | None
Effect = Callable[[Game, int, tuple[int, ...], Named], None]
"""`(game, who plays, whom it chooses, what it names)`."""


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


def has(game: Game, seat: int, named: Named) -> bool:
    """Whether a hand is the character or has the number that was named."""
    return named in (game.hands[seat][0], number(game, seat))


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


def chancellor(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Draws two, or one if there is no more, and asks; none left: no effect."""
    if draw(game, seat):
        draw(game, seat)
        game.question = Question(seat, "chancellor", "keep_card")


def trade(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """King, Randolph Carter, sane Nyarlathotep: swaps hands with another seat."""
    swap(game, seat, targets[0])


# --- premium -------------------------------------------------------------------------------------------------------


def jester(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Marks another seat for the round."""
    game.marks["jester"] = (seat, targets[0])


def cardinal(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Two seats swap hands; then the player may look at one of the two."""
    swap(game, *targets)
    game.question = Question(seat, "cardinal", "peek_hand", targets)


def sycophant(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Binds a seat."""
    game.bound = targets[0]


def bishop(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """A hit pays a token at once; if the game goes on, the seat that was hit decides."""
    (target,) = targets
    if has(game, target, named):
        game.used.add("the Bishop pays")
        gain(game, seat)
        if not champions(game):
            game.question = Question(target, "bishop", "redraw_hand")


# --- lovecraft -----------------------------------------------------------------------------------------------------


def braincase(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Whoever plays it is out."""
    knock_out(game, seat)


def deep_ones(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: a seat that holds a 1 is out whatever was named; for any other hand the number counts."""
    (target,) = targets
    if number(game, target) in (1, named):
        knock_out(game, target)


def golden_mead(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: shows a hand; the player draws and plays one more; with an empty deck only shows."""
    look(game, seat, targets[0])
    if draw(game, seat):
        game.question = Question(seat, "golden_mead", "play_card")
    else:
        game.used.add("a Golden Mead finds no card")


def hound(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: another seat is out if it is sane."""
    if not is_insane(game, targets[0]):
        knock_out(game, targets[0])


def liber_ivonis(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: marks the seat, which is saved at the showdown or before it, as the option says."""
    game.marks["liber_ivonis"] = (seat, seat)


def mi_go(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: takes another seat's card, gives it the Braincase, and the player plays one more of two."""
    (target,) = targets
    game.hands[seat] += game.hands[target]
    game.hands[target] = ["mi_go_braincase"]
    game.question = Question(seat, "mi_go", "play_card")


def nyarlathotep(game: Game, seat: int, targets: tuple[int, ...], named: Named) -> None:
    """Insane: shows the hands of all other seats that can be chosen, and the player says who of them gets which."""
    others = tuple(sorted(game.in_round - game.protected - {seat}))
    for other in others:
        look(game, seat, other)
    if others:
        game.question = Question(seat, "nyarlathotep", "give_hands", others)


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


# --- answers -------------------------------------------------------------------------------------------------------


def answer(game: Game, seat: int, action: dict[str, Any]) -> None:
    """What an answer does to a question other than which card to play."""
    if action["type"] == "keep_card":
        # Keeps one of the three, puts the others under the deck in an order of one's choice.
        game.hands[seat] = [action["keep"]]
        game.deck += action["bottom"]
    elif action["type"] == "peek_hand":
        if "seat" in action:
            look(game, seat, action["seat"])
    elif action["type"] == "redraw_hand":
        if action["redraw"]:
            discard_and_draw(game, seat)
    else:
        for gift in action["hands"]:
            game.hands[gift["seat"]] = [gift["card"]]


EFFECTS: dict[str, Effect] = {
    "spy": nothing,
    "guard": guess,
    "priest": see,
    "baron": lower_is_out,
    "handmaid": protect,
    "prince": new_hand,
    "chancellor": chancellor,
    "king": trade,
    "countess": nothing,
    "princess": nothing,  # but she lies among the discards
    "assassin": nothing,
    "jester": jester,
    "cardinal": cardinal,
    "baroness": see,
    "sycophant": sycophant,
    "count": nothing,
    "constable": nothing,
    "dowager_queen": higher_is_out,
    "bishop": bishop,
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
    "silver_key": nothing,
    "shining_trapezohedron": nothing,
    "necronomicon": nothing,  # but it comes to lie among the discards
    "cthulhu": nothing,  # but he does
}
"""The only effect of a card, or the sane one."""

INSANE_EFFECTS: dict[str, Effect] = {
    "deep_ones": deep_ones,
    "golden_mead": golden_mead,
    "hound_of_tindalos": hound,
    "liber_ivonis": liber_ivonis,
    "mi_go": mi_go,
    "nyarlathotep": nyarlathotep,
    "shining_trapezohedron": trapezohedron,
    "cthulhu": cthulhu,
}
"""The insane effect of the cards that have two."""
