"""What happens to hands, discards and seats in more than one effect; which card does it belongs to `effects`.

Sections are those of `docs/rules.md`.
"""

from tests.second_model.model.cards import INSANITY_CARDS
from tests.second_model.model.game import Game, Named


def number(game: Game, seat: int) -> int:
    """The number of the one card in a hand."""
    (card,) = game.hands[seat]
    return game.numbers[card]


def has(game: Game, seat: int, named: Named) -> bool:
    """Whether a hand is the character or has the number that was named."""
    return named in (game.hands[seat][0], number(game, seat))


def insanity_cards(game: Game, seat: int) -> int:
    """How many insanity cards lie among a seat's discards (The cards of lovecraft)."""
    return sum(card in INSANITY_CARDS for card in game.discards[seat])


def is_insane(game: Game, seat: int) -> bool:
    """While one of them lies among the discards, however it came there (The cards of lovecraft)."""
    return insanity_cards(game, seat) > 0


def gain(game: Game, seat: int) -> None:
    """One token more, but nothing any more for a seat that has left (Leaving a running game)."""
    if seat not in game.left:
        game.tokens[seat] += 1


def look(game: Game, seat: int, whose: int) -> None:
    """A seat sees a hand."""
    game.looks.append((seat, whose, tuple(game.hands[whose])))


def swap(game: Game, one: int, other: int) -> None:
    """Two seats swap hands."""
    game.hands[one], game.hands[other] = game.hands[other], game.hands[one]


def lay_down(game: Game, seat: int) -> list[str]:
    """A hand goes onto the discards without effect, lower numbers first (Leaving a running game).

    Equal ones are put by name, which tells as little about what was drawn last.
    """
    cards = sorted(game.hands[seat], key=lambda card: (game.numbers[card], card))
    game.discards[seat] += cards
    game.hands[seat] = []
    return cards


def put_out(game: Game, seat: int) -> None:
    """A seat has no turns and cannot be chosen until the next round (A round, 4)."""
    lay_down(game, seat)
    game.in_round.discard(seat)
    game.protected.discard(seat)


def knock_out(game: Game, seat: int) -> None:
    """A seat is knocked out, unless Liber Ivonis as published spares it (Decided: Liber Ivonis)."""
    if game.liber_spares and game.marks.get("liber_ivonis") == (seat, seat):
        game.used.add("Liber Ivonis spares a seat")
        return
    # The cards of premium, constable: while he lies among the discards, and not out of the hand.
    paid = "constable" in game.discards[seat]
    put_out(game, seat)
    if paid:
        game.used.add("the Constable pays")
        gain(game, seat)


def out_if_it_lies_there(game: Game, seat: int, card: str) -> None:
    """Princess, Necronomicon and Cthulhu: out when they are among the discards of a seat that is still in."""
    if card in ("princess", "necronomicon", "cthulhu") and seat in game.in_round:
        game.used.add(f"{card} lies among the discards")
        knock_out(game, seat)


def draw(game: Game, seat: int) -> bool:
    """Draws the top card; says whether there was one."""
    if not game.deck:
        return False
    game.hands[seat].append(game.deck.pop(0))
    return True


def discard_and_draw(game: Game, seat: int) -> None:
    """Discards a hand without effect and draws, if the seat is still in.

    From an empty deck it draws the card set aside (Drawing when the deck is empty).
    """
    for card in lay_down(game, seat):
        out_if_it_lies_there(game, seat, card)
    if seat in game.in_round and not draw(game, seat) and game.set_aside:
        game.used.add("the card set aside is drawn")
        game.hands[seat].append(game.set_aside.pop())
