"""Sentences about the course of a game: the table, rounds, turns, decisions, tokens and how it ends."""

from collections.abc import Mapping
from typing import Final

from engine.events import (
    BreakEnded,
    BreakTaken,
    DecisionOpened,
    DecisionTaken,
    Event,
    GameAborted,
    GameCreated,
    GameFinished,
    GameStarted,
    HandsRevealed,
    NonceRevealed,
    OfferWithdrawn,
    RevealStarted,
    RoundEnded,
    RoundStarted,
    SeatCleared,
    SeatDeclined,
    SeatOffered,
    SeatTaken,
    SeatTakenBack,
    SeatTimedOut,
    SeatVacated,
    SecretRevealed,
    TimeSpent,
    TokenAwarded,
    TurnStarted,
)
from games.texts.cards import card_name
from games.texts.plays import numbered
from games.texts.sentences.game_words import GameWords, Sentence, seat_sentence
from games.texts.sentences.round_ends import round_ended_sentence


def _game_created_sentence(texts: GameWords, event: GameCreated) -> str:
    return texts.text("event.game_created", seats=event.seats, edition=texts.text(f"edition.{event.edition}.title"))


# Before the start a seat may change hands, and the names of seats are those of now: hence the name of the player, also
# for a reader who is on the seat by now.
def _seat_taken_sentence(texts: GameWords, event: SeatTaken) -> str:
    return texts.text("event.seat_taken", who=texts.people[event.player], seat=numbered(event.seat))


def _seat_vacated_sentence(texts: GameWords, event: SeatVacated) -> str:
    return texts.text("event.seat_vacated", seat=numbered(event.seat))


def _seat_cleared_sentence(texts: GameWords, event: SeatCleared) -> str:
    return texts.text("event.seat_cleared", who=texts.people[event.player], seat=numbered(event.seat))


def _seat_offered_sentence(texts: GameWords, event: SeatOffered) -> str:
    return texts.text("event.seat_offered", who=texts.people[event.player], seat=numbered(event.seat))


def _seat_declined_sentence(texts: GameWords, event: SeatDeclined) -> str:
    who, why = texts.people[event.player], texts.text(f"decline.{event.reason}")
    return texts.text("event.seat_declined", who=who, seat=numbered(event.seat), why=why)


def _offer_withdrawn_sentence(texts: GameWords, event: OfferWithdrawn) -> str:
    return texts.text("event.offer_withdrawn", who=texts.people[event.player], seat=numbered(event.seat))


def _game_started_sentence(texts: GameWords, event: GameStarted) -> str:
    players, missing = texts.all(range(len(event.players))), event.unrevealed
    if len(missing) == 1:
        return texts.about("event.game_started.without", missing[0], players=players)
    if missing:
        who = texts.all(missing, "dative")
        return texts.text("event.game_started.without.several", who=who, players=players)
    return texts.text("event.game_started", players=players)


def _reveal_started_sentence(texts: GameWords, event: RevealStarted) -> str:
    if len(event.seats) == 1:
        return texts.about("event.reveal_started", event.seats[0])
    return texts.text("event.reveal_started.several", who=texts.all(event.seats, "dative"))


def _round_started_sentence(texts: GameWords, event: RoundStarted) -> str:
    if _is_tie_break(texts, event):
        players, starter = texts.all(event.seats, "dative"), texts.one(event.starter, "dative")
        told = texts.text("event.round_started.tie_break", number=event.number, players=players, starter=starter)
    else:
        told = texts.about(
            "event.round_started" if event.position is None else "event.round_started.position",
            event.starter,
            number=event.number,
        )
    if event.shown_aside:
        cards = texts.words.listed([card_name(texts.words, card) for card in event.shown_aside])
        told = texts.text("event.round_started.aside", round=told, cards=cards)
    for seat, card in enumerate(event.hands):
        if card is not None:
            told = texts.about(
                "event.round_started.dealt" if event.position is None else "event.round_started.holds",
                seat,
                round=told,
                card=texts.card(card),
            )
    if event.position is not None and event.position["out"]:
        told = texts.text("event.round_started.out", round=told, players=texts.all(event.position["out"]))
    if event.position is not None and event.position["protected"]:
        shielded = texts.all(event.position["protected"])
        told = texts.text("event.round_started.protected", round=told, players=shielded)
    return told


