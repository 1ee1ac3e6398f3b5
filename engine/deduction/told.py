"""Asks the rules which hidden hands fit what a card's effect has done, such as a wrong guess or a tie.

It has each combination of hands go through the effect itself, so a new card needs nothing here.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from engine.events import (
    CardPlayed,
    CardResolved,
    DecisionOpened,
    Event,
    GameFinished,
    HandsCompared,
    HandsRevealed,
    KnockedOut,
    RoundEnded,
    TurnStarted,
)
from engine.options import face_of
from engine.rulebook import RoundVerdict
from engine.shuffle import Dealer
from engine.state import GameState
from engine.table import Table

AFTERWARDS: Final = (CardResolved, TurnStarted, HandsRevealed, RoundEnded, GameFinished)
"""The events with which a game goes on after an effect."""

Fits: TypeAlias = list[tuple[frozenset[str], frozenset[str]]]
"""Which cards the player may hold beside which cards of the seat that was chosen."""
_NO_CHANCE: Final = Dealer(b"", "", ())
"""For effects, which never need any."""


def hands_that_fit(
    view: GameState, play: CardPlayed, following: Sequence[Event], own: Sequence[str], theirs: Sequence[str]
) -> Fits | None:
    """Returns which hands fit the effect of a played card; None if it tells nothing of them.

    `view` is from before the play, `following` what the viewer saw after it. `own` are the cards that the player may
    have kept, `theirs` those that the one seat chosen may hold, none without such a seat.
    """
    way = face_of(view.book.cards[play.card], play.face)
    effect = way.play
    seen, complete = _part_of_effect(following)
    won = _won_at_once(following)
    compared = any(isinstance(event, HandsCompared) for event in seen)
    asks = (compared or play.named is not None) if way.targets.most else way.needs is None
    if effect is None or not asks or bool(way.targets.most) != bool(theirs) or len(own) * max(1, len(theirs)) < 2:
        return None
    shown = {event.seat: event.cards for event in seen if isinstance(event, KnockedOut)}
    own = [card for card in own if card in shown.get(play.seat, own)]
    theirs = [card for card in theirs if card in shown.get(play.target, theirs)] if theirs else []
    before = view.copy()
    play.apply(before)
    told = [_told(event) for event in seen]

    def does_fit(card: str, other: str | None) -> bool:
        state = before.copy()
        state.seats[play.seat].hand = [card]
        if other is not None:
            state.seats[play.target].hand = [other]
        table = Table(state, _NO_CHANCE)
        effect(table, play)
        would = [_told(event) for event in table.events]
        wins = won is None or won == isinstance(table.won, RoundVerdict)
        return wins and (would if complete else would[: len(told)]) == told

    if not theirs:
        return [(frozenset([card for card in own if does_fit(card, None)]), frozenset())]
    if not compared:  # what comes of a guess does not depend on the hand of who guesses
        return [(frozenset(own), frozenset([other for other in theirs if does_fit(own[0], other)]))]
    fits: dict[frozenset[str], list[str]] = {}
    for card in own:
        fits.setdefault(frozenset([other for other in theirs if does_fit(card, other)]), []).append(card)
    return [(frozenset(cards), others) for others, cards in fits.items() if others]


def _part_of_effect(following: Sequence[Event]) -> tuple[list[Event], bool]:
    """Returns the events that an effect has brought about, and whether they are all."""
    part: list[Event] = []
    for event in following:
        if isinstance(event, AFTERWARDS):
            return part, True
        part.append(event)
        if isinstance(event, DecisionOpened):
            return part, True
    return part, False


def _won_at_once(following: Sequence[Event]) -> bool | None:
    """Returns whether the effect has won the round; None if that does not show yet."""
    for event in following:
        if isinstance(event, RoundEnded):
            return event.reason == "card"
        if isinstance(event, TurnStarted | DecisionOpened | HandsRevealed | GameFinished):
            return False
    return None


def _told(event: Event) -> tuple[str, int | None]:
    """Returns what everybody sees of an event that shows who held what."""
    return event.type, getattr(event, "seat", None)
