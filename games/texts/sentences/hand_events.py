"""Sentences about hands that are looked at, compared, traded, taken and given; a viewer may know the cards or not."""

from collections.abc import Mapping
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
from games.texts.sentences.game_words import GameWords, Sentence, card_sentence
from games.texts.sentences.played_events import may_stay_in


def _hand_shown_sentence(texts: GameWords, event: HandShown) -> str:
    own = event.to == event.seat
    if None in event.cards:
        if own:
            return texts.about("event.hand_shown.own", event.to)
        return texts.about("event.hand_shown", event.to, event.seat)
    cards = texts.cards(event.cards)
    if own:
        return texts.about("event.hand_shown.own_known", event.to, cards=cards)
    return texts.about("event.hand_shown.known", event.to, event.seat, cards=cards)


def _hands_compared_sentence(texts: GameWords, event: HandsCompared) -> str:
    if None in event.cards or None in event.target_cards:
        compared = texts.about("event.hands_compared", event.seat, event.target)
    else:
        cards, target_cards = texts.cards(event.cards), texts.cards(event.target_cards)
        compared = texts.about(
            "event.hands_compared.known", event.seat, event.target, cards=cards, target_cards=target_cards
        )
    if not texts.following or isinstance(texts.following[0], KnockedOut):
        return compared
    unsaid = may_stay_in(texts)
    return texts.text("event.hands_compared.nothing" if unsaid else "event.hands_compared.tie", compared=compared)


def _hands_traded_sentence(texts: GameWords, event: HandsTraded) -> str:
    if None in event.cards or None in event.target_cards:
        return texts.about("event.hands_traded", event.seat, event.target)
    cards, target_cards = texts.cards(event.cards), texts.cards(event.target_cards)
    return texts.about("event.hands_traded.known", event.seat, event.target, cards=cards, target_cards=target_cards)


def _hand_taken_sentence(texts: GameWords, event: HandTaken) -> str:
    if None in event.cards:
        return texts.about("event.hand_taken", event.seat, event.target)
    return texts.about("event.hand_taken.known", event.seat, event.target, cards=texts.cards(event.cards))


def _hands_given_sentence(texts: GameWords, event: HandsGiven) -> str:
    if not event.targets:  # all whose hands were collected have left since
        return texts.about("event.hands_given.none", event.seat)
    targets = texts.all(event.targets, "dative", event.seat if texts.is_reader(event.seat) else None)
    one = len(event.targets) == 1
    given = texts.about("event.hands_given.one" if one else "event.hands_given.many", event.seat, targets=targets)
    for target in event.targets:
        card = event.hands[target]
        if card is not None:
            given = texts.about("event.hands_given.known", target, given=given, card=texts.card(card))
    return given


HAND_EVENTS: Final[Mapping[type[Event], Sentence]] = {
    HandShown: _hand_shown_sentence,
    HandsCompared: _hands_compared_sentence,
    HandsTraded: _hands_traded_sentence,
    HandTaken: _hand_taken_sentence,
    CardReceived: card_sentence,
    HandsGiven: _hands_given_sentence,
}
