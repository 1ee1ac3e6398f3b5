"""Sentences about hands that are looked at, compared, traded, taken and given; a viewer may know the cards or not."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.events import (
    CardReceived,
    Event,
    HandsCompared,
    HandsGiven,
    HandShown,
    HandsTraded,
    HandTaken,
    KnockedOut,
)
from games.texts.sentences.played_events import spares
from games.texts.sentences.telling import GameWords, Sentence


def _hand_shown(telling: GameWords, event: HandShown, following: Sequence[Event]) -> str:
    who, target = telling.who(event.to), telling.who(event.seat)
    own = event.to == event.seat
    if None in event.cards:
        if own:
            return telling.text("event.hand_shown.own", who=who)
        return telling.text("event.hand_shown", who=who, target=target)
    cards = telling.cards(event.cards)
    if own:
        return telling.text("event.hand_shown.own_known", who=who, cards=cards)
    return telling.text("event.hand_shown.known", who=who, target=target, cards=cards)


def _hands_compared(telling: GameWords, event: HandsCompared, following: Sequence[Event]) -> str:
    who, target = telling.who(event.seat), telling.who(event.target)
    if None in event.cards or None in event.target_cards:
        compared = telling.text("event.hands_compared", who=who, target=target)
    else:
        cards, target_cards = telling.cards(event.cards), telling.cards(event.target_cards)
        compared = telling.text(
            "event.hands_compared.known", who=who, target=target, cards=cards, target_cards=target_cards
        )
    if not following or isinstance(following[0], KnockedOut):
        return compared
    unsaid = spares(telling)
    return telling.text("event.hands_compared.nothing" if unsaid else "event.hands_compared.tie", compared=compared)


def _hands_traded(telling: GameWords, event: HandsTraded, following: Sequence[Event]) -> str:
    who, target = telling.who(event.seat), telling.who(event.target)
    if None in event.cards or None in event.target_cards:
        return telling.text("event.hands_traded", who=who, target=target)
    cards, target_cards = telling.cards(event.cards), telling.cards(event.target_cards)
    return telling.text("event.hands_traded.known", who=who, target=target, cards=cards, target_cards=target_cards)


def _hand_taken(telling: GameWords, event: HandTaken, following: Sequence[Event]) -> str:
    who, target = telling.who(event.seat), telling.who(event.target)
    if None in event.cards:
        return telling.text("event.hand_taken", who=who, target=target)
    return telling.text("event.hand_taken.known", who=who, target=target, cards=telling.cards(event.cards))


def _card_received(telling: GameWords, event: CardReceived, following: Sequence[Event]) -> str:
    return telling.text("event.card_received", who=telling.who(event.seat), card=telling.card(event.card))


def _hands_given(telling: GameWords, event: HandsGiven, following: Sequence[Event]) -> str:
    who = telling.who(event.seat)
    if not event.targets:  # all whose hands were collected have left since
        return telling.text("event.hands_given.none", who=who)
    targets = telling.all(event.targets)
    one = len(event.targets) == 1
    given = telling.text("event.hands_given.one" if one else "event.hands_given.many", who=who, targets=targets)
    for target in event.targets:
        card = event.hands[target]
        if card is not None:
            given = telling.text(
                "event.hands_given.known", given=given, target=telling.who(target), card=telling.card(card)
            )
    return given


HAND_EVENTS: Final[Mapping[type[Event], Sentence]] = {
    HandShown: _hand_shown,
    HandsCompared: _hands_compared,
    HandsTraded: _hands_traded,
    HandTaken: _hand_taken,
    CardReceived: _card_received,
    HandsGiven: _hands_given,
}
