"""One-line text for actions and decks: short enough for a bug report, exact enough to be read back.

Actions (a seat is its number, a card its key):

    spy                     play a card that chooses nobody
    guard>1:priest          choose seat 1 and name the Priest (or a number: `guard>1:5`)
    cardinal>1,2            choose two seats
    hound.insane>1          play a card by its second face
    keep princess/guard,spy keep one card, put the others under the deck, the last one undermost
    redraw                  discard the hand and draw; `stay` keeps it
    look 2                  look at a hand on offer; `look none` at none of them
    give 1:cats,2:hound     give each seat a card; `give none` when nobody is left to give to

Decks list cards from the top, repeated ones with a count: `guard*2,spy,princess`.
What such a text means in a game is not known here; whole games are written in `scoresheet`.
"""

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from engine.actions import Action, GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.errors import MalformedNotation

RESERVED: Final = frozenset({"keep", "redraw", "stay", "look", "give", "leaves", "clock", "none"})
"""Words of the notation; no card may have one of them as its key."""

_CARD: Final = r"[a-z][a-z_]*"
_PLAY: Final = re.compile(
    rf"(?P<card>{_CARD})(?:\.(?P<face>{_CARD}))?(?:>(?P<targets>[0-9]+(?:,[0-9]+)*))?(?::(?:(?P<guess>{_CARD})|(?P<number>[0-9]+)))?"
)
_KEEP: Final = re.compile(rf"keep (?P<keep>{_CARD})/(?P<bottom>{_CARD}(?:,{_CARD})*)?")
_LOOK: Final = re.compile(r"look (?:(?P<seat>[0-9]+)|none)")
_GIVE: Final = re.compile(rf"give (?:(?P<hands>[0-9]+:{_CARD}(?:,[0-9]+:{_CARD})*)|none)")
_RUN: Final = re.compile(rf"(?P<card>{_CARD})(?:\*(?P<count>[1-9][0-9]?))?")


def print_action(action: Action) -> str:
    """Returns an action as one line."""
    if isinstance(action, PlayCard):
        return _print_play(action)
    if isinstance(action, KeepCard):
        return f"keep {action.keep}/{','.join(action.bottom)}"
    if isinstance(action, RedrawHand):
        return "redraw" if action.redraw else "stay"
    if isinstance(action, PeekHand):
        return "look none" if action.seat is None else f"look {action.seat}"
    return "give " + (",".join(f"{seat}:{card}" for seat, card in action.hands) or "none")


def parse_action(text: str) -> Action:
    """Returns the action that a line stands for.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    if text in ("redraw", "stay"):
        return RedrawHand(text == "redraw")
    if found := _KEEP.fullmatch(text):
        return KeepCard(found["keep"], tuple(found["bottom"].split(",")) if found["bottom"] else ())
    if found := _LOOK.fullmatch(text):
        return PeekHand(int(found["seat"]) if found["seat"] else None)
    if found := _GIVE.fullmatch(text):
        pairs = [pair.split(":") for pair in found["hands"].split(",")] if found["hands"] else []
        return GiveHands(tuple((int(seat), card) for seat, card in pairs))
    found = _PLAY.fullmatch(text)
    if found is None or found["card"] in RESERVED:
        raise MalformedNotation(f"not an action: {text!r}")
    targets = tuple(int(seat) for seat in found["targets"].split(",")) if found["targets"] else ()
    guess = int(found["number"]) if found["number"] else found["guess"]
    return PlayCard(found["card"], targets, guess, found["face"])


def print_deck(cards: Iterable[str]) -> str:
    """Returns cards in their order as one line."""
    runs = [(card, len(list(run))) for card, run in groupby(cards)]
    return ",".join(card if count == 1 else f"{card}*{count}" for card, count in runs) or "none"


def parse_deck(text: str) -> tuple[str, ...]:
    """Returns the cards that a line lists.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    if text == "none":
        return ()
    cards: list[str] = []
    for run in text.split(","):
        found = _RUN.fullmatch(run)
        if found is None:
            raise MalformedNotation(f"not a deck: {text!r}")
        cards += [found["card"]] * int(found["count"] or 1)
    return tuple(cards)


def _print_play(play: PlayCard) -> str:
    face = "" if play.face is None else f".{play.face}"
    targets = ">" + ",".join(map(str, play.targets)) if play.targets else ""
    guess = "" if play.guess is None else f":{play.guess}"
    return f"{play.card}{face}{targets}{guess}"
