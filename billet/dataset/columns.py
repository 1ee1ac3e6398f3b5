"""The columns of the decision table: their names, descriptions, and the values they read from a decision.

A column of `KNOWN` reads only a moment, which holds only what the seat knows. So it cannot reveal more.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

import pyarrow as pa

from billet.dataset.decisions import Choice, DecisionRecord, GameRecord, Outcome, SeatKnowledge
from engine.actions import Action, PlayCard
from engine.notation import print_action
from engine.state import FINISHED, GameState, SeatState
from games.times import ms_of

RecordPart = TypeVar("RecordPart", GameRecord, SeatKnowledge, Choice, Outcome)


@dataclass(frozen=True, slots=True)
class Column(Generic[RecordPart]):
    """One column: a cell of it is read off its part of a decision."""

    name: str
    type: pa.DataType
    meaning: str
    read: Callable[[RecordPart], Any]


TEXT: Final = pa.string()
YES: Final = pa.bool_()
SEAT: Final = pa.int8()
FEW: Final = pa.int8()
COUNT: Final = pa.int16()
TEXTS: Final = pa.list_(TEXT)
PILES: Final = pa.list_(TEXTS)
SEATS: Final = pa.list_(SEAT)
MARKS: Final = pa.list_(pa.struct([("card", TEXT), ("seat", SEAT), ("target", SEAT)]))

one_line = lru_cache(maxsize=20_000)(print_action)


def of_seats(read: Callable[[SeatState], Any]) -> Callable[[SeatKnowledge], list[Any]]:
    """Returns the reader of a dataset column with an item for every seat, read off the seat."""
    return lambda moment: [read(seat) for seat in moment.view.seats]


def by_seat(read: Callable[[GameState, int], Any]) -> Callable[[SeatKnowledge], list[Any]]:
    """Returns the reader of a dataset column with an item for every seat, read off the view."""
    return lambda moment: [read(moment.view, seat) for seat in range(len(moment.view.seats))]


def insanity(read: Callable[[SeatKnowledge], list[Any]]) -> Callable[[SeatKnowledge], list[Any] | None]:
    """Returns the reader of a dataset column that is empty in editions without insanity."""
    return lambda moment: read(moment) if moment.view.book.insanity else None


def marks(moment: SeatKnowledge) -> list[dict[str, Any]]:
    """Reads the dataset column that says who has marked whom."""
    return [{"card": card, "seat": seat, "target": target} for card, (seat, target) in moment.view.marks.items()]


def question(moment: SeatKnowledge) -> str:
    """Reads the dataset column that says what the seat is asked."""
    return "turn" if moment.view.decision is None else moment.view.decision.kind


def played(choice: Choice) -> str | None:
    """Reads the dataset column that says which card was played."""
    return choice.action.card if isinstance(choice.action, PlayCard) else None


def lines(actions: Sequence[Action]) -> list[str]:
    """Returns actions in one-line notation, for a column of the dataset."""
    return [one_line(action) for action in actions]


def won_round(outcome: Outcome) -> bool | None:
    """Reads the dataset column that says whether the seat won the round."""
    return None if outcome.round_winners is None else outcome.seat in outcome.round_winners


def won_game(outcome: Outcome) -> bool | None:
    """Reads the dataset column that says whether the seat won the game."""
    return outcome.seat in outcome.ended.winners if outcome.ended.status == FINISHED else None


TABLE: Final[tuple[Column[GameRecord], ...]] = (
    Column("game", TEXT, "The id of the game.", lambda game: game.created.game),
    Column("edition", TEXT, "The rule set and deck.", lambda game: game.created.edition),
    Column(
        "options",
        pa.map_(TEXT, TEXT),
        "The house rules in force, by name.",
        lambda game: sorted(game.created.options.items()),
    ),
    Column("seats", SEAT, "How many seats the table has.", lambda game: game.created.seats),
    Column(
        "sandbox",
        YES,
        "Whether the decks may have been chosen: leave such games out of any statistics.",
        lambda game: game.created.sandbox,
    ),
    Column(
        "players",
        TEXTS,
        "By seat, the id of the player; that of a bot of the service is `bot-` and its name.",
        lambda game: list(game.players),
    ),
)

KNOWN: Final[tuple[Column[SeatKnowledge], ...]] = (
    Column("version", pa.int32(), "How many events of the log came before.", lambda moment: moment.view.version),
    Column("round", COUNT, "The number of the round, from 1.", lambda moment: moment.view.round_number),
    Column("turn", COUNT, "The number of the turn in the round, from 1.", lambda moment: moment.turn),
    Column("seat", SEAT, "The seat that must act.", lambda moment: moment.seat),
    Column(
        "decision",
        TEXT,
        "What is asked: `turn` for the play of a turn, else the kind of the open decision.",
        question,
    ),
    Column(
        "decision_card",
        TEXT,
        "The card that asks; null in a turn.",
        lambda moment: None if moment.view.decision is None else moment.view.decision.card,
    ),
    Column(
        "decision_seats",
        SEATS,
        "The seats that the question is about; null in a turn.",
        lambda moment: None if moment.view.decision is None else list(moment.view.decision.seats),
    ),
    Column(
        "hand", TEXTS, "The cards that the seat holds itself.", lambda moment: list(moment.view.seats[moment.seat].hand)
    ),
    Column(
        "hands",
        PILES,
        "By seat, the cards held; null stands for one that the seat to act does not know.",
        of_seats(lambda seat: seat.hand[:]),
    ),
    Column("discards", PILES, "By seat, the cards that lie in front of it.", of_seats(lambda seat: seat.discards[:])),
    Column(
        "plays",
        TEXTS,
        "What was played in the round so far: the seat, a space, and the action.",
        lambda moment: moment.plays,
    ),
    Column("deck_size", FEW, "How many cards the draw pile has.", lambda moment: len(moment.view.deck)),
    Column(
        "deck",
        TEXTS,
        "The draw pile, the top first; null for a card that the seat does not know.",
        lambda moment: moment.view.deck[:],
    ),
    Column(
        "set_aside",
        FEW,
        "How many cards lie face down beside the deck.",
        lambda moment: len(moment.view.set_aside),
    ),
    Column("shown_aside", TEXTS, "The cards face up beside the deck.", lambda moment: list(moment.view.shown_aside)),
    Column(
        "in_play",
        TEXTS,
        "The cards that are played and not yet carried out.",
        lambda moment: moment.view.in_play[:],
    ),
    Column("starter", SEAT, "The seat that began the round.", lambda moment: moment.view.starter),
    Column("turn_of", SEAT, "The seat whose turn it is.", lambda moment: moment.view.turn),
    Column("dealt", SEATS, "The seats that were dealt into the round.", lambda moment: list(moment.view.dealt)),
    Column("tie_break", YES, "Whether the round is to break a tie.", lambda moment: moment.view.tie_break),
    Column(
        "in_round", pa.list_(YES), "By seat, whether it is still in the round, not out.", by_seat(GameState.is_in_round)
    ),
    Column("protected", pa.list_(YES), "By seat, whether it cannot be chosen.", by_seat(GameState.is_protected)),
    Column("left", pa.list_(YES), "By seat, whether it has left the game.", of_seats(lambda seat: seat.left)),
    Column("away", pa.list_(YES), "By seat, whether a bot stands in for it.", by_seat(GameState.is_away)),
    Column(
        "bound",
        SEAT,
        "The seat that the next card must choose; null where there is none.",
        lambda moment: moment.view.bound,
    ),
    Column("marks", MARKS, "Who has marked whom in the round, by which card.", marks),
    Column("tokens", pa.list_(FEW), "By seat, its tokens of every kind.", of_seats(lambda seat: seat.tokens)),
    Column(
        "insane_tokens",
        pa.list_(FEW),
        "By seat, how many of its tokens are insane ones; null where there are none.",
        insanity(of_seats(lambda seat: seat.insane_tokens)),
    ),
    Column(
        "insane",
        pa.list_(YES),
        "By seat, whether it is insane; null where nobody can be.",
        insanity(by_seat(GameState.is_insane)),
    ),
    Column(
        "banks_ms",
        pa.list_(pa.int64()),
        "By seat, the time in its bank as last reported, in milliseconds; null without banks.",
        lambda moment: None if moment.view.banks is None else list(moment.view.banks),
    ),
    Column("legal", TEXTS, "All that the seat may do, in the order of the rules.", lambda moment: lines(moment.legal)),
)

CHOSEN: Final[tuple[Column[Choice], ...]] = (
    Column("action", TEXT, "What was done, one of `legal`.", lambda choice: one_line(choice.action)),
    Column("action_index", COUNT, "Its place in `legal`, from 0.", lambda choice: choice.place),
    Column("card", TEXT, "The card that was played; null where something else was done.", played),
    Column("player", TEXT, "The id of the player whose seat it is.", lambda choice: choice.player),
    Column(
        "actor",
        TEXT,
        "Who acted: `player`, a person or a program of theirs; `bot`, a bot of the service on its own seat; "
        "`stand_in`, because the time of the player was up.",
        lambda choice: choice.actor,
    ),
    Column(
        "bot",
        TEXT,
        "The name of the bot that chose; null for a player, and where a question was declined because time was up.",
        lambda choice: choice.bot,
    ),
    Column("bot_version", COUNT, "The version of that bot.", lambda choice: choice.bot_version),
    Column(
        "think_ms",
        pa.int32(),
        "How long that bot could think, in milliseconds; 0 for one that does not.",
        lambda choice: choice.think_ms,
    ),
    Column("at", pa.timestamp("ms", tz="UTC"), "When it was done.", lambda choice: ms_of(choice.at)),
)

OUTCOME: Final[tuple[Column[Outcome], ...]] = (
    Column(
        "won_round",
        YES,
        "Whether the seat won the round; null where it was not played to its end.",
        won_round,
    ),
    Column("won_game", YES, "Whether the seat won the game, alone or with others.", won_game),
    Column(
        "tokens_at_end",
        pa.list_(FEW),
        "By seat, its tokens when the game had ended.",
        lambda outcome: [seat.tokens for seat in outcome.ended.seats],
    ),
)

GROUPS: Final[tuple[tuple[str, tuple[Column[Any], ...]], ...]] = (
    ("the table", TABLE),
    ("what the seat knew", KNOWN),
    ("what was done", CHOSEN),
    ("how it ended", OUTCOME),
)
"""All columns in their order, by part of the table."""


def cells(decision: DecisionRecord) -> Iterator[Any]:
    """Yields the cells of a decision's row in the dataset, in the order of the columns."""
    for (_, columns), part in zip(GROUPS, decision, strict=True):
        for column in columns:
            yield column.read(part)
