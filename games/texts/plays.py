"""Words shared by sentences: players by seat, a card and its face, a guess, why a card has no effect."""

from collections.abc import Collection, Sequence
from enum import Enum
from functools import lru_cache

from engine.actions import Guess
from engine.cards import DECK, OTHERS
from engine.options import face_of
from engine.rulebook import Rulebook
from engine.state import GameState
from games.texts.cards import card_name, card_object
from games.texts.catalogue import Catalogue


def labels(words: Catalogue, names: Sequence[str]) -> list[str]:
    """Returns what texts call each seat's player: the name, with the seat number if two players share it.

    An empty name means an empty seat.
    """
    return [
        name if name and names.count(name) == 1 else with_seat(words, seat, name) for seat, name in enumerate(names)
    ]


def with_seat(words: Catalogue, seat: int, name: str) -> str:
    """Returns a player's name with the seat, for texts where the seat matters."""
    number = numbered(seat)
    return words.text("seat.named", name=name, seat=number) if name else words.text("seat.empty", seat=number)


def numbered(seat: int) -> int:
    """Returns the number of a seat in texts for people, who count from one; interfaces count from zero."""
    return seat + 1


class Void(Enum):
    """Why a card that chooses somebody has no effect.

    The value ends the key of the text that says so, as in `action.play.void`.
    """

    NOBODY = "void"
    NO_TWO = "void_two"
    BOUND = "void_bound"
    """It would have to choose its own player, who is bound, and cannot."""
    NO_DECK = "void_no_deck"


def void(
    book: Rulebook,
    card: str,
    face: str | None,
    targets: tuple[int, ...],
    bound: int | None,
    missing: Collection[str] = (),
) -> Void | None:
    """Returns why texts say that a card is played without effect, or None if it has its effect.

    `bound` is the seat that it had to choose; `missing` is what is not there of all that a card may need.
    """
    way = face_of(book.cards[card], face)
    wanted = way.targets
    if way.needs is not None and way.needs in missing:
        return Void.NO_DECK if way.needs == DECK else Void.NOBODY
    if targets or not wanted.most:
        return None
    # Who is bound can be chosen by all but those who play, since nobody plays in between.
    if bound is not None and not wanted.own:
        return Void.BOUND
    return Void.NOBODY if wanted.least == 1 else Void.NO_TWO


def missing_for(state: GameState, seat: int) -> frozenset[str]:
    """Returns what is not there for a seat that plays a card now, so that texts can say so."""
    missing = set() if state.deck else {DECK}
    if not state.choosable() & ~(1 << seat):
        missing.add(OTHERS)
    return frozenset(missing)


@lru_cache(maxsize=1024)
def played_card(words: Catalogue, card: str, face: str | None) -> str:
    """Returns in words a card with the effect it is played for, as in "the Deep Ones (insane)"."""
    told = card_object(words, card)
    return told if face is None else words.text(f"face.{face}.played", card=told)


@lru_cache(maxsize=1024)
def guess_text(words: Catalogue, guess: Guess, book: Rulebook) -> str:
    """Returns a guess in words, as in "the Priest" or "4 (Handmaid or Sycophant)"; a number names its cards."""
    if isinstance(guess, str):
        return card_object(words, guess)
    matching = [card_name(words, card) for card, value in book.values.items() if value == guess]
    return words.text("guess.number", number=guess, cards=words.listed(matching, "or"))
