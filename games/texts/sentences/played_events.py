"""Sentences about a card played and what it lays on seats."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.cards import DECK, OTHERS
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardResolved,
    Event,
    GameFinished,
    HandDiscarded,
    HandShown,
    KnockedOut,
    SeatBound,
    SeatMarked,
    SeatProtected,
    TokenAwarded,
)
from games.texts.plays import guess_text, played_card, void
from games.texts.sentences.game_words import GameWords, Sentence, card_sentence, seat_sentence


def _card_played_sentence(texts: GameWords, event: CardPlayed) -> str:
    seat, card, following = event.seat, played_card(texts.words, event.card, event.face), texts.following
    bound = texts.past.bound if texts.past.bound == seat else None
    why = void(texts.book, event.card, event.face, event.targets, bound, _missing(following))
    if why is not None:
        return texts.about(f"event.card_played.{why.value}", seat, card=card)
    if not event.targets:
        play = texts.about("event.card_played", seat, card=card)
        return texts.about("event.card_played.wins_game", seat, play=play) if _wins_game(following) else play
    targets = texts.all(event.targets, "accusative", seat)
    if event.named is None:
        return texts.about("event.card_played.on", seat, card=card, targets=targets)
    guess = guess_text(texts.words, event.named, texts.book)
    play = texts.about("event.card_played.guess", seat, card=card, targets=targets, guess=guess)
    return _with_outcome(texts, play, event) if following else play


def _wins_game(following: Sequence[Event]) -> bool:
    """Returns whether the sentence on a played card says that it wins the game: nothing else comes before the end."""
    after = next((event for event in following if not isinstance(event, CardResolved)), None)
    return isinstance(after, GameFinished)


def _missing(following: Sequence[Event]) -> frozenset[str]:
    """Returns what a sentence says was not there for a played card, by what follows at once."""
    if not following:
        return frozenset()
    missing = set() if isinstance(following[0], CardDrawn) else {DECK}
    if not isinstance(following[0], HandShown):
        missing.add(OTHERS)
    return frozenset(missing)


def _with_outcome(texts: GameWords, play: str, event: CardPlayed) -> str:
    """Returns the sentence about a guess with its outcome, which the next event tells everybody."""
    outcome = texts.following[0]
    if isinstance(outcome, KnockedOut) and outcome.seat == event.seat:
        return _turned_away(texts, play, event.target)
    if isinstance(outcome, KnockedOut | TokenAwarded):
        return texts.text("event.card_played.hit", play=play)
    if may_stay_in(texts):
        return texts.text("event.card_played.nothing", play=play)
    return texts.text("event.card_played.miss", play=play)


def _turned_away(texts: GameWords, play: str, target: int) -> str:
    """Returns the sentence about a guess that a card in the target's hand turned against its player."""
    for event in texts.following:
        if isinstance(event, HandDiscarded):
            card = texts.cards(event.cards)
            return texts.about("event.card_played.turned_away", target, play=play, card=card)
    return play


def may_stay_in(texts: GameWords) -> bool:
    """Returns whether a sentence may only say "nothing happens", as a seat may stay in where another would be out."""
    return texts.book.options.get("liber_ivonis") == "published"


def _seat_marked_sentence(texts: GameWords, event: SeatMarked) -> str:
    card = texts.card(event.card)
    if event.target == event.seat:
        return texts.about("event.seat_marked.own", event.seat, card=card)
    return texts.about("event.seat_marked", event.seat, event.target, card=card)


PLAYED_EVENTS: Final[Mapping[type[Event], Sentence]] = {
    CardPlayed: _card_played_sentence,
    CardResolved: card_sentence,
    SeatProtected: seat_sentence,
    SeatBound: seat_sentence,
    SeatMarked: _seat_marked_sentence,
}
