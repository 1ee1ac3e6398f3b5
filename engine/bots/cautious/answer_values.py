"""Values the answers to a decision: a table from the kind of decision to a function.

An answer without an entry here counts as much as any other.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.actions import GiveHands, KeepCard, PeekHand, RedrawHand
from engine.bots.cautious.outlook import Outlook
from engine.bots.cautious.plays_common import redrawn
from engine.bots.cautious.position import EVERYBODY
from engine.bots.cautious.prospect import Prospect
from engine.bots.counting import certain, higher_of

TIE_BREAK: Final = 1e-7
"""What a number on a card is worth where nothing else tells two answers apart."""


def keeping(prospect: Prospect, answer: KeepCard) -> float:
    """Returns what it is worth to keep a card and put the others under the deck."""
    deck = len(prospect.view.deck)
    rivals = dict(prospect.rivals)
    bonus = 0.0
    values = prospect.outlook.values
    for place, card in enumerate(answer.bottom, deck + 1):
        seat = _draws(prospect, place)
        if seat == prospect.me:
            bonus += TIE_BREAK * values[card]
        else:
            rivals[seat] = higher_of(rivals[seat], card, values)
    outlook = Outlook(prospect.view, prospect.unseen, deck + len(answer.bottom))
    return outlook.worth(prospect.position(answer.keep, rivals)) + bonus


def _draws(prospect: Prospect, place: int) -> int:
    """Returns the seat of a prospect that will draw the card at a place of the deck, from 1, if no other is out."""
    alive = prospect.view.alive()
    return alive[(alive.index(prospect.me) + place) % len(alive)]


def redrawing(prospect: Prospect, answer: RedrawHand) -> float:
    """Returns what it is worth to keep a hand that everybody knows, or to discard it and draw."""
    if not answer.redraw:
        kept = prospect.position()
        kept.known_to = EVERYBODY
        return prospect.outlook.worth(kept)
    if prospect.keeps in prospect.outlook.deadly:
        return prospect.outlook.worth(prospect.lost())
    return sum([chance * prospect.outlook.worth(position) for chance, position in redrawn(prospect)])


def peeking(prospect: Prospect, answer: PeekHand) -> float:
    """Returns what it is worth to look at a hand: nothing at the own one, most at that of which least is known."""
    if answer.seat is None or answer.seat not in prospect.rivals:
        return 0.0
    held = prospect.rivals[answer.seat]
    return 1 - max(held.values()) + prospect.outlook.prizes.threat[answer.seat] * TIE_BREAK


def giving(prospect: Prospect, answer: GiveHands) -> float:
    """Returns what it is worth that rivals hold these cards, the high ones best where they threaten least."""
    rivals = {**prospect.rivals, **{seat: certain(card) for seat, card in answer.hands}}
    outlook = prospect.outlook
    threat = sum([outlook.prizes.threat[seat] * outlook.values[card] for seat, card in answer.hands])
    return outlook.worth(prospect.position(rivals=rivals)) - TIE_BREAK * threat


ANSWERS: Final[Mapping[str, Callable[[Prospect, Any], float]]] = {
    KeepCard.type: keeping,
    RedrawHand.type: redrawing,
    PeekHand.type: peeking,
    GiveHands.type: giving,
}
