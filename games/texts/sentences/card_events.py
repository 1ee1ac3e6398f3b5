"""Sentences about cards that are drawn, revealed, discarded, put back or laid down by a seat that is out."""

from collections.abc import Mapping
from typing import Final

from engine.events import CardDrawn, CardRevealed, CardsReturned, Event, HandDiscarded, KnockedOut, SeatLeft
from games.texts.cards import card_objects
from games.texts.sentences.game_words import GameWords, Sentence, card_sentence


def _card_drawn_sentence(texts: GameWords, event: CardDrawn) -> str:
    seat, from_deck = event.seat, event.source == "deck"
    if event.card is None:
        return texts.about("event.card_drawn" if from_deck else "event.card_drawn.set_aside", seat)
    card = texts.card(event.card)
    return texts.about("event.card_drawn.known" if from_deck else "event.card_drawn.set_aside_known", seat, card=card)


def _hand_discarded_sentence(texts: GameWords, event: HandDiscarded) -> str:
    return texts.about("event.hand_discarded", event.seat, cards=texts.cards(event.cards))


def _cards_returned_sentence(texts: GameWords, event: CardsReturned) -> str:
    cards = tuple([card for card in event.cards if card is not None])
    if len(cards) == len(event.cards):
        return texts.about("event.cards_returned", event.seat, cards=card_objects(texts.words, cards))
    if len(event.cards) == 1:
        return texts.about("event.cards_returned.one", event.seat)
    return texts.about("event.cards_returned.many", event.seat, count=len(event.cards))


def _knocked_out_sentence(texts: GameWords, event: KnockedOut) -> str:
    if not event.cards:
        return texts.about("event.knocked_out", event.seat)
    return texts.about("event.knocked_out.with", event.seat, cards=texts.cards(event.cards))


def _seat_left_sentence(texts: GameWords, event: SeatLeft) -> str:
    if not event.cards:
        return texts.about(f"event.seat_left.{event.reason}", event.seat)
    return texts.about(f"event.seat_left.{event.reason}_with", event.seat, cards=texts.cards(event.cards))


CARD_EVENTS: Final[Mapping[type[Event], Sentence]] = {
    CardDrawn: _card_drawn_sentence,
    CardRevealed: card_sentence,
    HandDiscarded: _hand_discarded_sentence,
    CardsReturned: _cards_returned_sentence,
    KnockedOut: _knocked_out_sentence,
    SeatLeft: _seat_left_sentence,
}
