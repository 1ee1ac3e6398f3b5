"""Card functions and rules that several editions share."""

from dataclasses import dataclass
from typing import Any

from engine.actions import KeepCard
from engine.events import CardPlayed, DecisionOpened
from engine.rulebook import RoundVerdict, Rulebook
from engine.state import GameState
from engine.table import Table

# --- cards (rules, "The cards of standard and classic") ---


def spy_round_end(table: Table, winners: tuple[int, ...]) -> None:
    """Spy: the only seat still in with a Spy in its discards gains one token."""
    state = table.state
    owners = [seat for seat in state.alive() if "spy" in state.seats[seat].discards]
    if len(owners) == 1:
        table.award(owners[0], "spy")


def guard(table: Table, play: CardPlayed) -> None:
    """Guard: a seat that holds what is named is out."""
    if table.guess_hits(play):
        table.knock_out(play.target)


def priest(table: Table, play: CardPlayed) -> None:
    """Priest: look at a hand."""
    table.show(play.target, to=play.seat)


def baron(table: Table, play: CardPlayed) -> None:
    """Baron: the lower hand is out."""
    difference = table.compare(play.seat, play.target)
    if difference:
        table.knock_out(play.target if difference > 0 else play.seat)


def handmaid(table: Table, play: CardPlayed) -> None:
    """Handmaid: protected until the own next turn."""
    table.protect(play.seat)


def prince(table: Table, play: CardPlayed) -> None:
    """Prince: a seat discards its hand and draws."""
    table.discard_and_redraw(play.target)


def chancellor(table: Table, play: CardPlayed) -> None:
    """Chancellor: draw two and choose which to keep."""
    if table.draw(play.seat, 2):
        table.ask(play.seat, "chancellor", KeepCard.type)


def chancellor_kept(table: Table, decision: DecisionOpened, answer: KeepCard) -> None:
    """Chancellor: the others go under the deck."""
    table.return_to_bottom(decision.seat, answer.bottom)


def king(table: Table, play: CardPlayed) -> None:
    """King: swap hands."""
    table.trade(play.seat, play.target)


def princess_discarded(table: Table, seat: int) -> None:
    """Princess: out as soon as she lies in one's discards."""
    table.knock_out(seat)


# --- parts of rows ---


@dataclass(frozen=True, slots=True)
class MustPlayBeside:
    """A hook of an edition that forces a card while one of the others is held beside it."""

    others: tuple[str, ...]

    def __call__(self, book: Rulebook, other: str, insane: bool) -> bool:
        """Returns whether an edition forces the card beside another."""
        return other in self.others


def other_characters(book: Rulebook) -> tuple[str, ...]:
    """Returns the characters that an edition's Guard may name: all but itself."""
    return tuple(key for key in book.cards if key != "guard")


def numbers_but_one(book: Rulebook) -> tuple[int, ...]:
    """Returns the numbers that an edition lets a card name: those of its cards but the 1."""
    return tuple(sorted(set(book.values.values()) - {1}))


# --- rules ---


def highest_hand(table: Table, seats: tuple[int, ...]) -> RoundVerdict:
    """Returns who wins an edition's showdown: the highest hand, and all that tie for it."""
    standings = tuple([standing(table, seat) for seat in seats])
    best = max([one["counted"] for one in standings])
    winners = tuple([one["seat"] for one in standings if one["counted"] == best])
    return RoundVerdict(winners, "highest_number", None, standings)


def standing(table: Table, seat: int) -> dict[str, Any]:
    """Returns how a seat stands at an edition's showdown where nothing changes what its card counts."""
    (card,) = table.hand(seat)
    number = table.state.book.values[card]
    return {
        "seat": seat,
        "card": card,
        "number": number,
        "counted": number,
        "changed_by": None,
        "discard_sum": None,
    }


def first_at_target(state: GameState) -> tuple[int, ...]:
    """Returns who has won an edition's game where all seats with enough tokens win together."""
    target = state.book.tokens_to_win
    return tuple([i for i, seat in enumerate(state.seats) if seat.tokens >= target and not seat.left])


def all_in_game(state: GameState) -> tuple[int, ...]:
    """Returns who is dealt into an edition's next round: every seat that has not left the game."""
    return state.in_game()
