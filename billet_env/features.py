"""The features of an observation, as a table: the name, the subject, and how to read the value from a view.

Features read only the view. They do not describe how a position came about: a seat that wants to remember has the
events.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.actions import KeepCard
from engine.rulebook import Rulebook
from engine.state import GameState

Axes: TypeAlias = Mapping[str, Sequence[str]]
MOST_HELD: Final = 3
"""The largest hand: the own card and two drawn besides."""
MARKING: Final = ("jester", "liber_ivonis")
"""The cards that leave a mark on the table."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What features are read off."""

    view: GameState
    seats: Sequence[int]
    """From the one that observes, clockwise."""
    axes: Axes


@dataclass(frozen=True, slots=True)
class Feature:
    """Neighbouring figures of a row about one thing, the last axis running fastest."""

    name: str
    axes: tuple[str, ...]
    meaning: str
    read: Callable[[Sight], Iterable[int]]
    most: Callable[[Rulebook], int] = lambda book: 1
    """How large a figure may be; the least is 0."""
    known: Callable[[Rulebook], bool] = lambda book: True
    """Whether an edition knows such a thing."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Returns how a feature of observations is copied and pickled: by its name, for its functions have none."""
        return feature, (self.name,)


def axes_of(book: Rulebook) -> Axes:
    """Returns the axes of an observation's features at a table; empty for what the table does not know."""
    questions = [f"{card} {kind}" for card, answers in book.answers.items() for kind in answers]
    returns = any(KeepCard.type in answers for answers in book.answers.values())
    # The draw pile is largest when only two seats are dealt in; one card lies face down.
    places = len(book.deck) - 1 - book.shown_aside - 2 if returns else 0
    return {
        "seats": [str(away) for away in range(book.seats)],
        "cards": list(book.cards),
        "places": [str(place) for place in range(places)],
        "marking cards": [card for card in MARKING if card in book.cards],
        "by or on": ["by", "on"],
        "questions": questions,
        "one figure": ["it"],
    }


def of_seats(read: Callable[[GameState, int], int]) -> Callable[[Sight], Iterable[int]]:
    """Returns the reader of an observation's feature with a figure for every seat."""
    return lambda sight: [read(sight.view, seat) for seat in sight.seats]


def of_cards(read: Callable[[GameState], Sequence[str]]) -> Callable[[Sight], Iterable[int]]:
    """Returns the reader of an observation's feature that counts every card in one place."""
    return lambda sight: [read(sight.view).count(card) for card in sight.axes["cards"]]


def of_seats_cards(read: Callable[[GameState, int], Sequence[str | None]]) -> Callable[[Sight], Iterable[int]]:
    """Returns the reader of an observation's feature that counts every card at every seat."""
    return lambda sight: [read(sight.view, seat).count(card) for seat in sight.seats for card in sight.axes["cards"]]


def copies(book: Rulebook) -> int:
    """Returns the most that an observation's feature can count of one card: its copies in the deck."""
    return max(card.copies for card in book.cards.values())


def tokens(book: Rulebook) -> int:
    """Returns the most tokens that an observation's feature shows; only a game with many ties goes beyond."""
    return 2 * (book.tokens_to_win + book.insane_tokens_to_win)


def few(view: GameState, count: int) -> int:
    """Returns a number of tokens as an observation's feature shows it."""
    return min(count, tokens(view.book))


def asked(sight: Sight) -> Iterable[int]:
    """Reads the feature of an observation that says which question is open."""
    decision = sight.view.decision
    question = None if decision is None else f"{decision.card} {decision.kind}"
    return [question == name for name in sight.axes["questions"]]


def marks(sight: Sight) -> Iterable[int]:
    """Reads the feature of an observation that says who has marked whom."""
    found = [sight.view.marks.get(card, (None, None)) for card in sight.axes["marking cards"]]
    return [seat == end for pair in found for end in pair for seat in sight.seats]


def known_deck(sight: Sight) -> Iterable[int]:
    """Reads the observation's feature that says which cards of the deck the seat knows: those it has put there."""
    unknown = [None] * (len(sight.axes["places"]) - len(sight.view.deck))
    return [place == card for place in (*sight.view.deck, *unknown) for card in sight.axes["cards"]]