def _is_tie_break(texts: GameWords, event: RoundStarted) -> bool:
    """Returns whether the sentence on a round calls it a tie break: all seats in it have tokens enough to win."""
    book = texts.book
    return not book.insane_tokens_to_win and all(event.scores[seat] >= book.tokens_to_win for seat in event.seats)


def _decision_opened_sentence(texts: GameWords, event: DecisionOpened) -> str:
    return texts.about(f"event.decision_opened.{event.kind}", event.seat)


def _hands_revealed_sentence(texts: GameWords, event: HandsRevealed) -> str:
    hands = [
        texts.about("event.hands_revealed.hand", seat, card=texts.card(card))
        for seat, card in enumerate(event.hands)
        if card is not None
    ]
    return texts.text("event.hands_revealed", hands=texts.words.listed(hands))


def _token_awarded_sentence(texts: GameWords, event: TokenAwarded) -> str:
    token = texts.text(f"token.{event.kind}.object")
    if event.reason == "round":
        return texts.about("event.token_awarded.round", event.seat, token=token)
    return texts.about("event.token_awarded.card", event.seat, token=token, card=texts.card(event.reason))


def _seat_timed_out_sentence(texts: GameWords, event: SeatTimedOut) -> str:
    # It comes again before whatever the bot does.
    again = event.seat in texts.past.away
    return texts.about("event.seat_timed_out.again" if again else "event.seat_timed_out", event.seat)


def _break_taken_sentence(texts: GameWords, event: BreakTaken) -> str:
    one = event.days == 1
    return texts.about("event.break_taken.one" if one else "event.break_taken", event.seat, days=event.days)


def _time_spent_sentence(texts: GameWords, event: TimeSpent) -> str:
    spent, left = _duration(event.spent_ms), _duration(event.bank_ms)
    return texts.about("event.time_spent", event.seat, spent=spent, left=left)


def _duration(ms: int) -> str:
    """Returns milliseconds as sentences have them in every language, in whole seconds: 0:09, 12:40, 26:00:00."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _game_finished_sentence(texts: GameWords, event: GameFinished) -> str:
    one = len(event.winners) == 1
    return texts.about_all("event.game_finished" if one else "event.game_finished.many", event.winners)


def _game_aborted_sentence(texts: GameWords, event: GameAborted) -> str:
    return texts.text(f"event.game_aborted.{event.reason}")


def _secret_revealed_sentence(texts: GameWords, event: SecretRevealed) -> str:
    return texts.text("event.secret_revealed", secret=event.secret)


GAME_EVENTS: Final[Mapping[type[Event], Sentence]] = {
    GameCreated: _game_created_sentence,
    SeatTaken: _seat_taken_sentence,
    SeatVacated: _seat_vacated_sentence,
    SeatCleared: _seat_cleared_sentence,
    SeatOffered: _seat_offered_sentence,
    SeatDeclined: _seat_declined_sentence,
    OfferWithdrawn: _offer_withdrawn_sentence,
    RevealStarted: _reveal_started_sentence,
    NonceRevealed: seat_sentence,
    GameStarted: _game_started_sentence,
    RoundStarted: _round_started_sentence,
    TurnStarted: seat_sentence,
    DecisionOpened: _decision_opened_sentence,
    DecisionTaken: seat_sentence,
    HandsRevealed: _hands_revealed_sentence,
    RoundEnded: round_ended_sentence,
    TokenAwarded: _token_awarded_sentence,
    TimeSpent: _time_spent_sentence,
    SeatTimedOut: _seat_timed_out_sentence,
    BreakTaken: _break_taken_sentence,
    BreakEnded: seat_sentence,
    SeatTakenBack: seat_sentence,
    GameFinished: _game_finished_sentence,
    GameAborted: _game_aborted_sentence,
    SecretRevealed: _secret_revealed_sentence,
}