def insanity(book: Rulebook) -> bool:
    """Returns whether an edition has the features of insanity in its observations."""
    return bool(book.insanity)


SEATS: Final = ("seats",)
CARDS: Final = ("cards",)
SEATS_CARDS: Final = ("seats", "cards")
ONE: Final = ("one figure",)

FEATURES: Final = (
    Feature("to_act", SEATS, "Who must act.", of_seats(lambda view, seat: view.to_act == seat)),
    Feature("turn", SEATS, "Whose turn it is.", of_seats(lambda view, seat: view.turn == seat)),
    Feature("starter", SEATS, "Who began the round.", of_seats(lambda view, seat: view.starter == seat)),
    Feature("left", SEATS, "Who has left the game.", of_seats(lambda view, seat: view.seats[seat].left)),
    Feature("dealt", SEATS, "Who was dealt into the round.", of_seats(lambda view, seat: seat in view.dealt)),
    Feature("in_round", SEATS, "Who is still in the round.", of_seats(GameState.is_in_round)),
    Feature("protected", SEATS, "Who cannot be chosen.", of_seats(GameState.is_protected)),
    Feature("bound", SEATS, "Who must be chosen by the next card.", of_seats(lambda view, seat: view.bound == seat)),
    Feature(
        "tokens",
        SEATS,
        "Tokens, of both kinds; larger numbers are given as the largest.",
        of_seats(lambda view, seat: few(view, view.seats[seat].tokens)),
        tokens,
    ),
    Feature(
        "scores",
        SEATS,
        "The same as the round began.",
        of_seats(lambda view, seat: few(view, view.scores[seat])),
        tokens,
    ),
    Feature(
        "insane_tokens",
        SEATS,
        "How many of the tokens are insane ones.",
        of_seats(lambda view, seat: few(view, view.seats[seat].insane_tokens)),
        tokens,
        insanity,
    ),
    Feature("insane", SEATS, "Who is insane.", of_seats(GameState.is_insane), known=insanity),
    Feature(
        "hand_size",
        SEATS,
        "How many cards each holds.",
        of_seats(lambda view, seat: len(view.seats[seat].hand)),
        lambda book: MOST_HELD,
    ),
    Feature(
        "hand",
        SEATS_CARDS,
        "How many of each card are known to be in each hand: the own one, and what was shown and is still there.",
        of_seats_cards(lambda view, seat: view.seats[seat].hand),
        lambda book: MOST_HELD,
    ),
    Feature(
        "discards",
        SEATS_CARDS,
        "How many of each card lie in front of each seat.",
        of_seats_cards(lambda view, seat: view.seats[seat].discards),
        copies,
    ),
    Feature(
        "in_play",
        CARDS,
        "How many of each card are played and not yet carried out.",
        of_cards(lambda view: view.in_play),
        copies,
        lambda book: book.into_play,
    ),
    Feature(
        "shown_aside",
        CARDS,
        "Only with two seats: how many of each card lie face up beside the deck.",
        of_cards(lambda view: view.shown_aside),
        copies,
        lambda book: book.shown_aside > 0,
    ),
    Feature(
        "set_aside",
        ONE,
        "Whether the card that was set aside face down still lies there.",
        lambda sight: [len(sight.view.set_aside)],
    ),
    Feature(
        "deck_size",
        ONE,
        "How many cards the draw pile has.",
        lambda sight: [len(sight.view.deck)],
        lambda book: len(book.deck),
    ),
    Feature(
        "deck", ("places", "cards"), "Which cards of the draw pile are known, place by place from its top.", known_deck
    ),
    Feature("marks", ("marking cards", "by or on", "seats"), "Who has marked, and who is marked.", marks),
    Feature("decision", ("questions",), "Which question is open.", asked),
    Feature(
        "decision_seats",
        SEATS,
        "Which seats the question is about.",
        of_seats(lambda view, seat: view.decision is not None and seat in view.decision.seats),
        known=lambda book: any(book.answers.values()),
    ),
)


def feature(name: str) -> Feature:
    """Returns an observation's feature by its name."""
    return next(one for one in FEATURES if one.name == name)
